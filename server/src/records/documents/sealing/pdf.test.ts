import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PDF } from '@libpdf/core'
import {
  field,
  lacks,
  plainPdf,
  sealedAndSigned,
  sealedOf,
  told,
} from '../../../../test/support/pdf.ts'
import { facesFor, languageOf, lettersOf } from './fonts.ts'
import { Letters } from './letters.ts'
import { sealedPdf } from './pdf.ts'

/** Names as people type them, by script. */
const names: { [script: string]: string[] } = {
  Latin: [
    'José Müller',
    'Łukasz Żółć',
    'Søren Ångström',
    'Nguyễn Thị Đặng',
    'Çağrı Öztürk',
    'Q̃uà Ẹ̀bùn',
  ],
  Greek: ['Γιώργος Παπαδόπουλος', 'Ἀριστοτέλης'],
  Cyrillic: ['Жанна Ёлкина', 'Ґалаґан Їжак', 'Ђорђе Љубић'],
  Armenian: ['Հայկ Պետրոսյան'],
  Georgian: ['გიორგი ბერიძე'],
  Hebrew: ['ישראל כהן', 'שָׁלוֹם לֵוִי', 'Dana כהן'],
  Arabic: ['محمد علي', 'عبد الله بن عمر', 'فاطمة Smith', 'پرویز گلچین'],
  Thai: ['สมชาย ใจดี', 'น้ำฝน ศรีสุข'],
  Devanagari: ['नरेन्द्र शर्मा', 'श्रीकृष्ण क्षत्रिय'],
  Bengali: ['রবীন্দ্রনাথ ঠাকুর'],
  Tamil: ['தமிழ் செல்வி'],
  Han: ['王小明', '陳大文', '歐陽鋒', '𠮷野家', '李 Lee'],
  Japanese: ['山田 太郎', 'たなか さくら', 'タナカ ヒロシ'],
  Korean: ['김철수', '뷁 쀍'],
  Telugu: ['తెలుగు రామారావు'],
  Gujarati: ['ગુજરાતી પટેલ'],
  Sinhala: ['සිංහල පෙරේරා'],
  Ethiopic: ['አበበ ቢቂላ'],
  Khmer: ['សុខ សំណាង'],
  Emoji: ['Ada 🦊 Fox', '😀 Joy'],
}

const all = Object.values(names).flat()

describe('a signed document as a PDF', () => {
  test('has a glyph of a font for every letter of 40 names in 15 scripts', async () => {
    assert.ok(all.length >= 40 && Object.keys(names).length >= 15)
    const { Buffer: Shaped, shape } = await import('harfbuzzjs')
    const composed = all.map((name) => name.normalize('NFC'))
    const faceOf = await facesFor(composed)
    for (const name of composed) {
      for (const letter of lettersOf(name)) {
        for (const hand of ['plain', 'bold', 'script'] as const) {
          const face = faceOf(letter, hand, languageOf(name))
          assert.ok(face, `${letter} of ${name}`)
          const buffer = new Shaped()
          buffer.addText(letter)
          buffer.guessSegmentProperties()
          shape(face.font, buffer)
          // glyph 0 is the box of a letter that a font lacks
          const glyphs = buffer.getGlyphInfos().map(({ codepoint }) => codepoint)
          assert.ok(!glyphs.includes(0), `${letter} of ${name}`)
        }
      }
    }
  })

  test(
    'shows every name with the letters that were typed',
    { skip: lacks('pdftotext') },
    async () => {
      const people = all.map((name, i) => ({
        name,
        fields: [field({ kind: 'signature', page: i + 1, value: name })],
      }))
      const original = plainPdf(all.map(() => ({ content: '' })))
      const sealed = await sealedAndSigned(sealedOf(original, { people }))
      const { text } = await told('pdftotext', ['-raw', 'in.pdf', '-'], { 'in.pdf': sealed })
      const pages = text.split('\f')
      const lettersIn = (each: string) =>
        Array.from(each.normalize('NFC').replaceAll(/[\s\p{Cf}]/gu, ''))
          .toSorted()
          .join('')
      for (const [i, name] of all.entries()) {
        assert.equal(lettersIn(pages[i] ?? ''), lettersIn(name), name)
      }
      assert.doesNotMatch(text, /\?|�|\[U\+/)
    },
  )

  test('draws right-to-left letters from the right, joined', async () => {
    const pdf = PDF.create()
    const letters = await Letters.of(pdf, ['محمد', 'محمد '.repeat(2), 'م'])
    // joined letters are narrower than four that stand alone
    assert.ok(letters.width('محمد', 'plain', 100) < 4 * letters.width('م', 'plain', 100))
    const places = (text: string) =>
      Array.from(
        letters.draw(text, 'plain', { x: 0, y: 0, size: 10 }).matchAll(/1 0 0 1 ([\d.]+)/g),
      )
    assert.equal(places('محمد').length, 4)
  })

  test('names a letter that no font has by its number', async () => {
    const pdf = await PDF.load(
      (await sealedPdf(sealedOf(undefined, { people: [{ name: 'ᏣᎳ' }] }))).bytes,
    )
    assert.match(pdf.getPage(0)?.extractText().text ?? '', /\[U\+13E3\]/)
  })

  test('embeds no fonts for Western European text, and small ones for others', async () => {
    const size = async (name: string) =>
      (await sealedPdf(sealedOf(undefined, { people: [{ name }] }))).bytes.length
    const western = await size('José Müller, Søren Ångström: 100 €')
    // most of it is the room for the signature
    assert.ok(western < 60_000, `${western} bytes`)
    const other = await size('王小明 Жанна')
    assert.ok(other < western + 30_000, `${other} bytes`)
  })

  test('shows a text with its title', async () => {
    const html = '<h1>Terms</h1><p>Between Łukasz and us</p>'
    const pdf = await PDF.load((await sealedPdf(sealedOf(undefined, { html }))).bytes)
    assert.match(pdf.getPage(0)?.extractText().text ?? '', /Agreement[^]*Terms/)
    assert.equal(pdf.getPageCount(), 2)
  })
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { PDF } from '@libpdf/core'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import {
  changedBy,
  field,
  lacks,
  pagesOf,
  plainPdf,
  sealedAndSigned,
  sealedOf,
  told,
} from '../../../../test/support/pdf.ts'
import { checkFile } from '../seals/check.ts'

const tools = { skip: lacks('qpdf', 'pdfsig', 'pdftotext', 'pdftoppm') }

/** Every kind of file that people send for signature, made of one with three pages. */
const text = plainPdf([{}, {}, {}])
const kinds: { [kind: string]: () => Promise<Buffer> } = {
  'is plain': async () => text,
  'is encrypted with an owner password alone': () =>
    qpdf('--encrypt', '', 'owner', '256', '--print=none', '--modify=none', '--'),
  'is encrypted so in the old way': () =>
    qpdf('--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--modify=none', '--'),
  'has object streams and is linearized': () => qpdf('--object-streams=generate', '--linearize'),
  'has an attachment': async () => {
    const { read } = await told(
      'qpdf',
      ['in.pdf', '--add-attachment', 'terms.txt', '--', 'out.pdf'],
      { 'in.pdf': text, 'terms.txt': Buffer.from('Terms') },
    )
    return read('out.pdf')
  },
  'has rubbish before its header': async () => Buffer.concat([Buffer.from('rubbish\n\n'), text]),
  'names the wrong place of its table': async () =>
    Buffer.from(text.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
  'has no table': async () =>
    Buffer.from(text.toString('latin1').replace(/xref\n0[^]*trailer/, 'trailer'), 'latin1'),
  'ends early': async () => text.subarray(0, Math.floor(text.length * 0.9)),
  'is signed': async () => sealedAndSigned(sealedOf(text)),
  'is signed twice': async () => sealedAndSigned(sealedOf(await sealedAndSigned(sealedOf(text)))),
}

function qpdf(...args: string[]): Promise<Buffer> {
  return changedBy('qpdf', [...args, 'in.pdf', 'out.pdf'], text)
}

describe('a sealed file', tools, () => {
  for (const [kind, make] of Object.entries(kinds)) {
    test(`that ${kind} keeps everything and is valid`, async () => {
      const original = await make()
      const people = [
        { name: 'Ada', fields: [field({ value: 'First' })] },
        { name: 'Bob', fields: [field({ page: 3, y: 0.7, value: 'Second' })] },
      ]
      const sealed = await sealedAndSigned(sealedOf(original, { people }))
      const { text: checked } = await told('qpdf', ['--check', 'in.pdf'], { 'in.pdf': sealed })
      assert.match(checked, /No syntax or stream encoding errors/, checked)
      assert.doesNotMatch(checked, /WARNING/)
      const { text: signatures } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': sealed })
      const valid = signatures.match(/Signature is Valid/g)?.length
      assert.equal(valid, kind.endsWith('twice') ? 3 : kind === 'is signed' ? 2 : 1, signatures)
      assert.match(signatures, /Total document signed/)
      const { text: words } = await told('pdftotext', ['in.pdf', '-'], { 'in.pdf': sealed })
      for (const page of [1, 2, 3]) assert.match(words, new RegExp(`Page ${page} of the text`))
      assert.match(words, /First/)
      assert.match(words, /Second/)
      const pdf = await PDF.load(sealed)
      const enclosed = [...pdf.getAttachments().keys()].map((name) => pdf.getAttachment(name))
      assert.ok(
        enclosed.some((each) => each && original.equals(each)),
        'the untouched file is enclosed',
      )
      if (kind.includes('attachment')) assert.ok(pdf.hasAttachment('terms.txt'))
      if (kind.includes('encrypted')) assert.match(words, /was encrypted/)
    })
  }

  test('changed in one byte anywhere is told as changed', async () => {
    const sealed = await sealedAndSigned(sealedOf(text))
    assert.deepEqual(states(await checkOf(sealed)), [true])
    const digits = sealed.lastIndexOf('/ByteRange')
    const contents = sealed.indexOf(`<30`, digits)
    const places = [
      100,
      Math.floor(sealed.length / 3),
      digits + 12,
      contents + 200,
      sealed.indexOf('>', contents) - 1,
      sealed.length - 3,
    ]
    for (const at of places) {
      const changed = Buffer.from(sealed)
      changed[at] = changed[at] === 0x31 ? 0x32 : 0x31
      assert.deepEqual(states(await checkOf(changed)), [false], `byte ${at}`)
    }
    const flipped = Buffer.from(sealed)
    flipped[100]! ^= 1
    const { text: said } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': flipped })
    assert.match(said, /Digest Mismatch/)
    // something after the end
    const { signatures } = await checkOf(Buffer.concat([sealed, Buffer.from('\n% more')]))
    assert.deepEqual(
      signatures.map((each) => each.is_whole),
      [false],
    )
    assert.deepEqual((await checkOf(text)).signatures, [])
  })

  test('may not be changed any more', async () => {
    const sealed = (await sealedAndSigned(sealedOf(text))).toString('latin1')
    assert.match(sealed, /\/TransformMethod\s*\/DocMDP/)
    assert.match(sealed, /\/P 1\b/)
    assert.match(sealed, /\/Perms/)
  })

  test('shows each value upright at its place, however the page is turned, cut, moved and scaled', async () => {
    const pages = [0, 90, 180, 270].flatMap((rotate) =>
      ['0 0 600 800', '-100 -50 500 750', '200 100 800 900'].flatMap((media) =>
        [false, true].flatMap((isCut) =>
          [1, 2].map((unit) => {
            const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = media.split(' ').map(Number)
            const crop = `${x0 + 30} ${y0 + 70} ${x1 - 90} ${y1 - 20}`
            // the content ends with a changed matrix, and restores more than it saved
            const content =
              'Q q q 0.5 0 0 0.5 9 9 cm BT /F1 9 Tf (\\) Q q) Tj ET Q Q Q 3 0 0 3 7 7 cm'
            return { media, rotate, unit, content, ...(isCut ? { crop } : {}) }
          }),
        ),
      ),
    )
    const place = { x: 0.62, y: 0.73, width: 0.3, height: 0.05 }
    const fields = pages.map((_, i) => field({ ...place, page: i + 1, value: `Value${i + 1}` }))
    const sealed = await sealedAndSigned(sealedOf(plainPdf(pages), { people: [{ fields }] }))
    const { text: boxes } = await told('pdftotext', ['-bbox', '-cropbox', 'in.pdf', '-'], {
      'in.pdf': sealed,
    })
    const shown = boxes.split('<page ').slice(1)
    for (const [i, page] of pages.entries()) {
      const what = `${i + 1} ${JSON.stringify(page)}`
      // the sides of a page are said as they are before it is turned
      const sides = /width="([\d.]+)" height="([\d.]+)"/.exec(shown[i]!)?.slice(1).map(Number)
      const [width = 0, height = 0] = (page.rotate % 180 ? sides?.toReversed() : sides) ?? []
      const word = new RegExp(
        `xMin="([-\\d.]+)" yMin="([-\\d.]+)" xMax="([-\\d.]+)" yMax="([-\\d.]+)">Value${i + 1}<`,
      ).exec(shown[i]!)
      assert.ok(word, what)
      const [, left = 0, top = 0, right = 0, bottom = 0] = word.map(Number)
      assert.ok(Math.abs(left - place.x * width) < 2, `${what}: ${left} of ${width}`)
      const middle = (place.y + place.height / 2) * height
      assert.ok(Math.abs((top + bottom) / 2 - middle) < 2, `${what}: ${top} ${bottom} of ${height}`)
      assert.ok(right - left > 2 * (bottom - top), `${what} is upright`)
    }
  })

  test('of 200 pages has all of them', async () => {
    const pages = plainPdf(Array.from({ length: 200 }, () => ({})))
    const packed = await changedBy(
      'qpdf',
      ['--object-streams=generate', 'in.pdf', 'out.pdf'],
      pages,
    )
    const fields = Array.from({ length: 100 }, (_, i) =>
      field({ page: 2 * i + 1, value: `V${i}.` }),
    )
    const sealed = await sealedAndSigned(sealedOf(packed, { people: [{ fields }] }))
    assert.equal(await pagesOf(sealed), 201)
    const { text: words } = await told('pdftotext', ['in.pdf', '-'], { 'in.pdf': sealed })
    for (let page = 1; page <= 200; page++) assert.ok(words.includes(`Page ${page} of the text`))
    for (let i = 0; i < 100; i++) assert.ok(words.includes(`V${i}.`))
  })
})

/** Why pictures cannot be looked at; other programs than ImageMagick are called convert too. */
async function lacksPictures(): Promise<string | false> {
  const missing = lacks('convert', 'pdftoppm')
  if (missing) return missing
  const { text: version } = await told('convert', ['-version'], {})
  return !version.startsWith('Version: ImageMagick') && 'convert is not ImageMagick'
}

describe('a sealed picture', { skip: await lacksPictures() }, () => {
  /** Where the red corner is, of a picture whose upper left corner is red. */
  async function redCorner(picture: Uint8Array, file_type: string): Promise<string> {
    const sealed = await sealedAndSigned(sealedOf(picture, { file_type }))
    const args = ['-r', '20', '-f', '1', '-l', '1', '-singlefile', '-png', 'in.pdf', 'out']
    const png = await (await told('pdftoppm', args, { 'in.pdf': sealed })).read('out.png')
    const corners: { [corner: string]: string } = {
      'upper left': '0.1*w,0.1*h',
      'upper right': '0.9*w,0.1*h',
      'lower left': '0.1*w,0.9*h',
      'lower right': '0.9*w,0.9*h',
    }
    for (const [corner, at] of Object.entries(corners)) {
      const asked = ['in.png', '-format', `%[fx:p{${at}}.g<0.5]`, 'info:']
      const { text: isRed } = await told('convert', asked, { 'in.png': png })
      if (isRed.trim() === '1') return corner
    }
    return 'nowhere'
  }

  test('stands upright as the camera held it', async () => {
    const { read } = await told(
      'convert',
      ['-size', '300x200', 'xc:white', '-fill', 'red', '-draw', 'rectangle 0,0 90,60', 'out.jpg'],
      { 'out.jpg': Buffer.alloc(0) },
    )
    const jpeg = await read('out.jpg')
    const turned = (orientation: number) => {
      const tag = [
        0x4d,
        0x4d,
        0,
        0x2a,
        0,
        0,
        0,
        8,
        0,
        1,
        1,
        0x12,
        0,
        3,
        0,
        0,
        0,
        1,
        0,
        orientation,
        0,
        0,
      ]
      const exif = Buffer.from([...Buffer.from('Exif\0\0'), ...tag, 0, 0, 0, 0])
      const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
      return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
    }
    const seen = {
      1: 'upper left',
      2: 'upper right',
      3: 'lower right',
      4: 'lower left',
      5: 'upper left',
      6: 'upper right',
      7: 'lower right',
      8: 'lower left',
    }
    for (const [orientation, corner] of Object.entries(seen)) {
      assert.equal(await redCorner(turned(Number(orientation)), 'image/jpeg'), corner, orientation)
    }
  })
})

async function checkOf(bytes: Uint8Array) {
  return withTemporaryFile(async (path) => {
    await writeFile(path, bytes)
    return checkFile({ path })
  })
}

function states({ signatures }: Awaited<ReturnType<typeof checkOf>>): boolean[] {
  return signatures.map((each) => each.is_unchanged)
}

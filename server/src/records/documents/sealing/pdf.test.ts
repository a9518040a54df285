import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PDFDocument, PDFName, PDFRawStream, decodePDFRawStream } from 'pdf-lib'
import { sealedPdf } from './pdf.ts'

describe('a signed document as a PDF', () => {
  test('is written in the alphabets of its people and its text', async () => {
    const text = 'Łukasz Ünal, Жанна Ёлкина, Γιώργος, Nguyễn Đặng'
    const { letters, size } = await lettersOf(text)
    for (const char of text.replaceAll(' ', '')) assert.ok(letters.has(char), char)
    // a font is reduced to the characters used
    assert.ok(size < 120_000, `${size} bytes`)
  })

  test('embeds no fonts for Western European text', async () => {
    const { letters, size } = await lettersOf('José Müller, Søren Ångström: 100 €')
    assert.equal(letters.size, 0)
    assert.ok(size < 10_000, `${size} bytes`)
  })

  test('shows what no font of it knows as question marks', async () => {
    const { letters } = await lettersOf('王小明')
    assert.ok(letters.has('?'))
    assert.ok(!letters.has('王'))
  })
})

/** The letters that the embedded fonts map to, and the file's size. */
async function lettersOf(name: string) {
  const at = '2026-03-01T10:00:00Z'
  const bytes = await sealedPdf({
    document: {
      id: 'one',
      document_name: `Offer of ${name}`,
      editor_html_content: `<p>Between ${name} and us</p>`,
      file_type: null,
      signed_at: at,
    },
    request: { content_hash: 'abc' },
    recipients: [
      { name, email: 'a@b.test', role: 'signer', status: 'signed', acted_at: at, address: '::1' },
    ],
    entries: [{ at, title: `Document signed by ${name}`, address: '::1', user_agent: null }],
    organization: 'Acme',
    original: undefined,
  } as unknown as Parameters<typeof sealedPdf>[0])
  const pdf = await PDFDocument.load(bytes)
  const letters = new Set<string>()
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || object.dict.has(PDFName.of('Type'))) continue
    const content = Buffer.from(decodePDFRawStream(object).decode()).toString('latin1')
    if (!content.includes('beginbfchar')) continue
    // <the code in the file> <its letters in UTF-16>
    for (const [, code] of content.matchAll(/^<[0-9A-F]+>\s*<([0-9A-F]+)>/gim)) {
      const units = code!.match(/.{4}/g)!.map((unit) => parseInt(unit, 16))
      for (const char of String.fromCharCode(...units)) letters.add(char)
    }
  }
  return { letters, size: bytes.length }
}

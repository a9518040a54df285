import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from 'pdf-lib'
import type { Limits } from '../../../computations/child-process.ts'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import { sealApart } from './apart.ts'
import type { Sealed } from './sealed.ts'

describe('a signed version', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const sealed = (original: Buffer | undefined, file_type = 'application/pdf') => ({
    document: {
      id: 'one',
      document_name: 'Contract',
      signed_at: at,
      file_type,
      editor_html_content: null,
    },
    request: { content_hash: 'c0ffee' },
    recipients: [],
    entries: [],
    organization: 'Acme',
    original,
  })
  const pagesOf = async (bytes: Uint8Array) => (await PDFDocument.load(bytes)).getPageCount()

  test('has the pages of the file, and the certificate', async () => {
    const pdf = await PDFDocument.create()
    for (let i = 0; i < 3; i++) pdf.addPage()
    const alone = await pagesOf(await sealedApart(sealed(undefined)))
    const both = await pagesOf(await sealedApart(sealed(Buffer.from(await pdf.save()))))
    assert.equal(both, alone + 3)
  })

  test('of a broken file has the certificate', async () => {
    const broken = `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      trailer<</Root 1 0 R>>\n%%EOF`
    assert.ok((await pagesOf(await sealedApart(sealed(Buffer.from(broken))))) >= 1)
    assert.ok((await pagesOf(await sealedApart(sealed(Buffer.from(broken), 'image/png')))) >= 1)
  })

  test('of a text that is one word breaks it into lines', async () => {
    const { document, ...others } = sealed(undefined)
    const editor_html_content = 'x'.repeat(200_000)
    const bytes = await sealedApart({
      ...others,
      document: { ...document, editor_html_content },
    })
    assert.ok((await pagesOf(bytes)) > 20)
  })

  test('of a file that unpacks to a thousand times its size has the certificate, too', async () => {
    const packed = deflateSync(Buffer.alloc(160 * 2 ** 20, ' '))
    const head = `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
      3 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`
    const tail = '\nendstream\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF'
    const bomb = Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
    const bytes = await sealedApart(sealed(bomb), { seconds: 60, megabytes: 100 })
    assert.ok((await pagesOf(bytes)) >= 1)
  })
})

/** Seals by way of files, as the job does, and gives the PDF that was written. */
async function sealedApart(sealed: Sealed, limits?: Limits): Promise<Buffer> {
  return withTemporaryFile((original) =>
    withTemporaryFile(async (path) => {
      if (sealed.original) await writeFile(original, sealed.original)
      const toSeal = { ...sealed, original: sealed.original && original, path }
      const { size, hash, head } = await sealApart(toSeal, limits)
      const written = await readFile(path)
      assert.equal(size, written.length)
      assert.equal(hash, createHash('sha256').update(written).digest('hex'))
      assert.deepEqual(Buffer.from(head), written.subarray(0, 16))
      return written
    }),
  )
}

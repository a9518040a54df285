import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { PDF } from '@libpdf/core'
import type { Limits } from '../../../computations/child-process.ts'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import { pagesOf, plainPdf, sealedOf } from '../../../../test/support/pdf.ts'
import { sealApart } from './apart.ts'
import type { Sealed } from './sealed.ts'

describe('a signed version', () => {
  test('has the pages of the file, and the certificate', async () => {
    const alone = await pagesOf(await sealedApart(sealedOf(undefined)))
    const both = await pagesOf(await sealedApart(sealedOf(plainPdf([{}, {}, {}]))))
    assert.equal(both, alone + 3)
  })

  test('of a file that cannot be read encloses it unchanged', async () => {
    const broken = Buffer.from(`%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      trailer<</Root 1 0 R>>\n%%EOF`)
    for (const file_type of ['application/pdf', 'image/png', 'image/jpeg', 'text/plain']) {
      const pdf = await PDF.load(await sealedApart(sealedOf(broken, { file_type })))
      assert.ok(pdf.getPageCount() >= 1)
      assert.deepEqual(Buffer.from(pdf.getAttachment('agreement.pdf') ?? []), broken, file_type)
      const said = (pdf.getPage(0)?.extractText().text ?? '').replaceAll(/\s+/g, ' ')
      assert.match(said, /enclosed unchanged/, file_type)
    }
  })

  test('of a text that is one word breaks it into lines', async () => {
    const bytes = await sealedApart(sealedOf(undefined, { html: 'x'.repeat(200_000) }))
    assert.ok((await pagesOf(bytes)) > 20)
  })

  test('of a file that unpacks to a thousand times its size is refused, not made without it', async () => {
    const packed = deflateSync(Buffer.alloc(160 * 2 ** 20, ' '))
    const head = `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
      3 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`
    const tail = '\nendstream\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF'
    const bomb = Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)])
    try {
      const bytes = await sealedApart(sealedOf(bomb), { seconds: 60, megabytes: 100 })
      const pdf = await PDF.load(bytes)
      assert.equal(pdf.getAttachment('agreement.pdf')?.length, bomb.length)
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'too_expensive')
    }
  })
})

/** Seals by way of files, as the job does, and gives the PDF that was written. */
async function sealedApart(sealed: Sealed, limits?: Limits): Promise<Buffer> {
  return withTemporaryFile((original) =>
    withTemporaryFile(async (path) => {
      if (sealed.original) await writeFile(original, sealed.original)
      const files = { original: sealed.original && original, attached: {} }
      const toSeal = { ...sealed, ...files, path }
      const { size, head } = await sealApart(toSeal, limits)
      const written = await readFile(path)
      assert.equal(size, written.length)
      assert.deepEqual(Buffer.from(head), written.subarray(0, 16))
      return written
    }),
  )
}

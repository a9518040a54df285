import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { computationOf } from '../../kit/ground/computation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { cut } from '../../kit/ground/cut.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Download } from '../../kit/ground/stored-files.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import type { StoredDocument } from '../../model/documents/document.ts'
import { Document } from '../../model/documents/document.ts'
import type { FileOfDocument } from './download.ts'
import { download } from './download.ts'
import { picturesOf } from './images.ts'
import { writtenOf } from './own-text.ts'
import { shownText } from './reusable/values.ts'

const drawing = computationOf(
  import.meta.resolve('./sealing/pdf.ts'),
  'textPdf',
  async () => (await import('./sealing/pdf.ts')).textPdf,
)

const cache = new LRUCache<string, { bytes: Buffer; hash: string }>({
  maxSize: 32 * 2 ** 20,
  sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
})

type Written = Pick<
  StoredDocument,
  | 'id'
  | 'document_name'
  | 'editor_html_content'
  | 'editorjs_content'
  | 'storage_key'
  | 'account_id'
  | 'project_id'
  | 'is_reusable'
>

/** The pages of a document: its PDF, or those of its own text, as they will be signed. 404 if it has none. */
export async function documentPdf(ctx: Context, id: string, isInline: boolean): Promise<Download> {
  const row = await ctx.one<Written & FileOfDocument>(sql`select t.* from documents t
    where ${scope(ctx, Document, 'read')} and t.id = ${id}`)
  if (!row) throw notFound('Document')
  if (row.storage_key && row.file_type === 'application/pdf') return download(ctx, row, isInline)
  return textDownload(ctx, row, isInline)
}

/** The pages of a document's own text as a file; 404 if it has none, or a file instead. */
export async function textDownload(
  ctx: Context,
  row: Written,
  isInline: boolean,
): Promise<Download> {
  const pdf = await textPdfOf(ctx, row)
  if (!pdf) throw notFound('PDF')
  const { bytes, hash } = pdf
  return new Download({
    name: `${cut(row.document_name.replaceAll(/[/\\]/g, '-'), 240)}.pdf`,
    type: 'application/pdf',
    size: bytes.length,
    hash,
    modified: ctx.now(),
    isInline,
    open: (range) =>
      Promise.resolve(Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])),
  })
}

/** The pages of a document's own text, laid out in another process; undefined if it has none, or a file instead. */
export async function textPdfOf(
  ctx: Context,
  row: Written,
): Promise<{ bytes: Buffer; hash: string } | undefined> {
  const written = row.storage_key ? null : await writtenOf(ctx, row)
  if (!written) return undefined
  const html = row.is_reusable ? written : await shownText(ctx, row, written)
  const title = row.document_name
  const digest = createHash('sha256')
    .update(JSON.stringify([title, html]))
    .digest('base64')
  const key = `${ctx.organization.id} ${row.id} ${digest}`
  const known = cache.get(key)
  if (known) return known
  const pictures = await picturesOf(ctx, row.id, html)
  const { computations } = ctx.services
  const drawn = await computations.run(ctx.organization.id, drawing, { title, html, pictures })
  const bytes = Buffer.from(drawn)
  const pdf = { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
  cache.set(key, pdf)
  return pdf
}

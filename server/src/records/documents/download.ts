import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Download } from '../../kit/ground/stored-files.ts'
import { sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import type { StoredDocument } from '../../model/documents/document.ts'
import { Document } from '../../model/documents/document.ts'
import { countUse } from './usage.ts'

/** The columns of a document that describe its file; null without one. */
export type FileOfDocument = Pick<
  StoredDocument,
  'storage_key' | 'file_name' | 'file_type' | 'file_size' | 'file_hash' | 'file_time'
>

/** The same columns in SQL, over the alias `t`. */
export const fileOf = sql`t.storage_key, t.file_name, t.file_type, t.file_size, t.file_hash,
  t.file_time`

/** The file of a document that the caller sees; counts as a download, or as a view if shown inline. */
export async function downloadDocument(ctx: Context, id: string, isInline: boolean) {
  const row = await ctx.one<FileOfDocument>(sql`select ${fileOf} from documents t
    where ${scope(ctx, Document, 'read')} and t.id = ${id}`)
  if (!row) throw notFound('Document')
  return download(ctx, row, isInline, (within) =>
    countUse(within, id, isInline ? 'views' : 'downloads'),
  )
}

/** The file of a document's row as an answer; 404 if it has none. */
export function download(
  ctx: Context,
  row: FileOfDocument,
  isInline: boolean,
  opened?: (ctx: Context) => Promise<void>,
): Download {
  const { storage_key: key, file_name, file_type, file_size, file_hash, file_time } = row
  // both are stored together
  if (!key || !file_name || !file_type || file_size === null || !file_hash || !file_time) {
    throw notFound('File')
  }
  return new Download({
    name: file_name,
    type: file_type,
    size: file_size,
    hash: file_hash,
    modified: new Date(file_time),
    isInline,
    open: (range) => ctx.files.get(key, range),
    opened,
  })
}

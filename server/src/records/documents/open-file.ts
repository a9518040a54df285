import type { Context } from '../../kit/ground/context.ts'
import { notFound } from '../../kit/ground/errors.ts'
import { Download } from '../../kit/ground/files.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Document } from './document.ts'

type Row = {
  id: string
  document_name: string
  storage_key: string | null
  file_name: string
  file_type: string
  file_size: number
  file_hash: string
  file_time: string
}

/** The columns of a document's file. */
export const fileOf = sql`t.id, t.document_name, t.storage_key, t.file_name, t.file_type,
  t.file_size, t.file_hash, t.file_time`

export const readFile: Operation = {
  name: 'read_document_file',
  summary: 'The file of a document, whole or a range of it',
  description:
    'Counts a download, or a view where it is to be shown in the browser (`disposition=inline`, for PDF, pictures and text). `Range` gives 206, `If-None-Match` 304.',
  can: { module: 'documents', action: 'read' },
  writes: false,
  input: {
    params: {
      type: 'object',
      properties: { id: { type: 'string', description: 'the document' } },
      required: ['id'],
    },
    query: {
      type: 'object',
      properties: { disposition: { type: 'string', enum: ['attachment', 'inline'] } },
    },
  },
  output: {},
  gives: '*/*',
  async run(ctx: Context, { params, query }: Input) {
    const row = await ctx.one<Row>(sql`select ${fileOf} from documents t
      where ${scope(ctx, Document, 'read')} and t.id = ${params.id}`)
    if (!row) throw notFound('Document')
    const isInline = query.disposition === 'inline'
    return download(ctx, row, isInline, (within) =>
      countUse(within, row.id, isInline ? 'views' : 'downloads'),
    )
  },
}

/** The file of a document's row as an answer; 404 where it has none. */
export function download(
  ctx: Context,
  row: Row,
  isInline: boolean,
  opened?: (ctx: Context) => Promise<void>,
): Download {
  const key = row.storage_key
  if (!key) throw notFound('File')
  return new Download({
    name: row.file_name,
    type: row.file_type,
    size: row.file_size,
    hash: row.file_hash,
    modified: new Date(row.file_time),
    isInline,
    open: (range) => ctx.files.get(key, range),
    opened,
  })
}

/** Counts a use of a document, in all and by day (UTC); the record's version stays as it is. */
export async function countUse(
  ctx: Context,
  id: string,
  what: 'views' | 'downloads' | 'shares',
  times = 1,
): Promise<void> {
  const total = { views: 'view_count', downloads: 'download_count', shares: 'share_count' }[what]
  await ctx.run(sql`update documents t set ${sql.ref(total)} = ${sql.ref(total)} + ${times}
    where ${mine(ctx)} and t.id = ${id}`)
  await ctx.run(sql`insert into document_days as t (organization_id, document_id, day, ${sql.ref(what)})
    values (${ctx.organization.id}, ${id}, ${ctx.now().toISOString().slice(0, 10)}, ${times})
    on conflict (organization_id, document_id, day)
    do update set ${sql.ref(what)} = t.${sql.ref(what)} + ${times}`)
}

import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { computationOf } from '../../kit/ground/computation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { cut } from '../../kit/ground/cut.ts'
import { Failure, badField, badFields } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { temporaryFolder } from '../../kit/ground/interruption.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { storeFile } from '../../kit/ground/stored-files.ts'
import { scope } from '../../kit/record/scope.ts'
import type { Written } from '../../kit/write/write.ts'
import type { StoredDocument } from '../../model/documents/document.ts'
import { Document } from '../../model/documents/document.ts'
import { mostJoined } from '../../model/joining.ts'
import { mostRecipients } from '../../model/documents/requests/placed-fields.ts'
import { createDocument } from './create.ts'
import { checkStorage, fileLimit } from './file.ts'
import { writtenOf } from './own-text.ts'
import type { Preparation } from './requests/preparation.ts'
import { preparedFor, roleKey, storePreparation } from './requests/preparation.ts'
import { acts } from './requests/request.ts'
import { frozenText } from './reusable/values.ts'
import { textPdfOf } from './text-pdf.ts'

const joining = computationOf(
  import.meta.resolve('./sealing/joined.ts'),
  'joinPdfs',
  async () => (await import('./sealing/joined.ts')).joinPdfs,
)

/** Documents that become one, to be signed together. */
export const joinBody = Type.Object(
  {
    documents: Type.Array(Type.String({ maxLength: 25 }), {
      minItems: 2,
      maxItems: mostJoined,
      description: 'PDFs and written documents, in their order',
      example: ['03hbyznfrkp0zemwc74jh6qal', '03hbyznfrkp0zemwc74jh6qam'],
    }),
    document_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'their names by default' }),
    ),
  },
  { title: 'DocumentJoin', additionalProperties: false },
)
type Body = Static<typeof joinBody>

type Row = StoredDocument & { is_reusable: boolean }
type Made = { file: Upload; rows: Row[]; pages: number[] }

/** What was written for a body, between the two parts of the request. */
const made = new WeakMap<Body, Made>()

/** Writes the pages of the documents as one file and stores it, before the transaction that refers to it. */
export async function storeJoined(ctx: Context, { body }: { body: Body }): Promise<void> {
  const rows = await rowsOf(ctx, body.documents)
  const size = rows.reduce((sum, { file_size }) => sum + Number(file_size ?? 0), 0)
  if (size > fileLimit) throw badField('documents', 'have more than 50 MiB together')
  const folder = await temporaryFolder()
  try {
    const paths: string[] = []
    for (const [at, row] of rows.entries()) {
      const path = join(folder.path, String(at))
      await checkFilled(ctx, row, `documents.${at}`)
      const written = await textPdfOf(ctx, row)
      if (written) await writeFile(path, written.bytes, { mode: 0o600 })
      else {
        const key = row.storage_key
        if (!key || row.file_type !== 'application/pdf')
          throw badField(`documents.${at}`, 'has no pages: join PDFs and written documents')
        await pipeline(await ctx.files.get(key), createWriteStream(path, { mode: 0o600 }))
      }
      paths.push(path)
    }
    const path = join(folder.path, 'joined')
    const { computations } = ctx.services
    const joined = await computations.run(ctx.organization.id, joining, { paths, path })
    if (joined.wrong !== undefined) throw badField(`documents.${joined.wrong}`, joined.why)
    if (joined.size > fileLimit) throw badField('documents', 'have more than 50 MiB together')
    await checkStorage(ctx, joined.size)
    const storedKey = await storeFile(ctx, path, 'documents', 'application/pdf')
    const { pages, head, ...file } = joined
    const name = `${cut(nameOf(body, rows).replaceAll(/[/\\]/g, '-'), 240)}.pdf`
    const upload = { ...file, head: Buffer.from(head), name, type: 'application/pdf', path: '' }
    made.set(body, { file: { ...upload, storedKey }, rows, pages })
  } finally {
    await folder.remove()
  }
}

/** The document with the file that was written, and with what was prepared for each of them. */
export async function joinDocuments(ctx: Context, body: Body): Promise<Written> {
  const its = made.get(body)
  if (!its) throw badField('documents', 'were not joined')
  const { file, rows, pages } = its
  const shared = <K extends 'account_id' | 'project_id'>(name: K) => {
    const [first] = rows
    const value = first?.[name]
    return value && rows.every((row) => row[name] === value) ? { [name]: value } : {}
  }
  const created = await createDocument(
    ctx,
    {
      document_name: nameOf(body, rows),
      is_private: rows.some((row) => row.is_private),
      ...shared('account_id'),
      ...shared('project_id'),
    },
    file,
  )
  const prepared = await preparedOf(ctx, rows, pages)
  if (prepared) await storePreparation(ctx, created.id, prepared)
  return created
}

/** 400 for a text that could not be sent: with placeholders that are empty, or both sides of a choice. */
async function checkFilled(ctx: Context, row: Row, field: string): Promise<void> {
  if (row.storage_key) return
  try {
    await frozenText(ctx, row, await writtenOf(ctx, row))
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const which = error.errors?.map((each) => each.field.replace('values.', '')).join(', ')
    throw badField(field, which ? `has values that are empty: ${which}` : error.message)
  }
}

function nameOf({ document_name }: Body, rows: Row[]): string {
  return document_name ?? cut(rows.map((row) => row.document_name).join(' + '), 255)
}

/** The documents in their order. 400 naming what the caller may not change, what is repeated, or not the latest version. */
async function rowsOf(ctx: Context, ids: string[]): Promise<Row[]> {
  const found = await ctx.all<Row>(sql`select t.* from documents t
    where ${all(scope(ctx, Document, 'read'), scope(ctx, Document, 'update'))}
      and t.id = any(${ids}::varchar[]) and t.latest_version`)
  const byId = new Map(found.map((row) => [row.id, row]))
  const errors = ids.flatMap((id, at) => {
    const field = `documents.${at}`
    const row = byId.get(id)
    if (!row) return [{ field, message: 'is no document that you may change' }]
    if (ids.indexOf(id) < at) return [{ field, message: `repeats documents.${ids.indexOf(id)}` }]
    if (row.is_reusable) return [{ field, message: 'is reusable: make a document of it first' }]
    return []
  })
  if (errors.length) throw badFields(errors)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What was prepared for each, as of one document: who has one address or role is asked once. */
async function preparedOf(
  ctx: Context,
  rows: Row[],
  pages: number[],
): Promise<Preparation | undefined> {
  const recipients: Preparation['recipients'] = []
  const fields: Preparation['fields'] = []
  const messages: string[] = []
  let before = 0
  for (const [at, { id }] of rows.entries()) {
    const own = await preparedFor(ctx, id)
    const keys = new Map<string, string>()
    for (const each of own.recipients) {
      const email = each.email.trim().toLowerCase()
      const role = roleKey(each.role_name ?? '')
      const known = recipients.find((other) =>
        email
          ? other.email.trim().toLowerCase() === email
          : role !== '' && roleKey(other.role_name ?? '') === role,
      )
      const key = known?.key ?? newId()
      keys.set(each.key, key)
      if (!known) recipients.push({ ...each, key })
      // whoever acts in one of them acts on all of them
      else if (!acts(known) && acts(each)) known.role = each.role
    }
    const fieldKeys = new Map(own.fields.map((each) => [each.key, newId()]))
    for (const each of own.fields) {
      const { show_if, ...field } = each
      const decides = show_if && fieldKeys.get(show_if.field)
      fields.push({
        ...field,
        key: fieldKeys.get(each.key) ?? newId(),
        recipient: keys.get(each.recipient) ?? '',
        page: each.page + before,
        ...(decides ? { show_if: { ...show_if, field: decides } } : {}),
      })
    }
    if (own.message.trim()) messages.push(own.message.trim())
    before += pages[at] ?? 0
  }
  if (!recipients.length) return undefined
  if (recipients.length > mostRecipients) {
    const message = `have ${recipients.length} recipients together, and ${mostRecipients} are possible`
    throw badField('documents', message)
  }
  const message = cut([...new Set(messages)].join('\n\n'), 2000)
  return { recipients, fields, message, expires: null, allow_delegation: false, check: null }
}

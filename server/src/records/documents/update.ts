import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { equal } from '../../kit/write/changes.ts'
import { lock, update } from '../../kit/write/write.ts'
import { accountFor } from '../projects/customer.ts'
import { Document } from './document.ts'
import { fileColumns, withoutFile } from './file.ts'
import type { Body } from './input.ts'
import { flat, sorted } from './input.ts'
import { checkMove, documentMoves } from './states.ts'
import { announceDocument } from './announce.ts'

/** What people sign; the rest is about it. */
const content = ['editorjs_content', 'editor_html_content', 'external_file_url']

/**
 * Changes a document. What a draft says is changed in place; other content of a published document,
 * or of one that was signed or declined, makes a new version, which the answer is. Content that
 * waits for signatures is locked, and older versions stay as they are.
 */
export async function updateDocument(
  ctx: Context,
  id: string,
  given: Body,
  { file, ifMatch }: { file?: Upload; ifMatch?: number[] } = {},
): Promise<Written> {
  const { row } = await lock(ctx, Document, id, 'update', ifMatch)
  if (!row.latest_version) throw isOld(await latestOf(ctx, id))
  const body = flat(ctx, given)
  const { fields, set } = await sorted(ctx, body, row)
  const account = await accountFor(ctx, body.account)
  if (account) set.account_id = account.id
  const isOther = (name: string) =>
    name in fields && !equal(fields[name] ?? null, (row as Body)[name])
  const changesContent = Boolean(file) || content.some(isOther)
  if (changesContent && ['pending', 'partial'].includes(row.signature_status)) {
    throw conflict('The document waits for signatures: withdraw the request first', 'locked', {
      signature_status: row.signature_status,
    })
  }
  const makesVersion =
    changesContent && (row.document_status === 'published' || row.signature_status !== 'none')
  if (file) Object.assign(set, fileColumns(ctx, file))
  const from = row.document_status
  // a new version may begin as a draft again
  const to = body.document_status ?? from
  if (to !== from && !makesVersion) checkMove(documentMoves, 'A document', from, to)
  const publishes = to === 'published' && (from === 'draft' || makesVersion)
  if (to !== from || makesVersion) set.document_status = to
  if (publishes) set.published_at = ctx.now().toISOString()
  else if (makesVersion) set.published_at = null
  const target = makesVersion ? await newVersion(ctx, id, 'edit') : id
  const known = file || row.file_path ? withoutFile(fields) : fields
  const after = await update(ctx, Document, target, known, { set })
  if (publishes) {
    const changes = to === from ? [] : [{ field: 'document_status', from, to }]
    await announceDocument(ctx, after, 'published', {
      name: body.document_name ?? row.document_name,
      project_id: row.project_id,
      changes,
    })
  }
  return after
}

/** Publishes a draft; of a published one it changes nothing. */
export async function publishDocument(ctx: Context, id: string): Promise<Written> {
  return updateDocument(ctx, id, { document_status: 'published' })
}

/**
 * A copy of a version that takes its place as the latest, without signatures and counts of its own;
 * what is different about it is for the caller to write. Gives its id.
 */
export async function newVersion(
  ctx: Context,
  from: string,
  version_type: 'edit' | 'signature',
  isLatest = true,
): Promise<string> {
  const id = newId()
  const now = ctx.now().toISOString()
  if (isLatest) {
    await ctx.run(sql`update documents t set latest_version = false where ${mine(ctx)}
      and t.id = ${from}`)
  }
  const names = (alias = '') => sql.join(copied.map((name) => sql.ref(alias + name)))
  await ctx.run(sql`insert into documents (organization_id, ${names()}, document_version, id,
      latest_version, version_type, parent_attach_id, created_by, creation_time, last_update_time)
    select t.organization_id, ${names('t.')}, (select max(v.document_version) + 1 from documents v
        where v.organization_id = t.organization_id and v.chain_id = t.chain_id),
      ${id}::varchar, ${isLatest}::boolean, ${version_type}::text, t.id, ${ctx.actor.user_id}::varchar,
      ${now}::timestamptz, ${now}::timestamptz
    from documents t where ${mine(ctx)} and t.id = ${from}`)
  return id
}

const copied = [
  'chain_id',
  'document_name',
  'description',
  'module_id',
  'sub_module',
  'reference_id',
  'account_id',
  'project_id',
  'storage_type',
  'storage_key',
  'file_name',
  'zip_file_name',
  'file_type',
  'file_size',
  'file_hash',
  'file_icon',
  'file_time',
  'external_file_url',
  'editorjs_content',
  'editor_html_content',
  'is_editorjs_document',
  'in_line_type',
  'menu_type',
  'is_private',
  'private_users',
  'show_download_icon',
  'show_in_document',
  'public_config',
  'tags',
  'custom_fields',
  'document_status',
  'published_at',
  'signature_enabled',
  'external_template',
  'external_template_slug',
  'document_template',
  'document_owner',
  'start_date',
  'due_date',
  'forecasted_date',
  'show_forecasted_date',
  'revenue',
  'is_arr',
  'document_fee',
]

/** The id of the latest version of the document that a version belongs to. */
export async function latestOf(ctx: Context, id: string): Promise<string | undefined> {
  const found = await ctx.one<{ id: string }>(sql`select l.id from documents t
    join documents l on l.organization_id = t.organization_id and l.chain_id = t.chain_id
    where ${mine(ctx)} and t.id = ${id} and l.latest_version and l.deleted_at is null`)
  return found?.id
}

/** 409: what is asked for is possible on the latest version only. */
export function isOld(latest: string | undefined) {
  return conflict('There is a newer version of this document', 'old_version', { id: latest })
}

import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { announce } from '../../kit/write/announce.ts'
import { equal } from '../../kit/ground/object.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { accountFor } from '../projects/customer.ts'
import { idOf } from '../tasks/place.ts'
import { movedBelonging } from './belonging.ts'
import { Document } from '../../model/documents/document.ts'
import { uploadColumns, withoutFile } from './file.ts'
import type { DocumentInput, FlatInput } from './input.ts'
import { flatInput, splitInput } from './input.ts'
import { checkMove, documentMoves } from '../../model/documents/states.ts'
import { frozenText } from './reusable/values.ts'
import { latestOf, newVersion, oldVersion } from './versions.ts'

/** The fields that people sign, besides the file; the other fields only describe it. */
const content = ['editorjs_content', 'editor_html_content', 'external_file_url'] as const

/**
 * Changes a document. The content of a draft is changed in place; other content of a published,
 * signed or declined document creates a new version, which is returned. 409 while the content is
 * locked by a signature request, and for older versions.
 */
export async function updateDocument(
  ctx: Context,
  id: string,
  input: DocumentInput,
  { file, ifMatch }: { file?: Upload; ifMatch?: number[] } = {},
): Promise<Written> {
  const locked = await lock(ctx, Document, id, 'update', ifMatch)
  const { row } = locked
  if (!row.latest_version) throw oldVersion(await latestOf(ctx, id))
  const sent = flatInput(ctx, input)
  const body = withoutRepeated(row, sent)
  // a module and its record belong together
  if (subjectNames.some((name) => name in body)) {
    const { module_id } = row
    const isNamed = sent.module_id !== undefined || sent.module_name !== undefined
    Object.assign(body, !isNamed && sent.reference_id ? { module_id } : {}, subjectIn(sent))
  }
  const { fields, set } = await splitInput(ctx, body, row)
  const account = await accountFor(ctx, body.account, body.account_id)
  const project_id = fields.project_id && idOf(fields.project_id, 'project_id')
  if ('reference_id' in set || project_id !== undefined) {
    const place = await movedBelonging(ctx, id, { ...set, project_id })
    if (project_id === undefined) set.project_id = place.project_id
    if (fields.account_id === undefined) set.account_id = place.account_id
  }
  if (account) set.account_id = account.id
  const changesContent =
    Boolean(file) ||
    content.some((name) => name in fields && !equal(fields[name] ?? null, row[name]))
  const { signature_status } = row
  if (changesContent && ['pending', 'partial'].includes(signature_status)) {
    throw awaitsSignatures(signature_status)
  }
  const createsVersion =
    changesContent && (row.document_status === 'published' || signature_status !== 'none')
  if (file) Object.assign(set, await uploadColumns(ctx, file))
  const from = row.document_status
  // a new version may begin as a draft again
  const to = body.document_status ?? from
  if (to !== from && !createsVersion) checkMove(documentMoves, 'A document', from, to)
  const publishes = to === 'published' && (from === 'draft' || createsVersion)
  if (to !== from || createsVersion) set.document_status = to
  if (publishes) set.published_at = ctx.now().toISOString()
  else if (createsVersion) set.published_at = null
  const target = createsVersion
    ? await lock(ctx, Document, await newVersion(ctx, id, 'edit'), 'update')
    : locked
  if (publishes && !row.is_reusable) {
    const sentTo =
      fields.account_id === undefined ? row.account_id : idOf(fields.account_id, 'account_id')
    const of = {
      id,
      account_id: set.account_id ?? sentTo ?? null,
      project_id: set.project_id ?? project_id ?? (project_id === null ? null : row.project_id),
    }
    const html = fields.editor_html_content ?? row.editor_html_content
    const frozen = await frozenText(ctx, of, html)
    if (frozen !== row.editor_html_content) fields.editor_html_content = frozen
  }
  const own = file || row.file_path ? withoutFile(fields) : fields
  // the lock has already compared the caller's expected version; a new version has another one
  const after = await update(ctx, target, own, { set })
  if (publishes) {
    await announce(ctx, Document, 'document_published', {
      ...after,
      name: body.document_name ?? row.document_name,
      project_id: row.project_id,
      changes: to === from ? [] : [{ field: 'document_status', from, to }],
      action: 'published',
    })
  }
  return after
}

function awaitsSignatures(signature_status: string) {
  return conflict(
    'The document is awaiting signatures: withdraw the signature request first',
    'locked',
    { signature_status },
  )
}

const subjectNames = ['module_id', 'module_name', 'reference_id'] as const

function subjectIn(body: FlatInput): Partial<FlatInput> {
  const named = subjectNames.flatMap((name) => (name in body ? [[name, body[name]] as const] : []))
  return Object.fromEntries(named)
}

/** Keeps a version as it is, and goes on in the next, which begins as a draft like it. */
export async function keepVersion(ctx: Context, id: string): Promise<Written> {
  const { row } = await lock(ctx, Document, id, 'update')
  if (!row.latest_version) throw oldVersion(await latestOf(ctx, id))
  const { signature_status, document_name: name, project_id } = row
  if (['pending', 'partial'].includes(signature_status)) throw awaitsSignatures(signature_status)
  const next = await lock(ctx, Document, await newVersion(ctx, id, 'edit'), 'update')
  const set = { document_status: 'draft', published_at: null }
  const after = await update(ctx, next, {}, { set })
  const title = `Version ${row.version} of ${name} was kept`
  await announce(ctx, Document, 'version kept', { ...after, name, project_id, title })
  return after
}

/** Publishes a draft; a published document stays as it is. */
export async function publishDocument(ctx: Context, id: string): Promise<Written> {
  return updateDocument(ctx, id, { document_status: 'published' })
}

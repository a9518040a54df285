import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { instantIn } from '../../../kit/ground/dates.ts'
import { badField, badFields, conflict, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Query } from '../../../kit/ground/context.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { readable, readableRows } from '../../../kit/record/readable.ts'
import { levelOf, scope } from '../../../kit/record/scope.ts'
import { announce } from '../../../kit/write/announce.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { Document } from '../../../model/documents/document.ts'
import type { Preparation } from '../requests/preparation.ts'
import { latestExpiry } from './request.ts'
import { sendBatchName } from './job.ts'
import { checkedLines, linesOf, sendableOf } from './lines.ts'
import type { Batch, BatchBody, batchPlan, batchWithLines } from './schemas.ts'

/** What all lines of a batch have in common, as it was when it was started. */
export type BatchContent = {
  prepared: Preparation
  document_name: string | null
  message: string
  expires_at: string | null
  /** texts for placeholders of all lines, by path */
  values: { [path: string]: string }
}

/** A line as it waits to be sent. */
export type LineContent = {
  recipients: Preparation['recipients']
  account_id: string | null
  project_id: string | null
  /** those of this line alone */
  values: { [path: string]: string }
}

/** Seconds for which a batch is held unless its body says otherwise. */
const usualHold = 30

/**
 * Checks what is sent to whom, and starts it unless it is a dry run: it is held for some seconds, in which it can be
 * cancelled. 400 where no line can be sent, or with `all_or_nothing` one cannot.
 */
export async function startBatch(
  ctx: Context,
  id: string,
  body: BatchBody,
): Promise<Static<typeof batchPlan>> {
  if (levelOf(ctx.actor, 'documents', 'create') === 'none') {
    throw forbidden('Your role may not create documents')
  }
  const sendable = await sendableOf(ctx, id)
  const { source, prepared } = sendable
  const message = body.message ?? prepared.message
  const expires_at = expiryOf(ctx, body.expires_at, prepared.expires)
  const lines = await linesOf(ctx, body)
  const checked = await checkedLines(ctx, sendable, lines, { ...body, message })
  const ready = checked.filter(({ problems }) => !problems.length)
  const plan = {
    ready_count: ready.length,
    wrong_count: checked.length - ready.length,
    lines: checked.map(({ line, person, account_name, problems }) => ({
      line,
      ...person,
      account_name,
      problems,
    })),
  }
  if (body.dry_run) return { batch_id: null, starts_at: null, ...plan }
  const wrong = checked.flatMap(({ problems }) => problems)
  if (wrong.length && (body.all_or_nothing || !ready.length)) throw badFields(wrong)
  const batch_id = newId()
  const now = ctx.now()
  const starts_at = new Date(+now + (body.hold_seconds ?? usualHold) * 1000)
  const document_name = body.document_name ?? null
  const { values = {} } = body
  const content: BatchContent = { prepared, document_name, message, expires_at, values }
  await ctx.run(sql`insert into signature_batches (organization_id, id, document_id, status, content,
      starts_at, line_count, created_by, creation_time, last_update_time)
    values (${ctx.organization.id}, ${batch_id}, ${id}, 'held', ${JSON.stringify(content)}::jsonb,
      ${starts_at.toISOString()}, ${ready.length}, ${ctx.actor.user_id}, ${now.toISOString()},
      ${now.toISOString()})`)
  const rows = ready.map(({ line, person, recipients, account_id, project_id, values: own }) => {
    const its: LineContent = { recipients, account_id, project_id, values: own }
    return sql`(${ctx.organization.id}, ${batch_id}, ${line}, ${person.name}, ${person.email},
      ${JSON.stringify(its)}::jsonb)`
  })
  await ctx.run(sql`insert into signature_batch_lines
      (organization_id, batch_id, line, name, email, content) values ${sql.join(rows)}`)
  ctx.enqueue(sendBatchName, { batch_id }, { as: 'caller', at: starts_at })
  await announce(ctx, Document, 'sending to many started', {
    id,
    name: source.document_name,
    project_id: source.project_id,
    changes: [{ field: 'signature_requests', from: null, to: ready.length }],
    more: { batch_id },
  })
  return { batch_id, starts_at: starts_at.toISOString(), ...plan }
}

function expiryOf(
  ctx: Context,
  given: string | null | undefined,
  prepared: string | null,
): string | null {
  if (given === null) return null
  const text = given ?? (prepared === null ? null : latestExpiry(prepared))
  if (text === null) return null
  const instant = instantIn('expires_at', text, ctx.organization.timezone)
  if (new Date(instant) <= ctx.now()) throw badField('expires_at', 'must be in the future')
  return instant
}

const columns = sql`t.id as batch_id, t.status, t.starts_at, t.finished_at, t.line_count,
  t.sent_count, t.failed_count, t.failure, t.creation_time,
  (select u.full_name from users u where u.organization_id = $organization
    and u.id = t.created_by) as created_by`

/** Whoever started a batch sees it, and whoever may change its document. */
function seen(ctx: Context, id: string): Query {
  return all(
    mine(ctx),
    sql`t.document_id = ${id}`,
    sql`(t.created_by = ${ctx.actor.user_id} or exists (select from documents d
      where d.organization_id = $organization and d.id = t.document_id
        and d.id in (select t.id from documents t where ${scope(ctx, Document, 'update')})))`,
  )
}

/** The batches of a document, the latest first, 100 at most. */
export async function listBatches(ctx: Context, id: string): Promise<Batch[]> {
  await checkReadable(ctx, Document, id)
  return ctx.all<Batch>(sql`select ${columns} from signature_batches t where ${seen(ctx, id)}
    order by t.creation_time desc, t.id desc limit 100`)
}

/**
 * The lines that the caller sees: all of their own batch, and all if they read every contact; else those whose document
 * they may read, which names the same people.
 */
function seenLines(ctx: Context, isOwn: boolean): Query | undefined {
  if (isOwn || readable(ctx, Contact.table) === undefined) return undefined
  return sql`t.document_id in (select d.id from ${readableRows(ctx, Document.table)} d
    where d.organization_id = $organization and d.deleted_at is null)`
}

/** A batch with the lines that the caller sees. */
export async function readBatch(
  ctx: Context,
  id: string,
  batch_id: string,
): Promise<Static<typeof batchWithLines>> {
  await checkReadable(ctx, Document, id)
  const read = await ctx.one<Batch & { is_own: boolean }>(sql`select ${columns},
      coalesce(t.created_by = ${ctx.actor.user_id}, false) as is_own
    from signature_batches t where ${seen(ctx, id)} and t.id = ${batch_id}`)
  if (!read) throw notFound('Batch')
  const { is_own, ...found } = read
  const lines = await ctx.all<Static<typeof batchWithLines>['lines'][number]>(sql`
    select t.line, t.name, t.email, t.document_id, t.failure from signature_batch_lines t
    where ${all(mine(ctx), sql`t.batch_id = ${batch_id}`, seenLines(ctx, is_own))}
    order by t.line`)
  return { ...found, lines }
}

/** Stops a batch: what has not left yet does not. 409 once it is over. */
export async function cancelBatch(ctx: Context, id: string, batch_id: string) {
  await checkReadable(ctx, Document, id)
  const found = await ctx.one<Batch & { document_name: string; project_id: string | null }>(sql`
    select ${columns}, d.document_name, d.project_id from signature_batches t
    join documents d on d.organization_id = $organization and d.id = t.document_id
    where ${seen(ctx, id)} and t.id = ${batch_id} for update of t`)
  if (!found) throw notFound('Batch')
  if (found.status !== 'cancelled') {
    if (found.status !== 'held' && found.status !== 'running') {
      throw conflict('It has left already', 'wrong_move', { from: found.status, to: 'cancelled' })
    }
    await endBatch(ctx, batch_id, 'cancelled')
    const { document_name: name, project_id } = found
    await announce(ctx, Document, 'sending to many cancelled', {
      id,
      name,
      project_id,
      changes: [{ field: 'status', from: found.status, to: 'cancelled' }],
      more: { batch_id },
    })
  }
  return readBatch(ctx, id, batch_id)
}

/** Ends a batch: who was to be asked is not stored any longer than needed. */
export async function endBatch(
  ctx: Context,
  batch_id: string,
  status: 'done' | 'cancelled' | 'failed',
  failure: string | null = null,
): Promise<void> {
  const now = ctx.now().toISOString()
  await ctx.run(sql`update signature_batches t set status = ${status}, failure = ${failure},
      content = '{}', finished_at = ${now}, last_update_time = ${now}
    where ${mine(ctx)} and t.id = ${batch_id}`)
  await ctx.run(sql`update signature_batch_lines t set content = null
    where ${mine(ctx)} and t.batch_id = ${batch_id} and t.content is not null`)
}

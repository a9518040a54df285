import type { Context } from '../../../kit/ground/context.ts'
import { cut } from '../../../kit/ground/cut.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import type { Job, Work } from '../../../kit/ground/job.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { Document } from '../../../model/documents/document.ts'
import { requestSignatures } from '../requests/create.ts'
import { filledTexts } from '../reusable/placeholders.ts'
import { makeOf, textsOf } from '../reusable/reusable.ts'
import { knownTexts, ofRoles } from '../reusable/values.ts'
import type { BatchContent, LineContent } from './batch.ts'
import { endBatch } from './batch.ts'
import type { SendBatch } from './job.ts'
import { sendBatchName } from './job.ts'
import { sendableOf } from './lines.ts'
import { requestOf } from './request.ts'

/**
 * Sends a batch, a line in a transaction of its own, which stores what came of it: if a process dies, another one goes
 * on after the last line. It runs with what its sender may do then.
 */
export const sendBatch: Job<SendBatch> = {
  ...sendBatchName,
  async run(work, { batch_id }) {
    for (let isMore = true; isMore;) {
      work.signal.throwIfAborted()
      isMore = await sendNext(work, batch_id)
    }
  },
  refuse: (ctx, { batch_id }, reason) => endIfOpen(ctx, batch_id, reason),
}

type OpenBatch = {
  document_id: string
  content: BatchContent
  line_count: number
  sent_count: number
  failed_count: number
  created_by: string | null
}
type Line = { line: number; name: string; content: LineContent | null }

async function sendNext({ write }: Work, batch_id: string): Promise<boolean> {
  let line: number | undefined
  try {
    return await write(async (ctx) => {
      line = undefined
      const batch = await openBatch(ctx, batch_id)
      if (!batch) return false
      const next = await nextLine(ctx, batch_id)
      if (!next) {
        await finish(ctx, batch_id, batch)
        return false
      }
      line = next.line
      if (next.content)
        await settle(ctx, batch_id, line, { document_id: await send(ctx, batch, next.content) })
      else await settle(ctx, batch_id, line, { failure: 'The data of this person were erased' })
      return true
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || line === undefined) throw error
    // nothing of this line was written
    const failed = line
    const failure = error.errors?.map(({ field, message }) => `${field} ${message}`).join(', ')
    await write(async (ctx) => {
      if (await openBatch(ctx, batch_id)) {
        await settle(ctx, batch_id, failed, { failure: cut(failure || error.message, 2000) })
      }
    })
    return true
  }
}

/** A batch that goes on, locked; from its first line on it is not held any longer. */
async function openBatch(ctx: Context, batch_id: string): Promise<OpenBatch | undefined> {
  return ctx.one<OpenBatch>(sql`select t.* from signature_batches t
    where ${mine(ctx)} and t.id = ${batch_id} and t.status in ('held', 'running') for update`)
}

async function nextLine(ctx: Context, batch_id: string): Promise<Line | undefined> {
  return ctx.one<Line>(sql`select t.line, t.name, t.content from signature_batch_lines t
    where ${mine(ctx)} and t.batch_id = ${batch_id} and t.document_id is null and t.failure is null
    order by t.line limit 1`)
}

/** Makes the document of a line and requests its signatures. Its id. */
async function send(
  ctx: Context,
  { document_id, content }: OpenBatch,
  { recipients, account_id, project_id, values }: LineContent,
): Promise<string> {
  const { prepared, document_name, message, expires_at, values: common } = content
  const { source } = await sendableOf(ctx, document_id)
  const filled = await filledTexts(ctx, textsOf(source, message, document_name ?? undefined), {
    account_id,
    project_id,
    known: { ...(await knownTexts(ctx)), ...ofRoles(recipients) },
    values: { ...common, ...values },
  })
  const { id } = await makeOf(ctx, source, filled, { account_id, project_id })
  const request = requestOf(prepared, recipients, {
    message: cut(filled('message'), 2000),
    expires_at,
  })
  await requestSignatures(ctx, id, request)
  return id
}

async function settle(
  ctx: Context,
  batch_id: string,
  line: number,
  { document_id = null, failure = null }: { document_id?: string | null; failure?: string | null },
): Promise<void> {
  await ctx.run(sql`update signature_batch_lines t set document_id = ${document_id},
      failure = ${failure}, content = null
    where ${all(mine(ctx), sql`t.batch_id = ${batch_id}`, sql`t.line = ${line}`)}`)
  await ctx.run(sql`update signature_batches t set status = 'running',
      sent_count = t.sent_count + ${document_id ? 1 : 0},
      failed_count = t.failed_count + ${document_id ? 0 : 1},
      last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${batch_id}`)
}

async function finish(ctx: Context, batch_id: string, batch: OpenBatch): Promise<void> {
  const { document_id, line_count, sent_count, failed_count, created_by } = batch
  await endBatch(ctx, batch_id, 'done')
  const row = await ctx.one<{ name: string; project_id: string | null }>(sql`
    select t.document_name as name, t.project_id from documents t
    where ${mine(ctx)} and t.id = ${document_id}`)
  const name = row?.name ?? ''
  const title = failed_count
    ? `${name}: ${sent_count} of ${line_count} sent for signature, ${failed_count} could not be`
    : `${name}: ${sent_count} sent for signature`
  const notify = created_by
    ? [{ user_id: created_by, notification_type: 6 as const, title: cut(title, 255) }]
    : []
  await announce(ctx, Document, 'sent to many', {
    id: document_id,
    name,
    project_id: row?.project_id ?? null,
    changes: [{ field: 'signature_requests', from: null, to: sent_count }],
    notify,
    more: { batch_id },
  })
}

async function endIfOpen(ctx: Context, batch_id: string, reason: string): Promise<void> {
  if (await openBatch(ctx, batch_id)) await endBatch(ctx, batch_id, 'failed', reason)
}

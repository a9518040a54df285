import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Recipient } from '../requests/request.ts'
import { addRecipients, recipientsOf } from '../requests/request.ts'
import type { RecipientStatus } from '../../../model/documents/requests/states.ts'
import { recipientMoves } from '../../../model/documents/requests/states.ts'
import type { Submitter } from './event.ts'

/** Adds the submitters of the external service as signers, from a position. */
export async function addSubmitters(
  ctx: Context,
  request: string,
  submitters: Submitter[],
  from = 0,
): Promise<void> {
  const signers = submitters.map(({ name, email }) => ({
    name,
    email,
    role: 'signer' as const,
    turn: 1,
  }))
  await addRecipients(ctx, request, signers, from)
}

/**
 * Moves the recipients of a request to the statuses reported for them, if the table of moves allows it;
 * adds those who are new. Returns all recipients afterwards.
 */
export async function applyStatuses(
  ctx: Context,
  request: string,
  submitters: Submitter[],
): Promise<Recipient[]> {
  const before = await recipientsOf(ctx, request)
  const byEmail = new Set(before.map((each) => each.email.toLowerCase()))
  const others = submitters.filter(({ email }) => !byEmail.has(email.toLowerCase()))
  if (others.length) await addSubmitters(ctx, request, others, before.length)
  const now = ctx.now().toISOString()
  for (const each of await recipientsOf(ctx, request)) {
    const reported = submitters.find(
      ({ email }) => email.toLowerCase() === each.email.toLowerCase(),
    )
    if (!reported) continue
    const status = reached(each.status, reported.status)
    if (status === each.status) continue
    const acted = status === 'signed' || status === 'declined' ? now : null
    await ctx.run(sql`update signature_recipients t set status = ${status},
        sent_at = coalesce(sent_at, ${now}), acted_at = coalesce(${acted}, acted_at),
        viewed_at = case when ${status} = 'viewed' then ${now} else viewed_at end,
        reason = ${reported.reason} where ${mine(ctx)} and t.id = ${each.id}`)
  }
  return recipientsOf(ctx, request)
}

/** The next status on the way to another one: whoever is still waiting first becomes `sent`. */
function reached(from: RecipientStatus, to: RecipientStatus): RecipientStatus {
  const steps: RecipientStatus[] = from === 'waiting' && to !== 'sent' ? ['sent', to] : [to]
  let status = from
  for (const step of steps) if (recipientMoves[status].includes(step)) status = step
  return status
}

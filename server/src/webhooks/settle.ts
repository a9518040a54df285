import type { Context } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import { post } from '../records/mail/post.ts'
import { known } from '../records/mail/readers.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction } from '../runtime.ts'
import { workerIn } from './caller.ts'
import type { PostResult } from './post.ts'
import type { Claimed, Due } from './queue.ts'

/**
 * What became of a claimed delivery: `retry` at a time, `gone` when the receiver answered 410,
 * `dropped` when it may not be sent, `released` when nothing was tried and another may.
 */
export type Outcome = {
  delivery: Claimed
  subscription: Due
  state: 'delivered' | 'retry' | 'exhausted' | 'gone' | 'dropped' | 'released'
  next_attempt_at?: string
  result?: PostResult
}

/** A subscription whose every attempt failed for this long is disabled. */
const patienceMs = 5 * 86_400_000

/**
 * Writes what became of some deliveries of one organization, in one transaction and a fixed number
 * of statements. Subscriptions come before deliveries, in the order in which a removal locks them.
 */
export async function settle(
  runtime: Runtime,
  organization: string,
  outcomes: readonly Outcome[],
): Promise<void> {
  await inTransaction(runtime, await workerIn(runtime, organization), async (ctx) => {
    const { working, failing, gone } = bySubscription(outcomes)
    noteHealth(ctx, working, failing)
    noteDeliveries(ctx, outcomes)
    const old = +ctx.now() - patienceMs
    const patient = failing.filter(
      ({ failing_since }) => failing_since && Date.parse(failing_since) <= old,
    )
    if (patient.length) await disable(ctx, patient, new Date(old).toISOString())
    if (gone.length) await remove(ctx, gone)
  })
}

/** One success among its outcomes makes a subscription a working one. */
function bySubscription(outcomes: readonly Outcome[]) {
  const working = new Map<string, Due>()
  const failing = new Map<string, Due>()
  const gone = new Map<string, Due>()
  for (const { state, subscription } of outcomes) {
    if (state === 'delivered') working.set(subscription.id, subscription)
    if (state === 'retry' || state === 'exhausted') failing.set(subscription.id, subscription)
    if (state === 'gone') gone.set(subscription.id, subscription)
  }
  for (const id of working.keys()) failing.delete(id)
  return {
    working: [...working.values()],
    failing: [...failing.values()],
    gone: [...gone.values()],
  }
}

/** Touches only the rows that change, which in good times is none. */
function noteHealth(ctx: Context, working: Due[], failing: Due[]) {
  const since = ctx.now().toISOString()
  const rows = [
    ...working.map(({ id }) => ({ id, since: null })),
    ...failing.map(({ id }) => ({ id, since })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
  if (!rows.length) return
  ctx.later(sql`
    update subscriptions s set failing_since = o.since
    from json_to_recordset(${JSON.stringify(rows)}) as o (id text, since timestamptz)
    where s.organization_id = ${ctx.organization.id} and s.id = o.id
      and (s.failing_since is null) <> (o.since is null)`)
}

/**
 * An attempt counts once even if the lease ran out meanwhile and another worker made one too: what
 * differs from the number of attempts at the claim is left alone, save that a success stands.
 * Found by id alone: `status in ('pending', …)` could tempt the planner to read all that waits.
 */
function noteDeliveries(ctx: Context, outcomes: readonly Outcome[]) {
  const now = ctx.now().toISOString()
  const rows = outcomes
    .filter(({ state }) => state !== 'gone')
    .map(({ delivery, state, next_attempt_at, result }) => ({
      id: delivery.id,
      made: delivery.attempts,
      attempts: delivery.attempts + (result ? 1 : 0),
      status: statuses[state],
      next_attempt_at,
      response_status: result?.status,
      response_excerpt: result?.responseExcerpt || null,
      error: result?.error,
      duration_ms: result?.durationMs,
      delivered_at: state === 'delivered' ? now : null,
    }))
  ctx.later(sql`
    update deliveries d set leased_until = null, attempts = o.attempts,
      status = coalesce(o.status, d.status),
      next_attempt_at = coalesce(o.next_attempt_at, d.next_attempt_at),
      response_status = case when o.attempts > o.made then o.response_status else d.response_status end,
      response_excerpt = case when o.attempts > o.made then o.response_excerpt else d.response_excerpt end,
      error = case when o.attempts > o.made then o.error else d.error end,
      duration_ms = case when o.attempts > o.made then o.duration_ms else d.duration_ms end,
      delivered_at = o.delivered_at
    from json_to_recordset(${JSON.stringify(rows)}) as o (id text, made integer, attempts integer,
      status text, next_attempt_at timestamptz, response_status integer, response_excerpt text,
      error text, duration_ms integer, delivered_at timestamptz)
    where d.organization_id = ${ctx.organization.id} and d.id = o.id
      and d.id = any(${rows.map(({ id }) => id)})
      and d.status not in ('delivered', 'exhausted', 'dropped')
      and (d.attempts = o.made or o.status = 'delivered')`)
}

const statuses: { [state in Outcome['state']]?: string } = {
  delivered: 'delivered',
  retry: 'failing',
  exhausted: 'exhausted',
  dropped: 'dropped',
}

/** Stops sending to receivers that have failed for days; what still waited for them is given up. */
async function disable(ctx: Context, subscriptions: Due[], since: string) {
  const ids = subscriptions.map(({ id }) => id)
  const disabled = await ctx.all<{ id: string; url: string; user_id: string }>(sql`
    update subscriptions s set status = 'disabled'
    where s.organization_id = ${ctx.organization.id} and s.id = any(${ids})
      and s.status = 'active' and s.failing_since <= ${since}
    returning s.id, s.url, s.user_id`)
  if (!disabled.length) return
  ctx.later(sql`
    update deliveries d set status = 'exhausted', error = 'disabled', leased_until = null
    where d.organization_id = ${ctx.organization.id}
      and d.subscription_id = any(${disabled.map(({ id }) => id)})
      and d.status in ('pending', 'failing')`)
  for (const subscription of disabled) {
    const reason = 'every delivery has failed for 5 days'
    log(ctx, subscription, 'disabled', reason)
    await mailOwner(ctx, subscription, reason)
  }
}

/** A receiver that answers 410 wants no more, ever (Standard Webhooks). */
async function remove(ctx: Context, subscriptions: Due[]) {
  const ids = subscriptions.map(({ id }) => id)
  const removed = await ctx.all<{ id: string; url: string; user_id: string }>(sql`
    delete from subscriptions s
    where s.organization_id = ${ctx.organization.id} and s.id = any(${ids})
    returning s.id, s.url, s.user_id`)
  for (const subscription of removed) {
    log(ctx, subscription, 'removed', 'the receiver answered 410 Gone')
  }
}

/** An entry in the activity log. Of the URL only the host: the rest may be what keeps it secret. */
function log(
  ctx: Context,
  { id, url, user_id }: { id: string; url: string; user_id: string },
  action: string,
  reason: string,
): void {
  const { host } = new URL(url)
  const title = `Webhook subscription ${action}`
  const description = `The webhook subscription to ${host} was ${action}: ${reason}`
  ctx.emit({
    type: null,
    title,
    module_id: null,
    reference_id: id,
    description,
    raw_description: { action, module: 'apps', subscription_id: id, host, user_id, reason },
    notify: [{ user_id, notification_type: 9, title, description, isMailed: true }],
  })
}

async function mailOwner(
  ctx: Context,
  { user_id, url }: { user_id: string; url: string },
  reason: string,
) {
  const owner = await ctx.one<{ full_name: string; email: string }>(sql`
    select full_name, email from users u where u.organization_id = ${ctx.organization.id}
      and u.id = ${user_id} and u.is_active and u.deleted_at is null`)
  if (!owner) return
  const { full_name: name, email: address } = owner
  const [reader = { address }] = await known(ctx, [{ name, address }])
  const { host } = new URL(url)
  await post(ctx, reader, (voice, { name: organization }) => ({
    subject: voice.say('webhook.subject'),
    name,
    paragraphs: [voice.say('webhook.text', { host, reason })],
    note: voice.say('webhook.note', { organization }),
  }))
}

import { databaseNow } from '../kit/ground/clock.ts'
import type { Context, Query } from '../kit/ground/context.ts'
import { nothingCached, sql } from '../kit/ground/sql.ts'
import type { Voice } from '../model/languages/language.ts'
import type { Brand } from '../records/mail/brand.ts'
import type { Letter } from '../records/mail/letter.ts'
import { post } from '../records/mail/post.ts'
import { known } from '../records/mail/readers.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction } from '../runtime.ts'
import { workerIn } from './caller.ts'
import type { PostResult } from './post.ts'
import type { Claimed, Due } from './queue.ts'
import { mostFailures } from './queue.ts'

/**
 * The outcome of a claimed delivery: `retry` at a time, `gone` if the receiver answered 410,
 * `dropped` if it may not be sent, `released` if it was not tried and another process may.
 */
export type Outcome = {
  delivery: Claimed
  subscription: Due
  state: 'delivered' | 'retry' | 'exhausted' | 'gone' | 'dropped' | 'released'
  /** when the next attempt is due, from now */
  retry_ms?: number
  result?: PostResult
  /** why a delivery that could be sent is dropped */
  reason?: string | undefined
}

/** A subscription whose every attempt failed for this long is disabled. */
const patience = 5 * 86_400

/** How long sending to a failing subscription pauses: a quarter of the time for which it has failed. */
const leastPause = 30
const mostPause = 900
/** The minimum time in seconds, and number of failures in a row, before a pause. */
const failingFor = 60

/**
 * Writes the outcomes of deliveries of one organization, in one transaction and a fixed number
 * of statements; returns the ids of those that were written. Subscriptions are locked before deliveries, in
 * the same order as in a removal.
 */
export async function settle(
  runtime: Runtime,
  organization: string,
  outcomes: readonly Outcome[],
): Promise<Set<string>> {
  return inTransaction(runtime, await workerIn(runtime, organization), async (ctx) => {
    const now = databaseNow(runtime)
    const { health, gone } = bySubscription(outcomes)
    const noted = noteHealth(ctx, health, now)
    const written = noteDeliveries(ctx, outcomes, now)
    const patient = (await noted).filter(({ is_hopeless }) => is_hopeless)
    const rows = await written
    if (patient.length) await disable(ctx, patient)
    if (gone.length) await remove(ctx, gone)
    const untouched = outcomes.filter(({ state }) => state === 'gone' || state === 'released')
    return new Set([...rows, ...untouched.map(({ delivery }) => delivery)].map(({ id }) => id))
  })
}

type Health = { id: string; delivered: number; failed: number }

/** One success among its outcomes resets the failures of a subscription. */
function bySubscription(outcomes: readonly Outcome[]) {
  const health = new Map<string, Health & { failures: number }>()
  const gone = new Map<string, Due>()
  for (const { state, subscription } of outcomes) {
    const { id, failures } = subscription
    if (state === 'gone') gone.set(id, subscription)
    if (state !== 'delivered' && state !== 'retry' && state !== 'exhausted') continue
    const counts = health.get(id) ?? { id, failures, delivered: 0, failed: 0 }
    health.set(id, counts)
    if (state === 'delivered') counts.delivered++
    else counts.failed++
  }
  const changed = [...health.values()].filter(
    ({ delivered, failed, failures }) => !delivered || failed || failures,
  )
  return {
    health: changed.map(({ id, delivered, failed }) => ({ id, delivered, failed })),
    gone: [...gone.values()],
  }
}

/**
 * Counts failures in a row, and since when: only for subscriptions that fail or have failed, so
 * usually there is no statement at all. One that has failed often and for a while is paused; then one
 * delivery at a time is tried. `is_hopeless` if every attempt has failed for days.
 */
async function noteHealth(
  ctx: Context,
  health: Health[],
  now: Query,
): Promise<{ id: string; is_hopeless: boolean }[]> {
  if (!health.length) return []
  const rows = health.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const failures = sql`s.failures + o.failed`
  const pause = sql`least(${mostPause}, greatest(${leastPause},
    extract(epoch from n.now - s.failing_since) / 4))`
  return ctx.all<{ id: string; is_hopeless: boolean }>(sql`
    ${nothingCached} update subscriptions s set
      failures = case when o.delivered > 0 then 0 else ${failures} end,
      failing_since = case when o.delivered > 0 then null else coalesce(s.failing_since, n.now) end,
      paused_until = case when o.delivered = 0 and ${failures} >= ${mostFailures}
        and s.failing_since <= n.failing_for then to_timestamp(n.epoch + ${pause}) end
    from json_to_recordset(${JSON.stringify(rows)}) as o (id text, delivered integer, failed integer),
      (select ${now} as now, extract(epoch from ${now})::double precision as epoch,
        ${now} - make_interval(secs => ${failingFor}) as failing_for,
        ${now} - make_interval(secs => ${patience}) as hopeless) n
    where s.organization_id = ${ctx.organization.id} and s.id = o.id
      and (o.delivered = 0 or s.failures > 0 or s.failing_since is not null)
    returning s.id, coalesce(s.failing_since <= n.hopeless, false) as is_hopeless`)
}

/**
 * An attempt counts once even if the lane's lease ran out meanwhile and another worker made one too:
 * a row whose number of attempts has changed since the claim is not updated, except by a success.
 * Found only by id: with `status in ('pending', …)` the planner might read all waiting ones.
 */
function noteDeliveries(
  ctx: Context,
  outcomes: readonly Outcome[],
  now: Query,
): Promise<{ id: string }[]> {
  const rows = outcomes
    .filter(({ state }) => state !== 'gone' && state !== 'released')
    .map(({ delivery, state, retry_ms, result, reason }) => ({
      id: delivery.id,
      made: delivery.attempts,
      attempts: delivery.attempts + (result ? 1 : 0),
      status: statuses[state],
      retry: retry_ms === undefined ? undefined : retry_ms / 1000,
      response_status: result?.status,
      response_excerpt: result?.responseExcerpt || undefined,
      error: result ? result.error : reason,
      reason,
      duration_ms: result?.durationMs,
    }))
  if (!rows.length) return Promise.resolve([])
  return ctx.all<{ id: string }>(sql`
    update deliveries d set leased_until = null, attempts = o.attempts,
      status = coalesce(o.status, d.status),
      next_attempt_at = coalesce(to_timestamp(n.epoch + o.retry), d.next_attempt_at),
      response_status = case when o.attempts > o.made then o.response_status else d.response_status end,
      response_excerpt = case when o.attempts > o.made then o.response_excerpt else d.response_excerpt end,
      error = case when o.attempts > o.made or o.reason is not null then o.error else d.error end,
      duration_ms = case when o.attempts > o.made then o.duration_ms else d.duration_ms end,
      delivered_at = case when o.status = 'delivered' then n.now end
    from json_to_recordset(${JSON.stringify(rows)}) as o (id text, made integer, attempts integer,
      status text, retry double precision, response_status integer, response_excerpt text,
      error text, reason text, duration_ms integer),
      (select ${now} as now, extract(epoch from ${now})::double precision as epoch) n
    where d.organization_id = ${ctx.organization.id} and d.id = o.id
      and d.id = any(${rows.map(({ id }) => id)})
      and d.status not in ('delivered', 'exhausted', 'dropped')
      and (d.attempts = o.made or o.status = 'delivered')
    returning d.id`)
}

const statuses: { [state in Outcome['state']]?: string } = {
  delivered: 'delivered',
  retry: 'failing',
  exhausted: 'exhausted',
  dropped: 'dropped',
}

/** Disables subscriptions that have failed for days, and drops their waiting deliveries. */
async function disable(ctx: Context, subscriptions: { id: string }[]) {
  const ids = subscriptions.map(({ id }) => id)
  const disabled = await ctx.all<{ id: string; url: string; user_id: string }>(sql`
    update subscriptions s set status = 'disabled', paused_until = null
    where s.organization_id = ${ctx.organization.id} and s.id = any(${ids})
      and s.status = 'active'
    returning s.id, s.url, s.user_id`)
  if (!disabled.length) return
  ctx.later(sql`
    update deliveries d set status = 'exhausted', error = 'disabled', leased_until = null
    where d.organization_id = ${ctx.organization.id}
      and d.subscription_id = any(${disabled.map(({ id }) => id)})
      and d.status in ('pending', 'failing')`)
  for (const subscription of disabled) {
    const reason = 'every delivery has failed for 5 days'
    logForOwner(ctx, [subscription], 'disabled', reason)
    await mailOwner(ctx, subscription, reason)
  }
}

/**
 * Deletes subscriptions whose receiver answers 410: it never wants more (Standard Webhooks). Their deliveries go with
 * them, sent and waiting ones; the log and a notification tell the owner.
 */
async function remove(ctx: Context, subscriptions: Due[]) {
  const ids = subscriptions.map(({ id }) => id)
  const removed = await ctx.all<{ id: string; url: string; user_id: string }>(sql`
    delete from subscriptions s
    where s.organization_id = ${ctx.organization.id} and s.id = any(${ids})
    returning s.id, s.url, s.user_id`)
  for (const subscription of removed) {
    logForOwner(ctx, [subscription], 'removed', 'the receiver answered 410 Gone')
  }
}

/**
 * Adds an entry to the activity log and a notification of the owner, who has all of these subscriptions, with only the
 * host of a URL: the rest may contain a secret.
 */
export function logForOwner(
  ctx: Context,
  [{ id, url, user_id }, ...others]: [Owned, ...Owned[]],
  action: string,
  reason: string,
): void {
  const { host } = new URL(url)
  const title = `Webhook subscription ${action}`
  const beside = others.length ? ` and ${others.length} more` : ''
  const description = `The webhook subscription to ${host}${beside} was ${action}: ${reason}`
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

type Owned = { id: string; url: string; user_id: string }

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
  const compose = (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: voice.say('webhook.subject'),
    name,
    paragraphs: [voice.say('webhook.text', { host, reason })],
    note: voice.say('webhook.note', { organization }),
  })
  await post(ctx, reader, compose, { kind: 'subscription' })
}

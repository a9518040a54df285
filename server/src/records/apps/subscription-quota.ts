import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/**
 * 409 if the organization has reached its quota of subscriptions with this one, or that of a host and one of its events;
 * concurrent requests may exceed them.
 */
export async function checkSubscriptionQuota(
  ctx: Context,
  of: { url: string; events: string[] },
): Promise<void> {
  await checkHost(ctx, of)
  const limit = ctx.services.quotas.subscriptions
  if (!limit) return
  const used = await countSubscriptions(ctx)
  if (used <= limit) return
  const message = `The organization has ${limit} subscriptions, as many as it may: delete some first`
  throw conflict(message, 'subscription_quota_exceeded', { limit, used: used - 1 })
}

/** Deliveries of one event all go to the host at once, so few subscriptions to the same one may. */
async function checkHost(ctx: Context, { url, events }: { url: string; events: string[] }) {
  const limit = ctx.services.quotas.subscriptionsPerHost
  if (!limit) return
  const host = new URL(url).hostname
  const same = sql`lower(substring(t.url from '^[a-zA-Z]+://(\\[[^]]*\\]|[^/:?#]+)')) = ${host}`
  const found = await ctx.one<{ event: string; count: number }>(sql`
    select e.event, count(*)::int as count from subscriptions t, unnest(t.events) as e (event)
    where ${mine(ctx)} and ${same} and e.event = any(${events})
    group by e.event having count(*) > ${limit} order by 2 desc limit 1`)
  if (!found) return
  const { event, count } = found
  const message = `The organization has ${limit} subscriptions to ${event} at ${host}, as many as it may: delete some first`
  throw conflict(message, 'subscription_quota_exceeded', { limit, used: count - 1, event, host })
}

/** How many subscriptions the organization has, disabled ones included. */
export async function countSubscriptions(ctx: Context): Promise<number> {
  const found = await ctx.one<{ count: number }>(
    sql`select count(*)::int as count from subscriptions t where ${mine(ctx)}`,
  )
  return found?.count ?? 0
}

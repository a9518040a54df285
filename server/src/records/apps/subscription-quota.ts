import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { hostOf } from '../../kit/ground/web-address.ts'

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
  const host = hostOf(url)
  const others = await ctx.all<{ url: string; events: string[] }>(sql`
    select t.url, t.events from subscriptions t where ${mine(ctx)} and t.events && ${events}::text[]`)
  const onHost = others.filter((other) => hostOf(other.url) === host)
  const counts = events.map((event) => ({
    event,
    count: onHost.filter((other) => other.events.includes(event)).length,
  }))
  const [most] = counts.toSorted((a, b) => b.count - a.count)
  if (!most || most.count <= limit) return
  const { event, count } = most
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

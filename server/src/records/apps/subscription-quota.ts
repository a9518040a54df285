import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** 409 if the organization has reached its quota of subscriptions; concurrent requests may exceed it. */
export async function checkSubscriptionQuota(ctx: Context): Promise<void> {
  const limit = ctx.services.quotas.subscriptions
  if (!limit) return
  const used = await countSubscriptions(ctx)
  if (used <= limit) return
  const message = `The organization has ${limit} subscriptions, as many as it may: delete some first`
  throw conflict(message, 'subscription_quota_exceeded', { limit, used: used - 1 })
}

/** How many subscriptions the organization has, disabled ones included. */
export async function countSubscriptions(ctx: Context): Promise<number> {
  const found = await ctx.one<{ count: number }>(
    sql`select count(*)::int as count from subscriptions t where ${mine(ctx)}`,
  )
  return found?.count ?? 0
}

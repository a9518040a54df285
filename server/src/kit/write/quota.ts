import type { Context } from '../ground/context.ts'
import { Failure } from '../ground/errors.ts'
import { mine, sql } from '../ground/sql.ts'

/**
 * Something that may happen `limit` times (0 is without a limit) in a window of `seconds`, which
 * begins at a full multiple of them in UTC: a day of 86,400 at midnight. `key` is for whom or what.
 */
export type Quota = { name: string; key: string; limit: number; seconds: number }

/** A quota that is used up: how much was used, and when its window ends. */
export type Spent = { quota: Quota; used: number; until: Date }

/**
 * Counts `amount` against each quota, all or none of them, in this transaction: returns the first that
 * has not that much left. Counted in the database, so that processes share it and it survives restarts;
 * the rows are locked in one order.
 */
export async function reserve(
  ctx: Context,
  quotas: Quota[],
  amount = 1,
): Promise<Spent | undefined> {
  const windows = windowsOf(ctx, quotas).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  if (!windows.length) return undefined
  const rows = windows.map(
    ({ id, quota, until }) =>
      sql`(${ctx.organization.id}, ${id}, ${quota.name}, ${until.toISOString()}::timestamptz)`,
  )
  // an update of nothing locks the rows that are there, too
  const counted = await ctx.all<{ id: string; count: number }>(sql`
    insert into quota_counts as t (organization_id, id, name, ends_at) values ${sql.join(rows)}
    on conflict (organization_id, id) do update set count = t.count returning t.id, t.count`)
  const used = new Map(counted.map(({ id, count }) => [id, count]))
  for (const { id, quota, until } of windows) {
    const before = used.get(id) ?? 0
    if (before + amount > quota.limit) return { quota, used: before, until }
  }
  await ctx.run(sql`update quota_counts t set count = count + ${amount}
    where ${mine(ctx)} and t.id = any(${windows.map(({ id }) => id)})`)
  return undefined
}

/** The same for a request: 429 with `code`, the numbers and `Retry-After` where it is used up. */
export async function reserveOrRefuse(
  ctx: Context,
  quota: Quota,
  { code, message, amount = 1 }: { code: string; message: string; amount?: number },
): Promise<void> {
  const spent = await reserve(ctx, [quota], amount)
  if (!spent) return
  const { until, used } = spent
  throw new Failure(429, code, message, {
    retryAfter: Math.max(1, Math.ceil((+until - +ctx.now()) / 1000)),
    data: { limit: quota.limit, used, resets_at: until.toISOString() },
  })
}

/** How much of a quota is used in the present window, and when that ends. */
export async function usedOf(ctx: Context, quota: Quota): Promise<{ used: number; until: Date }> {
  const { id, until } = windowOf(ctx, quota)
  const found = await ctx.one<{ count: number }>(
    sql`select t.count from quota_counts t where ${mine(ctx)} and t.id = ${id}`,
  )
  return { used: found?.count ?? 0, until }
}

function windowsOf(ctx: Context, quotas: Quota[]) {
  return quotas.filter(({ limit }) => limit > 0).map((quota) => windowOf(ctx, quota))
}

/** The present window with the id of its row, which does not say what it counts. */
function windowOf(ctx: Context, quota: Quota) {
  const { name, key, seconds } = quota
  const start = Math.floor(+ctx.now() / (seconds * 1000)) * seconds * 1000
  const id = ctx.secrets.hash(`quota ${name}\n${key}\n${start}`).toString('hex').slice(0, 25)
  return { id, quota, until: new Date(start + seconds * 1000) }
}

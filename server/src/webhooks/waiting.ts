import type { Context, Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, mine, nothingCached, sql } from '../kit/ground/sql.ts'
import { inTurns } from '../jobs/in-turns.ts'
import type { Runtime } from '../runtime.ts'
import { logForOwner } from './settle.ts'

/** One transaction drops at most this many. */
const batch = 10_000
/** The part of an organization's quota that one subscription may use. */
const shareOfOne = 0.25
/** The user of subscriptions is notified once in this time, however many of them are shortened. */
const noticeMs = 86_400_000

/** Drops what waits beyond the quotas in all organizations. Returns how many deliveries. */
export async function dropWaitingOfAll(runtime: Runtime): Promise<number> {
  const most = runtime.services.quotas.waitingDeliveries
  if (!most) return 0
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and o.organization_id in (select d.organization_id from deliveries d
      where ${anywhere('d')} and d.status in ('pending', 'failing')
      group by d.organization_id having count(*) > ${Math.floor(most * shareOfOne)})
    order by o.organization_id`)
  return inTurns(runtime, organizations, dropWaiting)
}

/** Drops what waits beyond the quotas, with an upper limit for one transaction. Returns how many deliveries. */
export async function dropWaiting(ctx: Context): Promise<number> {
  return (await keepWithinQuota(ctx)).dropped
}

/**
 * Drops the oldest deliveries that wait beyond the quotas of the organization and of each subscription, which are
 * counted there; those with the most lose theirs first. `room` is how many more may be added before one of the quotas
 * can be exceeded: until then nothing needs to be counted.
 */
export async function keepWithinQuota(ctx: Context): Promise<{ dropped: number; room: number }> {
  const most = ctx.services.quotas.waitingDeliveries
  if (!most) return { dropped: 0, room: Infinity }
  const waiting = await ctx.all<{ id: string; count: number }>(sql`
    select d.subscription_id as id, count(*)::integer as count from deliveries d
    where ${mine(ctx, 'd')} and d.status in ('pending', 'failing')
    group by d.subscription_id`)
  const counts = waiting.map(({ count }) => count)
  const level = levelOf(counts, most)
  let left = batch
  const excess = waiting.flatMap(({ id, count }) => {
    const drop = Math.min(left, count - level)
    left -= Math.max(0, drop)
    return drop > 0 ? [{ id, drop }] : []
  })
  if (!excess.length) {
    const total = counts.reduce((sum, count) => sum + count, 0)
    return { dropped: 0, room: Math.min(most - total, level - Math.max(0, ...counts)) }
  }
  // in the order in which outcomes are written: subscriptions first
  const ids = excess.map(({ id }) => id)
  await ctx.run(sql`select from subscriptions s where ${mine(ctx, 's')} and s.id = any(${ids})
    order by s.id for no key update`)
  const oldest = await ctx.all<{ id: string }>(sql`
    select o.id from json_to_recordset(${JSON.stringify(excess)}) as x (id text, drop integer)
    cross join lateral (select w.id from deliveries w
      where ${mine(ctx, 'w')} and w.subscription_id = x.id and w.status in ('pending', 'failing')
      order by w.id limit x.drop for update) o`)
  const dropped = await ctx.all<Dropped>(sql`
    ${nothingCached} with removed as (
      delete from deliveries d where ${mine(ctx, 'd')} and d.id = any(${oldest.map(({ id }) => id)})
      returning d.subscription_id
    ), counted as (select r.subscription_id as id, count(*)::integer as count from removed r group by 1)
    update subscriptions s set dropped_deliveries = s.dropped_deliveries + c.count
    from counted c where ${mine(ctx, 's')} and s.id = c.id
    returning s.id, s.url, s.user_id, c.count`)
  await notifyOwners(ctx, dropped)
  return { dropped: dropped.reduce((sum, { count }) => sum + count, 0), room: 0 }
}

type Dropped = {
  id: string
  url: string
  user_id: string
  count: number
}

/** How many each may have, so that all together have at most `most`, and none more than its share. */
export function levelOf(counts: number[], most: number): number {
  const level = Math.max(1, Math.floor(most * shareOfOne))
  let left = most
  for (const [nth, count] of counts.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (counts.length - nth))
    if (Math.min(count, level) > share) return Math.min(level, Math.max(1, share))
    left -= Math.min(count, level)
  }
  return level
}

async function notifyOwners(ctx: Context, dropped: Dropped[]): Promise<void> {
  const owners = [...new Set(dropped.map((each) => each.user_id))]
  const before = new Date(+ctx.now() - noticeMs).toISOString()
  const notified = await ctx.all<{ user_id: string }>(sql`
    select distinct s.user_id from subscriptions s
    where ${mine(ctx, 's')} and s.user_id = any(${owners}) and s.dropped_notice_at >= ${before}`)
  const known = new Set(notified.map((each) => each.user_id))
  const due = dropped.filter((each) => !known.has(each.user_id))
  if (!due.length) return
  await ctx.run(sql`${nothingCached} update subscriptions s
    set dropped_notice_at = ${ctx.now().toISOString()}
    where ${mine(ctx, 's')} and s.id = any(${due.map(({ id }) => id)})`)
  // one for all subscriptions of an owner, of which there may be a thousand
  for (const [first, ...others] of Map.groupBy(due, (each) => each.user_id).values()) {
    if (!first) continue
    const count = [first, ...others].reduce((sum, each) => sum + each.count, 0)
    const reason = `more deliveries waited than may, so the oldest were dropped (${count})`
    logForOwner(ctx, [first, ...others], 'shortened', reason)
  }
}

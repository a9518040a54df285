import type { Context, Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { mine, nothingCached, sql } from '../kit/ground/sql.ts'
import { inTurns } from '../jobs/in-turns.ts'
import type { Runtime } from '../runtime.ts'
import { logForOwner } from './settle.ts'

/** One transaction drops at most this many. */
const batch = 10_000
/** The part of an organization's quota that one subscription may use. */
const shareOfOne = 0.25
/** The user of a subscription is notified once in this time. */
const noticeMs = 86_400_000

/** Drops what waits beyond the quotas in all organizations. Returns how many deliveries. */
export async function dropWaitingOfAll(runtime: Runtime): Promise<number> {
  const most = runtime.services.quotas.waitingDeliveries
  if (!most) return 0
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where o.organization_id in (select d.organization_id from deliveries d
      where d.status in ('pending', 'failing')
      group by d.organization_id having count(*) > ${Math.floor(most * shareOfOne)})
    order by o.organization_id`)
  return inTurns(runtime, organizations, dropWaiting)
}

/**
 * Drops the oldest deliveries that wait beyond the quotas of the organization and of each subscription, which are
 * counted there; those with the most lose theirs first. Returns how many, with an upper limit for one transaction.
 */
export async function dropWaiting(ctx: Context): Promise<number> {
  const most = ctx.services.quotas.waitingDeliveries
  if (!most) return 0
  const waiting = await ctx.all<{ id: string; count: number }>(sql`
    select d.subscription_id as id, count(*)::integer as count from deliveries d
    where ${mine(ctx, 'd')} and d.status in ('pending', 'failing')
    group by d.subscription_id`)
  const level = levelOf(
    waiting.map(({ count }) => count),
    most,
  )
  let left = batch
  const excess = waiting.flatMap(({ id, count }) => {
    const drop = Math.min(left, count - level)
    left -= Math.max(0, drop)
    return drop > 0 ? [{ id, drop }] : []
  })
  if (!excess.length) return 0
  const dropped = await ctx.all<Dropped>(sql`
    ${nothingCached} with excess as (
      select * from json_to_recordset(${JSON.stringify(excess)}) as x (id text, drop integer)
    ), removed as (
      delete from deliveries d where ${mine(ctx, 'd')}
        and d.id = any(array(select o.id from excess x cross join lateral (
          select w.id from deliveries w where w.organization_id = $organization
            and w.subscription_id = x.id and w.status in ('pending', 'failing')
          order by w.id limit x.drop for update) o))
      returning d.subscription_id
    ), counted as (select r.subscription_id as id, count(*)::integer as count from removed r group by 1)
    update subscriptions s set dropped_deliveries = s.dropped_deliveries + c.count
    from counted c where ${mine(ctx, 's')} and s.id = c.id
    returning s.id, s.url, s.user_id, c.count, s.dropped_notice_at`)
  await notifyOwners(ctx, dropped)
  return dropped.reduce((sum, { count }) => sum + count, 0)
}

type Dropped = {
  id: string
  url: string
  user_id: string
  count: number
  dropped_notice_at: string | null
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
  const before = +ctx.now() - noticeMs
  const due = dropped.filter(({ dropped_notice_at: at }) => at === null || Date.parse(at) < before)
  if (!due.length) return
  await ctx.run(sql`${nothingCached} update subscriptions s
    set dropped_notice_at = ${ctx.now().toISOString()}
    where ${mine(ctx, 's')} and s.id = any(${due.map(({ id }) => id)})`)
  for (const each of due) {
    const reason = `more deliveries waited than may, so the oldest were dropped (${each.count})`
    logForOwner(ctx, each, 'shortened', reason)
  }
}

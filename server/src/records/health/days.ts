import type { Context } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { forReader } from '../../kit/record/readable.ts'
import { today } from '../../model/time/dates.ts'
import { health, healthByClock } from '../../model/health/inputs.ts'

/** The number of accounts that are measured in one transaction. */
const batch = 200

/** Stores today's health of every account of the organization; enqueued when the weights change. */
export const measureAccounts: Job<{ changed_at: string }> = {
  name: 'measure-accounts',
  async run({ reads, write, signal }, { changed_at }) {
    const newer = await reads.one(sql`select from health_weights t
      where ${mine(reads)} and t.last_update_time > ${changed_at}`)
    // the weights were changed again since, which enqueued another job
    if (newer) return
    for (let after: string | null = ''; after !== null;) {
      signal.throwIfAborted()
      const from: string = after
      after = await write((ctx) => storeHealthDays(ctx, from))
    }
  },
}

/**
 * Stores today's health for a batch of accounts after an id, if it differs from the
 * one stored for today. Returns the last id, null if there are no more. `time` replaces that
 * of the database's clock.
 */
export async function storeHealthDays(
  ctx: Context,
  after: string,
  time?: Date,
): Promise<string | null> {
  const ids = await ctx.all<{ id: string }>(sql`select t.id from accounts t
    where ${mine(ctx)} and t.deleted_at is null and t.id > ${after} order by t.id limit ${batch}`)
  if (!ids.length) return null
  const day = today(ctx)
  await ctx.run(sql`
    insert into account_health_days as d (organization_id, account_id, day, score, is_set, inputs)
    select t.organization_id, t.id, ${day}::date, coalesce(t.health_score, h.score),
      t.health_score is not null, h.stored
    from accounts t
    ${time ? sql`cross join (select ${time.toISOString()}::timestamptz as at) clock` : sql``}
    cross join lateral (${forReader(ctx, time ? healthByClock : health)} offset 0) h
    where ${mine(ctx)} and t.id = any(${ids.map(({ id }) => id)}::varchar[])
    order by t.id
    on conflict (organization_id, account_id, day) do update
      set score = excluded.score, is_set = excluded.is_set, inputs = excluded.inputs
      where (d.score, d.is_set, d.inputs) is distinct from
        (excluded.score, excluded.is_set, excluded.inputs)`)
  return ids.length < batch ? null : (ids.at(-1)?.id ?? null)
}

/** Updates the last activity of contacts from meetings that have begun in the last two days. */
export async function followBegunMeetings(ctx: Context): Promise<void> {
  const now = ctx.now()
  const since = new Date(+now - 2 * 86_400_000).toISOString()
  await ctx.run(sql`
    update contacts t set last_activity_date = m.at
    from (
      select c.contact_id, max(m.starts_at) as at from meetings m
      join meeting_contacts c on c.organization_id = $organization and c.calendar_id = m.id
      where m.organization_id = ${ctx.organization.id} and m.deleted_at is null
        and m.starts_at between ${since} and ${now.toISOString()}
        and not m.is_meeting_cancelled and not m.is_private
      group by 1
    ) m
    where ${mine(ctx)} and t.id = m.contact_id and t.deleted_at is null
      and (t.last_activity_date is null or t.last_activity_date < m.at)`)
}

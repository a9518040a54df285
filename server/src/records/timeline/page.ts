import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { firstIdAt, timeOf } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { visibleEntriesOf } from '../activity/visible.ts'
import { activities, entries, kinds, modules } from './kinds.ts'
import type { Subject } from './subject.ts'
import { othersOf, projectsOf } from './subject.ts'

/**
 * Where something stands in a timeline: newest first, those of one millisecond by rank and id. The
 * log has rank 0 and is in the order of its ids, whose time is that of writing.
 */
export type Place = { ms: number; rank: number; id: string }

/** An entry of the log, by its id, or an activity with what its sentence is made from. */
export type Item = Place & { kind: string; activity?: Activity }

export type Activity = {
  kind: string
  at: string
  source_id: string
  module_id: number | null
  reference_id: string | null
  contact_id: string | null
  what: { [name: string]: unknown }
}

/**
 * The first `limit` items after a place. Each source gives no more rows than that, from an index, and
 * only those that the caller may read.
 */
export async function readItems(
  ctx: Context,
  subject: Subject,
  wanted: string[],
  after: Place | undefined,
  limit: number,
): Promise<Item[]> {
  const [logged, done] = await Promise.all([
    readLogged(ctx, subject, wanted, after, limit),
    readActivities(ctx, subject, wanted, after, limit),
  ])
  return [...logged, ...done].toSorted(newestFirst).slice(0, limit)
}

function newestFirst(a: Place, b: Place): number {
  return b.ms - a.ms || b.rank - a.rank || (a.id < b.id ? 1 : -1)
}

async function readLogged(
  ctx: Context,
  subject: Subject,
  wanted: string[],
  after: Place | undefined,
  limit: number,
): Promise<Item[]> {
  const its = wanted.filter((kind) => entries[kind])
  if (!its.length) return []
  const kind = sql.join(
    its.map((name) => sql`when ${entries[name] ?? sql`false`} then ${name}::text`),
    sql` `,
  )
  const isWanted = sql.join(
    its.map((name) => entries[name] ?? sql`false`),
    sql` or `,
  )
  const older = after
    ? sql`e.id < ${after.rank ? firstIdAt(new Date(after.ms + 1)) : after.id}`
    : sql`true`
  const source = sql`${mine(ctx, 'e')} and ${older}`
  // The sources are put together below the rights, which take long to plan, and which are looked at
  // newest first until there are enough; `is true` keeps the planner from gathering a whole kind.
  const found = await ctx.all<{ id: string; kind: string; occurred_at: string }>(sql`
    with project as materialized (${projectsOf(ctx, subject)}),
      other (module, id) as materialized (${othersOf(ctx, subject)})
    select e.id, case ${kind} end as kind, e.occurred_at from (
      select distinct x.id from (
        select null::int as module, p.id from project p union all select o.module, o.id from other o
      ) s cross join lateral (
        select e.id from (
          select u.* from (
            select e.* from events e where s.module is null and ${source} and e.project_id = s.id
            union all
            select e.* from events e
            where ${source} and e.module_id = s.module and e.reference_id = s.id
          ) u order by u.id desc offset 0
        ) e where ${visibleEntriesOf(ctx, modules)} and (${isWanted}) is true
        order by e.id desc limit ${limit}
      ) x order by x.id desc limit ${limit}
    ) n join events e on ${mine(ctx, 'e')} and e.id = n.id order by e.id desc`)
  return found.map(({ id, kind: its, occurred_at }) => ({
    ms: +(timeOf(id) ?? new Date(occurred_at)),
    rank: 0,
    id,
    kind: its,
  }))
}

async function readActivities(
  ctx: Context,
  { module, ids }: Subject,
  wanted: string[],
  after: Place | undefined,
  limit: number,
): Promise<Item[]> {
  const branches = wanted.flatMap((kind) => {
    const source = activities[kind]?.(ctx)
    if (!source) return []
    const rank = rankOf(kind)
    // a join may end in a condition of its own
    return [
      sql`select x.* from unnest(${ids}::varchar[]) s (id) cross join lateral (
        select a.kind, a.at, a.source_id, a.module_id, a.reference_id, a.contact_id,
          ${source.what} as what
        from (select a.* from record_activity a where ${mine(ctx, 'a')}
          and a.subject_module = ${module} and a.subject_id = s.id and a.kind = ${kind}
          and a.at <= ${ctx.now().toISOString()} and ${olderThan(after, rank)}) a
        ${source.join} order by a.at desc, a.source_id desc limit ${limit}) x`,
    ]
  })
  if (!branches.length) return []
  const found = await ctx.all<Activity>(sql`select distinct on (n.at, n.kind, n.source_id) n.kind,
      n.at, n.source_id, n.module_id, n.reference_id, n.contact_id, n.what::jsonb as what
    from (${sql.join(branches, sql` union all `)}) n
    order by n.at desc, n.kind, n.source_id`)
  return found.map((activity) => ({
    ms: Date.parse(activity.at),
    rank: rankOf(activity.kind),
    id: activity.source_id,
    kind: activity.kind,
    activity,
  }))
}

function rankOf(kind: string): number {
  return kinds.indexOf(kind) + 1
}

function olderThan(after: Place | undefined, rank: number): Query {
  if (!after) return sql`true`
  const at = sql`${new Date(after.ms).toISOString()}::timestamptz`
  if (rank > after.rank) return sql`a.at < ${at}`
  if (rank < after.rank) return sql`a.at <= ${at}`
  return sql`(a.at, a.source_id) < (${at}, ${after.id})`
}

/** The cursor of a place in one timeline, for what is asked of it. */
export function cursorOf({ ms, rank, id }: Place, bound: string): string {
  return Buffer.from(JSON.stringify([ms, rank, id, bound])).toString('base64url')
}

/** The place of a cursor; 400 for any other text, and for the cursor of another timeline. */
export function placeOf(cursor: string, bound: string): Place {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const [ms, rank, id, of]: unknown[] = Array.isArray(read) ? read : []
    const isPlace = Number.isSafeInteger(ms) && Number.isInteger(rank) && typeof id === 'string'
    if (isPlace && of === bound && Math.abs(Number(ms)) < 8.64e15 && id.length <= 25) {
      return { ms: Number(ms), rank: Number(rank), id }
    }
  } catch {
    // no cursor of ours
  }
  throw badField('cursor', 'must be the next_cursor of a previous answer of this timeline')
}

import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { firstIdAt, timeOf } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableEntries, visibleReferences } from '../activity/visible.ts'
import { activities, entries, kinds, ownEntries } from './kinds.ts'
import type { Subject } from './subject.ts'
import { showsOnlyItself, othersOf, projectsOf } from './subject.ts'

/**
 * A position in a timeline: newest first, entries of the same millisecond by rank and id. The
 * log has rank 0 and is in the order of its ids, which contain the time of writing.
 */
export type Place = { ms: number; rank: number; id: string }

/** A log entry, by its id, or an activity with the data for its sentence. */
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
 * The first `limit` items after a place that the caller may read. Each source is read newest
 * first, and the rights are then checked for the rows found: one small statement for each kind and module
 * among them. One statement for all took PostgreSQL up to 300 ms to plan for a customer.
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

/** The maximum number of rows read by one statement. */
const mostRows = 2000

/**
 * The first `limit` visible items among candidates. `read` returns so many candidates after a place, newest first;
 * `visible` returns those that the caller may read.
 */
async function firstVisible<C extends Place>(
  after: Place | undefined,
  limit: number,
  read: (after: Place | undefined, rows: number) => Promise<C[]>,
  visible: (candidates: C[]) => Promise<Item[]>,
): Promise<Item[]> {
  const items: Item[] = []
  let place = after
  for (let rows = 2 * limit; items.length < limit; rows = Math.min(4 * rows, mostRows)) {
    const candidates = await read(place, rows)
    if (candidates.length) items.push(...(await visible(candidates)))
    if (candidates.length < rows) break
    place = candidates.at(-1)
  }
  return items
}

type Logged = Place & { kind: string; module_id: number | null; reference_id: string | null }

async function readLogged(
  ctx: Context,
  subject: Subject,
  wanted: string[],
  after: Place | undefined,
  limit: number,
): Promise<Item[]> {
  const known = showsOnlyItself(subject) ? (ownEntries[subject.module] ?? {}) : entries
  const its = Object.entries(known).filter(([kind]) => wanted.includes(kind))
  if (!its.length) return []
  const sources = await ctx.all<{ module: number | null; id: string }>(sql`
    select null::int as module, p.id from (${projectsOf(ctx, subject)}) p
    union all select o.module, o.id from (${othersOf(ctx, subject)}) o (module, id)`)
  const read = (place: Place | undefined, rows: number) =>
    readEntriesOf(ctx, sources, its, place, rows)
  return firstVisible(after, limit, read, async (candidates) => {
    const ofModule = Map.groupBy(candidates, ({ module_id }) => module_id)
    const seen = new Set<string>()
    await Promise.all(
      [...ofModule].map(async ([module, about]) => {
        if (module === null) return
        const ids = [...new Set(about.map(({ reference_id }) => reference_id))]
        for (const id of await visibleReferences(ctx, module, ids)) seen.add(`${module} ${id}`)
      }),
    )
    return candidates
      .filter(({ module_id, reference_id }) => seen.has(`${module_id} ${reference_id}`))
      .map(({ ms, rank, id, kind }) => ({ ms, rank, id, kind }))
  })
}

/** Log entries about these records, without checking the rights on the records. */
async function readEntriesOf(
  ctx: Context,
  sources: { module: number | null; id: string }[],
  its: [kind: string, condition: Query][],
  after: Place | undefined,
  rows: number,
): Promise<Logged[]> {
  const kind = sql.join(
    its.map(([name, condition]) => sql`when ${condition} then ${name}::text`),
    sql` `,
  )
  const isWanted = sql.join(
    its.map(([, condition]) => condition),
    sql` or `,
  )
  const older = after
    ? sql`e.id < ${after.rank ? firstIdAt(new Date(after.ms + 1)) : after.id}`
    : sql`true`
  const source = sql`${mine(ctx, 'e')} and ${older}`
  // `is true` keeps the planner from collecting a whole kind. Lists come from subqueries so that it does not know
  // how long they are: then one plan is good for all of them, and it is cached
  const found = await ctx.all<{
    id: string
    kind: string
    occurred_at: string
    module_id: number | null
    reference_id: string | null
  }>(sql`
    select e.id, case ${kind} end as kind, e.occurred_at, e.module_id, e.reference_id from (
      select distinct x.id from
        unnest((select ${sources.map(({ module }) => module)}::int[]),
          (select ${sources.map(({ id }) => id)}::varchar[])) s (module, id)
        cross join lateral (
        select e.id from (
          select u.* from (
            select e.* from events e where s.module is null and ${source} and e.project_id = s.id
            union all
            select e.* from events e
            where ${source} and e.module_id = s.module and e.reference_id = s.id
          ) u order by u.id desc offset 0
        ) e where ${readableEntries(ctx)} and (${isWanted}) is true
        order by e.id desc limit ${rows}
      ) x order by x.id desc limit ${rows}
    ) n join events e on ${mine(ctx, 'e')} and e.id = n.id order by e.id desc`)
  return found.map(({ occurred_at, ...entry }) => ({
    ms: +(timeOf(entry.id) ?? new Date(occurred_at)),
    rank: 0,
    ...entry,
  }))
}

type Candidate = Place & { row: string; about: Omit<Activity, 'what'> }

async function readActivities(
  ctx: Context,
  subject: Subject,
  wanted: string[],
  after: Place | undefined,
  limit: number,
): Promise<Item[]> {
  const its = wanted.filter((kind) => activities[kind])
  // only accounts, companies, contacts, projects and deals have activities
  if (!its.length || showsOnlyItself(subject)) return []
  // an activity shared by two merged records exists once for each of them
  const known = new Set<string>()
  const read = (place: Place | undefined, rows: number) =>
    readActivitiesOf(ctx, subject, its, place, rows)
  return firstVisible(after, limit, read, async (candidates) => {
    const fresh = candidates.filter(({ about: { kind, source_id } }) => {
      const isFirst = !known.has(`${kind} ${source_id}`)
      known.add(`${kind} ${source_id}`)
      return isFirst
    })
    const what = new Map<string, Activity['what']>()
    const ofKind = Map.groupBy(fresh, ({ about }) => about.kind)
    await Promise.all(
      [...ofKind].map(async ([kind, of]) => {
        for (const each of await visibleActivities(ctx, kind, of)) what.set(each.id, each.what)
      }),
    )
    return fresh.flatMap(({ row, about, ms, rank, id }) => {
      const its = what.get(row)
      return its ? [{ ms, rank, id, kind: about.kind, activity: { ...about, what: its } }] : []
    })
  })
}

/** Activities of the subject, without checking the rights on their sources. */
async function readActivitiesOf(
  ctx: Context,
  { module, ids }: Subject,
  its: string[],
  after: Place | undefined,
  rows: number,
): Promise<Candidate[]> {
  const found = await ctx.all<Omit<Activity, 'what'> & { row: string }>(sql`
    select a.id as row, a.kind, a.at, a.source_id, a.module_id, a.reference_id, a.contact_id
    from unnest((select ${ids}::varchar[])) s (id)
      cross join unnest((select ${its}::text[]), (select ${its.map(rankOf)}::int[])) k (kind, rank)
      cross join lateral (
      select a.* from record_activity a where ${mine(ctx, 'a')}
        and a.subject_module = ${module} and a.subject_id = s.id and a.kind = k.kind
        and a.at <= ${ctx.now().toISOString()} and ${olderThan(after)}
      order by a.at desc, a.source_id desc limit ${rows}) a
    order by a.at desc, k.rank desc, a.source_id desc limit ${rows}`)
  return found.map(({ row, ...about }) => ({
    ms: Date.parse(about.at),
    rank: rankOf(about.kind),
    id: about.source_id,
    row,
    about,
  }))
}

/** The rows of one kind that the caller may read, with the data for their sentences. */
async function visibleActivities(ctx: Context, kind: string, candidates: Candidate[]) {
  const rows = candidates.map(({ row }) => row)
  const source = activities[kind]?.(
    ctx,
    candidates.map(({ id }) => id),
  )
  if (!source) return []
  // a join may already end with a condition
  return ctx.all<{ id: string; what: Activity['what'] }>(sql`
    select a.id, ${source.what} as what from (select a.* from record_activity a
      where ${mine(ctx, 'a')} and a.id = any((select ${rows}::varchar[])::varchar[])) a ${source.join}`)
}

function rankOf(kind: string): number {
  return kinds.indexOf(kind) + 1
}

/** Over `a` and its kind `k`. */
function olderThan(after: Place | undefined): Query {
  if (!after) return sql`true`
  const at = sql`${new Date(after.ms).toISOString()}::timestamptz`
  return sql`a.at <= ${at} and (a.at < ${at} or k.rank < ${after.rank}::int
    or (k.rank = ${after.rank}::int and a.source_id < ${after.id}))`
}

/** The cursor of a place in one timeline, with its filters. */
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

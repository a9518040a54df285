import type { AnyRecord } from '../../kit/record/record.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Context, Query } from '../../kit/ground/context.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { compile, mine, sql } from '../../kit/ground/sql.ts'

/** A cacheable answer: its queries, what invalidates it, how long it is valid, and its size. */
type Request<T> = {
  queries: Query[]
  /** what else its answer depends on */
  variant?: string
  /** records whose events invalidate it; any event at all when absent */
  changedBy?: readonly AnyRecord[]
  /** seconds */
  ttl: number
  /** rows, for the limit on what is cached */
  size: number
  compute(queries: Query[]): Promise<T>
}

type Entry = {
  answer: Promise<unknown>
  since: number
  /** the number of events since `from` before it was computed: a higher number invalidates it */
  from: string
  events: number
  size: number
}

const entries = new LRUCache<string, Entry>({
  maxSize: 200_000,
  sizeCalculation: ({ size }) => size,
})

/** Longer than a transaction lasts: an event's id is created before its commit. */
const slack = 60_000

/** Lookups within so many milliseconds count from the same id on, so that their counts can be compared. */
const step = 10_000

/**
 * The answer to some queries, computed again when something that it counts has changed or `ttl` has
 * passed. The cache key is the SQL of the queries with their parameters, so callers share an answer only
 * if their rights result in the same SQL, and a change of role results in another one. A write in any process
 * is found in the event log, which each lookup checks: one short index range.
 */
export async function cachedAnswer<T>(ctx: Context, request: Request<T>): Promise<T> {
  const key = keyOf(ctx, request)
  const now = +ctx.now()
  const from = firstIdAt(new Date(Math.floor((Date.now() - slack) / step) * step))
  const since = entries.peek(key)?.from ?? from
  // counted first, so that an event during the computation invalidates the result
  const events = await count(ctx, request.changedBy, since, from)
  // others may have stored an answer meanwhile, or have counted later; the log only grows, so the same number of
  // events from the same id on are the same events
  const old = entries.get(key)
  const isSame =
    (old?.from === since && old.events === events.all) ||
    (old?.from === from && old.events === events.latest)
  const age = old ? now - old.since : Infinity
  if (old && isSame && age >= 0 && age < request.ttl * 1000) {
    // the next lookup then has fewer events to count
    old.from = from
    old.events = events.latest
    return (await old.answer) as T
  }
  const answer = request.compute(request.queries)
  const entry = { answer, since: now, from, events: events.latest, size: request.size }
  if (request.ttl) entries.set(key, entry)
  answer.catch(() => {
    if (entries.peek(key) === entry) entries.delete(key)
  })
  return answer
}

/** The number of events since an id, and since a later id. */
async function count(
  ctx: Context,
  changedBy: readonly AnyRecord[] | undefined,
  from: string,
  later: string,
) {
  // events without a module number are rare and may be about anything: a pipeline, a role
  const only = changedBy
    ? sql`(t.module_id = any(${changedBy.map(({ number }) => number)}::int[]) or (t.module_id is null
        and t.type is distinct from 'engagement_tracked'))`
    : sql`true`
  const row = await ctx.one<{ all: number; latest: number }>(sql`
    select count(*)::int as all, (count(*) filter (where t.id >= ${later}))::int as latest
    from events t where ${mine(ctx)} and t.id >= ${from} and ${only}`)
  return row ?? { all: 0, latest: 0 }
}

function keyOf(
  { organization: { id } }: Context,
  { queries, variant = '' }: Pick<Request<unknown>, 'queries' | 'variant'>,
): string {
  const hash = createHash('sha256').update(id).update(variant)
  for (const query of queries) hash.update(JSON.stringify(compile(query, id)))
  return hash.digest('base64')
}

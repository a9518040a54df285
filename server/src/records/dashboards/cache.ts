import type { AnyRecord } from '../../kit/record/record.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Context, Query } from '../../kit/ground/context.ts'
import { firstIdAt } from '../../kit/ground/ids.ts'
import { compile, mine, sql } from '../../kit/ground/sql.ts'

/** An answer: its queries, what changes it, how long it is valid, and its size. */
type Request<T> = {
  queries: Query[]
  /** what its answer depends on beside them */
  variant?: string
  /** records whose events invalidate it; any event at all when absent */
  changedBy?: readonly AnyRecord[]
  /** seconds */
  ttl: number
  /** rows, for the bound on what is cached */
  size: number
  compute(queries: Query[]): Promise<T>
}

type Entry = {
  answer: Promise<unknown>
  since: number
  /** the events counted from `from` on, before it was computed: any more of them invalidates it */
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

/** Lookups within these milliseconds count from the same id on, so that they can be compared. */
const step = 10_000

/**
 * The answer to some queries, computed again once something that it counts has changed or `ttl` has
 * passed. It is cached under the queries themselves, with their parameters: callers share it exactly
 * where their rights give the same SQL, and a change of role gives other SQL. A write in any process
 * shows in the log of events, which is looked at each time: that is one short index range.
 */
export async function cachedAnswer<T>(ctx: Context, request: Request<T>): Promise<T> {
  const key = keyOf(ctx, request)
  const now = +ctx.now()
  const from = firstIdAt(new Date(Math.floor((Date.now() - slack) / step) * step))
  const since = entries.peek(key)?.from ?? from
  // counted first: what happens while the numbers are computed invalidates them and is never lost
  const events = await count(ctx, request.changedBy, since, from)
  // others may have stored one meanwhile, or have looked further; the log only grows, so as many
  // events from the same id on are the same events
  const old = entries.get(key)
  const isSame =
    (old?.from === since && old.events === events.all) ||
    (old?.from === from && old.events === events.latest)
  const age = old ? now - old.since : Infinity
  if (old && isSame && age >= 0 && age < request.ttl * 1000) {
    // the next lookup has less to count
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

/** How many events there are from one id on, and from a later one on. */
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

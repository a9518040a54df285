import type { Database } from '../../../database/connect.ts'
import type { Queries, Query } from '../../../kit/ground/context.ts'
import type { StoredEvent } from '../../../kit/ground/event.ts'
import { firstIdAt, timeOf } from '../../../kit/ground/ids.ts'
import type { LiveStreams } from '../../../kit/ground/services.ts'
import { sql } from '../../../kit/ground/sql.ts'

/** How often events committed by other processes are read; in milliseconds, like all here. */
const pollMs = 1000
/** A burst of commits shares a read. */
const pauseMs = 100
/** How much later than the time in its id an event is committed at most. */
const overlapMs = 60_000
/** Events read at once. */
const batch = 500

type Received = (events: StoredEvent[]) => void

/**
 * Reads the events of organizations whose streams are open in this process: at once after commits of
 * its own, each second for those of others. Writes need not do anything for it (a NOTIFY would make commits
 * wait for each other).
 */
export function eventTails(database: Database): Pick<LiveStreams, 'follow' | 'since' | 'written'> {
  const tails = new Map<string, Tail>()
  return {
    async follow(organization, received) {
      const tail = tails.get(organization) ?? new Tail(database.reads(organization), organization)
      tails.set(organization, tail)
      tail.followers.add(received)
      const leave = () => {
        tail.followers.delete(received)
        if (tail.followers.size) return
        tail.stop()
        if (tails.get(organization) === tail) tails.delete(organization)
      }
      try {
        await tail.started()
      } catch (error) {
        leave()
        throw error
      }
      return leave
    },
    async since(organization, { id, horizon }, most) {
      const time = timeOf(id)
      if (!time) return undefined
      const after = firstIdAt(new Date(Math.max(0, +time - overlapMs)))
      const queries = database.reads(organization)
      // a snapshot that shows what was committed below the horizon, and nothing else
      const since = horizon && `${horizon}:${horizon}:`
      const wanted = { after, since, most: most + 1 }
      const { events } = await readEvents(queries, organization, wanted)
      return events.length > most ? undefined : events
    },
    written: (organization) => tails.get(organization)?.soon(0),
  }
}

/** Follows the events of one organization, from the snapshot of one read to that of the next. */
class Tail {
  followers = new Set<Received>()
  queries: Queries
  organization: string
  /** what was committed up to the last read, which is not read again */
  snapshot: string | undefined
  starting: Promise<void> | undefined
  state: 'waiting' | 'reading' | 'reading again' | 'stopped' = 'waiting'
  timer: NodeJS.Timeout | undefined
  /** when the next read is due and when the last one began, by `performance.now()` */
  dueAt = Infinity
  began = -Infinity
  /** when the last read that succeeded began */
  lastRead = Date.now()

  constructor(queries: Queries, organization: string) {
    this.queries = queries
    this.organization = organization
  }

  /** Resolves once every event that is committed from now on will be read. */
  started(): Promise<void> {
    return (this.starting ??= this.start())
  }

  async start() {
    const [row] = await this.queries.cells(sql`select pg_current_snapshot()::text`)
    this.snapshot = row?.[0] ?? undefined
    this.soon(pollMs)
  }

  /** Schedules a read after this time, unless one is due sooner; never more often than each `pauseMs`. */
  soon(ms: number) {
    if (this.state === 'stopped' || !this.snapshot) return
    const at = Math.max(performance.now() + ms, this.began + pauseMs)
    if (this.dueAt <= at) return
    clearTimeout(this.timer)
    this.dueAt = at
    this.timer = setTimeout(() => void this.read(), Math.max(0, at - performance.now())).unref()
  }

  async read() {
    this.dueAt = Infinity
    if (this.state !== 'waiting') {
      if (this.state === 'reading') this.state = 'reading again'
      return
    }
    this.state = 'reading'
    this.began = performance.now()
    const { snapshot = '' } = this
    // what is committed while the database is unreachable is read later
    await this.readSince(snapshot).catch(() => {})
    const isAgain = this.is('reading again')
    if (this.is('stopped')) return
    this.state = 'waiting'
    this.soon(isAgain ? 0 : pollMs)
  }

  async readSince(since: string) {
    const began = Date.now()
    // the clock may have been set back, and ids follow it
    const last = Math.min(this.lastRead, began)
    let after = firstIdAt(new Date(last - overlapMs))
    let next: string | undefined
    for (;;) {
      const wanted = { after, since, most: batch }
      const { events, snapshot } = await readEvents(this.queries, this.organization, wanted)
      // what is committed while the pages are read may be read twice, but is not missed
      next ??= snapshot
      if (events.length) for (const received of this.followers) received(events)
      if (events.length < batch || this.is('stopped')) break
      after = events.at(-1)?.id ?? after
    }
    this.snapshot = next
    this.lastRead = began
  }

  /** The current state, which may change during an await. */
  is(state: Tail['state']): boolean {
    return this.state === state
  }

  stop() {
    this.state = 'stopped'
    clearTimeout(this.timer)
  }
}

type Wanted = {
  /** the id before the first */
  after: string
  /** a snapshot: events visible in it are left out */
  since?: string | undefined
  most: number
}

async function readEvents(
  queries: Queries,
  organization: string,
  { after, since, most }: Wanted,
): Promise<{ events: StoredEvent[]; snapshot: string }> {
  const unseen: Query = since
    ? sql`and not pg_visible_in_snapshot(e.written_in, ${since}::pg_snapshot)`
    : sql``
  const rows = await queries.all<StoredEvent & { snapshot: string }>(sql`
    select pg_current_snapshot()::text as snapshot, e.* from (select) one left join lateral (
      select e.id, e.type, e.module_id, e.raw_description ->> 'module' as module,
        e.raw_description ->> 'action' as action, e.reference_id, e.record_version as version,
        e.actor_id, ${shortChanges} as changes
      from events e
      where e.organization_id = ${organization} and e.id > ${after} ${unseen}
      order by e.id limit ${most}
    ) e on true`)
  const [first] = rows
  return { events: first?.id ? rows : [], snapshot: first?.snapshot ?? '' }
}

/** The stored changes; of long ones only the names of the fields. */
export const shortChanges = sql.raw(`case
  when json_typeof(e.changes) is distinct from 'array' then '[]'
  when octet_length(e.changes::text) <= 2048 then e.changes
  else (select json_agg(json_build_object('field', c -> 'field'))
    from json_array_elements(e.changes) c) end`)

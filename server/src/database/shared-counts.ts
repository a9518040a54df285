import { LRUCache } from 'lru-cache'
import { atMost } from '../kit/ground/cache-bound.ts'
import type { Log, Queries } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Notified } from './listener.ts'

/** A limit over all processes: at most `count` in a window of `seconds`. */
export type CountLimit = { count: number; seconds: number }

/** A key within its window: the count of all processes as far as known, and the milliseconds left. */
export type Counted = { count: number; leftMs: number }

/** Counts by key of one limit. */
export type Counter = {
  /** counts one in this process; other processes see it within half a second */
  add(key: string): Counted
  /** counts one in the database, and so behind all others; without the database, here alone */
  addNow(key: string): Promise<Counted>
  /** what is known of a key; read from the database while notifications do not arrive */
  look(key: string): Promise<Counted | undefined>
}

/** What it needs of the database: a connection of its own, and its notifications. */
type Database = {
  write<T>(run: (queries: Queries) => Promise<T>): Promise<T>
  listen(channel: string, notified: Notified): void
  isListening(): boolean
  log: Log
}

/** The window of a key in this process. */
type Window = {
  /** the last count of the database */
  known: number
  /** counted here since */
  own: number
  /** counted here in all */
  all: number
  /** by this process's own clock of milliseconds */
  endsAt: number
  most: number
}

type Row = { key: string; count: number; most: number; left_ms: number }

const channel = 'perennial_counts'
/** Milliseconds between reports to the database. */
const flushMs = 500
/** Ended windows are removed so often, in milliseconds. */
const cleanMs = 60_000
/** So small a part of a limit is not reported: a caller of few requests costs no statement. */
const share = 100
/** Windows in memory; beyond them the oldest start anew from what the database knows. */
const mostWindows = 200_000

/**
 * Counts that processes share, without a statement in each request: each process counts for itself and
 * reports in batches, and the database's answer is the sum. The process that reaches a limit notifies
 * the others. So a limit can be exceeded by what the processes admit between two reports.
 */
export class SharedCounts {
  readonly #database: Database
  readonly #windows = new LRUCache<string, Window>(atMost(mostWindows))
  readonly #dirty = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> | undefined
  #cleanedAt = performance.now()

  constructor(database: Database) {
    this.#database = database
  }

  /** The counter of a limit; `name` distinguishes its keys from those of other limits. */
  counter(name: string, limit: CountLimit): Counter {
    this.#begin()
    const of = (key: string) => this.#window(`${name} ${key}`, limit.count, limit.seconds * 1000)
    const step = Math.max(1, Math.ceil(limit.count / share))
    const add = (key: string) => {
      const window = of(key)
      window.own++
      window.all++
      if (window.own >= step) this.#dirty.add(`${name} ${key}`)
      return counted(window)
    }
    return {
      add,
      addNow: async (key) => {
        add(key)
        const window = of(key)
        const place = window.all
        this.#dirty.add(`${name} ${key}`)
        await this.#flushed()
        // behind those of other processes, and before those that were counted here meanwhile
        const { count, leftMs: left } = counted(window)
        return { count: count - window.all + place, leftMs: left }
      },
      look: async (key) => {
        if (!this.#database.isListening()) await this.#read([`${name} ${key}`])
        const window = this.#windows.get(`${name} ${key}`)
        return window && window.endsAt > performance.now() ? counted(window) : undefined
      },
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #begin(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => {
      if (this.#dirty.size) void this.#flushed()
    }, flushMs)
    this.#timer.unref()
    this.#database.listen(channel, (payload) => {
      if (payload === null) void this.#read()
      else this.#receive(JSON.parse(payload) as Row)
    })
  }

  #window(key: string, most: number, ms: number): Window {
    const now = performance.now()
    const found = this.#windows.get(key)
    if (found && found.endsAt > now) return found
    const fresh = { known: 0, own: 0, all: 0, endsAt: now + ms, most }
    this.#windows.set(key, fresh)
    return fresh
  }

  /** Waits until everything counted so far is in the database, or could not be reported. */
  async #flushed(): Promise<void> {
    // a report under way may have begun before what is to be in it
    await this.#flushing
    await (this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined)))
  }

  async #flush(): Promise<void> {
    const keys = [...this.#dirty].sort()
    this.#dirty.clear()
    const now = performance.now()
    const sent = keys.flatMap((key) => {
      const window = this.#windows.peek(key)
      if (!window?.own || window.endsAt <= now) return []
      const { own, most, endsAt } = window
      return [{ key, window, own, most, left: Math.ceil(endsAt - now) }]
    })
    if (!sent.length) return
    const rows = sent.map(({ key, own, most, left }) => ({ key, own, most, left }))
    try {
      const stored = await this.#database.write((queries) => queries.all<Row>(report(rows)))
      for (const { window, own } of sent) window.own -= own
      for (const row of stored) this.#store(row)
      if (now - this.#cleanedAt > cleanMs) await this.#clean()
    } catch (error) {
      for (const { key } of sent) this.#dirty.add(key)
      this.#database.log.warn({ err: error }, 'counts of limits could not be shared')
    }
  }

  #store({ key, count, left_ms }: Row): void {
    const window = this.#windows.peek(key)
    if (!window) return
    window.known = count
    window.endsAt = performance.now() + left_ms
  }

  /** A process, possibly this one, has reached a limit. */
  #receive(row: Row): void {
    this.#window(row.key, row.most, row.left_ms)
    this.#store(row)
  }

  /** What the database knows of some keys, or of all whose limit is filled. */
  async #read(keys?: string[]): Promise<void> {
    try {
      const rows = await this.#database.write((queries) =>
        queries.all<Row>(sql`
          select key, count, most, ${leftMs} as left_ms from shared_counts
          where ends_at > clock_timestamp()
            and ${keys ? sql`key = any(${keys})` : sql`count >= most`}`),
      )
      for (const row of rows) this.#receive(row)
    } catch {
      // the database cannot be reached: what is counted here holds
    }
  }

  async #clean(): Promise<void> {
    this.#cleanedAt = performance.now()
    await this.#database.write((queries) =>
      queries.run(sql`delete from shared_counts where ends_at < clock_timestamp()`),
    )
  }
}

const leftMs = sql`ceil(extract(epoch from ends_at - clock_timestamp()) * 1000)::integer`

/**
 * Adds counts, answers with the sums, and notifies of those that fill a limit just now. Sorted by key, so
 * that two reports never wait for each other.
 */
function report(rows: { key: string; own: number; most: number; left: number }[]) {
  return sql`
    with counted as (
      select * from json_to_recordset(${JSON.stringify(rows)})
        as r (key text, own integer, most integer, "left" integer)
    ), sums as (
      insert into shared_counts as c (key, count, most, ends_at)
      select key, own, most, clock_timestamp() + make_interval(secs => "left" / 1000.0)
      from counted order by key
      on conflict (key) do update set most = excluded.most,
        count = excluded.count + case when c.ends_at > clock_timestamp() then c.count else 0 end,
        ends_at = case when c.ends_at > clock_timestamp() then c.ends_at else excluded.ends_at end
      returning key, count, most, ${leftMs} as left_ms
    )
    select s.*, case when s.count >= s.most and s.count - r.own < s.most
      then pg_notify(${channel}, row_to_json(s)::text)::text end
    from sums s join counted r using (key)`
}

function counted({ known, own, endsAt }: Window): Counted {
  return { count: known + own, leftMs: Math.max(0, endsAt - performance.now()) }
}

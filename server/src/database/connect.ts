import type { Socket } from 'node:net'
import pg from 'pg'
import type { Cells, Log, Queries, Query } from '../kit/ground/context.ts'
import { unavailable } from '../kit/ground/errors.ts'
import { compile } from '../kit/ground/sql.ts'
import { isoFromPostgres } from '../kit/ground/time.ts'
import { isRetryable, translate } from './errors.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** What the service needs of PostgreSQL. Every query runs for one organization. */
export type Database = {
  url: string
  /** single statements on pipelined connections; they cannot write */
  reads(organization: string): Queries
  /** one transaction; run again on a deadlock, so the function must have no effect outside it */
  transaction<T>(organization: string, run: (queries: Queries) => Promise<T>): Promise<T>
  /** calls back for each NOTIFY, and with null whenever some may have been missed */
  listen(channel: string, heard: (payload: string | null) => void): void
  /** whether NOTIFYs arrive right now */
  isListening(): boolean
  ping(): Promise<void>
  /** what the connections are doing right now */
  state(): {
    writers: { busy: number; idle: number; waiting: number }
    readers: { inFlight: number }
  }
  close(): Promise<void>
}

export type ConnectOptions = {
  url: string
  log: Log
  /** the role that row-level security binds, when the connecting one would bypass it */
  role: string | null
  /** pipelined connections for reads */
  readers?: number
  /** pooled connections for transactions */
  writers?: number
}

/**
 * Opens the two kinds of connection. Reads share a few pipelined connections, where order is
 * guaranteed: the organization is set just ahead of a query and only when it differs from the
 * connection's last. Measured on one-row reads: setting it each time keeps 69 % of the rate, a
 * transaction per read 33 to 45 %, skipping it when unchanged is nearly free.
 */
export function connect(options: ConnectOptions): Database {
  const readers = Array.from({ length: options.readers ?? 4 }, () => new Reader(options))
  const listener = new Listener(options)
  const pool = new pg.Pool({
    ...clientConfig(options, 'write'),
    max: options.writers ?? 12,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 60_000,
  })
  // an idle connection that breaks is replaced by the next one asked for
  pool.on('error', () => {})

  async function attempt<T>(organization: string, run: (queries: Queries) => Promise<T>) {
    const client = await pool.connect()
    let broken: Error | undefined
    const onError = (error: Error) => (broken = error)
    client.on('error', onError)
    const pending: Promise<unknown>[] = []
    const later = (promise: Promise<unknown>) => {
      // awaited before the commit; the catch only keeps Node from calling it unhandled
      promise.catch(() => {})
      pending.push(promise)
    }
    const send = corked(client)
    try {
      later(send(`begin; set local app.organization = ${pg.escapeLiteral(organization)}`))
      const result = await run(queriesOn(send, later))
      const commit = send('commit')
      commit.catch(() => {})
      await Promise.all(pending)
      const { command } = await commit
      if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`)
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken ??= failure))
      // what failed first inside the pipeline is the reason; the rest is its echo
      const outcomes = await Promise.allSettled(pending)
      const first = outcomes.find((outcome) => outcome.status === 'rejected')
      throw isEcho(error) && first ? first.reason : error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  return {
    url: options.url,
    reads(organization) {
      return queriesOn((config) => pick(readers, organization).query(organization, config))
    },
    async transaction(organization, run) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(organization, run)
        } catch (error) {
          if (!isRetryable(error) || tries === 4) throw translate(error)
        }
      }
    },
    listen: (channel, heard) => listener.add(channel, heard),
    isListening: () => listener.isUp,
    async ping() {
      await Promise.any(readers.map((reader) => reader.query(allOrganizations, 'select 1'))).catch(
        () => {
          throw unavailable('The database cannot be reached')
        },
      )
    },
    state: () => ({
      writers: {
        busy: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      },
      readers: { inFlight: readers.reduce((sum, { inFlight }) => sum + inFlight, 0) },
    }),
    async close() {
      await Promise.all([listener.close(), pool.end(), ...readers.map((reader) => reader.close())])
    },
  }
}

/**
 * Sends what is asked for within one turn of the event loop as one packet: a system call costs as
 * much as a small statement. Order is kept.
 */
function corked(client: pg.ClientBase): Send {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let isCorked = false
  return (config) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    return client.query(config as pg.QueryArrayConfig) as Promise<Rows>
  }
}

type QueryConfig = { text: string; values?: unknown[]; name?: string }
type Rows = pg.QueryArrayResult<(string | null)[]>
type Send = (config: pg.QueryArrayConfig | string) => Promise<Rows>

function queriesOn(send: Send, enqueue?: (promise: Promise<unknown>) => void): Queries {
  const ask = async (query: Query): Promise<Rows> => {
    try {
      return await send(prepared(compile(query)))
    } catch (error) {
      throw enqueue ? error : translate(error)
    }
  }
  const all = async (query: Query) => objects(await ask(query))
  return {
    all: all as Queries['all'],
    one: (async (query) => (await all(query))[0]) as Queries['one'],
    cells: async (query) => (await ask(query)).rows as Cells[],
    run: async (query) => (await ask(query)).rowCount ?? 0,
    later(query, then) {
      if (!enqueue) throw new Error('only a transaction can do things later')
      enqueue(ask(query).then((result) => then?.(result.rowCount ?? 0)))
    },
  }
}

const seen = new Map<string, string | undefined>()
let named = 0

/**
 * A statement met a second time is prepared under a name. Callers can make up ever new ones with
 * filters, so the number of names and of remembered texts is bounded.
 */
function prepared({ text, values }: QueryConfig): pg.QueryArrayConfig {
  const name = seen.get(text)
  if (name) return { name, text, values, rowMode: 'array' }
  if (seen.has(text) && named < 2000) seen.set(text, `p${++named}`)
  else if (!seen.has(text)) {
    if (seen.size > 5000) for (const [old, kept] of seen) if (!kept) seen.delete(old)
    seen.set(text, undefined)
  }
  return { text, values, rowMode: 'array' }
}

function objects(result: Rows) {
  const { fields, rows } = result
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
  return rows.map((cells) => {
    const row: { [column: string]: unknown } = {}
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i]!
      row[fields[i]!.name] = cell === null ? null : parsers[i]!(cell)
    }
    return row
  })
}

const arrayParser = pg.types.getTypeParser(1009 as never) as (text: string) => unknown

const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, Number],
  [21, Number],
  [23, Number],
  [114, (text) => JSON.parse(text)],
  [700, Number],
  [701, Number],
  [1184, isoFromPostgres],
  [1700, Number],
  [3802, (text) => JSON.parse(text)],
])

function parserOf(oid: number): (text: string) => unknown {
  const parser = parsers.get(oid)
  if (parser) return parser
  return oid === 1009 || oid === 1015 ? arrayParser : (text) => text
}

function clientConfig(options: ConnectOptions, use: 'read' | 'write' | 'listen') {
  const settings = [
    'search_path=perennial,public',
    'TimeZone=UTC',
    'DateStyle=ISO',
    'IntervalStyle=postgres',
    'statement_timeout=15000',
    'lock_timeout=5000',
    'idle_in_transaction_session_timeout=30000',
    ...(use === 'read' ? ['default_transaction_read_only=on'] : []),
    ...(options.role ? [`role=${options.role}`] : []),
  ]
  return {
    connectionString: options.url,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: `perennial ${use}`,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    pipeline: use !== 'listen',
    types: { getTypeParser: () => (text: string) => text },
  } as pg.ClientConfig
}

/** One pipelined connection that comes back by itself. */
class Reader {
  organization = ''
  inFlight = 0
  client: pg.Client | undefined
  send: Send | undefined
  opening: Promise<void> | undefined
  isClosed = false
  options: ConnectOptions

  constructor(options: ConnectOptions) {
    this.options = options
  }

  async query(organization: string, config: pg.QueryArrayConfig | string): Promise<Rows> {
    this.inFlight++
    try {
      if (!this.client) await (this.opening ??= this.open())
      if (!this.client) throw unavailable('The database cannot be reached')
      if (this.organization !== organization) {
        this.organization = organization
        const text = `select set_config('app.organization', $1, false)`
        // order is guaranteed on the connection: no need to wait for the answer
        const config = {
          name: 'organization',
          text,
          values: [organization],
          rowMode: 'array' as const,
        }
        this.send!(config).catch(() => (this.organization = ''))
      }
      return await this.send!(config)
    } finally {
      this.inFlight--
    }
  }

  async open() {
    const client = new pg.Client(clientConfig(this.options, 'read'))
    const gone = () => {
      if (this.client === client) this.client = undefined
    }
    client.on('error', gone)
    client.on('end', gone)
    try {
      await client.connect()
      this.organization = ''
      if (this.isClosed) await client.end()
      else {
        this.client = client
        this.send = corked(client)
      }
    } finally {
      this.opening = undefined
    }
  }

  async close() {
    this.isClosed = true
    await this.opening?.catch(() => {})
    const client = this.client
    this.client = undefined
    await client?.end().catch(() => {})
  }
}

/** The least busy connection, preferring one that is already set to the organization. */
function pick(readers: Reader[], organization: string): Reader {
  let best = readers[0]!
  let bestCost = Infinity
  for (const reader of readers) {
    const cost = reader.inFlight + (reader.organization === organization ? 0 : 1.5)
    if (cost < bestCost) [best, bestCost] = [reader, cost]
  }
  return best
}

/** One connection for LISTEN; says null after every reconnect, since something may be missed. */
class Listener {
  isUp = false
  isClosed = false
  client: pg.Client | undefined
  channels = new Map<string, (payload: string | null) => void>()
  options: ConnectOptions

  constructor(options: ConnectOptions) {
    this.options = options
  }

  add(channel: string, heard: (payload: string | null) => void) {
    this.channels.set(channel, heard)
    if (this.client) {
      this.client.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {})
    } else void this.open()
  }

  async open(): Promise<void> {
    const client = new pg.Client(clientConfig(this.options, 'listen'))
    this.client = client
    const lost = () => {
      if (this.client !== client) return
      this.client = undefined
      this.isUp = false
      this.tell(null)
      if (!this.isClosed) setTimeout(() => void this.open(), 100).unref()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload }) => this.channels.get(channel)?.(payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.channels.keys()) {
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      }
      this.isUp = true
      this.tell(null)
    } catch {
      await client.end().catch(() => {})
      lost()
    }
  }

  tell(payload: string | null) {
    for (const heard of this.channels.values()) heard(payload)
  }

  async close() {
    this.isClosed = true
    await this.client?.end().catch(() => {})
  }
}

/** A statement after the one that failed, in a transaction that is already aborted. */
function isEcho(error: unknown): boolean {
  return error instanceof pg.DatabaseError
    ? error.code === '25P02'
    : error instanceof Error && error.message.startsWith('The transaction ended with')
}

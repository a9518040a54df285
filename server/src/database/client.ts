import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '../kit/ground/context.ts'
import type { Send, Statement } from './bounded-query.ts'
import { batched } from './batch.ts'
import { outcomeOf } from './bounded-query.ts'
import type { Lanes } from '../kit/ground/limits.ts'
import { usualLimits } from '../kit/ground/limits.ts'

/** How to connect to the database, and how many connections to open. */
export type ConnectOptions = {
  url: string
  /** a pooler in transaction mode, over which reads and writes go instead: its connections keep no settings */
  poolerUrl?: string | null
  /** where to LISTEN, if `url` is a pooler that does not pass on NOTIFY; else `url` */
  listenUrl?: string | null
  log: Log
  /** the role that row-level security applies to, if the connecting one would bypass it */
  role: string | null
  /**
   * the database is Citus: its workers get the settings of a transaction, but not those of a session
   */
  isDistributed?: boolean
  /** pipelined connections for reads */
  readers?: number
  /** pooled connections for transactions of requests */
  writers?: number
  /** how the connections are shared between kinds of work, and between organizations */
  lanes?: Lanes
  /** seconds after which a statement is cancelled (15) */
  timeout?: number
  /** milliseconds that a statement waits for a lock (5000) */
  lockMs?: number
  /** bytes that a statement may return; 0 is no limit */
  resultBytes?: number
  /** no request waits for connections yet, so they may take long to open, as on a busy machine */
  isStarting?: boolean
  /** milliseconds that a new connection may take at present */
  opening?: { ms: number }
  /** watches the open connections */
  watch?: { add(client: pg.ClientBase): void }
}

/** Milliseconds that a new connection may take while requests wait for it. */
export const requestConnectMs = 3000

/** What a connection is for. */
export type Use = 'read' | 'write' | 'listen'

/** The settings of a session by its use; `role` is the role to set, if any. */
export function settingsFor(options: ConnectOptions, use: Use): [name: string, value: string][] {
  return [
    ['search_path', 'perennial,public'],
    ['TimeZone', 'UTC'],
    ['DateStyle', 'ISO'],
    ['IntervalStyle', 'postgres'],
    ['statement_timeout', `${(options.timeout ?? 15) * 1000}`],
    ['lock_timeout', `${options.lockMs ?? 5000}`],
    ['idle_in_transaction_session_timeout', '30000'],
    // a cached plan that reads a whole small table would continue to do so after it has grown, until
    // statistics are taken; an index leads to the rows of an organization in every table
    ['enable_seqscan', 'off'],
    ...(use === 'read' ? [['default_transaction_read_only', 'on'] as [string, string]] : []),
    // a read takes one processor at most: what is left is for the others
    ...(use === 'read' ? [['max_parallel_workers_per_gather', '0'] as [string, string]] : []),
    ...(options.role ? [['role', options.role] as [string, string]] : []),
    ...(options.isDistributed ? ofCitus : []),
  ]
}

/** Settings of sessions with Citus. */
const ofCitus: [name: string, value: string][] = [
  ['citus.propagate_set_commands', 'local'],
  // where a row lies is known from the parameters: it has no plan without them for every statement
  ['plan_cache_mode', 'force_custom_plan'],
]

/** How a connection is configured for its use: session settings, role, pipelining, text results. */
export function clientConfig(options: ConnectOptions, use: Use) {
  const { url, poolerUrl, listenUrl } = options
  const settings = settingsFor(options, use).map(([name, value]) => `-c ${name}=${value}`)
  const isPooled = poolerUrl && use !== 'listen'
  return {
    connectionString: use === 'listen' ? (listenUrl ?? url) : (poolerUrl ?? url),
    ...(isPooled ? {} : { options: settings.join(' ') }),
    application_name: `perennial ${use}`,
    connectionTimeoutMillis: options.opening?.ms ?? requestConnectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: use !== 'listen',
    types: { getTypeParser: () => (text: string) => text },
  } as pg.ClientConfig
}

/**
 * What begins a write transaction of an organization, to be sent in this order; `isSet` where the connection
 * is set to that organization already.
 */
export function beginWrite(
  options: ConnectOptions,
  organization: string,
  isSet: boolean,
): (Statement | string)[] {
  if (isSetByTransaction(options)) return beginSet(options, 'write', organization)
  const begin: Statement = { name: 'begin', text: 'begin', rowMode: 'array' }
  if (isSet) return [begin]
  // no query, which could not be followed by a level of isolation
  const text = `set app.organization = ${pg.escapeLiteral(organization)}`
  return [begin, { text, rowMode: 'array' }]
}

/** Whether each transaction, also of reads, contains its settings. */
export function isSetByTransaction({ poolerUrl, isDistributed }: ConnectOptions): boolean {
  return Boolean(poolerUrl) || Boolean(isDistributed)
}

/**
 * What begins a transaction of an organization with its settings: all of them behind a pooler, which may
 * give each transaction another connection; on Citus those that its workers need. It sends a worker the
 * text that a setting came in, so that each is a statement of its own.
 */
export function beginSet(
  options: ConnectOptions,
  use: Use,
  organization: string,
  needsThresholds = false,
): (Statement | string)[] {
  const settings = settingsFor(options, use)
  const begin = use === 'read' ? 'begin read only' : 'begin'
  const parts = [begin, `set local app.organization = ${pg.escapeLiteral(organization)}`]
  if (options.isDistributed && needsThresholds)
    for (const [name, value] of thresholds)
      parts.push(`set local ${name} = ${pg.escapeLiteral(value)}`)
  if (options.poolerUrl) parts.push(`select ${settings.map(setConfig).join(', ')}`)
  if (!options.isDistributed) return [parts.join('; ')]
  return parts.map((text) => ({ text, rowMode: 'array' }))
}

/** The settings that a machine of Citus needs, which the role of the service has there (`setOnMachines`). */
const onMachines = ['TimeZone', 'DateStyle', 'IntervalStyle', 'lock_timeout', 'enable_seqscan']

/** Those settings with their values. */
export function settingsOnMachines(options: ConnectOptions): [name: string, value: string][] {
  return settingsFor(options, 'write').filter(([name]) => onMachines.includes(name))
}

/** The settings of the function `search_guess`, which hold on the machine alone that calls it. */
const thresholds: [name: string, value: string][] = [
  ['pg_trgm.similarity_threshold', '0.22'],
  ['pg_trgm.word_similarity_threshold', '0.3'],
]

function setConfig([name, value]: [string, string]): string {
  return `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, true)`
}

/** The socket of a connection: the library's types leave it out. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/**
 * Sends the statements of one turn of the event loop as one packet: a system call costs as
 * much as a small statement. Order is preserved.
 */
export function corked(client: pg.ClientBase, options: ConnectOptions): Send {
  const { resultBytes = usualLimits.resultBytes } = options
  const stream = socketOf(client)
  let isCorked = false
  return (statement) => {
    if (!isCorked) {
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    const { query, outcome } = outcomeOf(sendable(options, statement), resultBytes)
    client.query(query as unknown as pg.Submittable)
    return outcome
  }
}

/** The same for one transaction, which fails as a whole: the statements of a turn are answered together too. */
export function transactional(client: pg.ClientBase, options: ConnectOptions): Send {
  const send = batched(client, options.resultBytes ?? usualLimits.resultBytes)
  return (statement) => send(sendable(options, statement))
}

/** A statement without its name behind a pooler, where the next connection may not know what is prepared under it. */
function sendable(
  { poolerUrl }: ConnectOptions,
  statement: Statement | string,
): Statement | string {
  if (!poolerUrl || typeof statement === 'string') return statement
  const { name: _name, ...unnamed } = statement
  return unnamed
}

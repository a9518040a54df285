import pg from 'pg'
import type { Queries } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { unavailable } from '../kit/ground/errors.ts'
import type { ConnectOptions } from './client.ts'
import { clientConfig } from './client.ts'
import type { Notified } from './listener.ts'
import { Listener } from './listener.ts'
import { queriesOn } from './queries.ts'
import { Reader, pick } from './reader.ts'
import { transaction } from './transaction.ts'

/** What the service needs of PostgreSQL. Every query runs for one organization. */
export type Database = {
  url: string
  /** single statements on pipelined connections; they cannot write */
  reads(organization: string): Queries
  /** one transaction; run again on a deadlock, so the function must have no effect outside it */
  transaction<T>(organization: string, run: (queries: Queries) => Promise<T>): Promise<T>
  /** calls back for each NOTIFY, and with null whenever some may have been missed */
  listen(channel: string, notified: Notified): void
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
  // an idle connection that breaks is replaced by the next one requested
  pool.on('error', () => {})

  return {
    url: options.url,
    reads(organization) {
      return queriesOn((config) => pick(readers, organization).query(organization, config))
    },
    transaction: (organization, run) => transaction(pool, organization, run),
    listen: (channel, notified) => listener.add(channel, notified),
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

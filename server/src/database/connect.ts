import type { Queries } from '../kit/ground/context.ts'
import { unavailable } from '../kit/ground/errors.ts'
import type { Cost, Lane } from '../kit/ground/limits.ts'
import { usualLanes } from '../kit/ground/limits.ts'
import type { ConnectOptions } from './client.ts'
import { openLanes } from './lanes.ts'
import type { Notified } from './listener.ts'
import { Listener } from './listener.ts'
import { queriesOn } from './queries.ts'
import type { ReadLane } from './read-lane.ts'
import type { WriteLane } from './write-lane.ts'

/** What the service needs of PostgreSQL. Every query runs for one organization. */
export type Database = {
  url: string
  /** the role that connections take; null where their own user is the service's */
  role: string | null
  /** single statements that cannot write; of unknown cost, those about a `table` are measured together */
  reads(organization: string, cost?: Cost, table?: string): Queries
  /** one transaction; run again on a deadlock, so the function must have no effect outside it */
  transaction<T>(organization: string, run: (queries: Queries) => Promise<T>): Promise<T>
  /** the same database over the connections of a lane */
  lane(name: Lane): Database
  /** calls back for each NOTIFY, and with null whenever some may have been missed */
  listen(channel: string, notified: Notified): void
  /** sends a NOTIFY to every process that listens, in no transaction of a write */
  notify(channel: string, payload: string): Promise<void>
  /** whether NOTIFYs arrive right now */
  isListening(): boolean
  ping(): Promise<void>
  /** what the connections are doing right now */
  state(): {
    writers: { busy: number; idle: number; waiting: number }
    readers: { inFlight: number; waiting: number }
    heavyReaders: { inFlight: number; waiting: number }
  }
  close(): Promise<void>
}

/**
 * Opens the connections when they are first needed. Short reads share a few pipelined ones, where
 * order is guaranteed: the organization is set just ahead of a query and only when it differs from the
 * connection's last. Measured on one-row reads: setting it each time keeps 69 % of the rate, a
 * transaction per read 33 to 45 %, skipping it when unchanged is nearly free.
 */
export function connect(options: ConnectOptions): Database {
  const lanes = openLanes(options, options.lanes ?? usualLanes)
  const { reads, heavyReads, measuredReads } = lanes
  const listener = new Listener(options)
  const on = (lane: ReadLane, organization: string) =>
    queriesOn((statement) => lane.query(organization, statement), undefined, lane.translate)
  const readLanes = new Set([reads, heavyReads, lanes.signInReads, lanes.jobReads])
  const writeLanes = new Set([lanes.writes, lanes.signIns, lanes.jobs])

  const shared = {
    url: options.url,
    role: options.role,
    listen: (channel: string, notified: Notified) => listener.add(channel, notified),
    async notify(channel: string, payload: string) {
      await lanes.jobs.pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    isListening: () => listener.isUp,
    async ping() {
      const answers = reads.readers.map((reader) => reader.ping())
      await Promise.any(answers).catch(() => {
        throw unavailable('The database cannot be reached')
      })
    },
    state: () => ({
      writers: lanes.writes.state,
      readers: { inFlight: reads.inFlight, waiting: reads.queue.waiting },
      heavyReaders: { inFlight: heavyReads.inFlight, waiting: heavyReads.queue.waiting },
    }),
    async close() {
      await Promise.all([
        listener.close(),
        ...[...writeLanes].map(({ pool }) => pool.end()),
        ...[...readLanes].map((lane) => lane.close()),
      ])
    },
    lane: (name: Lane) => views[name],
  }
  const view = (light: ReadLane, writes: WriteLane): Database => ({
    ...shared,
    reads: (organization) => on(light, organization),
    transaction: (organization, run) => writes.run(organization, run),
  })
  const views: { [name in Lane]: Database } = {
    heavy: view(heavyReads, lanes.writes),
    sign_in: view(lanes.signInReads, lanes.signIns),
    jobs: view(lanes.jobReads, lanes.jobs),
  }
  return {
    ...view(reads, lanes.writes),
    reads(organization, cost = 'light', table = '') {
      if (cost === 'light') return on(reads, organization)
      if (cost === 'heavy') return on(heavyReads, organization)
      return queriesOn(measuredReads.sendFor(organization, table), undefined, reads.translate)
    },
  }
}

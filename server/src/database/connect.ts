import type { Queries } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import type { Cost, Lane } from '../kit/ground/limits.ts'
import { usualLanes } from '../kit/ground/limits.ts'
import type { Send } from './bounded-query.ts'
import type { ConnectOptions } from './client.ts'
import { requestConnectMs } from './client.ts'
import { unreachable } from './errors.ts'
import { openLanes } from './lanes.ts'
import type { Notified } from './listener.ts'
import { Listener } from './listener.ts'
import { LostMachines } from './lost-machines.ts'
import { queriesOn } from './queries.ts'
import type { ReadLane } from './read-lane.ts'
import { isBound, isReadOnly, readOnly, unbound } from './session.ts'
import { SharedCounts } from './shared-counts.ts'
import { Watch } from './watch.ts'
import { connectMs } from './while-starting.ts'
import type { WriteLane } from './write-lane.ts'

/** The interface of the service to PostgreSQL. Every query runs for one organization. */
export type Database = {
  url: string
  /** the role that connections set; null if they connect as the service's own user */
  role: string | null
  /** it is Citus, which spreads the organizations over machines */
  isDistributed: boolean
  /** single statements that cannot write; of unknown cost, those about a `table` are measured together */
  reads(organization: string, cost?: Cost, table?: string): Queries
  /** one transaction; run again on a deadlock, so the function must have no effect outside it */
  transaction<T>(organization: string, run: (queries: Queries) => Promise<T>): Promise<T>
  /** the same database over the connections of a lane */
  lane(name: Lane): Database
  /** calls back for each NOTIFY, and with null whenever some may have been missed */
  listen(channel: string, notified: Notified): void
  /** sends a NOTIFY to every process that listens on the channel, this one too */
  notify(channel: string, payload: string): Promise<void>
  /** whether NOTIFYs arrive right now: what was cached from the database holds only while they do */
  isListening(): boolean
  /** waits for that, for so many milliseconds at most, and says whether they arrive */
  settled(ms: number): Promise<boolean>
  /** connections that were given up because their packets were dropped */
  lost(): number
  /** counters that processes share, such as requests against a limit */
  counts: SharedCounts
  ping(): Promise<void>
  /** opens a connection for reads and one for writes; a ConfigError if their settings are wrong */
  check(): Promise<void>
  /** the start is over: from now on requests wait for new connections, which have 3 s to open */
  started(): void
  /** what the connections are doing right now */
  state(): {
    writers: { busy: number; idle: number; waiting: number }
    readers: { inFlight: number; waiting: number }
    heavyReaders: { inFlight: number; waiting: number }
  }
  /**
   * from now on, reads and writes that have waited so many milliseconds for their turn are refused;
   * Infinity to refuse none
   */
  shed(staleMs: number): void
  /** an organization's write has made so many rows beside its own: its next ones let others pass */
  charge(organization: string, rows: number): void
  close(): Promise<void>
}

/** The rows beside its own that are part of a write's usual turn. */
const rowsOfTurn = 10

/**
 * Opens the connections when they are first needed. Short reads share a few pipelined ones, where
 * order is guaranteed: the organization is set just ahead of a query and only when it differs from the
 * connection's last. Measured on one-row reads: setting it each time keeps 69 % of the rate, a
 * transaction per read 33 to 45 %, skipping it when unchanged is nearly free.
 */
export function connect(given: ConnectOptions): Database {
  const opening = { ms: given.isStarting ? connectMs : requestConnectMs }
  const options = { ...given, opening }
  const watch = new Watch(options)
  const lanes = openLanes({ ...options, watch }, options.lanes ?? usualLanes)
  const { reads, heavyReads, measuredReads } = lanes
  // never behind the requests of a busy service, which would look like silence
  const notify = (channel: string, payload: string) =>
    lanes.signInReads.query(allOrganizations, {
      name: 'notify',
      text: 'select pg_notify($1, $2)',
      values: [channel, payload],
      rowMode: 'array',
    })
  const listener = new Listener(options, notify)
  const counts = new SharedCounts({
    write: (run) => lanes.counts.run(allOrganizations, run),
    listen: (channel, notified) => listener.add(channel, notified),
    isListening: () => listener.isUp,
    log: options.log,
  })
  const lost = options.isDistributed
    ? new LostMachines((statement) => lanes.signInReads.query(allOrganizations, statement))
    : undefined
  const on = (lane: ReadLane, organization: string) => {
    const send: Send = (statement) => lane.query(organization, statement)
    const isForAll = organization === allOrganizations
    const tolerant: Send = lost && isForAll ? (statement) => lost.send(send, statement) : send
    return queriesOn(organization, tolerant, undefined, lane.translate)
  }
  const readLanes = new Set([reads, heavyReads, lanes.signInReads, lanes.jobReads])
  const writeLanes = new Set([lanes.writes, lanes.signIns, lanes.jobs, lanes.counts])

  const shared = {
    url: options.url,
    role: options.role,
    isDistributed: options.isDistributed ?? false,
    listen: (channel: string, notified: Notified) => listener.add(channel, notified),
    async notify(channel: string, payload: string) {
      await notify(channel, payload)
    },
    isListening: () => listener.isUp,
    settled: (ms: number) => listener.settled(ms),
    lost: () => watch.lost,
    counts,
    async ping() {
      const answers = reads.readers.map((reader) => reader.ping())
      await Promise.any(answers).catch((error: unknown) => {
        throw unreachable(error)
      })
    },
    async check() {
      await reads.pick(allOrganizations).connected()
      // behind a pooler a read brings the settings that are checked here
      await reads.query(allOrganizations, 'select 1')
      if (!(await lanes.writes.run(allOrganizations, isBound))) throw unbound()
      if (await lanes.writes.run(allOrganizations, isReadOnly)) throw readOnly()
    },
    started() {
      opening.ms = requestConnectMs
      for (const { pool } of writeLanes) pool.options.connectionTimeoutMillis = opening.ms
    },
    state: () => ({
      writers: lanes.writes.state,
      readers: { inFlight: reads.inFlight, waiting: reads.queue.waiting },
      heavyReaders: { inFlight: heavyReads.inFlight, waiting: heavyReads.queue.waiting },
    }),
    charge(organization: string, rows: number) {
      const turns = Math.floor(rows / rowsOfTurn)
      if (turns) for (const { queue } of writeLanes) queue.charge(organization, turns)
    },
    shed(staleMs: number) {
      for (const lane of [reads, lanes.writes]) lane.queue.staleMs = staleMs
    },
    async close() {
      watch.close()
      counts.close()
      measuredReads.close()
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
      const send = measuredReads.sendFor(organization, table)
      return queriesOn(organization, send, undefined, reads.translate)
    },
  }
}

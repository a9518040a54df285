import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../kit/ground/context.ts'
import type { ConnectOptions } from './client.ts'
import { socketOf } from './client.ts'

/** Milliseconds between checks of the connections. */
const tickMs = 250
/** A connection that waits for an answer and is silent for so long is checked, in milliseconds. */
const silentMs = 2000
/** How long the server has to report its side of a silent connection, in milliseconds. */
const answerMs = 1500
/** How long to wait for a silent connection whose server does nothing for it, in milliseconds. */
const graceMs = 200

type Watched = { client: pg.ClientBase; bytes: number; since: number }

/** What the library knows of statements under way, which its types leave out. */
type Sent = { _getActiveQuery(): unknown; _sentQueryQueue: unknown[]; processID: number }

/**
 * Finds connections whose packets are dropped, which TCP takes minutes to notice. A statement may just
 * be slow, so a new connection asks the server whether it still works on what the silent one waits for;
 * if it does not, or cannot be reached either, the connection is destroyed and reopened.
 */
export class Watch {
  readonly #options: ConnectOptions
  readonly #log: Log
  readonly #watched = new Map<pg.ClientBase, Watched>()
  readonly #timer: NodeJS.Timeout
  #isAsking = false
  /** connections destroyed so far */
  lost = 0

  constructor(options: ConnectOptions) {
    this.#options = options
    this.#log = options.log
    this.#timer = setInterval(() => this.#look(), tickMs)
    this.#timer.unref()
  }

  /** Watches a connection that is open, until it ends. */
  add(client: pg.ClientBase): void {
    this.#watched.set(client, { client, bytes: 0, since: performance.now() })
    client.once('end', () => this.#watched.delete(client))
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    const silent: Watched[] = []
    for (const watched of this.#watched.values()) {
      const { bytesRead } = socketOf(watched.client)
      const isWaiting = owesAnswer(watched.client)
      if (bytesRead !== watched.bytes || !isWaiting) {
        watched.bytes = bytesRead
        watched.since = now
      } else if (now - watched.since > silentMs) silent.push(watched)
    }
    if (!silent.length || this.#isAsking) return
    this.#isAsking = true
    void this.#lookInto(silent).finally(() => (this.#isAsking = false))
  }

  async #lookInto(silent: Watched[]): Promise<void> {
    const working = await this.#working(silent)
    if (working === 'all') return
    // an answer may be on its way, from a server that already calls itself idle or to a process that was busy
    await sleep(graceMs)
    const lost = silent.filter(({ client, bytes }) => {
      const isStill = socketOf(client).bytesRead === bytes && owesAnswer(client)
      return isStill && !working.has((client as unknown as Sent).processID)
    })
    for (const watched of silent) watched.since = performance.now()
    if (!lost.length) return
    // idle connections went the same way; the next statement on each would take seconds to notice
    const idle = [...this.#watched.values()].filter(({ client }) => !owesAnswer(client))
    for (const { client } of [...lost, ...idle]) socketOf(client).destroy()
    this.lost += lost.length
    this.#log.warn(
      { lost: lost.length },
      'connections to the database no longer answered and are opened anew',
    )
  }

  /** The backends that still work on something; `all` if that cannot be known. */
  async #working(silent: Watched[]): Promise<Set<number> | 'all'> {
    const client = new pg.Client({
      connectionString: this.#options.poolerUrl ?? this.#options.url,
      application_name: 'perennial watch',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ own: number; working: number[] | null }>(
        `select pg_backend_pid() as own, array_agg(pid) filter (where state = 'active'
            and wait_event_type is distinct from 'Client'
            ${this.#options.isDistributed ? awaitsWorkers : ''}) as working
         from pg_stat_activity where pid = any($1::int[])`,
        [silent.map(({ client: each }) => (each as unknown as Sent).processID)],
      )
      const [{ own, working } = { own: 0, working: null }] = rows
      // a pooler gives connections numbers of its own, which say nothing
      return own === (client as unknown as Sent).processID ? new Set(working) : 'all'
    } catch (error) {
      // the server refuses, so it is reachable; without an answer, no connection can be
      return error instanceof pg.DatabaseError ? 'all' : new Set()
    } finally {
      socketOf(client).destroy()
    }
  }
}

/** A coordinator of Citus that waits for its workers says that it reads from its client. */
const awaitsWorkers = `or state = 'active' and wait_event = 'ClientRead'`

function owesAnswer(client: pg.ClientBase): boolean {
  const { _sentQueryQueue } = client as unknown as Sent
  return _sentQueryQueue.length > 0 || Boolean((client as unknown as Sent)._getActiveQuery())
}

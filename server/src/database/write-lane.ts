import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Queries } from '../kit/ground/context.ts'
import type { ConnectOptions } from './client.ts'
import { clientConfig } from './client.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import { begin } from './session.ts'
import { Failure } from '../kit/ground/errors.ts'
import { lockedCode } from './errors.ts'
import { transaction } from './transaction.ts'

/** How long a write waits in total for the lock of another one, in milliseconds. */
export const lockPatience = 5000

/** How long a pool stays smaller after the server had no connection left, in milliseconds. */
const regrowMs = 15_000

/** Connections for transactions of one kind, and their queue. */
export class WriteLane {
  pool: pg.Pool
  queue: FairQueue
  options: ConnectOptions
  most: number
  regrowing: NodeJS.Timeout | undefined
  /** writes that wait for a lock: few per organization at once, the others without a connection */
  waiters: FairQueue | undefined

  constructor(options: ConnectOptions, connections: number, queue: FairQueue) {
    this.queue = queue
    this.most = connections
    this.options = options
    this.pool = new pg.Pool({
      ...clientConfig(options, 'write'),
      max: connections,
      idleTimeoutMillis: 60_000,
      onConnect: (client) => begin(client, options, 'write'),
    })
    // an idle connection that breaks is replaced by the next one requested
    this.pool.on('error', () => {})
  }

  /** Runs a function in a transaction when its organization's turn comes; see `transaction`. */
  async run<T>(organization: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    const run = () => this.queue.run(organization, () => transaction(this, organization, work))
    if (!this.waiters) return run()
    try {
      return await run()
    } catch (error) {
      if (!isLocked(error)) throw error
      const until = performance.now() + lockPatience
      return this.waiters.run(organization, () => retryUntil(until, run))
    }
  }

  /**
   * A connection of the pool. If the server has none left for this process, the pool is smaller for a
   * while: waiting writes use the open connections, instead of being refused a new one.
   */
  connect = async (): Promise<pg.PoolClient> => {
    const { pool } = this
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        const isExhausted = error instanceof pg.DatabaseError && error.code === '53300'
        if (!isExhausted || !pool.totalCount) throw error
        pool.options.max = pool.totalCount
        clearTimeout(this.regrowing)
        this.regrowing = setTimeout(() => (pool.options.max = this.most), regrowMs).unref()
      }
    }
  }

  get state() {
    const { totalCount, idleCount, waitingCount } = this.pool
    const waiting = waitingCount + this.queue.waiting
    return { busy: totalCount - idleCount, idle: idleCount, waiting }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Failure && error.code === lockedCode
}

/** Retries a write that met a lock, as long as there is time: each run waits only for a moment. */
async function retryUntil<T>(until: number, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error
    }
    await sleep(25)
  }
}

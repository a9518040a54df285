import pg from 'pg'
import type { Queries } from '../kit/ground/context.ts'
import type { ConnectOptions } from './client.ts'
import { clientConfig } from './client.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import { transaction } from './transaction.ts'

/** Connections for transactions of one kind, and the queue of those who use them. */
export class WriteLane {
  pool: pg.Pool
  queue: FairQueue
  resultBytes: number | undefined

  constructor(options: ConnectOptions, connections: number, queue: FairQueue) {
    this.queue = queue
    this.resultBytes = options.resultBytes
    this.pool = new pg.Pool({
      ...clientConfig(options, 'write'),
      max: connections,
      connectionTimeoutMillis: 3000,
      idleTimeoutMillis: 60_000,
    })
    // an idle connection that breaks is replaced by the next one requested
    this.pool.on('error', () => {})
  }

  /** Runs a function in a transaction when its organization's turn comes; see `transaction`. */
  async run<T>(organization: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    const turn = this.queue.enter(organization)
    if (turn) await turn
    try {
      return await transaction(this.pool, organization, work, this.resultBytes)
    } finally {
      this.queue.leave(organization)
    }
  }

  get state() {
    const { totalCount, idleCount, waitingCount } = this.pool
    const waiting = waitingCount + this.queue.waiting
    return { busy: totalCount - idleCount, idle: idleCount, waiting }
  }
}

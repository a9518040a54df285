import pg from 'pg'
import type { Queries } from '../kit/ground/context.ts'
import type { ConnectOptions } from './client.ts'
import { clientConfig } from './client.ts'
import type { FairQueue } from '../kit/ground/fair-queue.ts'
import { usualLimits } from '../kit/ground/limits.ts'
import { transaction } from './transaction.ts'

/** Connections for transactions of one kind, and the queue of those who use them. */
export class WriteLane {
  pool: pg.Pool
  queue: FairQueue
  resultBytes: number

  constructor(options: ConnectOptions, connections: number, queue: FairQueue) {
    this.queue = queue
    this.resultBytes = options.resultBytes ?? usualLimits.resultBytes
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
  run<T>(organization: string, work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.queue.run(organization, () =>
      transaction(this.pool, organization, work, this.resultBytes),
    )
  }

  get state() {
    const { totalCount, idleCount, waitingCount } = this.pool
    const waiting = waitingCount + this.queue.waiting
    return { busy: totalCount - idleCount, idle: idleCount, waiting }
  }
}

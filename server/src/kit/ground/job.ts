import type { Context } from './context.ts'

/**
 * An operation run later, enqueued with `ctx.enqueue` in the transaction of a write. It may run more
 * than once (after a process has died), so it must be idempotent: check first, or write once under a
 * unique key.
 */
export type Job<Data = unknown> = {
  name: string
  /** the source of its writes (`job`) */
  source?: string
  /** how many run at a time in one process, of one organization half of them (2) */
  atOnce?: number
  /** how often it is retried, with growing pauses (5) */
  retries?: number
  run(work: Work, data: Data): Promise<void>
  /**
   * runs in its place, once and as the service, if the user for whom it was enqueued has left or was deactivated:
   * records that what waits for the job does not happen. Without it the job fails
   */
  refuse?(ctx: Context, data: Data, reason: string): Promise<void>
}

/**
 * `retries` of a job that needs more than the database, such as a mail server or a bucket: with doubling pauses it is
 * tried for most of a day.
 */
export const retriesOfADay = 15

/** What a job works with: contexts of the organization, on behalf of the person or app that enqueued it. */
export type Work = {
  /** the job's id, the same at every attempt */
  id: string
  /** reads what is committed */
  reads: Context
  /** one transaction; what it emits and enqueues is committed with it */
  write<T>(run: (ctx: Context) => Promise<T>): Promise<T>
  /** aborted when the process stops: stop at the next safe point and throw; the job runs again */
  signal: AbortSignal
}

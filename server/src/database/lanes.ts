import { Failure } from '../kit/ground/errors.ts'
import type { Lanes } from '../kit/ground/limits.ts'
import type { ConnectOptions } from './client.ts'
import type { Bounds, Refuse } from '../kit/ground/fair-queue.ts'
import { FairQueue } from '../kit/ground/fair-queue.ts'
import { Measured, ReadLane } from './read-lane.ts'
import { WriteLane, lockPatience } from './write-lane.ts'
import { lockedCode } from './errors.ts'

/** Maximum milliseconds that a statement or a transaction waits for its turn. */
const patience = 10_000
/** Milliseconds that a write of a request waits for a lock while it holds a connection. */
const lockMs = 300
/** How many writes of an organization may wait for locks with a connection at a time. */
const lockWaiters = 2
/** Seconds after which a read of a job is stopped. */
const jobTimeout = 15

/**
 * The connections by purpose, so that no kind of work takes those of another: short reads, expensive
 * reads, writes of requests, sign-ins, and jobs.
 */
export function openLanes(options: ConnectOptions, bounds: Lanes) {
  const { reads, heavyReads, writes, signIns, jobs } = bounds
  const readLane = (connections: number, timeout: number, queue: FairQueue, isPipelined = true) =>
    new ReadLane({ ...options, timeout }, { connections, queue, timeout, isPipelined })
  const own = (what: string, connections: number, limits: Partial<Bounds> = {}, lock?: number) => {
    const each = connections > 1 ? connections - 1 : 0
    const queue = queueOf(what, { atOnce: connections, each, waiting: 0, patience, ...limits })
    return new WriteLane({ ...options, lockMs: lock }, connections, queue)
  }
  /**
   * For requests: a write that meets a lock soon releases its connection, and retries with few others.
   */
  const ofRequests = (what: string, connections: number, limits: Partial<Bounds> = {}) => {
    const lane = own(what, connections, limits, lockMs)
    const bounds = { atOnce: 0, each: lockWaiters, waiting: 200, patience: lockPatience }
    const isLocked = () =>
      new Failure(503, lockedCode, 'Other changes of the same records take too long, try again', {
        retryAfter: 2,
      })
    lane.waiters = new FairQueue(bounds, isLocked)
    return lane
  }

  const timeout = heavyReads.timeout || jobTimeout
  const light = readLane(options.readers ?? 4, timeout, queueOf('reads', { atOnce: 0, ...reads }))
  const { connections, ...share } = heavyReads
  const heavyQueue = queueOf('expensive reads (filters, searches, counts, dashboards, exports)', {
    ...share,
    atOnce: connections,
  })
  const heavy = connections ? readLane(connections, timeout, heavyQueue, false) : light
  const writers = options.writers ?? writes.connections
  const requests = ofRequests('writes', writers, { each: writes.each, waiting: writes.waiting })
  const unbounded = queueOf('reads', { atOnce: 0, each: 0, waiting: 0 })
  return {
    reads: light,
    heavyReads: heavy,
    measuredReads: new Measured(light, heavy),
    writes: requests,
    signInReads: signIns ? readLane(1, timeout, unbounded) : light,
    signIns: signIns ? ofRequests('sign-ins', signIns) : requests,
    jobReads: jobs ? readLane(2, jobTimeout, unbounded) : light,
    // one report at a time, and never behind the transactions that wait for it
    counts: own('counts of limits', 1),
    jobs: jobs ? own('jobs', jobs, { patience: 0 }) : requests,
  }
}

function queueOf(what: string, bounds: Omit<Bounds, 'patience'> & Partial<Bounds>): FairQueue {
  return new FairQueue({ patience, ...bounds }, refusal(what, bounds.waiting))
}

/** 503 that says what is full, and for whom. */
function refusal(what: string, waiting: number): Refuse {
  const most = waiting ? ` (${waiting} may wait, for ${patience / 1000} s)` : ''
  return (ours) =>
    ours
      ? new Failure(
          503,
          'organization_busy',
          `Your organization has too many ${what} at once${most}: send fewer at a time`,
          { retryAfter: 2 },
        )
      : new Failure(503, 'overloaded', `The service has too many ${what} at once, try again`, {
          retryAfter: 2,
        })
}

import type { Failure } from './errors.ts'

/** How many may run, and how many may wait; 0 is no limit. */
export type Bounds = {
  /** of all organizations together */
  atOnce: number
  /** of one organization; without it, first come, first served */
  each: number
  /** of one organization, besides those that run */
  waiting: number
  /** maximum wait in milliseconds */
  patience: number
}

/** What is full: `ours` if the organization's own work is the cause, and not that of others. */
export type Refuse = (ours: boolean) => Failure

type Waiter = {
  enter(): void
  refuse(reason: Failure): void
  since: number
  timer: NodeJS.Timeout | undefined
}

/** The work of one organization. */
class Share {
  busy = 0
  waiters: Waiter[] = []
  /** turns that it has used up in advance */
  owed = 0
}

/**
 * Limits the work that runs at once, in total and per organization. Each organization has its own
 * queue; places that become free go to the organizations in turn.
 */
export class FairQueue {
  bounds: Bounds
  refuse: Refuse
  busy = 0
  waiting = 0
  /** work that has waited longer than so many milliseconds when its turn comes is refused instead */
  staleMs = Infinity
  shares = new Map<string, Share>()
  /** the organizations that wait, in the order of their turns */
  turns = new Set<string>()

  constructor(bounds: Bounds, refuse: Refuse) {
    const unbounded = (count: number) => count || Infinity
    const { atOnce, each, waiting, patience } = bounds
    this.bounds = { atOnce: unbounded(atOnce), each, waiting: unbounded(waiting), patience }
    this.refuse = refuse
  }

  /** Runs work when the organization gets a place, and then releases the place. */
  async run<T>(organization: string, work: () => Promise<T>): Promise<T> {
    const turn = this.enter(organization)
    if (turn) await turn
    try {
      return await work()
    } finally {
      this.leave(organization)
    }
  }

  /**
   * Takes a place: undefined if there is one at once, else a promise that rejects if it takes too long.
   */
  enter(organization: string): Promise<void> | undefined {
    const { atOnce, each } = this.bounds
    const key = each ? organization : ''
    const share = this.shareOf(key)
    if (this.busy < atOnce && share.busy < (each || Infinity) && !share.waiters.length) {
      this.busy++
      share.busy++
      return undefined
    }
    return this.wait(key, share)
  }

  /** What the organization's work has cost beyond a usual turn: while others wait, it lets so many turns pass. */
  charge(organization: string, turns: number): void {
    if (!this.bounds.each) return
    const share = this.shareOf(organization)
    share.owed = Math.min(mostOwed, share.owed + turns)
  }

  /** Releases the place to the next in turn. */
  leave(organization: string): void {
    const share = this.shareOf(this.bounds.each ? organization : '')
    this.busy--
    share.busy--
    if (this.waiting) this.next()
  }

  shareOf(key: string): Share {
    let share = this.shares.get(key)
    if (!share) {
      if (this.shares.size >= mostShares) this.evictIdle()
      this.shares.set(key, (share = new Share()))
    }
    return share
  }

  async wait(key: string, share: Share): Promise<void> {
    const { waiting, patience } = this.bounds
    if (share.waiters.length >= waiting) throw this.refuse(this.isOurs(share))
    await new Promise<void>((resolve, reject) => {
      const since = performance.now()
      const waiter: Waiter = { enter: resolve, refuse: reject, since, timer: undefined }
      const giveUp = () => {
        share.waiters.splice(share.waiters.indexOf(waiter), 1)
        this.waiting--
        if (!share.waiters.length) this.turns.delete(key)
        reject(this.refuse(this.isOurs(share)))
      }
      if (patience) waiter.timer = setTimeout(giveUp, patience).unref()
      share.waiters.push(waiter)
      this.waiting++
      this.turns.add(key)
    })
  }

  isOurs({ busy }: Share): boolean {
    return this.bounds.each > 0 && busy >= this.bounds.each
  }

  next(): void {
    const { atOnce, each } = this.bounds
    for (const key of this.turns) {
      if (this.busy >= atOnce) return
      const share = this.shareOf(key)
      if (share.busy >= (each || Infinity)) continue
      this.turns.delete(key)
      if (share.owed >= 1 && this.turns.size) {
        share.owed--
        this.turns.add(key)
        continue
      }
      const waiter = share.waiters.shift()
      if (!waiter) continue
      // to the end of the queue, which this loop reaches if places are left
      if (share.waiters.length) this.turns.add(key)
      clearTimeout(waiter.timer)
      this.waiting--
      if (performance.now() - waiter.since > this.staleMs) {
        // then the process is too slow, whichever organization is the busiest
        waiter.refuse(this.refuse(false))
        continue
      }
      this.busy++
      share.busy++
      waiter.enter()
    }
  }

  evictIdle(): void {
    for (const [key, { busy, waiters }] of this.shares) {
      if (!busy && !waiters.length) this.shares.delete(key)
    }
  }
}

/** Above so many organizations those without work are evicted. */
const mostShares = 10_000
/** An organization lets at most so many turns pass for what it has done before. */
const mostOwed = 200

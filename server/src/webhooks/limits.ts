import type { HostBound } from '../config.ts'
import type { Answered, Room } from './host-account.ts'
import { HostAccount } from './host-account.ts'

/**
 * Permission to send one request, or how long to wait: `waitMs` is the time until the host's
 * rate allows another, null when one of its own requests has to end first. Nothing is queued.
 */
export type Permit =
  | {
      granted: true
      /** the request of a reserved permit begins now: the rate counts when it leaves */
      start: () => void
      /** releases the place, with the result of the request */
      release: (answer?: Answered) => void
      /** the request is slow: from now on it uses a place for slow ones */
      demote: () => void
    }
  | { granted: false; waitMs: number | null }

export type HostLimits = {
  /**
   * `isSlow` for a slow subscription; `leavesReserve` for one that leaves a quarter of the
   * places to others; a reserved one begins later, by `start`
   */
  acquire(
    organization: string,
    host: string,
    how?: { isSlow?: boolean; leavesReserve?: boolean; isReserved?: boolean },
  ): Permit
  room(organization: string, host: string, most: number): Room
  /** the number of requests of slow subscriptions in places that others could use */
  excess(organization: string, host: string): number
  /** requests to the host in flight */
  inFlight(organization: string, host: string): number
  size(): number
}

/** How long the limits that an adaptive account has learned are kept without requests: a minute. */
const learnedMs = 60_000

/**
 * Limits one organization's requests to one host to `rate` in any second and `concurrency` in
 * flight. Every pair has its own account, so a slow or refusing host delays nobody else. In memory;
 * `now` is in milliseconds.
 */
export function hostLimits({
  ratePerSecond = 20,
  concurrency = 10,
  now = () => performance.now(),
}: { ratePerSecond?: HostBound; concurrency?: HostBound; now?: () => number } = {}): HostLimits {
  const accounts = new Map<string, HostAccount>()
  const unused = new HostAccount(ratePerSecond, concurrency)
  const idleMs = unused.isAdaptive ? learnedMs : 1000

  // Accounts move to the end of the map when used, so the idle ones are at its front.
  function touched(key: string): HostAccount {
    const account = accounts.get(key) ?? new HostAccount(ratePerSecond, concurrency)
    accounts.delete(key)
    accounts.set(key, account)
    return account
  }

  function removeIdle(time: number): void {
    for (const [key, account] of accounts) {
      if (account.inFlight > 0 || time - account.lastStart < idleMs) return
      accounts.delete(key)
    }
  }

  return {
    room(organization, host, most) {
      const account = accounts.get(keyOf(organization, host)) ?? unused
      return account.room(now(), most, false)
    },
    acquire(organization, host, how = {}) {
      const { isSlow = false, leavesReserve = false, isReserved = false } = how
      const time = now()
      removeIdle(time)
      const key = keyOf(organization, host)
      const account = touched(key)
      const { free, waitMs } = account.room(time, 1, isSlow, leavesReserve)
      if (!free) {
        if (!isSlow) account.hold(time)
        return { granted: false, waitMs }
      }
      account.reserve(isSlow)
      let isOfSlow = isSlow
      let isStarted = !isReserved
      if (isStarted) account.start(time, isSlow)
      let isReleased = false
      return {
        granted: true,
        start() {
          if (isStarted) return
          isStarted = true
          account.start(now(), isSlow)
        },
        release(answer) {
          if (isReleased) return
          isReleased = true
          if (!isStarted) account.start(undefined, isSlow)
          account.end(now(), isOfSlow, answer)
          touched(key)
        },
        demote() {
          if (isReleased || isOfSlow) return
          isOfSlow = true
          account.demote()
        },
      }
    },
    excess: (organization, host) => accounts.get(keyOf(organization, host))?.excess ?? 0,
    inFlight: (organization, host) => accounts.get(keyOf(organization, host))?.inFlight ?? 0,
    size: () => accounts.size,
  }
}

function keyOf(organization: string, host: string): string {
  return `${organization} ${host.toLowerCase().replace(/\.$/, '')}`
}

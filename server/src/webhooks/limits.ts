/**
 * Leave to send one request, or how long to leave the host alone: `waitMs` is the time until its
 * rate allows another, null when one of its own requests has to end first. Nothing is queued.
 */
export type Permit =
  | { granted: true; release: () => void }
  | { granted: false; waitMs: number | null }

/** How many requests could start now, up to `most`; with none, `waitMs` as in `Permit`. */
export type Room = { free: number; waitMs: number | null }

export type HostLimits = {
  acquire(organization: string, host: string): Permit
  room(organization: string, host: string, most: number): Room
  /** requests to the host that have not ended */
  inFlight(organization: string, host: string): number
  size(): number
}

/**
 * Keeps one organization's requests to one host under `ratePerSecond` in any second and
 * `concurrency` in flight (0 is no limit). Every pair has its own account, so a slow or refusing
 * host holds up nobody else. In memory, for this process; `now` is in milliseconds.
 */
export function hostLimits({
  ratePerSecond = 20,
  concurrency = 10,
  now = () => performance.now(),
}: { ratePerSecond?: number; concurrency?: number; now?: () => number } = {}): HostLimits {
  const accounts = new Map<string, Account>()

  // Accounts move to the end of the map when used, so the idle ones gather at its front.
  function touched(key: string): Account {
    const account = accounts.get(key) ?? { inFlight: 0, starts: [], oldest: 0 }
    accounts.delete(key)
    accounts.set(key, account)
    return account
  }

  function forgetIdle(time: number): void {
    for (const [key, account] of accounts) {
      const last = account.starts.at(account.oldest - 1) ?? -Infinity
      if (account.inFlight > 0 || time - last < second) return
      accounts.delete(key)
    }
  }

  return {
    room(organization, host, most) {
      const { inFlight, starts, oldest } = accounts.get(keyOf(organization, host)) ?? idle
      const places = concurrency > 0 ? Math.min(most, concurrency - inFlight) : most
      if (places <= 0) return { free: 0, waitMs: null }
      if (ratePerSecond === 0) return { free: places, waitMs: 0 }
      const time = now()
      const waitMs = waitForRate({ inFlight, starts, oldest }, ratePerSecond, time)
      let free = Math.min(places, ratePerSecond - starts.length)
      // the ring runs in order of time, so the first start that is too young ends the count
      for (let i = oldest; free < places && i < oldest + starts.length; i++) {
        if (starts[i % starts.length]! + second > time) break
        free++
      }
      return { free, waitMs }
    },
    acquire(organization, host) {
      const time = now()
      forgetIdle(time)
      const key = keyOf(organization, host)
      const account = touched(key)
      if (concurrency > 0 && account.inFlight >= concurrency)
        return { granted: false, waitMs: null }

      if (ratePerSecond > 0) {
        const waitMs = waitForRate(account, ratePerSecond, time)
        if (waitMs > 0) return { granted: false, waitMs }
        noteStart(account, ratePerSecond, time)
      }

      account.inFlight++
      let released = false
      const release = () => {
        if (released) return
        released = true
        account.inFlight--
        touched(key)
      }
      return { granted: true, release }
    },
    inFlight: (organization, host) => accounts.get(keyOf(organization, host))?.inFlight ?? 0,
    size: () => accounts.size,
  }
}

/** `starts` is a ring of the last `ratePerSecond` starts; `oldest` is where its oldest one stands. */
type Account = { inFlight: number; starts: number[]; oldest: number }

const second = 1000
const idle: Account = { inFlight: 0, starts: [], oldest: 0 }

function keyOf(organization: string, host: string): string {
  return `${organization} ${host.toLowerCase().replace(/\.$/, '')}`
}

// A window over the starts themselves, not a bucket of tokens: a bucket lets up to twice its rate
// through within one second, after a pause.
function waitForRate({ starts, oldest }: Account, rate: number, time: number): number {
  if (starts.length < rate) return 0
  return Math.max(0, starts[oldest]! + second - time)
}

function noteStart(account: Account, rate: number, time: number): void {
  account.starts[account.oldest] = time
  account.oldest = (account.oldest + 1) % rate
}

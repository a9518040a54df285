import type { Bounds } from './bounds.ts'
import { Failure } from './kit/ground/errors.ts'
import type { Passwords, SignInAttempt } from './kit/ground/services.ts'
import { hashPassword, verifyPassword } from './secrets.ts'

type Limits = Pick<
  Bounds,
  'hashes' | 'hashesWaiting' | 'hashesWaitingOfAddress' | 'hashesWaitingOfAccount'
>

type Waiting = { start: () => void; refuse: (failure: Failure) => void }
/** The waiting passwords of one address, by account; the account served longest ago comes first. */
type Line = { size: number; accounts: Map<string, Waiting[]> }

/**
 * Hashes a few passwords at a time, since each occupies a thread of the pool that files and DNS need
 * too. Addresses take turns, and so do the accounts of an address; an account and address
 * together have at most one hash running, so that a flood of them leaves a thread to others. 429 and 503 if too
 * many wait.
 */
export function passwordQueue(limits: Limits): Passwords {
  const { queue, checkRoom } = fairQueue(limits)
  return {
    checkRoom,
    hash: (password, who) => queue(who, () => hashPassword(password)),
    verify: (password, hash, who) => queue(who, () => verifyPassword(password, hash)),
  }
}

function fairQueue({
  hashes,
  hashesWaiting,
  hashesWaitingOfAddress,
  hashesWaitingOfAccount,
}: Limits) {
  const lines = new Map<string, Line>()
  const running = new Set<string>()
  let waiting = 0

  return { queue, checkRoom }

  async function queue<T>(who: SignInAttempt, work: () => Promise<T>): Promise<T> {
    if (!hashes) return work()
    const name = nameOf(who.address, who.account)
    if (running.size >= hashes || running.has(name)) await turn(who)
    else running.add(name)
    try {
      return await work()
    } finally {
      running.delete(name)
      startNext()
    }
  }

  function checkRoom({ address, account }: SignInAttempt) {
    const line = lines.get(address)
    const own = line?.accounts.get(account)?.length ?? 0
    if (isFull(line?.size ?? 0, hashesWaitingOfAddress) || isFull(own, hashesWaitingOfAccount)) {
      throw tooManySignIns()
    }
  }

  function turn(who: SignInAttempt): Promise<void> {
    checkRoom(who)
    const { address, account } = who
    const line = lines.get(address) ?? { size: 0, accounts: new Map<string, Waiting[]>() }
    const own = line.accounts.get(account) ?? []
    if (isFull(waiting, hashesWaiting)) makeRoom(line.size)
    lines.set(address, line)
    line.accounts.set(account, own)
    line.size++
    waiting++
    return new Promise((start, refuse) => own.push({ start, refuse }))
  }

  /** Drops the last of the address with the longest queue, unless that is the new one. */
  function makeRoom(own: number) {
    const [address, longest] = [...lines].reduce((a, b) => (b[1].size > a[1].size ? b : a))
    if (longest.size <= own + 1) throw busy()
    const [account, them] = [...longest.accounts].reduce((a, b) =>
      b[1].length > a[1].length ? b : a,
    )
    const last = them.pop()
    removed(address, longest, account, them)
    last?.refuse(busy())
  }

  function startNext() {
    for (const [address, line] of lines) {
      for (const [account, own] of line.accounts) {
        const name = nameOf(address, account)
        if (running.has(name)) continue
        running.add(name)
        const next = own.shift()
        // to the end of the rotation
        lines.delete(address)
        lines.set(address, line)
        line.accounts.delete(account)
        line.accounts.set(account, own)
        removed(address, line, account, own)
        return next?.start()
      }
    }
  }

  function removed(address: string, line: Line, account: string, own: Waiting[]) {
    waiting--
    line.size--
    if (!own.length) line.accounts.delete(account)
    if (!line.size) lines.delete(address)
  }
}

function nameOf(address: string, account: string): string {
  return `${address} ${account}`
}

function isFull(size: number, most: number): boolean {
  return most > 0 && size >= most
}

function tooManySignIns(): Failure {
  const message = 'Too many sign-ins at once: wait for the others'
  return new Failure(429, 'too_many_sign_ins', message, { retryAfter: 1 })
}

function busy(): Failure {
  return new Failure(503, 'sign_in_busy', 'Sign-in is busy, try again', { retryAfter: 2 })
}

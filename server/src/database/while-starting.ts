import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that PostgreSQL has to answer one attempt to connect, while nothing waits but a start or a command. */
export const connectMs = 15_000

/** A database that cannot be used yet, by what it answered. */
type Passing = 'starting' | 'late' | 'absent'

/**
 * Milliseconds that a state may last: PostgreSQL says that it is starting, as after a crash; it does not answer in time,
 * as on a busy machine; nothing is there yet.
 */
const patience: { [state in Passing]: number } = {
  starting: 600_000,
  late: 20_000,
  absent: 10_000,
}

/** All states together may last as long as the longest of them. */
const longest = patience.starting

/** How a start or a command waits for its database. */
export type Waiting = {
  /** a message for the operator, once for each state */
  note?(message: string): void
  /** whether the process is to end, so that nothing waits any longer */
  isEnding?(): boolean
}

/**
 * Tries `connect` again while the database is starting or may be about to. Throws the last error, of which the
 * cause is known within half a minute, unless PostgreSQL itself says that it is starting.
 */
export async function whileStarting<T>(
  connect: () => Promise<T>,
  { note, isEnding }: Waiting = {},
): Promise<T> {
  const begun = performance.now()
  let last: Passing | undefined
  let since = begun
  let pause = 50
  for (;;) {
    const triedAt = performance.now()
    try {
      return await connect()
    } catch (error) {
      const state = passingState(error)
      if (!state || isEnding?.()) throw error
      const now = performance.now()
      const isNew = state !== last
      if (isNew) [last, since] = [state, triedAt]
      // a time-out after the event loop was held says nothing of PostgreSQL, so that one is tried again in any case
      const isOver = now - since > patience[state] && !(isNew && state === 'late')
      if (isOver || now - begun > longest) throw error
      const text = notes[state]
      if (isNew && text) note?.(text)
      await sleep(pause)
      pause = Math.min(500, pause * 1.5)
    }
  }
}

/** A database that is not there gets one sentence, at the end. */
const notes: { [state in Passing]?: string } = {
  starting: 'The database is starting: waiting for it',
  late: 'The database does not answer in time: trying again',
}

/** The innermost error: a failure for callers names the connection's error as its cause. */
export function innermost(error: unknown): unknown {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  return inner instanceof AggregateError ? inner.errors[0] : inner
}

function passingState(error: unknown): Passing | undefined {
  const inner = innermost(error)
  if (!(inner instanceof Error)) return undefined
  const { code = '' } = inner as NodeJS.ErrnoException
  const { message } = inner
  // a pooler passes on the words with another code
  if (/database system is (starting up|shutting down|in recovery|not yet)/.test(message)) {
    return 'starting'
  }
  // a standby that takes no queries at all says this for ever
  if (code === '57P03') return /is not accepting/.test(message) ? undefined : 'starting'
  if (code === 'ETIMEDOUT' || /timeout/i.test(message)) return 'late'
  if (absentCodes.has(code) || /connection terminated/i.test(message)) return 'absent'
  return undefined
}

/** Refused, reset, no socket, no such name or route, ended by an administrator. */
const absentCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
])

/** Seconds before each attempt, counted from the attempt before; the first from the event. */
export const defaultSchedule: readonly number[] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

/** The result of one attempt; `post` returns a superset of it. */
export type Outcome = { status?: number; error?: string; retryAfterSeconds?: number }

/** What follows an attempt. `gone` means that the subscription is to be removed (410). */
export type Next =
  | { state: 'retry'; afterMs: number }
  | { state: 'exhausted' }
  | { state: 'delivered' }
  | { state: 'gone' }

/** Milliseconds from the event to the first attempt. `random` is in [0, 1). */
export function firstAttempt(schedule: readonly number[], random: number): number {
  return jittered(schedule[0] ?? 0, random)
}

/**
 * What follows attempt number `attempt` (from 1): 2xx is delivered, 410 is gone, anything else is
 * retried ±20 % after the schedule's next gap, or exhausted. `Retry-After` on 429 and 503 can
 * lengthen the wait to twice the gap. `random` is in [0, 1).
 */
export function nextAttempt(after: {
  attempt: number
  schedule: readonly number[]
  outcome: Outcome
  random: number
}): Next {
  const { status = 0, retryAfterSeconds } = after.outcome
  if (status >= 200 && status < 300) return { state: 'delivered' }
  if (status === 410) return { state: 'gone' }

  const gap = after.schedule[after.attempt]
  if (gap === undefined) return { state: 'exhausted' }

  const afterMs = jittered(gap, after.random)
  if (retryAfterSeconds === undefined || (status !== 429 && status !== 503)) {
    return { state: 'retry', afterMs }
  }
  // Retry-After is a minimum (RFC 9110, 10.2.3), so it never shortens the wait: a receiver that always
  // answers 0 would use up all attempts at once.
  return { state: 'retry', afterMs: Math.max(afterMs, Math.min(retryAfterSeconds, 2 * gap) * 1000) }
}

/**
 * Reads `WEBHOOK_RETRY_SCHEDULE`: comma-separated seconds, fractions allowed, 1 to 50 entries of at
 * most 30 days. Throws an Error whose message says what is wrong and what would be right.
 */
export function parseRetrySchedule(text: string): number[] {
  const entries = text.split(',').map((entry) => entry.trim())
  if (entries.length > 50) throw wrong(`has ${entries.length} entries, at most 50 are possible`)
  return entries.map((entry) => {
    if (entry === '') throw wrong('has an empty entry')
    if (!/^\d+(\.\d+)?$/.test(entry)) throw wrong(`has the entry "${entry}", which is no number`)
    const seconds = Number(entry)
    if (seconds > longestGap) throw wrong(`has the entry "${entry}", which is more than 30 days`)
    return seconds
  })
}

const longestGap = 30 * 86_400

function jittered(seconds: number, random: number): number {
  return Math.round(seconds * 1000 * (0.8 + 0.4 * random))
}

function wrong(what: string): Error {
  return new Error(
    `WEBHOOK_RETRY_SCHEDULE ${what}: give the seconds before each attempt, such as "0,5,300,1800"`,
  )
}

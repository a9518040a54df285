import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Characters that are processed before other work gets a turn: some milliseconds. */
const perTurn = 250_000

/**
 * Gives other work a turn while a long list is processed: await it with the length of each piece of
 * text. Short lists are processed in one turn.
 */
export function turns(): (length: number) => Promise<void> {
  let worked = 0
  return async (length) => {
    worked += length
    if (worked <= perTurn) return
    worked = length
    await nextTurn()
  }
}

/** Milliseconds of work in a turn beside requests, which need several turns each. */
const briefMs = 1

/**
 * The maximum extra wait for other work, in milliseconds; after that, work continues however busy
 * others are.
 */
const longestYieldMs = 5

/**
 * Work that has run for less, in milliseconds, may soon be done, and does not rest. A pause of the same
 * length starts the count again.
 */
const longMs = 50

/** How work leaves room for others. */
type Room = {
  /** milliseconds of rest after each millisecond of work */
  restMs(): number
  /** others do something at the moment, which a few more milliseconds are left to */
  isBusy(): boolean
}

/**
 * Runs steps of work one after another, and gives other work a turn after each millisecond, with as
 * much rest as `room` says: await it before each step.
 */
export function briefTurns(room: Room): () => Promise<void> {
  let startedAt = performance.now()
  let begun = startedAt
  let steppedAt = startedAt
  let last = Promise.resolve()
  const next = async () => {
    const now = performance.now()
    if (now - steppedAt > longMs) startedAt = now
    if (now - begun >= briefMs) {
      const rest = now - startedAt < longMs ? 0 : room.restMs()
      await (rest ? pause(rest) : nextTurn())
      const late = performance.now() + longestYieldMs
      while (room.isBusy() && performance.now() < late) await pause(1)
      begun = performance.now()
    }
    steppedAt = performance.now()
  }
  return () => (last = last.then(next))
}

/** Milliseconds of work after which a pause is due: timers are no finer than one. */
const leastPauseMs = 2

/**
 * Leaves others at least half of the event loop while long work is done in short steps: await it after
 * each step. The duration of a step includes other work in between, so that the work slows down when
 * the loop is busy, and takes twice as long when it is not.
 */
export function paced(): () => Promise<void> {
  let begun = performance.now()
  let due = 0
  return async () => {
    await nextTurn()
    due += performance.now() - begun
    if (due >= leastPauseMs) {
      await pause(due)
      due = 0
    }
    begun = performance.now()
  }
}

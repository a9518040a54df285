import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Characters that are worked on before others get their turn: some milliseconds. */
const perTurn = 250_000

/**
 * Gives others their turn while a long list is worked on: await it with the length of each piece of
 * text. Short lists are done in one turn.
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

/** For so many milliseconds more work waits for what others do at the moment: it goes on however much that is. */
const longestYieldMs = 5

/**
 * Work that has gone on for less, in milliseconds, may soon be done, and takes no rest. It begins anew after a pause
 * of so long.
 */
const longMs = 50

/** How work leaves room to others. */
type Room = {
  /** milliseconds of rest after each millisecond of work */
  restMs(): number
  /** others do something at the moment, which a few more milliseconds are left to */
  isBusy(): boolean
}

/**
 * Has steps of work wait for one another, and gives others their turn after each millisecond of it, with as much
 * rest as `room` says: await it before each step.
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
 * Leaves others half of the event loop or more while a long piece of work is done in short steps: await
 * it after each step. A step counts with what others did beside it, so that the work steps back when the
 * loop is busy, and takes twice as long when it is not.
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

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

/** For so many milliseconds work waits for requests at a time: it goes on however many come. */
const longestYieldMs = 5

/**
 * Gives others their turn after each millisecond of work, and a few more milliseconds while `isBusy` says that there
 * are requests: await it before each step.
 */
export function briefTurns(isBusy: () => boolean = () => false): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    const now = performance.now()
    if (now - begun < briefMs) return
    await nextTurn()
    while (isBusy() && performance.now() - now < longestYieldMs) await pause(1)
    begun = performance.now()
  }
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

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Characters that are worked on before others get their turn: some milliseconds. */
const perTurn = 1_000_000

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

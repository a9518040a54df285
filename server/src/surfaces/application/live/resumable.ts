import type { Log } from '../../../kit/ground/context.ts'

/**
 * The pieces of a live stream. One that fails once it has begun, as with a database that is busy or gone,
 * ends like any other and is logged: a torn answer is an error in every browser, and after an ended one
 * the reader comes back with the id of the last event that it had.
 */
export async function* resumable(pieces: AsyncIterable<string>, log: Log): AsyncGenerator<string> {
  let hasBegun = false
  try {
    for await (const piece of pieces) {
      hasBegun = true
      yield piece
    }
  } catch (err) {
    // before its first piece it is still an answer with a status
    if (!hasBegun) throw err
    log.warn({ err }, 'a live stream ended early, its reader comes back')
  }
}

import type { Log } from '../../../kit/ground/context.ts'

/**
 * The pieces of a live stream. If it fails after it has begun, for example because the database is unavailable, it
 * ends normally and the error is logged: an aborted answer is an error in every browser, but after a normal end
 * the reader reconnects with the id of its last event.
 */
export async function* resumable(pieces: AsyncIterable<string>, log: Log): AsyncGenerator<string> {
  let hasBegun = false
  try {
    for await (const piece of pieces) {
      hasBegun = true
      yield piece
    }
  } catch (err) {
    // before the first piece the answer can still have an error status
    if (!hasBegun) throw err
    log.warn({ err }, 'a live stream ended early, its reader comes back')
  }
}

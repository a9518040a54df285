import { watchLoop } from '../server/test/support/loop.ts'

/** The bytes of the heap, and for how long the event loop was blocked, in ms. */
export type Reading = { heapUsed: number; held: number }

/**
 * Preloaded into the service's process (`node --import`): reports to its parent four times a
 * second.
 */
const loop = watchLoop()
setInterval(() => {
  const reading: Reading = { heapUsed: process.memoryUsage().heapUsed, held: loop.longest().ms }
  process.send?.(reading)
  loop.reset()
}, 250).unref()

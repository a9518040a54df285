import { performance } from 'node:perf_hooks'

/** The share of the last moments from which on the event loop counts as busy. */
const busyAbove = 0.7
/** How long a moment is at least, in milliseconds. */
const moment = 50

/**
 * Tells whether the event loop of this thread has little time to spare: whether it worked for more than
 * 70 % of the last moments, which are looked at when somebody wants to know.
 */
export function loopLoad(): () => boolean {
  let since = performance.eventLoopUtilization()
  let at = performance.now()
  let isBusy = false
  return () => {
    const now = performance.now()
    if (now - at < moment) return isBusy
    const until = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(until, since).utilization > busyAbove
    since = until
    at = now
    return isBusy
  }
}

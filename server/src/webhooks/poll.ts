import { allOrganizations } from '../kit/ground/context.ts'
import { leasedForMs, leaseMs, releaseLane, renewLane, waitingOrganizations } from './lease.ts'
import type { DeliveryWorker } from './worker.ts'
import { laneOf, removeIfIdle, reportError, wake, wakeAt } from './worker.ts'

/**
 * How often one of the processes looks for due deliveries that nobody is sending: retries whose time
 * has come, and those of a process that died. A process's own writes wake it at once.
 */
const pollMs = 2000

/**
 * Polls while this process holds the lane of all organizations, as one process does at a time; and once at
 * the start, so that deliveries of a process that was replaced do not wait for that lane.
 */
export function poller(worker: DeliveryWorker) {
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let leasedUntil = -Infinity
  let isFirst = true
  let isEnded = false

  async function poll(): Promise<number> {
    const { runtime, id } = worker
    let again = pollMs
    try {
      const now = performance.now()
      if (leasedUntil - now < leaseMs - pollMs) {
        const isHeld = await renewLane(runtime, allOrganizations, id)
        leasedUntil = isHeld ? now + leaseMs : -Infinity
        if (!isHeld) again = Math.min(pollMs, 10 + (await leasedForMs(runtime, allOrganizations)))
      }
      if (isFirst || leasedUntil > performance.now()) await wakeDue(worker, isFirst)
      // what is due now is late in the process that has it
      else if (!worker.metrics.inHand) worker.metrics.lagSeconds = 0
      isFirst = false
    } catch (error) {
      reportError(worker, error)
    }
    for (const lane of worker.lanes.values()) removeIfIdle(worker, lane)
    return again
  }
  function start() {
    polling = poll().then((again) => {
      if (!isEnded) timer = setTimeout(start, again).unref()
    })
  }

  return {
    start,
    async stop() {
      isEnded = true
      clearTimeout(timer)
      await polling
      if (leasedUntil > performance.now()) {
        await releaseLane(worker.runtime, allOrganizations, worker.id).catch(() => {})
      }
    },
  }
}

/** Wakes every organization that has something due now or soon, whichever process queued it. */
async function wakeDue(worker: DeliveryWorker, isFirst: boolean): Promise<void> {
  const waiting = await waitingOrganizations(worker.runtime, worker.id, pollMs)
  if (!waiting.length && !worker.metrics.inHand) worker.metrics.lagSeconds = 0
  const now = performance.now()
  for (const { organization_id, due_ms, is_elsewhere } of waiting) {
    // at the first poll the other process may be one that this one replaces
    if (is_elsewhere && !isFirst) worker.notify(organization_id)
    else if (due_ms <= 0) wake(worker, organization_id)
    else wakeAt(worker, laneOf(worker, organization_id), now + due_ms + 1)
  }
}

import { allOrganizations } from '../kit/ground/context.ts'
import { leaseMs, releaseLane, renewLane, waitingOrganizations } from './lease.ts'
import type { DeliveryWorker } from './worker.ts'
import { laneOf, removeIfIdle, reportError, wake, wakeAt } from './worker.ts'

/**
 * How often one of the processes looks for what is due and nobody has in hand: retries whose time
 * comes, and what a process left behind that died. Own writes wake at once.
 */
const pollMs = 2000

/** Polls while this process holds the lane of all organizations, which one does at a time. */
export function poller(worker: DeliveryWorker) {
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined
  let leasedUntil = -Infinity
  let isEnded = false

  async function poll() {
    try {
      const now = performance.now()
      if (leasedUntil - now < leaseMs / 2) {
        const isHeld = await renewLane(worker.runtime, allOrganizations, worker.id)
        leasedUntil = isHeld ? now + leaseMs : -Infinity
      }
      if (leasedUntil > performance.now()) await wakeDue(worker)
      for (const lane of worker.lanes.values()) removeIfIdle(worker, lane)
    } catch (error) {
      reportError(worker, error)
    }
    if (!isEnded) timer = setTimeout(start, pollMs).unref()
  }
  function start() {
    polling = poll()
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

/** Wakes every organization that has something due, or in time before it has, whoever queued it. */
async function wakeDue(worker: DeliveryWorker): Promise<void> {
  const waiting = await waitingOrganizations(worker.runtime, worker.id, pollMs)
  if (!waiting.length && !worker.metrics.inHand) worker.metrics.lagSeconds = 0
  const now = performance.now()
  for (const { organization_id, due_ms, is_elsewhere } of waiting) {
    if (is_elsewhere) worker.notify(organization_id)
    else if (due_ms <= 0) wake(worker, organization_id)
    else wakeAt(worker, laneOf(worker, organization_id), now + due_ms + 1)
  }
}

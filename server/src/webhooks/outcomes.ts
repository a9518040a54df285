import { setTimeout as sleep } from 'node:timers/promises'
import { forget } from './claim.ts'
import type { Outcome } from './settle.ts'
import { settle } from './settle.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { removeIfIdle, reportError, wake, wakeForRetries } from './worker.ts'

/** Outcomes gather for so long before they are written together. */
const settleMs = 10
const mostTogether = 1000
/** A failed write of outcomes is tried again after this long. */
const retryMs = 200
/** Retries due later than this are found by polling. */
const soonMs = 60_000

/** Writes an outcome with the others of its lane that finish at about the same time. */
export function settleSoon(worker: DeliveryWorker, lane: Lane, outcome: Outcome): void {
  lane.outcomes.push(outcome)
  if (lane.settling) return
  lane.settleTimer ??= setTimeout(() => flush(worker, lane), settleMs)
}

function flush(worker: DeliveryWorker, lane: Lane): void {
  clearTimeout(lane.settleTimer)
  lane.settleTimer = undefined
  lane.settling ??= settleAll(worker, lane).finally(() => {
    lane.settling = undefined
    removeIfIdle(worker, lane)
    worker.pump()
  })
}

/** Writes the outcomes that have gathered; keeps trying while the database is unreachable. */
async function settleAll(worker: DeliveryWorker, lane: Lane): Promise<void> {
  while (lane.outcomes.length) {
    const outcomes = lane.outcomes.splice(0, mostTogether)
    try {
      const changed = await settle(worker.runtime, lane.organization, outcomes)
      worker.isFailing = false
      release(worker, lane, outcomes)
      schedule(worker, lane, outcomes)
      // what was requested anew meanwhile, or broken off, is read again
      const isDue = outcomes.some(
        ({ delivery: { id }, state }) => state === 'released' || !changed.has(id),
      )
      if (isDue) wake(worker, lane.organization)
    } catch (error) {
      reportError(worker, error)
      // during a stop nothing more is tried, and other processes send again what is not written
      if (worker.state === 'stopping') release(worker, lane, outcomes)
      else {
        lane.outcomes.unshift(...outcomes)
        await sleep(retryMs)
      }
    }
  }
}

/** What is settled is no longer in hand. */
function release(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  for (const { delivery, state } of outcomes) {
    forget(worker, lane, delivery.id)
    worker.metrics.inHand--
    worker.metrics.outcomes[state]++
  }
}

/** Retries that are due soon are claimed for in time. */
function schedule(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  const now = performance.now()
  for (const { retry_ms } of outcomes) {
    if (retry_ms === undefined || retry_ms >= soonMs) continue
    // those of about the same time are one claim's
    const at = now + retry_ms + 1
    const step = retry_ms > 1000 ? 100 : 1
    lane.retries.add(Math.ceil(at / step) * step)
  }
  wakeForRetries(worker, lane)
}

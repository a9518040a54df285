import { setTimeout as sleep } from 'node:timers/promises'
import { forget } from './claim.ts'
import type { Outcome } from './settle.ts'
import { settle } from './settle.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { removeIfIdle, reportError, wake, wakeForRetries } from './worker.ts'

/** How long outcomes are collected before they are written together. */
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

/** Writes the collected outcomes; retries while the database is unreachable. */
async function settleAll(worker: DeliveryWorker, lane: Lane): Promise<void> {
  while (lane.outcomes.length) {
    const outcomes = lane.outcomes.splice(0, mostTogether)
    try {
      const changed = await settle(worker.runtime, lane.organization, outcomes)
      worker.isFailing = false
      release(worker, lane, outcomes)
      schedule(worker, lane, outcomes)
      // what was requested again meanwhile, or aborted, is read again
      const isDue = outcomes.some(
        ({ delivery: { id }, state }) => state === 'released' || !changed.has(id),
      )
      if (isDue) wake(worker, lane.organization)
    } catch (error) {
      reportError(worker, error)
      // during a stop there are no retries, and other processes resend what is not written
      if (worker.state === 'stopping') release(worker, lane, outcomes)
      else {
        lane.outcomes.unshift(...outcomes)
        await sleep(retryMs)
      }
    }
  }
}

/** Settled deliveries are no longer in progress. */
function release(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  for (const { delivery, state } of outcomes) {
    forget(worker, lane, delivery.id)
    worker.metrics.inHand--
    worker.metrics.outcomes[state]++
  }
}

/** Schedules a claim for retries that are due soon. */
function schedule(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  const now = performance.now()
  for (const { retry_ms } of outcomes) {
    if (retry_ms === undefined || retry_ms >= soonMs) continue
    // retries at about the same time share one claim
    const at = now + retry_ms + 1
    const step = retry_ms > 1000 ? 100 : 1
    lane.retries.add(Math.ceil(at / step) * step)
  }
  wakeForRetries(worker, lane)
}

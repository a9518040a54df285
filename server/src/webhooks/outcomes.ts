import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from './settle.ts'
import { settle } from './settle.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { removeIfIdle, reportError, roomIn, wakeLater } from './worker.ts'

/** Outcomes gather for so long before they are written together. */
const settleMs = 10
/** A failed write of outcomes is tried again after this long. */
const retryMs = 200
/** Retries due later than this are found by polling. */
const soonMs = 1000

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
    // places are free again: of the organization, of a host, or of the process
    if (lane.isBlocked && roomIn(worker, lane)) wakeLater(worker, lane, 1)
    removeIfIdle(worker, lane)
    worker.pump()
  })
}

/** Writes the outcomes that have gathered; keeps trying while the database is unreachable. */
async function settleAll(worker: DeliveryWorker, lane: Lane): Promise<void> {
  while (lane.outcomes.length) {
    const outcomes = lane.outcomes.splice(0, 500)
    try {
      await settle(worker.runtime, lane.organization, outcomes)
    } catch (error) {
      reportError(worker, error)
      // during a stop the leases run out by themselves, and other processes try again
      if (worker.state === 'stopping') release(worker, lane, outcomes)
      else {
        lane.outcomes.unshift(...outcomes)
        await sleep(retryMs)
      }
      continue
    }
    worker.isFailing = false
    release(worker, lane, outcomes)
    countAndSchedule(worker, lane, outcomes)
  }
}

/** What is settled is no longer in hand. */
function release(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  for (const { delivery } of outcomes) {
    const held = lane.held.get(delivery.id)
    if (!held) continue
    lane.held.delete(delivery.id)
    worker.metrics.inHand--
    worker.bytes -= held.bytes
    lane.bytes -= held.bytes
  }
}

function countAndSchedule(worker: DeliveryWorker, lane: Lane, outcomes: Outcome[]): void {
  const now = +worker.runtime.now()
  for (const { state, next_attempt_at } of outcomes) {
    worker.metrics.outcomes[state]++
    if (!next_attempt_at) continue
    const waitMs = Date.parse(next_attempt_at) - now
    if (waitMs < soonMs) wakeLater(worker, lane, Math.max(1, waitMs))
  }
}

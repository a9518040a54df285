import { setImmediate as nextTurn } from 'node:timers/promises'
import { permitted } from './access.ts'
import { attempt } from './attempt.ts'
import type { Unwanted } from './choice.ts'
import { cutToChoice, unwanted } from './choice.ts'
import { forget, refill } from './claim.ts'
import { cutToReaders } from './cut.ts'
import { loadMissingData } from './data.ts'
import type { Picked } from './lines.ts'
import { land, pick } from './lines.ts'
import { settleSoon } from './outcomes.ts'
import type { Claimed, Due } from './queue.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { removeIfIdle, reportError, roomIn, wake, wakeAt } from './worker.ts'

/** After this time, deliveries that could not be prepared are read again. */
const retryMs = 1000
/** How long a receiver gets no requests after a 429 or 503 without a time. */
const refusedMs = 1000
const mostRefusedMs = 60_000

/**
 * Sends what has been read, as far as the limits allow. Calls in the same turn of the event loop are
 * combined, so that many answers that arrive together free places for one batch.
 */
export function dispatch(worker: DeliveryWorker, lane: Lane): void {
  if (lane.isDispatching) return
  lane.isDispatching = true
  setImmediate(() => {
    lane.isDispatching = false
    if (worker.state !== 'running') return
    // another process may have the lease by now, so it is renewed first
    if (lane.held.size && performance.now() > lane.leasedUntil - 1000) {
      return wakeAt(worker, lane, performance.now())
    }
    const { picked, again } = pick(worker, lane)
    if (again < Infinity) lane.sendTimer.at(again)
    if (picked.length) void send(worker, lane, picked)
    if (lane.isFull && roomIn(worker, lane) <= 0) worker.blocked.add(lane)
    else if (lane.isFull) {
      lane.isFull = false
      wake(worker, lane.organization)
    }
    refill(worker, lane)
  })
}

/** Drops what may not be sent, and sends the rest at once. */
async function send(worker: DeliveryWorker, lane: Lane, picked: Picked[]): Promise<void> {
  const { runtime, transport, metrics } = worker
  metrics.inHand += picked.length
  const allowed = await allowedOf(worker, lane, picked)
  for (const each of picked) {
    const { delivery, line, flight } = each
    const { subscription } = line
    await worker.turn(lane.organization)
    if (!allowed || worker.state !== 'running') {
      land(worker, lane, each)
      metrics.inHand--
      metrics.outcomes.released++
      forget(worker, lane, delivery.id)
      line.isDrained = false
    } else if (!allowed.sendable.has(delivery.id)) {
      land(worker, lane, each)
      const reason = allowed.unwanted.get(delivery.id)
      settleSoon(worker, lane, { delivery, subscription, state: 'dropped', reason })
    } else {
      flight.permit.start()
      flight.startedAt = performance.now()
      const onCancel = (cancel: () => void) => void (flight.cancel = cancel)
      void attempt(runtime, transport, delivery, subscription, onCancel).then((outcome) => {
        const { result, state } = outcome
        flight.cancel = undefined
        land(
          worker,
          lane,
          each,
          result && {
            status: result.status,
            ms: result.durationMs,
            isDelivered: state === 'delivered',
            waitMs: refusedFor(result),
          },
        )
        settleSoon(worker, lane, outcome)
        dispatch(worker, lane)
        for (const other of worker.blocked) {
          worker.blocked.delete(other)
          dispatch(worker, other)
        }
      })
    }
  }
  if (!allowed) wakeAt(worker, lane, performance.now() + retryMs)
  // a stop may be waiting for these deliveries, which have just been released
  removeIfIdle(worker, lane)
  // dropped deliveries have freed their places
  await nextTurn()
  dispatch(worker, lane)
}

/** How long a receiver that wants fewer requests gets none. */
function refusedFor({
  status,
  retryAfterSeconds,
}: {
  status?: number
  retryAfterSeconds?: number
}): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  if (retryAfterSeconds === undefined) return refusedMs
  return Math.min(mostRefusedMs, retryAfterSeconds * 1000)
}

type Allowed = {
  sendable: ReadonlySet<string>
  /** deliveries that may be sent but that the subscription does not want */
  unwanted: ReadonlyMap<string, Unwanted>
}

/**
 * The deliveries to send, each reduced to what its reader may see and its subscription has chosen;
 * undefined if the database does not answer now.
 */
async function allowedOf(
  worker: DeliveryWorker,
  { organization }: Lane,
  picked: Picked[],
): Promise<Allowed | undefined> {
  const { runtime } = worker
  const claimed: Claimed[] = picked.map(({ delivery }) => delivery)
  const due = new Map<string, Due>(
    picked.map(({ line: { subscription } }) => [subscription.id, subscription]),
  )
  try {
    const readers = await permitted(runtime, organization, claimed, due)
    const permittedOnes = claimed.filter(({ id }) => readers.has(id))
    const not = await unwanted(permittedOnes, due, readers)
    const sendable = permittedOnes.filter(({ id }) => !not.has(id))
    await loadMissingData(runtime, organization, sendable)
    const empty = await cutToReaders(sendable, readers)
    for (const delivery of sendable) {
      cutToChoice(delivery, due.get(delivery.subscription_id)?.fields ?? null)
    }
    const sent = sendable.filter(({ id }) => !empty.has(id))
    return {
      sendable: new Set(sent.map(({ id }) => id)),
      unwanted: not,
    }
  } catch (error) {
    reportError(worker, error)
    return undefined
  }
}

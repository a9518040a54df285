import type { Context } from '../kit/ground/context.ts'
import { permitted } from './access.ts'
import { attempt } from './attempt.ts'
import { turns } from '../kit/ground/turns.ts'
import { cutToReaders } from './cut.ts'
import { loadMissingData } from './data.ts'
import { settleSoon } from './outcomes.ts'
import { hostOf } from './plan.ts'
import type { Claimed, Due } from './queue.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { pauseMs, reportError, wakeLater } from './worker.ts'

/**
 * Sends claimed deliveries at once, as far as their hosts' limits allow; what may not go out is
 * dropped, and the rest released for another claim. Resolves when all are under way.
 */
export async function send(
  worker: DeliveryWorker,
  lane: Lane,
  claimed: Claimed[],
  due: ReadonlyMap<string, Due>,
): Promise<void> {
  const { runtime, transport } = worker
  takeInHand(worker, lane, claimed)
  const allowed = await allowedOf(worker, lane, claimed, due)
  const turn = turns()
  for (const delivery of claimed) {
    await turn(delivery.data?.length ?? 0)
    const subscription = due.get(delivery.subscription_id)
    if (!subscription)
      throw new Error(`delivery ${delivery.id} was claimed without its subscription`)
    const permit =
      allowed?.has(delivery.id) && worker.state === 'running'
        ? transport.limits.acquire(lane.organization, hostOf(subscription))
        : undefined
    if (permit?.granted) {
      void attempt(runtime, transport, delivery, subscription).then((outcome) => {
        permit.release()
        settleSoon(worker, lane, outcome)
        if (lane.isBlocked) wakeLater(worker, lane, pauseMs)
      })
    } else {
      const isDropped = allowed && !allowed.has(delivery.id)
      const state = isDropped ? 'dropped' : 'released'
      settleSoon(worker, lane, { delivery, subscription, state })
    }
  }
}

function takeInHand(worker: DeliveryWorker, lane: Lane, claimed: Claimed[]): void {
  const { metrics, runtime } = worker
  const leasedAt = performance.now()
  const now = +runtime.now()
  if (claimed.length) metrics.lagSeconds = 0
  for (const { id, data, due_at } of claimed) {
    const bytes = data?.length ?? 0
    lane.held.set(id, { leasedAt, bytes })
    worker.bytes += bytes
    lane.bytes += bytes
    metrics.inHand++
    metrics.lagSeconds = Math.max(metrics.lagSeconds, (now - Date.parse(due_at)) / 1000)
  }
}

/**
 * Those that may be sent, each cut to what its reader may see; undefined when the database cannot
 * answer now.
 */
async function allowedOf(
  worker: DeliveryWorker,
  { organization }: Lane,
  claimed: Claimed[],
  due: ReadonlyMap<string, Due>,
): Promise<ReadonlyMap<string, Context> | undefined> {
  const { runtime } = worker
  try {
    const allowed = await permitted(runtime, organization, claimed, due)
    const sendable = claimed.filter(({ id }) => allowed.has(id))
    await loadMissingData(runtime, organization, sendable)
    const empty = await cutToReaders(sendable, allowed)
    return new Map([...allowed].filter(([id]) => !empty.has(id)))
  } catch (error) {
    reportError(worker, error)
    return undefined
  }
}

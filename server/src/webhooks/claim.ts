import type { ClaimShare } from './plan.ts'
import { hostOf, planClaim } from './plan.ts'
import type { Claimed, Due } from './queue.ts'
import { claim, dueSubscriptions } from './queue.ts'
import { send } from './send.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { laneOf, pauseMs, removeIfIdle, reportError, roomIn, roomOf, wakeLater } from './worker.ts'

/**
 * One organization's claim takes at most this many. With claims of 100, a pause of 10 ms before
 * outcomes are written, and limits per host off, one process made 2,900 deliveries a second to a
 * receiver on the same two cores; claims of 20 made 1,900, of 400 no more than of 100.
 */
const batch = 100
/** Organizations that are claimed for at once: the pool of connections is the requests' too. */
const claimsAtOnce = 4
/** A failed claim is tried again after this long. */
const retryMs = 1000

/** Claims in turn for the organizations that are ready, as far as there is room. */
export function claimReady(worker: DeliveryWorker): void {
  for (const organization of worker.ready) {
    if (worker.state !== 'running' || worker.claiming >= claimsAtOnce) return
    if (roomOf(worker) === 0) return
    const lane = laneOf(worker, organization)
    if (lane.isClaiming) continue
    worker.ready.delete(organization)
    if (roomIn(worker, lane) === 0) {
      lane.isBlocked = true
      continue
    }
    const pause = lane.claimedAt + pauseMs - performance.now()
    if (pause > 0) wakeLater(worker, lane, pause)
    else void claimFor(worker, lane)
  }
}

/** One claim for one organization: three queries however many deliveries it takes. */
async function claimFor(worker: DeliveryWorker, lane: Lane): Promise<void> {
  const { runtime, transport } = worker
  const { organization } = lane
  lane.isClaiming = true
  lane.isBlocked = false
  lane.claimedAt = performance.now()
  worker.claiming++
  try {
    const due = await dueSubscriptions(runtime, organization)
    const size = Math.max(1, Math.min(batch, roomIn(worker, lane)))
    const plan = planClaim(organization, due, size, transport)
    const claimed = plan.length ? await claim(runtime, organization, plan) : []
    await send(worker, lane, claimed, new Map(due.map((each) => [each.id, each])))
    worker.isFailing = false
    scheduleNext(worker, lane, due, plan, claimed)
  } catch (error) {
    reportError(worker, error)
    wakeLater(worker, lane, retryMs)
  } finally {
    worker.claiming--
    lane.isClaiming = false
    removeIfIdle(worker, lane)
    worker.pump()
  }
}

/** When to claim again, if what is due was not all taken. */
function scheduleNext(
  worker: DeliveryWorker,
  lane: Lane,
  due: Due[],
  plan: ClaimShare[],
  claimed: Claimed[],
): void {
  const taken = new Map<string, number>()
  for (const { subscription_id } of claimed) {
    taken.set(subscription_id, (taken.get(subscription_id) ?? 0) + 1)
  }
  const planned = new Map(plan.map(({ subscription_id, most }) => [subscription_id, most]))
  for (const subscription of due) {
    if ((taken.get(subscription.id) ?? 0) < (planned.get(subscription.id) ?? 0)) continue
    const { limits } = worker.transport
    const { free, waitMs } = limits.room(lane.organization, hostOf(subscription), 1)
    if (free) return void worker.ready.add(lane.organization)
    if (waitMs === null) lane.isBlocked = true
    else wakeLater(worker, lane, Math.max(pauseMs, waitMs))
  }
}

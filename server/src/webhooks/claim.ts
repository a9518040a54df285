import { leaseLane, leasedForMs, leaseMs, spareMs } from './lease.ts'
import { addToLine, lineFor, lowWater } from './lines.ts'
import type { Wanted } from './queue.ts'
import { readDue } from './queue.ts'
import type { DeliveryWorker, Lane } from './worker.ts'
import { hasMemory, laneOf, pauseMs, removeIfIdle, reportError, roomIn } from './worker.ts'
import { wake, wakeAt, wakeForRetries } from './worker.ts'

/** One claim reads at most this many deliveries, and fewer where they are large. */
const mostRead = 500
const bytesRead = 4 * 1024 * 1024
/** The maximum for a slow subscription, which has few places. */
const mostOfSlow = 10
/** The number of organizations that are claimed for at once, because jobs use the same connections. */
const claimsAtOnce = 4
/** A failed claim, or one without memory for it, is tried again after this long. */
const retryMs = 1000
/** The pause after a slow claim: on a busy machine new deliveries do not wait for longer. */
const mostRestMs = 500

/** Claims for the organizations that are ready, in turns and within that number. */
export function claimReady(worker: DeliveryWorker): void {
  for (const organization of worker.ready) {
    if (worker.state !== 'running' || worker.claiming >= claimsAtOnce) return
    const lane = laneOf(worker, organization)
    if (lane.isClaiming) continue
    worker.ready.delete(organization)
    const now = performance.now()
    if (now < lane.elsewhereUntil) worker.notify(organization)
    else if (roomIn(worker, lane) <= 0 && hasEnough(lane)) {
      lane.isFull = true
      worker.blocked.add(lane)
    } else if (now < lane.nextClaim) wakeAt(worker, lane, lane.nextClaim)
    else if (hasMemory(worker, lane)) void claimFor(worker, lane)
    else wakeAt(worker, lane, now + retryMs)
  }
}

/**
 * Whether a lane without free places has read enough to fill them as they become free: if it read only then, its places
 * would stay empty for the time of a claim.
 */
function hasEnough(lane: Lane): boolean {
  let waiting = 0
  for (const line of lane.lines.values()) waiting += line.waiting.length
  return waiting >= 2 * lane.inFlight
}

/** One claim for one organization: two queries, and a third one while its lane has to be leased. */
async function claimFor(worker: DeliveryWorker, lane: Lane): Promise<void> {
  const begun = performance.now()
  lane.isClaiming = true
  lane.usedAt = begun
  worker.claiming++
  let useful = 0
  try {
    useful = await readInto(worker, lane)
    worker.isFailing = false
  } catch (error) {
    reportError(worker, error)
    lane.batch = Math.max(1, Math.floor(lane.batch / 4))
    wakeAt(worker, lane, performance.now() + retryMs)
  } finally {
    worker.claiming--
    lane.isClaiming = false
    // after a claim that took long and returned little that can be sent at once, the pause is longer: many
    // receivers that do not answer would have it repeated without end
    const ended = performance.now()
    const rest = Math.min(mostRestMs, 2 * (ended - begun) * (1 - useful))
    lane.nextClaim = Math.max(begun + pauseMs, ended + rest)
    wakeForRetries(worker, lane)
    worker.dispatch(lane)
    removeIfIdle(worker, lane)
    worker.pump()
  }
}

/**
 * Reads due deliveries into the lane's lines, except those already in progress. If it read as many as it may, so that
 * more are probably due, the share of those whose receivers have answered in time; else 0.
 */
async function readInto(worker: DeliveryWorker, lane: Lane): Promise<number> {
  const { runtime, id } = worker
  const { organization } = lane
  const wanted = wantedOf(lane)
  const begun = performance.now()
  const isLeased = lane.leasedUntil - begun > spareMs
  let read: Awaited<ReturnType<typeof readDue>> | undefined
  if (isLeased)
    read = await readDue(runtime.database.reads(organization), runtime, organization, wanted)
  else {
    read = await runtime.database.transaction(organization, async (queries) => {
      const leased = queries.one(leaseLane(organization, id))
      const [due, held] = await Promise.all([
        readDue(queries, runtime, organization, wanted, id),
        leased,
      ])
      return held && due
    })
    if (!read) {
      await leaveToOwner(worker, lane)
      return 0
    }
    // another process may have had the lane meanwhile, and sent what was read before
    if (lane.leasedUntil < begun) dropRead(worker, lane)
    lane.leasedUntil = begun + leaseMs
    lane.elsewhereUntil = -Infinity
  }
  if (worker.state !== 'running') return 0
  takeIn(worker, lane, read, wanted)
  const { claimed } = read
  if (claimed.length < wanted.most) return 0
  const prompt = claimed.filter(({ subscription_id: id }) => {
    const line = lane.lines.get(id)
    return line?.isProven && !line.isSlow
  })
  return prompt.length / claimed.length
}

/** The process that holds the lane sends; if it has died, this one takes over when its lease ends. */
async function leaveToOwner(worker: DeliveryWorker, lane: Lane): Promise<void> {
  dropRead(worker, lane)
  lane.leasedUntil = -Infinity
  const ms = await leasedForMs(worker.runtime, lane.organization)
  lane.elsewhereUntil = performance.now() + ms
  worker.notify(lane.organization)
  wakeAt(worker, lane, lane.elsewhereUntil + pauseMs)
}

/** Releases what was read and not sent. */
export function dropRead(worker: DeliveryWorker, lane: Lane): void {
  for (const line of lane.lines.values()) {
    for (const { id } of line.waiting) forget(worker, lane, id)
    line.waiting = []
    line.isDrained = false
  }
}

/** A delivery is no longer in progress. */
export function forget(worker: DeliveryWorker, lane: Lane, id: string): void {
  const bytes = lane.held.get(id)
  if (bytes === undefined) return
  lane.held.delete(id)
  lane.bytes -= bytes
  worker.bytes -= bytes
}

/** The share of the claim for each subscription; none if enough of its deliveries have been read. */
function wantedOf(lane: Lane): Wanted {
  const lines = [...lane.lines.values()]
  const active = lines.filter(({ waiting, isDrained }) => waiting.length || !isDrained)
  const each = Math.max(2, Math.ceil(lane.batch / Math.max(1, active.length)))
  const now = performance.now()
  const shares = lines.flatMap((line) => {
    const { subscription, waiting, isSlow } = line
    const most = isSlow || line.notBefore > now ? Math.min(each, mostOfSlow) : each
    const left = waiting.length > lowWater(line) ? 0 : most
    return left === each ? [] : [{ id: subscription.id, most: left }]
  })
  return { most: lane.batch, each, shares, held: [...lane.held.keys()] }
}

function takeIn(
  worker: DeliveryWorker,
  lane: Lane,
  { claimed, due }: Awaited<ReturnType<typeof readDue>>,
  { most, each, shares }: Wanted,
): void {
  const taken = new Map<string, number>()
  let bytes = 0
  let lateMs = 0
  for (const delivery of claimed) {
    const subscription = due.get(delivery.subscription_id)
    // disabled between the two reads
    if (!subscription || lane.held.has(delivery.id)) continue
    const size = delivery.data?.length ?? 0
    bytes += size
    lateMs = Math.max(lateMs, delivery.late_ms)
    lane.held.set(delivery.id, size)
    lane.bytes += size
    worker.bytes += size
    addToLine(lineFor(lane, subscription), delivery, subscription)
    taken.set(subscription.id, (taken.get(subscription.id) ?? 0) + 1)
  }
  if (claimed.length) {
    worker.metrics.lagSeconds = lateMs / 1000
    const fits = Math.floor((bytesRead / Math.max(1, bytes)) * claimed.length)
    lane.batch = Math.max(1, Math.min(mostRead, fits, lane.batch * 2))
  }
  const wanted = new Map(shares.map((share) => [share.id, share.most]))
  // a full batch may be incomplete for any subscription
  const isFull = claimed.length >= most
  for (const [id, line] of lane.lines) {
    const share = wanted.get(id) ?? each
    if (share > 0) line.isDrained = !isFull && (taken.get(id) ?? 0) < share
  }
}

/** Reads more if a line runs low and more is due. */
export function refill(worker: DeliveryWorker, lane: Lane): void {
  if (lane.isClaiming || worker.state !== 'running') return
  for (const line of lane.lines.values()) {
    if (line.isDrained || line.waiting.length > lowWater(line)) continue
    if (line.notBefore > performance.now()) continue
    return wake(worker, lane.organization)
  }
}

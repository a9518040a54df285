import type { Answered } from './host-account.ts'
import type { Permit } from './limits.ts'
import type { Claimed, Due } from './queue.ts'
import { mostFailures } from './queue.ts'
import type { DeliveryWorker, Flight, Lane, Line } from './worker.ts'
import { roomIn, roomOf } from './worker.ts'

/** How many milliseconds longer than usual for the host a request must take for its subscription to count as slow. */
const slowFrom = 200
const slowTo = 1000
/** The number of places of a subscription that has not answered yet, if others wait too. */
const mostUnproven = 2
/** The share of an organization's places for subscriptions that are slow or have not answered yet. */
export const shareOfSlow = 0.75

/** The host whose limits apply to a subscription. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).hostname
}

/** The line (queue) of a subscription, created if the lane has none. */
export function lineFor(lane: Lane, subscription: Due): Line {
  const known = lane.lines.get(subscription.id)
  if (known) return known
  const { failures } = subscription
  const line: Line = {
    subscription,
    host: hostOf(subscription),
    waiting: [],
    flights: new Set(),
    isDrained: true,
    isProven: false,
    // what another process has learned about it
    isSlow: failures > 0,
    usualMs: 125,
    failures,
    notBefore: -Infinity,
    usedAt: performance.now(),
  }
  lane.lines.set(subscription.id, line)
  return line
}

/** Adds deliveries to their line, and updates the subscription. */
export function addToLine(line: Line, delivery: Claimed, subscription: Due): void {
  if (line.subscription.url !== subscription.url) {
    line.host = hostOf(subscription)
    line.isSlow = false
    line.failures = 0
  }
  line.subscription = subscription
  line.waiting.push(delivery)
  line.usedAt = performance.now()
}

/** The number of deliveries below which more are read, so that sending never waits for a claim. */
export function lowWater({ isSlow, flights }: Line): number {
  return isSlow ? 1 : Math.max(20, 2 * flights.size)
}

/** A delivery that may be sent now, with its permit. */
export type Picked = { delivery: Claimed; line: Line; flight: Flight }

/**
 * The deliveries that may be sent now: subscriptions take turns, those that have answered in time first and slow ones
 * last, and among them those with the fewest requests in flight first. `again` is when a limit allows
 * more.
 */
export function pick(worker: DeliveryWorker, lane: Lane): { picked: Picked[]; again: number } {
  const now = performance.now()
  const picked: Picked[] = []
  let again = Infinity
  const lines: Line[] = []
  const perHost = new Map<string, number>()
  const provenHosts = new Set<string>()
  let proven = 0
  let uncertain = lane.slow
  for (const line of lane.lines.values()) {
    if (!line.isProven && !line.isSlow) uncertain += line.flights.size
    if (line.isProven && !line.isSlow) provenHosts.add(line.host)
    if (!line.waiting.length) continue
    if (line.notBefore > now) again = Math.min(again, line.notBefore)
    else {
      lines.push(line)
      if (line.isProven && !line.isSlow) proven++
      perHost.set(line.host, (perHost.get(line.host) ?? 0) + 1)
    }
  }
  let left = roomIn(worker, lane)
  const { webhookOrganizationConcurrency: most } = worker.runtime.config
  // if subscriptions that answer are waiting, the others leave them some of the organization's places
  const leftToSlow = () =>
    proven && most ? Math.floor(Math.min(most, roomOf(worker)) * shareOfSlow) - uncertain : Infinity
  lines.sort((a, b) => rankOf(a) - rankOf(b) || a.flights.size - b.flights.size)
  const full = new Set<string>()
  for (let turn = lines; turn.length && left > 0;) {
    const next: Line[] = []
    for (const line of turn) {
      if (left <= 0) break
      const isUncertain = line.isSlow || !line.isProven
      const leavesReserve = !line.isSlow && !line.isProven && provenHosts.has(line.host)
      const kind = line.isSlow ? 'slow' : leavesReserve ? 'unproven' : 'prompt'
      const hostKey = `${kind} ${line.host}`
      if (full.has(hostKey) || (isUncertain && leftToSlow() <= 0)) continue
      if (line.flights.size >= placesOf(line, perHost.get(line.host) ?? 1, lines.length)) continue
      const permit = worker.transport.limits.acquire(lane.organization, line.host, {
        isSlow: line.isSlow,
        leavesReserve,
        isReserved: true,
      })
      if (!permit.granted) {
        full.add(hostKey)
        if (permit.waitMs !== null) again = Math.min(again, now + permit.waitMs)
        continue
      }
      const delivery = line.waiting.shift()
      if (!delivery) throw new Error('a line without deliveries takes no turn')
      picked.push({ delivery, line, flight: depart(worker, lane, line, permit) })
      left--
      if (isUncertain) uncertain++
      if (line.waiting.length) next.push(line)
    }
    turn = next
  }
  if (lines.some(({ waiting }) => waiting.length) && roomOf(worker) <= 0) worker.blocked.add(lane)
  return { picked, again }
}

/** Subscriptions that answer in time come first, slow ones last. */
function rankOf({ isSlow, isProven }: Line): number {
  if (isSlow) return 2
  return isProven ? 0 : 1
}

/** If no other is waiting, a subscription may use all places. */
function placesOf({ isSlow, isProven, failures }: Line, onHost: number, inAll: number): number {
  if (failures >= mostFailures) return 1
  if (isSlow) return onHost > 1 ? 1 : Infinity
  return isProven || inAll === 1 ? Infinity : mostUnproven
}

function depart(
  worker: DeliveryWorker,
  lane: Lane,
  line: Line,
  permit: Permit & { granted: true },
): Flight {
  const flight: Flight = {
    startedAt: performance.now(),
    permit,
    isSlow: line.isSlow,
    isDemoted: false,
  }
  line.flights.add(flight)
  lane.inFlight++
  worker.inFlight++
  if (line.isSlow) lane.slow++
  return flight
}

/** The result of a request; `waitMs` if the receiver wants no other request before. */
export type Answer = Answered & { isDelivered: boolean; waitMs?: number | undefined }

/** A request has ended: frees its places, and updates whether its subscription is slow. */
export function land(
  worker: DeliveryWorker,
  lane: Lane,
  { line, flight }: Pick<Picked, 'line' | 'flight'>,
  answer?: Answer,
): void {
  if (!line.flights.delete(flight)) return
  lane.inFlight--
  worker.inFlight--
  if (flight.isSlow) lane.slow--
  flight.permit.release(answer)
  if (!answer) return
  if (answer.isDelivered) {
    line.failures = 0
    line.isProven = true
    line.isSlow = answer.ms > slowMsOf(line.usualMs)
    line.usualMs = Math.min(line.usualMs * 1.02, answer.ms)
  } else {
    line.failures++
    if (answer.waitMs) line.notBefore = Math.max(line.notBefore, performance.now() + answer.waitMs)
    if (line.failures >= 3) line.isSlow = true
  }
}

/** How long a request may take before its subscription counts as slow, by the usual time of its host; in milliseconds. */
export function slowMsOf(usualMs: number): number {
  return Math.min(slowTo, Math.max(slowFrom, 8 * usualMs))
}

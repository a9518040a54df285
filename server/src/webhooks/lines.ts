import { hostOf } from '../kit/ground/web-address.ts'
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
/** The share of an organization's places for slow subscriptions, and of the rest for those that have not answered yet. */
export const shareOfSlow = 0.75
/** Those of a kind on a host that wait, and of which none has begun for so long, come first. */
const overdueMs = 250
/** A lane with something to send looks again after this long at the latest, whatever it waits for. */
const lookAgainMs = 1000

/** The line (queue) of a subscription, created if the lane has none. */
export function lineFor(lane: Lane, subscription: Due): Line {
  const known = lane.lines.get(subscription.id)
  if (known) return known
  const { failures } = subscription
  const line: Line = {
    subscription,
    host: hostOf(subscription.url),
    waiting: [],
    flights: new Set(),
    isDrained: true,
    isProven: false,
    // what another process has learned about it
    isSlow: failures > 0,
    usualMs: 125,
    failures,
    notBefore: -Infinity,
    places: Infinity,
    startedAt: -Infinity,
    usedAt: performance.now(),
  }
  lane.lines.set(subscription.id, line)
  return line
}

/** Adds deliveries to their line, and updates the subscription. */
export function addToLine(line: Line, delivery: Claimed, subscription: Due): void {
  if (line.subscription.url !== subscription.url) {
    line.host = hostOf(subscription.url)
    line.isSlow = false
    line.failures = 0
  }
  line.subscription = subscription
  line.waiting.push(delivery)
  line.usedAt = performance.now()
}

/** The number of deliveries below which more are read, so that sending to those that answer never waits for a claim. */
export function lowWater({ isProven, isSlow, flights }: Line): number {
  return isSlow ? 1 : Math.max(isProven ? 20 : 1, 2 * flights.size)
}

/** A delivery that may be sent now, with its permit. */
export type Picked = { delivery: Claimed; line: Line; flight: Flight }

/**
 * The deliveries that may be sent now: subscriptions take turns, those that have answered in time first and slow ones
 * last, and among them those with the fewest requests in flight, then the longest wait. `again` is when to look
 * again: it has a time whenever something could be sent and was not, whatever it waits for.
 */
export function pick(worker: DeliveryWorker, lane: Lane): { picked: Picked[]; again: number } {
  const now = performance.now()
  const picked: Picked[] = []
  let again = Infinity
  const lines: Line[] = []
  const perHost = new Map<string, number>()
  const provenHosts = new Set<string>()
  const startedAt = new Map<string, number>()
  let proven = 0
  let unproven = 0
  for (const line of lane.lines.values()) {
    const rank = rankOf(line)
    if (rank === 0) provenHosts.add(line.host)
    if (rank === 1) unproven += line.flights.size
    const group = groupOf(line)
    startedAt.set(group, Math.max(line.startedAt, startedAt.get(group) ?? -Infinity))
    if (!line.waiting.length) continue
    if (line.notBefore > now) again = Math.min(again, line.notBefore)
    else {
      lines.push(line)
      if (rank === 0) proven++
      perHost.set(line.host, (perHost.get(line.host) ?? 0) + 1)
    }
  }
  let left = roomIn(worker, lane)
  const { webhookOrganizationConcurrency: most } = worker.runtime.config
  const places = most ? Math.min(most, roomOf(worker)) : Infinity
  const shareOf = (all: number) => Math.max(1, Math.floor(all * shareOfSlow))
  // slow ones hold their places for long, so they leave some to others even while none of those wait
  const isOver = ({ isSlow, isProven }: Line) => {
    if (isSlow) return lane.slow >= shareOf(places)
    return !isProven && proven > 0 && unproven >= shareOf(places - lane.slow)
  }
  const full = new Set<string>()
  for (let turn = inOrder(lines, startedAt, now); turn.length && left > 0;) {
    const next: Line[] = []
    for (const line of turn) {
      if (left <= 0) break
      const leavesReserve = rankOf(line) === 1 && provenHosts.has(line.host)
      const kind = line.isSlow ? 'slow' : leavesReserve ? 'unproven' : 'prompt'
      const hostKey = `${kind} ${line.host}`
      if (full.has(hostKey) || isOver(line)) continue
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
      if (rankOf(line) === 1) unproven++
      if (line.waiting.length) next.push(line)
    }
    turn = next
  }
  const isWaiting = lines.some(({ waiting }) => waiting.length)
  if (isWaiting && roomOf(worker) <= 0) worker.blocked.add(lane)
  if (isWaiting) again = Math.min(again, now + lookAgainMs)
  return { picked, again }
}

/** Subscriptions that answer in time come first, slow ones last. */
function rankOf({ isSlow, isProven }: Line): number {
  if (isSlow) return 2
  return isProven ? 0 : 1
}

/** The subscriptions of a host that have the same rank. */
function groupOf(line: Line): string {
  return `${rankOf(line)} ${line.host}`
}

/**
 * The order of a turn. Where the better ones of a host always have something to send, the others would wait for
 * ever: of each group of which nothing has begun for a while, one comes first.
 */
function inOrder(lines: Line[], startedAt: ReadonlyMap<string, number>, now: number): Line[] {
  const sorted = lines.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) || a.flights.size - b.flights.size || byTime(a.startedAt, b.startedAt),
  )
  const first = new Map<string, Line>()
  for (const line of sorted) {
    const group = groupOf(line)
    if (now - (startedAt.get(group) ?? -Infinity) < overdueMs || first.has(group)) continue
    first.set(group, line)
  }
  const overdue = new Set(first.values())
  return [...overdue, ...sorted.filter((line) => !overdue.has(line))]
}

/** Earlier times first; two that never were are equal. */
function byTime(a: number, b: number): number {
  return a === b ? 0 : a - b
}

/** If no other is waiting, a subscription may use all places that its receiver takes. */
function placesOf(
  { isSlow, isProven, failures, places }: Line,
  onHost: number,
  inAll: number,
): number {
  if (failures >= mostFailures) return 1
  if (isSlow) return onHost > 1 ? 1 : Math.floor(places)
  return Math.min(isProven || inAll === 1 ? Infinity : mostUnproven, Math.floor(places))
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
  line.startedAt = flight.startedAt
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
    line.places += 1 / line.places
  } else {
    line.failures++
    if (answer.waitMs !== undefined) refuse(line, answer.waitMs)
    if (line.failures >= 3) line.isSlow = true
  }
}

/** Its receiver wants fewer requests: none for a while, then half as many at once; answers of one burst count once. */
function refuse(line: Line, waitMs: number): void {
  const now = performance.now()
  if (line.notBefore <= now) {
    line.places = Math.max(1, Math.min(line.places, line.flights.size + 1) / 2)
  }
  line.notBefore = Math.max(line.notBefore, now + waitMs)
}

/** How long a request may take before its subscription counts as slow, by the usual time of its host; in milliseconds. */
export function slowMsOf(usualMs: number): number {
  return Math.min(slowTo, Math.max(slowFrom, 8 * usualMs))
}

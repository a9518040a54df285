import type { Answered } from './host-account.ts'
import type { Permit } from './limits.ts'
import type { Claimed, Due } from './queue.ts'
import { mostFailures } from './queue.ts'
import type { DeliveryWorker, Flight, Lane, Line } from './worker.ts'
import { roomIn, roomOf } from './worker.ts'

/** A request that takes longer than others to the host by so much takes its subscription out of line. */
const slowFrom = 200
const slowTo = 1000
/** A subscription that has not answered yet has so many places at once where others wait too. */
const mostUnproven = 2
/** Of an organization's places, so much is for those that are out of line or have not answered yet. */
export const shareOfSlow = 0.75

/** The host whose limits count for a subscription. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).hostname
}

/** The line of a subscription, added when the lane has none. */
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
    // what another process learned of it
    isSlow: failures > 0,
    usualMs: 125,
    failures,
    notBefore: -Infinity,
    usedAt: performance.now(),
  }
  lane.lines.set(subscription.id, line)
  return line
}

/** Adds what was read to its line, with the subscription as it is now. */
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

/** When so few are left, more are read: enough that none has to wait for the next claim. */
export function lowWater({ isSlow, flights }: Line): number {
  return isSlow ? 1 : Math.max(20, 2 * flights.size)
}

/** A delivery that may be sent now, with its place. */
export type Picked = { delivery: Claimed; line: Line; flight: Flight }

/**
 * What may be sent now: subscriptions take turns, those that have answered in time first and those out of
 * line last, and among them those with the fewest requests under way first. `again` is when a limit lets
 * more through.
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
  // where others wait that answer, the rest leaves them some of the organization's places
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

/** Those that answer in time come first, and those out of line last. */
function rankOf({ isSlow, isProven }: Line): number {
  if (isSlow) return 2
  return isProven ? 0 : 1
}

/** Where no other waits, a subscription may have all places. */
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

/** What came of a request; `waitMs` where the receiver wants no other before. */
export type Answer = Answered & { isDelivered: boolean; waitMs?: number | undefined }

/** A request has ended: its places are free, and its line is judged by it. */
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

/** A request that takes longer than this takes its subscription out of line; both in milliseconds. */
export function slowMsOf(usualMs: number): number {
  return Math.min(slowTo, Math.max(slowFrom, 8 * usualMs))
}

import { shareOfSlow, slowMsOf } from './lines.ts'
import type { DeliveryWorker, Flight, Lane, Line } from './worker.ts'
import { roomIn, roomOf } from './worker.ts'

/** How long a request must have been in flight before it may be aborted for others that wait for its place. */
const breakOffMs = 1000

/**
 * Marks a subscription as slow, with all its requests, if one of them has been in flight for long. A subscription
 * that has never answered is compared with others on its host.
 */
export function demoteSlow(lane: Lane): boolean {
  const now = performance.now()
  const usual = usualOfHosts(lane)
  let isChanged = false
  for (const line of lane.lines.values()) {
    // an older one in a place for slow ones says nothing about those that began after a quick answer
    const oldest = line.flights.values().find(({ isSlow }) => !isSlow)
    if (!oldest) continue
    const usualMs = line.isProven
      ? line.usualMs
      : Math.min(line.usualMs, usual.get(line.host) ?? Infinity)
    if (now - oldest.startedAt < slowMsOf(usualMs)) continue
    line.isSlow = true
    isChanged = true
    for (const flight of line.flights) {
      if (flight.isSlow) continue
      flight.isSlow = true
      flight.isDemoted = true
      flight.permit.demote()
      lane.slow++
    }
  }
  return isChanged
}

/** How long the subscriptions of a host that answer in time take. */
function usualOfHosts(lane: Lane): Map<string, number> {
  const usual = new Map<string, number>()
  for (const { host, usualMs, isProven, isSlow } of lane.lines.values()) {
    if (isProven && !isSlow) usual.set(host, Math.max(usualMs, usual.get(host) ?? 0))
  }
  return usual
}

/**
 * If all places of a host or of the organization are taken and others wait, aborts
 * requests of slow subscriptions beyond their share: only those that began before it was marked as slow, so each subscription is
 * aborted only once, and its requests are repeated in the places for slow ones, with the full timeout.
 */
export function breakOffSlow(worker: DeliveryWorker, lane: Lane): void {
  const now = performance.now()
  const waiting = [...lane.lines.values()].filter(
    (line) => line.waiting.length && !line.isSlow && line.notBefore <= now,
  )
  if (!waiting.length || !lane.slow) return
  const { limits } = worker.transport
  for (const [host, lines] of Map.groupBy(waiting, (line) => line.host)) {
    const most = Math.min(limits.excess(lane.organization, host), waitingIn(lines))
    if (most) cancelOldest(lane, most, now, host)
  }
  const { webhookOrganizationConcurrency: places } = worker.runtime.config
  if (!places || roomIn(worker, lane) > 0 || roomOf(worker) <= 0) return
  const excess = lane.slow - Math.floor(places * shareOfSlow)
  if (excess > 0) cancelOldest(lane, Math.min(excess, waitingIn(waiting)), now)
}

function waitingIn(lines: readonly Line[]): number {
  return lines.reduce((sum, { waiting }) => sum + waiting.length, 0)
}

function cancelOldest(lane: Lane, most: number, now: number, host?: string): void {
  const flights: Flight[] = []
  for (const line of lane.lines.values()) {
    if (host !== undefined && line.host !== host) continue
    for (const flight of line.flights) {
      const isLong = now - flight.startedAt >= breakOffMs
      if (flight.isDemoted && flight.cancel && isLong) flights.push(flight)
    }
  }
  flights.sort((a, b) => a.startedAt - b.startedAt)
  for (const flight of flights.slice(0, most)) flight.cancel?.()
}

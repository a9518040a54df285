import type { Runtime } from '../runtime.ts'
import { leaseMs, renewLane } from './lease.ts'
import { dropRead } from './claim.ts'
import type { DeliveryWorker } from './worker.ts'
import { reportError } from './worker.ts'

/** How often leases are renewed. */
export const renewMs = 2000
/** What is due for other processes within so long is one notification. */
const gatherMs = 5
const channel = 'perennial_deliveries'
/** PostgreSQL takes 8,000 bytes of a notification. */
const mostNamed = 250

/**
 * Renews the leases of lanes that have something in hand, before others take them over. The others
 * run out, and are leased again when something is due.
 */
export function renewLeases(worker: DeliveryWorker): void {
  const now = performance.now()
  for (const lane of worker.lanes.values()) {
    if (!lane.held.size || lane.leasedUntil - now > leaseMs - renewMs + 1000) continue
    renewLane(worker.runtime, lane.organization, worker.id).then(
      (isHeld) => {
        lane.leasedUntil = isHeld ? now + leaseMs : -Infinity
        if (!isHeld) dropRead(worker, lane)
      },
      (error: unknown) => reportError(worker, error),
    )
  }
}

/**
 * Tells the process that leases a lane that something is due, by NOTIFY: many organizations in one
 * statement, and never in the transaction of a write, whose commits would wait for each other.
 */
export function notifier(
  { database }: Runtime,
  notified: (organization: string) => void,
): (organization: string) => void {
  const due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  database.listen(channel, (payload) => {
    for (const organization of payload?.split(' ') ?? []) notified(organization)
  })
  const send = () => {
    timer = undefined
    const organizations = [...due]
    due.clear()
    for (let i = 0; i < organizations.length; i += mostNamed) {
      // those that are lost with a connection are found by the poll
      database.notify(channel, organizations.slice(i, i + mostNamed).join(' ')).catch(() => {})
    }
  }
  return (organization) => {
    due.add(organization)
    timer ??= setTimeout(send, gatherMs)
  }
}

import { namesSender, onNames } from '../database/names.ts'
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

/** Notifies the process that leases a lane that something is due; what is lost the poll finds. */
export function notifier(
  { database }: Runtime,
  notified: (organization: string) => void,
): (organization: string) => void {
  onNames(database, channel, (organization) => {
    if (organization) notified(organization)
  })
  return namesSender(database, channel, gatherMs)
}

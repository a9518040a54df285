import { namesSender, onNames } from '../database/names.ts'
import type { Runtime } from '../runtime.ts'
import { leaseMs, renewLane } from './lease.ts'
import { dropRead } from './claim.ts'
import type { DeliveryWorker } from './worker.ts'
import { reportError } from './worker.ts'

/** How often leases are renewed. */
export const renewMs = 2000
/** Notifications to other processes within this time are batched into one. */
const gatherMs = 5
const channel = 'perennial_deliveries'

/**
 * Renews the leases of lanes with deliveries in progress, before other processes take them over. Other leases
 * expire, and the lanes are leased again when something is due.
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

/** Notifies the process that holds a lane that something is due; polling makes up for lost notifications. */
export function notifier(
  { database }: Runtime,
  notified: (organization: string) => void,
): (organization: string) => void {
  onNames(database, channel, (organization) => {
    if (organization) notified(organization)
  })
  return namesSender(database, channel, gatherMs)
}

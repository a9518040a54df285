import { renew, renewMs } from './queue.ts'
import type { DeliveryWorker } from './worker.ts'
import { reportError } from './worker.ts'

/** Renews the leases of deliveries whose requests are still running, before others take them over. */
export function renewLeases(worker: DeliveryWorker): void {
  const now = performance.now()
  for (const { organization, held } of worker.lanes.values()) {
    const old = [...held].filter(([, { leasedAt }]) => now - leasedAt > renewMs - 1000)
    if (!old.length) continue
    const ids = old.map(([id]) => id)
    renew(worker.runtime, organization, ids).then(
      () => {
        for (const [, lease] of old) lease.leasedAt = now
      },
      (error: unknown) => reportError(worker, error),
    )
  }
}

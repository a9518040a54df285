import { schedules, serviceJobs } from '../jobs/own.ts'
import type { Queue } from '../jobs/queue.ts'
import { startQueue } from '../jobs/queue.ts'
import type { Job } from '../kit/ground/job.ts'
import type { Monitoring } from '../surfaces/monitoring.ts'
import { resendFailed } from '../webhooks/managed/resend.ts'
import { postOnce } from '../webhooks/post-once.ts'
import type { DeliveryMetrics } from '../webhooks/worker.ts'
import { onLane } from '../runtime.ts'
import type { Parts } from './runtime.ts'

/** Starts the job queue with the service's own jobs, those of the caller, and the schedules. */
export async function startJobs({ runtime, transport }: Parts, beside: Job[]): Promise<Queue> {
  const jobs = [...serviceJobs(runtime), postOnce(transport) as Job, resendFailed as Job, ...beside]
  const background = onLane(runtime, 'jobs')
  const queue = await startQueue(background, jobs)
  runtime.wakeJobs = queue.wake
  for (const { name, cron, run } of schedules) {
    await queue.every(name, cron, async () => void (await run(background)))
  }
  return queue
}

/** Puts the state of webhook deliveries on the metrics page. */
export function watchDeliveries({ count, watch }: Monitoring, metrics: DeliveryMetrics): void {
  const { outcomes } = metrics
  count('webhook_attempts_total', 'Attempts by what became of them', 'outcome', () => outcomes)
  watch('webhook_deliveries_in_hand', 'Claimed and not yet settled', () => metrics.inHand)
  watch('webhook_lag_seconds', 'How overdue the last claim was', () => metrics.lagSeconds)
}

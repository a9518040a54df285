import { namesSender, onNames } from '../database/names.ts'
import { schedules, serviceJobs } from '../jobs/own.ts'
import type { JobCounts } from '../jobs/counts.ts'
import type { Queue } from '../jobs/queue.ts'
import { startQueue } from '../jobs/queue.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import type { Job } from '../kit/ground/job.ts'
import { storeMissingLooks } from '../model/organizations/names.ts'
import type { Monitoring } from '../surfaces/monitoring.ts'
import { fanOut } from '../webhooks/fan-out.ts'
import { resendFailed } from '../webhooks/resend.ts'
import { postOnce } from '../webhooks/post-once.ts'
import type { Deliverer } from '../webhooks/deliver.ts'
import type { DeliveryMetrics } from '../webhooks/worker.ts'
import type { Runtime } from '../runtime.ts'
import { onLane } from '../runtime.ts'
import type { Parts } from './runtime.ts'

const jobsChannel = 'perennial_jobs'
const dueChannel = 'perennial_due'
/** A process batches its wake-ups of others within so many milliseconds into one notification. */
const gatherMs = 20

/** Starts the job queue with the service's own jobs, those of the caller, and the schedules. */
export async function startJobs({ runtime, transport }: Parts, beside: Job[]): Promise<Queue> {
  const jobs = [
    ...serviceJobs(runtime),
    postOnce(transport) as Job,
    resendFailed as Job,
    fanOut as Job,
    ...beside,
  ]
  const names = [...jobs, ...schedules].map(({ name }) => name)
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  // what is enqueued would run the work of another
  if (repeated) throw new Error(`two jobs are named ${repeated}`)
  const background = onLane(runtime, 'jobs')
  // those of an earlier version; none at most starts, and the next one tries again
  await background.database
    .transaction(allOrganizations, storeMissingLooks)
    .catch((err: unknown) => runtime.log.warn({ err }, 'looks of surveys were not stored'))
  const queue = await startQueue(background, jobs)
  runtime.wakeJobs = queue.wake
  runtime.database.listen(jobsChannel, () => queue.wake())
  const begun = schedules.map(({ name, cron, run }) =>
    queue.every(name, cron, async () => void (await run(background))),
  )
  await Promise.all(begun)
  return queue
}

/**
 * Makes the writes of a process that runs no jobs and sends no deliveries wake those that do, at most
 * every 20 ms; if a notification is lost, they find the work by polling every few seconds.
 */
export function wakeWorkers(runtime: Runtime): void {
  const wakeJobs = namesSender(runtime.database, jobsChannel, gatherMs)
  runtime.wakeJobs = () => wakeJobs('jobs')
  runtime.services.webhooks.wake = namesSender(runtime.database, dueChannel, gatherMs)
}

/** Sends the deliveries that processes of the role `web` have queued. */
export function deliverForWebProcesses({ database }: Runtime, deliverer: Deliverer): void {
  onNames(database, dueChannel, (organization) => {
    if (organization) deliverer.wake(organization)
  })
}

/** Adds the state of webhook deliveries to the metrics. */
export function watchDeliveries({ count, watch }: Monitoring, metrics: DeliveryMetrics): void {
  const { outcomes } = metrics
  count('webhook_attempts_total', 'Attempts by what became of them', 'outcome', () => outcomes)
  watch('webhook_deliveries_in_hand', 'Claimed and not yet settled', () => metrics.inHand)
  watch('webhook_lag_seconds', 'How overdue the last claim was', () => metrics.lagSeconds)
}

/** Puts the jobs of all processes on the metrics page. */
export function watchJobs({ measure }: Monitoring, queue: Queue): void {
  let counting: Promise<JobCounts> | undefined
  const reading = (kind: keyof JobCounts[string]) => async () => {
    // counted once for all of these
    counting ??= queue.counts().finally(() => (counting = undefined))
    const counts = await counting
    return Object.fromEntries(Object.entries(counts).map(([job, each]) => [job, each[kind]]))
  }
  // not "job": that is a label of Prometheus
  const label = 'queue'
  measure(
    'jobs_waiting',
    'Jobs that are due and not begun, of all processes',
    label,
    reading('waiting'),
  )
  measure(
    'jobs_oldest_seconds',
    'How long the oldest job that is due has been so',
    label,
    reading('oldest'),
  )
  measure('jobs_deferred', 'Jobs that wait for their time or a retry', label, reading('deferred'))
  measure('jobs_running', 'Jobs that have begun and not ended', label, reading('running'))
  measure('jobs_failed', 'Jobs that failed for good in the last 7 days', label, reading('failed'))
}

import type { Job } from '../kit/ground/job.ts'
import type { Runtime } from '../runtime.ts'
import type { JobCounts } from './counts.ts'
import { jobCounter } from './counts.ts'
import { handingOver } from './hand-over.ts'
import { ensureQueue, orStop, startLibrary } from './library.ts'
import { fairTurns } from './turns.ts'
import { beats, startWorkers } from './workers.ts'

/** A queue for work that runs later or repeatedly, and survives the process that enqueued it. */
export type Queue = {
  /** runs `work` at the times of a cron line (UTC), in one process at a time; retried on failure */
  every(name: string, cron: string, work: () => Promise<void>): Promise<void>
  /** jobs have been enqueued: pass them to the library now */
  wake(): void
  /** how many jobs there are, by their name */
  counts(): Promise<JobCounts>
  close(): Promise<void>
}

/**
 * The job library behind one small interface: `hand-over.ts` passes it the jobs that `ctx.enqueue` stored, `workers.ts`
 * runs them. A job whose process died runs again elsewhere once its heartbeat has been missed.
 */
export async function startQueue(runtime: Runtime, jobs: Job[]): Promise<Queue> {
  const library = await startLibrary(runtime)
  const { boss, schedules } = library
  const stopping = new AbortController()
  const turns = fairTurns()
  const workers = new Map<string, string[]>()
  await orStop(boss, () =>
    Promise.all(
      jobs.map(async (job) => {
        const its = { turns, stopping: stopping.signal }
        workers.set(job.name, await startWorkers(runtime, library, job, its))
      }),
    ),
  )
  const handing = handingOver(runtime, { boss, turns, workers }, stopping.signal)
  return {
    async every(name, cron, work) {
      const settings = { retryLimit: 3, retryBackoff: true, expireInSeconds: 3600, ...beats }
      await ensureQueue(library, name, settings)
      const isScheduled = schedules.some((each) => each.name === name && each.cron === cron)
      if (!isScheduled) await boss.schedule(name, cron)
      const options = { pollingIntervalSeconds: 30, heartbeatRefreshSeconds: 2 }
      await boss.work(name, options, async () => {
        await work()
        runtime.log.info({ job: name }, 'job done')
      })
    },
    wake: handing.wake,
    counts: jobCounter(library, runtime),
    async close() {
      stopping.abort(new Error('the process stops'))
      await handing.close()
      await boss.stop({ graceful: true, close: true, timeout: 5000 })
    },
  }
}

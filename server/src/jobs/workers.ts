import { tracingChannel } from 'node:diagnostics_channel'
import type { Job as Found } from 'pg-boss'
import type { Job } from '../kit/ground/job.ts'
import type { Runtime } from '../runtime.ts'
import type { Library } from './library.ts'
import { ensureQueue } from './library.ts'
import type { Turns } from './turns.ts'
import type { Enqueued } from './work.ts'
import { runJob } from './work.ts'

/** The least that the library takes: with a retry and looks for both, about 13 s until another process goes on. */
export const beats = { heartbeatSeconds: 10 }

/** What `tracing:perennial:job` publishes about a job that runs. */
export type RunJob = { name: string; id: string }

const runs = tracingChannel<RunJob, RunJob>('perennial:job')

/** Starts the workers of a job; returns their ids, by which they are woken. */
export async function startWorkers(
  runtime: Runtime,
  library: Library,
  job: Job,
  { turns, stopping }: { turns: Turns; stopping: AbortSignal },
): Promise<string[]> {
  const { boss } = library
  await ensureQueue(library, job.name, {
    retryLimit: job.retries ?? 5,
    retryBackoff: true,
    // doubled from one retry to the next, with jitter: it begins with 1 to 2 s
    retryDelay: 1,
    expireInSeconds: 6 * 3600,
    ...beats,
  })
  // two, so that a long queue of one organization never makes those of others wait
  const atOnce = job.atOnce ?? 2
  // one organization gets half of them: its other jobs wait, and those of others run first
  const share = Math.ceil(atOnce / 2)
  const options = {
    // for retries, and jobs from other processes; this process's own jobs wake the workers
    pollingIntervalSeconds: 2,
    heartbeatRefreshSeconds: 2,
    localConcurrency: share,
    localGroupConcurrency: share,
  }
  // the library wakes only the first of several workers: in two parts, one organization cannot keep the woken ones busy
  const parts: string[] = []
  for (let part = 0; part < Math.ceil(atOnce / share); part++) {
    const work = async ([found]: Found<Enqueued>[]) => {
      // if there was one there may be more: fetch the next one without a pause
      boss.notifyWorker(parts[part] ?? '')
      const enqueued = found!.data
      turns.begun(job.name, enqueued.turn ?? 0)
      try {
        const run = () => runJob(runtime, job, enqueued, stopping)
        await runs.tracePromise(run, { name: job.name, id: enqueued.id })
      } catch (error) {
        runtime.log.warn({ err: error, job: job.name, id: enqueued.id }, 'a job failed')
        throw error
      }
    }
    parts.push(await boss.work<Enqueued>(job.name, options, work))
  }
  return parts
}

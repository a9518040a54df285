import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout } from 'node:timers/promises'
import type { Job as Found, QueueOptions } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import { jobsSchema } from '../database/jobs-schema.ts'
import { connectMs } from '../database/while-starting.ts'
import type { Job } from '../kit/ground/job.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Enqueued } from './work.ts'
import { fairTurns } from './turns.ts'
import { runJob } from './work.ts'
import { allOrganizations } from '../kit/ground/context.ts'

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
 * The jobs of all processes: due, waiting for their time or for a retry, running, failed for good of late; and for
 * how many seconds the oldest of those that are due has been so.
 */
export type JobCounts = {
  [job: string]: {
    waiting: number
    deferred: number
    running: number
    failed: number
    oldest: number
  }
}

/** What `tracing:perennial:job` publishes about a job that runs. */
export type RunJob = { name: string; id: string }

const runs = tracingChannel<RunJob, RunJob>('perennial:job')

/** How jobs of a queue are retried, and when they count as lost; the library's names. */
type QueueSettings = Pick<
  QueueOptions,
  'retryLimit' | 'retryBackoff' | 'retryDelay' | 'expireInSeconds' | 'heartbeatSeconds'
>

/** Milliseconds that whoever counts jobs waits for the database; then the counts are those of the last time. */
const countingMs = 1000
/** Milliseconds between looks for jobs whose process died before it handed them over. */
const sweep = 5000
const batch = 200
/** The least that the library takes: with a retry and looks for both, about 13 s until another process goes on. */
const beats = { heartbeatSeconds: 10 }

/**
 * The job library behind one small interface. It has its tables in a separate schema: jobs
 * belong to the installation. Jobs that `ctx.enqueue` stored are passed to the library here,
 * with an id that was already chosen, so that a crash in between neither loses nor duplicates a job.
 * A job whose process died runs again elsewhere once its heartbeat has been missed.
 */
export async function startQueue(runtime: Runtime, jobs: Job[]): Promise<Queue> {
  const { database, log } = runtime
  const boss = new PgBoss({
    connectionString: database.url,
    ...(database.role ? { options: `-c role=${database.role}` } : {}),
    schema: jobsSchema,
    // the schema is created by the user that migrates: the service owns no tables, not even the library's
    migrate: false,
    application_name: 'perennial jobs',
    max: 4,
    connectionTimeoutMillis: connectMs,
    // a missed minute of housekeeping does not matter, and polling less often saves work
    cronMonitorIntervalSeconds: 45,
    // jobs of a process that died are found within this time, once its heartbeat was missed
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue had an error'))
  // it keeps its connections and timers otherwise, and the process would not end
  const stopAfter = async (error: unknown) => {
    await boss.stop({ graceful: false })
    throw error
  }
  await boss.start().catch(stopAfter)
  const [queues, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()]).catch(
    stopAfter,
  )
  let counted = queues
  let ages = new Map<string, number>()
  /** Makes a queue, or gives one that another version made these settings: most starts find all as it should be. */
  const ensureQueue = async (name: string, settings: QueueSettings) => {
    const found = queues.find((queue) => queue.name === name)
    if (!found) return boss.createQueue(name, settings)
    const differs = (key: keyof QueueSettings) => found[key] !== settings[key]
    if ((Object.keys(settings) as (keyof QueueSettings)[]).some(differs))
      await boss.updateQueue(name, settings)
  }
  const stopping = new AbortController()
  // jobs of others, such as those that a newer version added, wait for a process that runs them: the library would
  // refuse them, and all behind them would wait
  const names = jobs.map(({ name }) => name)
  const workers = new Map<string, string[]>()
  const turns = fairTurns()
  const begin = async (job: Job) => {
    const settings = {
      retryLimit: job.retries ?? 5,
      retryBackoff: true,
      // doubled from one retry to the next, with jitter: it begins with 1 to 2 s
      retryDelay: 1,
      expireInSeconds: 6 * 3600,
      ...beats,
    }
    await ensureQueue(job.name, settings)
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
    workers.set(job.name, parts)
    for (let part = 0; part < Math.ceil(atOnce / share); part++) {
      const work = async ([found]: Found<Enqueued>[]) => {
        // if there was one there may be more: fetch the next one without a pause
        boss.notifyWorker(parts[part] ?? '')
        const enqueued = found!.data
        turns.begun(job.name, enqueued.turn ?? 0)
        try {
          const run = () => runJob(runtime, job, enqueued, stopping.signal)
          await runs.tracePromise(run, { name: job.name, id: enqueued.id })
        } catch (error) {
          log.warn({ err: error, job: job.name, id: enqueued.id }, 'a job failed')
          throw error
        }
      }
      parts.push(await boss.work<Enqueued>(job.name, options, work))
    }
  }
  await Promise.all(jobs.map(begin)).catch(stopAfter)

  let handing: Promise<void> | undefined
  let isRequestedAgain = false
  const wake = () => {
    isRequestedAgain = true
    handing ??= handOver().finally(() => (handing = undefined))
  }
  const timer = setInterval(wake, sweep)
  timer.unref()
  wake()
  return {
    async every(name, cron, work) {
      await ensureQueue(name, {
        retryLimit: 3,
        retryBackoff: true,
        expireInSeconds: 3600,
        ...beats,
      })
      const isScheduled = schedules.some((each) => each.name === name && each.cron === cron)
      if (!isScheduled) await boss.schedule(name, cron)
      await boss.work(
        name,
        { pollingIntervalSeconds: 30, heartbeatRefreshSeconds: 2 },
        async () => {
          await work()
          log.info({ job: name }, 'job done')
        },
      )
    },
    wake,
    async counts() {
      const counting = Promise.all([boss.getQueues(), oldestDue()]).then(
        ([found, oldest]) => {
          counted = found
          ages = oldest
        },
        (error: unknown) => log.warn({ err: error }, 'jobs could not be counted'),
      )
      await Promise.race([counting, setTimeout(countingMs, undefined, { ref: false })])
      const own = counted.filter(({ name }) => !name.startsWith('__'))
      return Object.fromEntries(
        own.map(({ name, readyCount, deferredCount, activeCount, failedCount }) => [
          name,
          {
            waiting: readyCount,
            deferred: deferredCount,
            running: activeCount,
            failed: failedCount,
            oldest: ages.get(name) ?? 0,
          },
        ]),
      )
    },
    async close() {
      clearInterval(timer)
      stopping.abort(new Error('the process stops'))
      await handing
      await boss.stop({ graceful: true, close: true, timeout: 5000 })
    },
  }

  /** For how many seconds the oldest job of each queue has been due; read from an index alone. */
  async function oldestDue(): Promise<Map<string, number>> {
    const { rows } = (await boss.getDb().executeSql(`
      select name, extract(epoch from now() - min(start_after))::float8 as age
      from ${jobsSchema}.job where state < 'active' and not blocked and start_after <= now()
      group by name`)) as { rows: { name: string; age: number }[] }
    return new Map(rows.map(({ name, age }) => [name, age]))
  }

  async function handOver() {
    while (isRequestedAgain && !stopping.signal.aborted) {
      isRequestedAgain = false
      try {
        while ((await handOverSome()) >= batch);
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be handed over; it is tried again')
      }
    }
  }

  /** Passes waiting jobs to the library, one organization after the other, at most a batch of each. */
  async function handOverSome(): Promise<number> {
    // from one organization to the next, however many jobs each has
    const next = sql`select a.organization_id from asked_jobs a where a.name = any(${names})`
    const waiting = await database.reads(allOrganizations).all<{ id: string }>(sql`
      with recursive waiting as (
        (${next} order by a.organization_id limit 1)
        union all
        select (${next} and a.organization_id > w.organization_id
          order by a.organization_id limit 1)
        from waiting w where w.organization_id is not null)
      select w.organization_id as id from waiting w where w.organization_id is not null`)
    let count = 0
    for (const { id } of waiting) count += await handOverOf(id)
    return count
  }

  /** Inserted into the library first, then removed: in between they exist twice, with the same id. */
  function handOverOf(organization: string): Promise<number> {
    return database.transaction(organization, async (queries) => {
      const enqueued = await queries.all<
        Enqueued & { library_job: string; name: string; run_at: string }
      >(sql`
        with taken as materialized (
          select t.id from asked_jobs t
          where t.organization_id = ${organization} and t.name = any(${names})
          order by t.id limit ${batch} for update skip locked)
        delete from asked_jobs a using taken
        where a.organization_id = ${organization} and a.id = taken.id
        returning a.organization_id, a.id, library_job, name, data, user_id, source, run_at`)
      for (const name of new Set(enqueued.map((each) => each.name))) {
        const its = enqueued.filter((each) => each.name === name)
        await boss.insert(
          name,
          its.map(({ library_job, run_at, organization_id, id, user_id, source, data }) => {
            const turn = turns.next(name, organization_id)
            return {
              id: library_job,
              data: { organization_id, id, user_id, source, data, turn } satisfies Enqueued,
              startAfter: new Date(run_at),
              group: { id: organization_id },
              priority: -turn,
            }
          }),
        )
        for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
      }
      return enqueued.length
    })
  }
}

import type { QueueOptions, QueueResult, Schedule } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import { jobsSchema } from '../database/jobs-schema.ts'
import { connectMs } from '../database/while-starting.ts'
import type { Runtime } from '../runtime.ts'

/** How jobs of a queue are retried, and when they count as lost; the library's names. */
export type QueueSettings = Pick<
  QueueOptions,
  'retryLimit' | 'retryBackoff' | 'retryDelay' | 'expireInSeconds' | 'heartbeatSeconds'
>

/** The library of jobs after its start, with the queues and schedules that it found. */
export type Library = { boss: PgBoss; queues: QueueResult[]; schedules: Schedule[] }

/** Starts the library. It has its tables in a separate schema: jobs belong to the installation. */
export async function startLibrary({ database, log }: Runtime): Promise<Library> {
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
  return orStop(boss, async () => {
    await boss.start()
    const [queues, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
    return { boss, queues, schedules }
  })
}

/** What `begin` gives; where it fails the library stops, whose connections and timers would keep the process. */
export async function orStop<T>(boss: PgBoss, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin()
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

/** Makes a queue, or gives one that another version made these settings: most starts find all as it should be. */
export async function ensureQueue(
  { boss, queues }: Library,
  name: string,
  settings: QueueSettings,
): Promise<void> {
  const found = queues.find((queue) => queue.name === name)
  if (!found) return boss.createQueue(name, settings)
  const differs = (key: keyof QueueSettings) => found[key] !== settings[key]
  if ((Object.keys(settings) as (keyof QueueSettings)[]).some(differs))
    await boss.updateQueue(name, settings)
}

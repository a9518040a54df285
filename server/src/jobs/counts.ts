import { setTimeout } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import { jobsSchema } from '../database/jobs-schema.ts'
import type { Runtime } from '../runtime.ts'
import type { Library } from './library.ts'

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

/** Milliseconds that whoever counts jobs waits for the database; then the counts are those of the last time. */
const countingMs = 1000

/** Counts the jobs of the library, by their name. */
export function jobCounter({ boss, queues }: Library, { log }: Pick<Runtime, 'log'>) {
  let counted = queues
  let ages = new Map<string, number>()
  let counting: Promise<void> | undefined
  const count = () =>
    Promise.all([boss.getQueues(), oldestDue(boss)])
      .then(
        ([found, oldest]) => {
          counted = found
          ages = oldest
        },
        (error: unknown) => log.warn({ err: error }, 'jobs could not be counted'),
      )
      .finally(() => (counting = undefined))
  return async (): Promise<JobCounts> => {
    // one at a time: those who ask often would else keep the heartbeats of jobs from a slow database
    counting ??= count()
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
  }
}

/** For how many seconds the oldest job of each queue has been due; read from an index alone. */
async function oldestDue(boss: PgBoss): Promise<Map<string, number>> {
  const { rows } = (await boss.getDb().executeSql(`
    select name, extract(epoch from now() - min(start_after))::float8 as age
    from ${jobsSchema}.job where state < 'active' and not blocked and start_after <= now()
    group by name`)) as { rows: { name: string; age: number }[] }
  return new Map(rows.map(({ name, age }) => [name, age]))
}

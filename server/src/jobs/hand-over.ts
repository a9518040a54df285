import type { PgBoss } from 'pg-boss'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import type { Turns } from './turns.ts'
import type { Enqueued } from './work.ts'

/** Milliseconds between looks for jobs whose process died before it handed them over. */
const sweep = 5000
const batch = 200

/** Where jobs are handed over to. */
type Target = {
  boss: PgBoss
  turns: Turns
  /** the ids of the workers that run a job; jobs of others, such as those of a newer version, wait for their process */
  workers: ReadonlyMap<string, string[]>
}

/**
 * Passes the jobs that `ctx.enqueue` stored to the library, with an id that was already chosen, so that a crash in
 * between neither loses nor duplicates one: when it is woken, and now and then.
 */
export function handingOver(
  { database, log }: Pick<Runtime, 'database' | 'log'>,
  target: Target,
  stopping: AbortSignal,
) {
  let handing: Promise<void> | undefined
  let isRequestedAgain = false
  const handOver = async () => {
    while (isRequestedAgain && !stopping.aborted) {
      isRequestedAgain = false
      try {
        while ((await handOverSome(database, target)) >= batch);
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be handed over; it is tried again')
      }
    }
  }
  const wake = () => {
    isRequestedAgain = true
    handing ??= handOver().finally(() => (handing = undefined))
  }
  const timer = setInterval(wake, sweep)
  timer.unref()
  wake()
  return {
    wake,
    /** ends once what is under way is handed over */
    async close() {
      clearInterval(timer)
      await handing
    },
  }
}

type Database = Runtime['database']

/** Passes waiting jobs to the library, one organization after the other, at most a batch of each. */
async function handOverSome(database: Database, target: Target): Promise<number> {
  const names = [...target.workers.keys()]
  const { isDistributed } = database
  // from one organization to the next, however many jobs each has; Citus does not support that over its machines
  const next = sql`select a.organization_id from asked_jobs a where a.name = any(${names})`
  const waiting = await database.reads(allOrganizations).all<{ id: string }>(
    isDistributed
      ? sql`select distinct n.organization_id as id from (${next} and ${anywhere('a')}) n`
      : sql`
        with recursive waiting as (
          (${next} order by a.organization_id limit 1)
          union all
          select (${next} and a.organization_id > w.organization_id
            order by a.organization_id limit 1)
          from waiting w where w.organization_id is not null)
        select w.organization_id as id from waiting w where w.organization_id is not null`,
  )
  let count = 0
  for (const { id } of waiting) count += await handOverOf(database, id, names, target)
  return count
}

/** Inserted into the library first, then removed: in between they exist twice, with the same id. */
function handOverOf(
  database: Database,
  organization: string,
  names: string[],
  { boss, turns, workers }: Target,
): Promise<number> {
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
    for (const [name, its] of Map.groupBy(enqueued, (each) => each.name)) {
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

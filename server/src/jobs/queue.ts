import { PgBoss } from 'pg-boss'
import type { Log } from '../kit/context.ts'

/** Work that runs later or again and again, and survives the process that asked for it. */
export type Queue = {
  /** runs `work` at the times of a cron line (UTC), in one process at a time; retried on failure */
  every(name: string, cron: string, work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/**
 * The job library behind one small door. It keeps its tables in a schema of its own, as the
 * connecting role: jobs belong to the installation, not to an organization.
 */
export async function startQueue(url: string, log: Log): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'perennial_jobs',
    application_name: 'perennial jobs',
    max: 2,
    // a missed minute of housekeeping is no matter; asking less often is
    cronMonitorIntervalSeconds: 45,
    superviseIntervalSeconds: 300,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue had an error'))
  await boss.start()
  return {
    async every(name, cron, work) {
      await boss.createQueue(name, { retryLimit: 3, retryBackoff: true, expireInSeconds: 3600 })
      await boss.schedule(name, cron)
      await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
        await work()
        log.info({ job: name }, 'job done')
      })
    },
    close: () => boss.stop({ graceful: true, close: true, timeout: 5000 }),
  }
}

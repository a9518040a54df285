import { serviceJobs } from '../../src/jobs/own.ts'
import { workFor } from '../../src/jobs/work.ts'
import type { Service } from '../../src/service.ts'
import { allOrganizations } from '../../src/kit/ground/context.ts'
import { patient } from './until.ts'
import { sql } from './service.ts'

type Enqueued = {
  organization_id: string
  id: string
  name: string
  data: unknown
  user_id: string | null
}

/**
 * Runs every due job, and those that it enqueues, in a service whose queue is not running: one
 * after the other, without polling pauses.
 */
export async function runJobs(service: Service): Promise<void> {
  const jobs = new Map(serviceJobs(service.runtime).map((job) => [job.name, job]))
  const { signal } = new AbortController()
  const patience = patient()
  for (;;) {
    patience()
    const due = await service.runtime.database.transaction(allOrganizations, (queries) =>
      queries.all<Enqueued>(sql`delete from asked_jobs where run_at <= now()
        returning organization_id, id, name, data, user_id, source`),
    )
    if (!due.length) return
    for (const { name, data, ...enqueued } of due) {
      const job = jobs.get(name)
      if (job) await job.run(await workFor(service.runtime, job, enqueued, signal), data)
    }
  }
}

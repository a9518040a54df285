import type { Context } from '../kit/ground/context.ts'
import type { Job, Work } from '../kit/ground/job.ts'
import { sql } from '../kit/ground/sql.ts'
import { loadActor } from '../records/users/actor.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { inTransaction, readingContext, system } from '../runtime.ts'

/** An enqueued job as the library stores it. */
export type Enqueued = {
  organization_id: string
  id: string
  user_id: string | null
  source: string
  data: unknown
  /** its turn among the jobs of all organizations */
  turn?: number
}

/** The user for whom a job was enqueued has left or was deactivated. */
class UserHasLeft extends Error {}

/** Runs an enqueued job; one whose user has left is refused instead, if it has a way to record that. */
export async function runJob(
  runtime: Runtime,
  job: Job,
  enqueued: Enqueued,
  signal: AbortSignal,
): Promise<void> {
  const { data, ...rest } = enqueued
  try {
    await job.run(await workFor(runtime, job, rest, signal), data)
  } catch (error) {
    const { refuse } = job
    if (!(error instanceof UserHasLeft) || !refuse) throw error
    const { write, reads } = await workFor(runtime, job, { ...rest, user_id: null }, signal)
    reads.log.warn({ job: job.name, id: rest.id }, error.message)
    await write((ctx) => refuse(ctx, data, 'Whoever started it is no longer active'))
  }
}

/**
 * The context of an enqueued job. Fails if its organization was removed, or if it runs for a user who
 * has left or was deactivated: their jobs may not do what they no longer may.
 */
export async function workFor(
  runtime: Runtime,
  job: Pick<Job, 'name' | 'source'>,
  enqueued: Pick<Enqueued, 'organization_id' | 'id' | 'user_id'>,
  signal: AbortSignal,
): Promise<Work> {
  const { organization_id, id, user_id } = enqueued
  const reads = runtime.database.reads(organization_id)
  const loaded = user_id ? await loadActor(reads, organization_id, user_id) : undefined
  if (user_id && !loaded?.is_active) {
    throw new UserHasLeft(`${job.name} was enqueued by a user who is no longer active`)
  }
  const organization =
    loaded?.organization ??
    (await reads.one<Context['organization']>(sql`
      select organization_id as id, name, timezone, week_start from organizations
      where organization_id = ${organization_id}`))
  if (!organization) throw new Error(`the organization of ${job.name} is gone`)
  const caller: Caller = {
    organization,
    actor: loaded?.actor ?? system,
    source: job.source ?? 'job',
    request_id: id,
  }
  return {
    id,
    reads: readingContext(runtime, caller),
    write: (run) => inTransaction(runtime, caller, run),
    signal,
  }
}

import type { Context, Query } from '../ground/context.ts'
import { newId } from '../ground/ids.ts'
import type { Enqueue } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'
import { requireWholeToken } from '../record/scope.ts'

/**
 * The one statement behind `ctx.enqueue`: a row of the job outbox (`asked_jobs`); `wakeJobs` is called once the write
 * is committed. A job without a time of its own is due `from` then on, which is the database's own time: it does not
 * wait where the clock of this machine is ahead.
 */
export function enqueuer(
  ctx: Context,
  { wakeJobs = () => {}, from = sql`now()` }: { wakeJobs?: () => void; from?: Query } = {},
): Enqueue {
  return ({ name }, data, { at, as = 'service' } = {}) => {
    // the job runs with all that its user may do
    if (as === 'caller') requireWholeToken(ctx.actor)
    const user_id = as === 'caller' ? ctx.actor.user_id : as === 'service' ? null : as.user_id
    const insertion = sql`insert into asked_jobs
        (organization_id, id, name, data, user_id, source, run_at, creation_time)
      values (${ctx.organization.id}, ${newId()}, ${name}, ${JSON.stringify(data)}, ${user_id},
        ${ctx.source}, ${at ? sql`${at.toISOString()}` : from}, ${ctx.now().toISOString()})`
    ctx.later(insertion)
    ctx.afterCommit(wakeJobs)
  }
}

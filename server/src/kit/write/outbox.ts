import type { Context } from '../ground/context.ts'
import { newId } from '../ground/ids.ts'
import type { Enqueue } from '../ground/job.ts'
import { sql } from '../ground/sql.ts'
import { requireWholeToken } from '../record/scope.ts'

/** The one statement behind `ctx.enqueue`: a row of the job outbox (`asked_jobs`); `wake` is called once the write is committed. */
export function enqueuer(ctx: Context, wake: () => void): Enqueue {
  return ({ name }, data, { at = ctx.now(), as = 'service' } = {}) => {
    // the job runs with all that its user may do
    if (as === 'caller') requireWholeToken(ctx.actor)
    const user_id = as === 'caller' ? ctx.actor.user_id : as === 'service' ? null : as.user_id
    const insertion = sql`insert into asked_jobs
        (organization_id, id, name, data, user_id, source, run_at, creation_time)
      values (${ctx.organization.id}, ${newId()}, ${name}, ${JSON.stringify(data)}, ${user_id},
        ${ctx.source}, ${at.toISOString()}, ${ctx.now().toISOString()})`
    ctx.later(insertion)
    ctx.afterCommit(wake)
  }
}

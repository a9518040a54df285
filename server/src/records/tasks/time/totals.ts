import type { Context } from '../../../kit/ground/context.ts'
import type { Change } from '../../../kit/ground/event.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announceEach } from '../../../kit/write/announce-many.ts'
import { Task } from '../../../model/tasks/task.ts'

/** The most seconds that a total holds. */
const most = 2_147_483_647

/**
 * Sums up the entries of tasks anew after they were written, and announces those that changed. `also` are changes that
 * came with it, which are announced anyway.
 */
export async function sumTime(ctx: Context, ids: string[], also: Change[] = []): Promise<void> {
  type Total = { id: string; seconds: number }
  const which = sql`${mine(ctx)} and t.id = any(${ids}::varchar[])`
  // one write after the other: a sum does not see the entries of those that are not committed
  const before = await ctx.all<Total>(sql`
    select t.id, t.total_elapsed_time as seconds from tasks t
    where ${which} order by t.id for no key update`)
  const after = await ctx.all<Total>(sql`
    select t.id, least(${most}::bigint, coalesce((select sum(e.seconds) from time_entries e
      where e.organization_id = $organization and e.task_id = t.id and e.deleted_at is null), 0))::integer
      as seconds
    from tasks t where ${which}`)
  const sums = new Map(after.map(({ id, seconds }) => [id, seconds]))
  const changed = before.flatMap(({ id, seconds: from }) => {
    const to = sums.get(id) ?? 0
    const time = from === to ? [] : [{ field: 'total_elapsed_time', from, to }]
    return time.length || also.length ? [{ id, to, changes: [...also, ...time] }] : []
  })
  if (!changed.length) return
  const values = JSON.stringify(changed.map(({ id, to }) => ({ id, seconds: to })))
  await ctx.run(sql`
    update tasks t set version = t.version + 1, last_update_time = ${ctx.now().toISOString()},
      total_elapsed_time = s.seconds
    from json_to_recordset(${values}::json) as s (id text, seconds integer)
    where ${mine(ctx)} and t.id = s.id`)
  await announceEach(
    ctx,
    Task,
    'updated',
    changed.map(({ id, changes }) => ({ id, changes })),
  )
}

import type { Context } from '../../../kit/ground/context.ts'
import type { Change } from '../../../kit/ground/event.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announceEach } from '../../../kit/write/announce-many.ts'
import { Task } from '../../../model/tasks/task.ts'

/**
 * Announces tasks whose entries were written: their time, which the database sums up, differs by so many seconds. `also`
 * are changes that came with it.
 */
export async function announceTime(
  ctx: Context,
  added: ReadonlyMap<string, number>,
  also: Change[] = [],
): Promise<void> {
  const ids = [...added].flatMap(([id, seconds]) => (seconds || also.length ? id : []))
  if (!ids.length) return
  const after = await ctx.all<{ id: string; to: number }>(sql`
    update tasks t set version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = any(${ids}::varchar[])
    returning t.id, t.total_elapsed_time as "to"`)
  const changed = after.map(({ id, to }) => {
    const from = to - (added.get(id) ?? 0)
    const time = from === to ? [] : [{ field: 'total_elapsed_time', from, to }]
    return { id, changes: [...also, ...time] }
  })
  await announceEach(ctx, Task, 'updated', changed)
}

import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { updateMany } from '../../kit/write/many.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { Task } from '../../model/tasks/task.ts'

/**
 * Shares the milestones and tasks of a project, except private ones, with its customers and partners, or makes them internal
 * again. Throws the first refusal.
 */
export async function shareParts(ctx: Context, id: string, is_shared: boolean): Promise<void> {
  for (const record of [Milestone, Task]) {
    const found = await ctx.all<{ id: string }>(sql`
      select t.id from ${sql.table(record.table)} t
      where ${mine(ctx)} and t.project_id = ${id} and t.deleted_at is null
        and not t.is_private and t.is_shared <> ${is_shared} order by t.id`)
    const rows = found.map((row) => ({ id: row.id, body: { is_shared } }))
    for (const outcome of rows.length ? await updateMany(ctx, record, rows) : []) {
      if (outcome instanceof Failure) throw outcome
    }
  }
}

import type { Context } from '../../kit/ground/context.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Milestone } from '../milestones/milestone.ts'
import { Task } from '../tasks/task.ts'

/** The records that are deleted and restored with another one, by the column that points to it. */
const parts = { project_id: () => [Milestone, Task], milestone_id: () => [Task] }

/**
 * Deletes what belongs to a project or milestone with it, or restores what went with it and nothing
 * that was deleted on its own. Each gets a log entry and its event.
 */
export async function cascade(
  ctx: Context,
  column: keyof typeof parts,
  id: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  for (const record of parts[column]()) {
    const rows = await ctx.all<{ id: string }>(sql`
      select t.id from ${sql.table(record.table)} t
      where ${mine(ctx)} and ${sql.ref(`t.${column}`)} = ${id}
        and t.deleted_at is not distinct from ${from}::timestamptz
      order by t.id for update`)
    const ids = rows.map((row) => row.id)
    if (to) await announceAll(ctx, record, 'deleted', ids)
    await ctx.run(sql`update ${sql.table(record.table)} t
      set deleted_at = ${to}, last_update_time = ${ctx.now().toISOString()}, version = version + 1
      where ${mine(ctx)} and t.id = any(${ids})`)
    if (!to) await announceAll(ctx, record, 'restored', ids)
  }
}

import type { Context } from '../../kit/context.ts'
import { mine, sql } from '../../kit/sql.ts'

/** What goes and comes back with a record, by the column that points to it. */
const parts = { project_id: ['milestones', 'tasks'], milestone_id: ['tasks'] } as const

/**
 * Deletes what belongs to a project or milestone with it, or restores what went with it and nothing
 * that was deleted on its own. The event of the project or milestone tells of them too.
 */
export async function follow(
  ctx: Context,
  column: keyof typeof parts,
  id: string,
  { from, to }: { from: string | null; to: string | null },
): Promise<void> {
  for (const table of parts[column]) {
    await ctx.run(sql`update ${sql.table(table)} t
      set deleted_at = ${to}, last_update_time = ${ctx.now().toISOString()}, version = version + 1
      where ${mine(ctx)} and ${sql.ref(`t.${column}`)} = ${id}
        and t.deleted_at is not distinct from ${from}::timestamptz`)
  }
}

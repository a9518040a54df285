import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Row } from '../../kit/record/record.ts'
import type { Written } from '../../kit/write/write.ts'
import { remove, restore } from '../../kit/write/write.ts'
import { heldPlace } from './place.ts'
import { Task } from '../../model/tasks/task.ts'

/** Deletes a task with its subtasks. */
export async function removeTask(ctx: Context, id: string, ifMatch?: number[]): Promise<Answer> {
  const answer = await remove(ctx, Task, id, ifMatch)
  const children = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t where ${mine(ctx)} and t.parent_id = ${id} and t.deleted_at is null`)
  for (const child of children) await removeTask(ctx, child.id)
  return answer
}

/**
 * Restores a task with the subtasks that were deleted with it, but none deleted separately. 409 while
 * what it belongs to is deleted.
 */
export async function restoreTask(ctx: Context, id: string): Promise<Written> {
  // a subtask in a milestone that was deleted since is restored with that milestone
  const deleted = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t join tasks p on p.organization_id = $organization
      and p.id = t.parent_id and p.deleted_at = t.deleted_at
    where ${mine(ctx)} and t.parent_id = ${id} and not exists (select from milestones m
      where ${mine(ctx, 'm')} and m.id = t.milestone_id and m.deleted_at is not null)`)
  const restored = await restore(ctx, Task, id)
  const row = JSON.parse(await restored.whole()) as Row<typeof Task>
  const held = await heldPlace(ctx, row)
  for (const [column, what] of above) {
    if (!row[column] || held[column]) continue
    throw conflict(`The ${what} of this task is deleted: restore that first`, 'parent_deleted')
  }
  for (const child of deleted) await restoreTask(ctx, child.id)
  return restored
}

const above = [
  ['project_id', 'project'],
  ['milestone_id', 'milestone'],
  ['parent_id', 'parent'],
] as const

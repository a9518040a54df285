import type { Context } from '../../kit/ground/context.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { remove, restore } from '../../kit/write/write.ts'
import { Task } from './task.ts'

/** Deletes a task with its subtasks. */
export async function removeTask(ctx: Context, id: string, ifMatch?: number[]): Promise<Answer> {
  const answer = await remove(ctx, Task, id, ifMatch)
  const children = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t where ${mine(ctx)} and t.parent_id = ${id} and t.deleted_at is null`)
  for (const child of children) await removeTask(ctx, child.id)
  return answer
}

/** Restores a task with the subtasks that were deleted with it, and none deleted on its own. */
export async function restoreTask(ctx: Context, id: string): Promise<Written> {
  const deleted = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t join tasks p on p.organization_id = $organization
      and p.id = t.parent_id and p.deleted_at = t.deleted_at
    where ${mine(ctx)} and t.parent_id = ${id}`)
  const restored = await restore(ctx, Task, id)
  for (const child of deleted) await restoreTask(ctx, child.id)
  return restored
}

import type { Context } from '../../kit/ground/context.ts'
import type { Row } from '../../kit/record/record.ts'
import { announce } from '../../kit/write/announce.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { Written } from '../../kit/write/write.ts'
import { Task } from '../../model/tasks/task.ts'

type TaskRow = Row<typeof Task>

// the write itself notifies the new owner
const WithoutAssignees = { ...Task, events: { ...Task.events, assignees: [] } }

/** The events that follow `task_created`: a task may be created with an owner, or completed. */
export async function announceNewTask(ctx: Context, created: Written): Promise<void> {
  const row = JSON.parse(await created.json()) as TaskRow
  if (row.owner) await announceField(ctx, 'task_assigned', created, row, 'owner', null, row.owner)
  if (row.is_completed) {
    await announceField(ctx, 'task_completed', created, row, 'is_completed', null, true)
  }
}

/** The events of open tasks created by one statement, in a fixed number of statements. */
export async function announceNewTasks(ctx: Context, ids: string[]): Promise<void> {
  await announceAll(ctx, Task, 'created', ids)
  await announceAll(ctx, Task, 'task_assigned', ids, { first: ['owner'] })
}

/** The events that follow `task_updated`; `isMoved` if the status changed. */
export async function announceTaskChanges(
  ctx: Context,
  before: TaskRow,
  written: Written,
  { isMoved }: { isMoved: boolean },
): Promise<void> {
  if (!written.changed) return
  const after = JSON.parse(await written.json()) as TaskRow
  const emit = (event: string, field: 'owner' | 'status' | 'is_completed') =>
    announceField(ctx, event, written, before, field, before[field], after[field])
  if (after.owner && after.owner.user_id !== before.owner?.user_id) {
    await emit('task_assigned', 'owner')
  }
  if (!isMoved) return
  await emit('task_status_changed', 'status')
  if (after.is_completed && !before.is_completed) await emit('task_completed', 'is_completed')
}

/** Emits an event about one field of a task that has just been written. */
function announceField(
  ctx: Context,
  event: string,
  { id, version, whole }: Written,
  { title: name, project_id }: TaskRow,
  field: string,
  from: unknown,
  to: unknown,
): Promise<void> {
  const changes = [{ field, from, to }]
  return announce(ctx, WithoutAssignees, event, { id, version, whole, changes, name, project_id })
}

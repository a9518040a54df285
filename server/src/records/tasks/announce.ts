import type { Context } from '../../kit/ground/context.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
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

/**
 * The events of open tasks created by one statement, in a fixed number of statements. With `notifiesOwners` their owners
 * are notified, with one more for each of them, however many tasks they get.
 */
export async function announceNewTasks(
  ctx: Context,
  ids: string[],
  { notifiesOwners = false } = {},
): Promise<void> {
  await announceAll(ctx, Task, 'created', ids)
  const notify = notifiesOwners ? await noticesOf(ctx, ids) : new Map()
  await announceAll(ctx, Task, 'task_assigned', ids, { first: ['owner'] }, { notify })
}

/** One notification to each owner, by the first of their tasks, with how many there are besides. */
async function noticesOf(ctx: Context, ids: string[]): Promise<Map<string, NewNotification[]>> {
  const firsts = await ctx.all<{ id: string; title: string; user_id: string; more: number }>(sql`
    select distinct on (t.owner) t.id, t.title, t.owner as user_id,
      (count(*) over (partition by t.owner) - 1)::integer as more
    from unnest(${ids}::varchar[]) with ordinality as made (id, place)
    join tasks t on ${mine(ctx)} and t.id = made.id
    where t.owner is not null order by t.owner, made.place`)
  return new Map(
    firsts.map(({ id, title, user_id, more }) => [
      id,
      [
        {
          user_id,
          notification_type: 2 as const,
          title: titleOf(title, more),
          notification_obj: { field: 'owner', ...(more ? { more } : {}) },
        },
      ],
    ]),
  )
}

function titleOf(title: string, more: number): string {
  const others = `and ${more} more ${more === 1 ? 'task' : 'tasks'} are`
  const end = ` ${more ? others : 'is'} yours now`
  return `The task ${title.slice(0, 240 - end.length)}${end}`
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

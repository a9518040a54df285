import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import type { PlaceColumns } from '../../kit/record/rank.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, update } from '../../kit/write/write.ts'
import { announceTaskChanges } from './announce.ts'
import type { TaskChanges } from './body.ts'
import { withoutRecurring } from './body.ts'
import type { History } from '../../model/time/history.ts'
import { isOther } from '../../model/time/history.ts'
import { checkDates } from '../../model/time/dates.ts'
import { checkForm, structureOf } from './form.ts'
import { changedPlace, moveSubtasks } from './move.ts'
import { followTasks } from './milestone.ts'
import { createNext } from './next.ts'
import { ownerOf, peopleOf } from '../../model/people/people.ts'
import { priorityOf } from './priority.ts'
import { seriesAfter } from './series.ts'
import { statusColumns } from './status.ts'
import { Task } from '../../model/tasks/task.ts'

type TaskRow = Row<typeof Task>

/** Updates a task; completing one of a series creates the next. */
export async function updateTask(
  ctx: Context,
  id: string,
  sent: TaskChanges,
  ifMatch?: number[],
  place?: PlaceColumns,
  history?: History,
): Promise<Written> {
  const locked = await lock(ctx, Task, id, 'update', ifMatch)
  const { row } = locked
  const changes = withoutRepeated(row, withoutRecurring(sent))
  const { status, is_completed, priority, users, recurrence_pattern, recurrence_status, ...rest } =
    changes
  checkConfined(ctx, [...Object.keys(changes), ...(place ? ['position'] : [])])
  checkDates({ ...row, ...rest })
  const body: Patch<typeof Task> = { ...rest }
  const moved = await statusColumns(ctx, { status, is_completed }, row)
  const newPlace = await changedPlace(ctx, id, row, body)
  const { project_id = row.project_id } = newPlace
  const isDone = moved.columns.is_completed ?? row.is_completed
  const set = {
    ...moved.columns,
    ...(isDone && isOther(history, row.completed_at) ? { completed_at: history?.said } : {}),
    ...newPlace,
    ...(await changedPriority(ctx, row, priority)),
  }
  if (users) {
    const before = row.users.map(({ user_id }) => user_id)
    const ids = await peopleOf(ctx, users, 'users', before)
    if ([...ids].sort().join() !== [...before].sort().join()) body.users = ids
  }
  if (body.owner) body.owner = await ownerOf(ctx, body.owner)
  if (body.form_id && !body.form_structure) {
    const structure = await structureOf(ctx, body.form_id)
    if (structure) body.form_structure = structure
    body.item_type ??= 3
  }
  // a task completed before its form had these questions does not need answers to them
  const checksForm = body.form_responses !== undefined || !row.is_completed
  if (checksForm) {
    const { form_structure: structure = row.form_structure, form_responses: responses } = body
    const form = { task: id, structure, responses, stored: row.form_responses, isDone }
    const answers = await checkForm(ctx, form)
    if (responses) body.form_responses = answers
  }
  const series = await seriesAfter(ctx, row, {
    pattern: recurrence_pattern,
    status: recurrence_status,
    due_date: body.due_date,
    project_id,
    isCompleted: moved.status?.category === 'completed',
    isDone,
  })
  const after = await update(ctx, locked, body, { set: { ...set, ...series.columns, ...place } })
  await moveSubtasks(ctx, row, after)
  await announceTaskChanges(ctx, row, after, { isMoved: moved.status !== undefined })
  if (series.goesOn) await createNext(ctx, id)
  const isOpened = moved.columns.is_completed === false && row.is_completed
  // what arrives finished is no news
  if (!history && (isOpened || (moved.columns.is_completed && !row.is_completed))) {
    await followTasks(ctx, newPlace.milestone_id ?? row.milestone_id, !isOpened)
  }
  return after
}

/** 403 for confined callers who change more of a task than they may: they can only complete their own. */
export function checkConfined({ actor }: Context, changed: string[]): void {
  if (!actor.is_confined) return
  const other = changed.find((name) => !Task.rights.confinedMay?.includes(name))
  if (other) throw forbidden(`Your role may complete tasks, not change ${other}`)
}

async function changedPriority(ctx: Context, row: TaskRow, priority: TaskChanges['priority']) {
  if (priority === undefined) return {}
  const value = await priorityOf(ctx, priority)
  return value === (row.priority?.value ?? null) ? {} : { priority: value }
}

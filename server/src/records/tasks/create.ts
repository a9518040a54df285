import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import type { Draft } from '../../kit/record/record.ts'
import type { Written } from '../../kit/write/write.ts'
import { tryInsert } from '../../kit/write/write.ts'
import { sharedByDefault } from '../../model/organizations/settings.ts'
import { announceNewTask } from './announce.ts'
import type { NewTask } from './body.ts'
import { withoutRecurring } from './body.ts'
import { checkDates } from '../../model/time/dates.ts'
import { checkForm, structureOf } from './form.ts'
import { ownerOf, peopleOf } from '../../model/people/people.ts'
import { idOf, placeOf } from './place.ts'
import { priorityOf } from './priority.ts'
import { newSeries } from './series.ts'
import { statusColumns } from './status.ts'
import { Task } from '../../model/tasks/task.ts'

type Options = Pick<
  Parameters<typeof tryInsert>[3],
  'set' | 'links' | 'allowMissing' | 'unlessTaken'
>

/** Creates a task, for both surfaces and automations; `set` are columns that no body can set. */
export async function createTask(
  ctx: Context,
  task: NewTask,
  set: { [column: string]: unknown } = {},
): Promise<Written> {
  const created = await tryCreateTask(ctx, await sharedByDefault(ctx, 'tasks', task), { set })
  if (!created) throw conflict('This task already exists', 'duplicate')
  return created
}

/** The same with columns that no body can set; see the options of `tryInsert`. */
export async function tryCreateTask(
  ctx: Context,
  task: NewTask,
  { set: more, links, ...options }: Options,
): Promise<Written | undefined> {
  const { status, is_completed, priority, users, recurrence_pattern, recurrence_status, ...rest } =
    withoutRecurring(task)
  checkDates(rest)
  const body: Draft<typeof Task> = { ...rest }
  const [{ columns }, place] = await Promise.all([
    statusColumns(ctx, { status, is_completed }),
    placeOf(ctx, { ...body, ...links }),
  ])
  const set = {
    ...columns,
    ...place,
    ...(priority === undefined ? {} : { priority: await priorityOf(ctx, priority) }),
  }
  if (users) body.users = await peopleOf(ctx, users, 'users')
  if (body.owner) body.owner = await ownerOf(ctx, body.owner)
  if (body.form_id && !body.form_structure) {
    const structure = await structureOf(ctx, body.form_id)
    if (structure) body.form_structure = structure
    body.item_type ??= 3
  }
  const { form_structure: structure, form_responses: responses } = body
  const isDone = columns.is_completed === true
  const answers = await checkForm(ctx, { task: '', structure, responses, isDone })
  if (responses) body.form_responses = answers
  if (recurrence_status && !recurrence_pattern) {
    throw badField('recurrence_status', 'this task does not recur')
  }
  const project_id = place.project_id ?? idOf(body.project_id, 'project_id')
  const series = recurrence_pattern
    ? await newSeries(ctx, recurrence_pattern, { ...body, project_id }, recurrence_status)
    : {}
  const created = await tryInsert(ctx, Task, body, {
    ...options,
    links,
    set: { ...set, ...series, ...more },
  })
  if (created && (body.owner || links?.owner || columns.is_completed)) {
    await announceNewTask(ctx, created)
  }
  return created
}

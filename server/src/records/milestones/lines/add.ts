import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { Failure, badField, badFields, forbidden } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { may } from '../../../kit/record/scope.ts'
import { announceAll } from '../../../kit/write/announce-many.ts'
import { insertMany } from '../../../kit/write/many.ts'
import { placesBetween } from '../../../kit/write/move.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { sharedByDefault } from '../../../model/organizations/settings.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { statusFor } from '../../../model/statuses/status.ts'
import { Task } from '../../../model/tasks/task.ts'
import { checkDates } from '../../../model/time/dates.ts'
import { storeWrite } from '../../bulk/change.ts'
import { undoDays } from '../../bulk/undo.ts'
import { announceNewTasks } from '../../tasks/announce.ts'
import { heldPlace, placeOf } from '../../tasks/place.ts'
import { priorityOf } from '../../tasks/priority.ts'
import { statusColumns } from '../../tasks/status.ts'
import { nextPosition } from '../create.ts'
import { checkChangeable } from '../operations.ts'
import type { NewLine, NewLines } from './input.ts'
import { linesAnswer, linesBody } from './input.ts'
import type { Placed } from './placed.ts'
import { errorsIn, isMilestone, placed, within } from './placed.ts'

/** Typed and pasted lines become milestones and tasks of a plan, as one write. */
export const addPlanLines = operation({
  name: 'add_plan_lines',
  summary: 'Add lines to the plan of a project',
  description:
    'Creates up to 500 milestones and tasks in one write: all of them, or none. Those below no other line stand behind ' +
    '`after` and ahead of `before`, or else at the end; where there are milestones, the place is theirs. ' +
    `For ${undoDays} days \`bulk_id\` undoes all of it, unless somebody else has worked in it.`,
  // which of these it needs depends on the lines
  can: { module: 'projects', action: 'update', or: ['deals', 'tasks'] },
  writes: true,
  input: { params: byId, body: linesBody },
  output: linesAnswer,
  run: (ctx, { params, body }) => addLines(ctx, params.id, body),
})

async function addLines(ctx: Context, project: string, body: NewLines) {
  const lines = placed(body.lines)
  checkAbove(lines, body)
  const milestones = lines.filter(isMilestone)
  const tasks = lines.filter((each) => !isMilestone(each))
  await checkRights(ctx, project, { milestones, tasks })
  for (const each of lines) await within(each, () => checkDates(each.line))
  const columns = await columnsOf(ctx, tasks)
  await addMilestones(ctx, project, milestones, body)
  await addTasks(ctx, project, tasks, { ...body, columns, hasMilestones: milestones.length > 0 })
  const ids = (some: Placed[]) => some.map(({ id }) => id)
  // last, so that events show milestones with their tasks
  await announceAll(ctx, Milestone, 'created', ids(milestones))
  await announceNewTasks(ctx, ids(tasks), { notifiesOwners: true })
  const done = ids(tasks.filter((each) => columns.get(each)?.is_completed))
  const isDone = { field: 'is_completed', from: null, to: true }
  await announceAll(ctx, Task, 'task_completed', done, [isDone])
  const stored = lines.map((each) => {
    const kind = isMilestone(each) ? 'milestone' : 'task'
    return { record_id: each.id, version: null, before: { kind } }
  })
  const write = { list: 'plan_lines', action: 'update' as const, field: 'lines' }
  return { ids: ids(lines), bulk_id: await storeWrite(ctx, write, stored) }
}

/** 400 for milestones that are to be a part of something. */
function checkAbove(lines: Placed[], { milestone_id, parent_id }: NewLines) {
  if (!lines.some(isMilestone)) return
  const given = Object.entries({ milestone_id, parent_id }).find(([, id]) => id !== undefined)
  if (given) throw badField(given[0], 'cannot be combined with milestones')
}

/** 404 for a project that the caller may not read, 403 for lines that it may not add. */
async function checkRights(
  ctx: Context,
  project: string,
  { milestones, tasks }: { milestones: Placed[]; tasks: Placed[] },
) {
  await checkReadable(ctx, ProjectOrDeal, project)
  if (tasks.length && !may(ctx.actor, { module: 'tasks', action: 'create' })) {
    throw forbidden('Your role may not create tasks')
  }
  if (!milestones.length) return
  if (!may(ctx.actor, { module: 'projects', action: 'update', or: 'deals' })) {
    throw forbidden('Your role may not add milestones')
  }
  await checkChangeable(ctx, project)
}

/** The columns behind status and priority of tasks; what many have is looked up once. */
async function columnsOf(ctx: Context, tasks: Placed[]) {
  const statuses = new Map<string | undefined, Awaited<ReturnType<typeof statusColumns>>>()
  const priorities = new Map<string, string | null>()
  const columns = new Map<Placed, { is_completed?: boolean; [column: string]: unknown }>()
  for (const each of tasks) {
    const { status, priority } = each.line
    const named = { status, is_completed: undefined }
    const found = statuses.get(status) ?? (await within(each, () => statusColumns(ctx, named)))
    statuses.set(status, found)
    if (priority !== undefined && !priorities.has(priority)) {
      priorities.set(priority, await within(each, () => priorityOf(ctx, priority)))
    }
    const level = priority === undefined ? {} : { priority: priorities.get(priority) }
    columns.set(each, { ...found.columns, ...level })
  }
  return columns
}

/** The fields of a line that its record has under the same name. */
function fieldsOf(line: NewLine) {
  const { kind: _k, title: _t, below: _b, status: _s, priority: _p, ...fields } = line
  return fields
}

async function addMilestones(ctx: Context, project: string, lines: Placed[], to: NewLines) {
  if (!lines.length) return
  const status = await statusFor(ctx, 'milestones', 'not_started')
  const first = await nextPosition(ctx, project)
  const ofProject = { column: 'project_id', value: project }
  const places = await placesBetween(ctx, Milestone, lines.length, to, ofProject)
  const rows: Rows = []
  for (const [n, { line }] of lines.entries()) {
    const body = await sharedByDefault(ctx, 'milestones', fieldsOf(line))
    rows.push({
      body: { ...body, name: line.title, position: first + n },
      links: { project_id: project },
      set: { status_id: status.id, completed_at: null, ...places?.[n] },
    })
  }
  await insertLines(ctx, Milestone, lines, rows)
}

type Columns = Awaited<ReturnType<typeof columnsOf>>

async function addTasks(
  ctx: Context,
  project: string,
  lines: Placed[],
  {
    milestone_id,
    parent_id,
    after,
    before,
    columns,
    hasMilestones,
  }: Omit<NewLines, 'lines'> & {
    columns: Columns
    hasMilestones: boolean
  },
) {
  if (!lines.length) return
  const deepest = Math.max(...lines.map(({ depth }) => depth))
  const given = {
    project_id: project,
    ...(milestone_id === undefined ? {} : { milestone_id }),
    ...(parent_id === undefined ? {} : { parent_id }),
  }
  await heldPlace(ctx, { project_id: project })
  const place = await placeOf(ctx, given, undefined, deepest)
  const tops = lines.filter(({ parent }) => !parent)
  const neighbours = hasMilestones ? {} : { after, before }
  const ofProject = { column: 'project_id', value: project }
  const places = await placesBetween(ctx, Task, tops.length, neighbours, ofProject)
  const ranks = new Map(tops.map((line, n) => [line, places?.[n]]))
  // parents first: a subtask needs the id of its parent
  for (let depth = 0; depth <= deepest; depth++) {
    const some = lines.filter((each) => each.depth === depth)
    const rows: Rows = []
    for (const each of some) {
      const { line, parent } = each
      const fields = await sharedByDefault(ctx, 'tasks', fieldsOf(line))
      const body = { ...fields, title: line.title }
      const own = columns.get(each)
      rows.push(
        parent
          ? { ...partOf(parent, given, place), body, set: { ...setBelow(parent, place), ...own } }
          : { body: { ...body, ...given }, set: { ...place, ...ranks.get(each), ...own } },
      )
    }
    await insertLines(ctx, Task, some, rows)
  }
}

type Given = { project_id: string; milestone_id?: string; parent_id?: string }
type Place = Awaited<ReturnType<typeof placeOf>>

/** The links of a line below another one: it is in the milestone of the first one above it. */
function partOf(parent: Placed, { project_id, milestone_id }: Given, place: Place) {
  let top = parent
  while (top.parent) top = top.parent
  const milestone = isMilestone(top) ? top.id : (place.milestone_id ?? milestone_id)
  return {
    links: {
      project_id,
      ...(milestone ? { milestone_id: milestone } : {}),
      ...(isMilestone(parent) ? {} : { parent_id: parent.id }),
    },
  }
}

/** The columns that follow from what a line is below. */
function setBelow(parent: Placed, { account_id }: Place) {
  return {
    item_type: isMilestone(parent) ? 1 : 2,
    ...(account_id === undefined ? {} : { account_id }),
  }
}

type Rows = Parameters<typeof insertMany>[2]

/** Inserts the rows of lines, which have their ids then. 400 with what is wrong in each line. */
async function insertLines(ctx: Context, record: AnyRecord, lines: Placed[], rows: Rows) {
  const outcomes = await insertMany(ctx, record, rows, { announcesLater: true })
  const refused = outcomes.flatMap((outcome, n) =>
    outcome instanceof Failure ? errorsIn(outcome, lines[n]?.at ?? 0) : [],
  )
  if (refused.length) throw badFields(refused)
  for (const [n, outcome] of outcomes.entries()) {
    const line = lines[n]
    if (line && !(outcome instanceof Failure)) line.id = outcome.id
  }
}

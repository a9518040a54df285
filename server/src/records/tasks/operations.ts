import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { addDays, dayRange, daysBetween, dayWords } from '../../kit/ground/dates.ts'
import { badField, badRequest, Failure, forbidden } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { AnyRecord, Draft } from '../../kit/record/record.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { mine, sql, all } from '../../kit/ground/sql.ts'
import type { Query } from '../../kit/ground/context.ts'
import type { Written } from '../../kit/write/write.ts'
import { equal } from '../../kit/write/changes.ts'
import {
  checkReadable,
  insert,
  lock,
  remove,
  restore,
  tryInsert,
  update,
  written,
} from '../../kit/write/write.ts'
import { Account } from '../accounts/account.ts'
import { Milestone } from '../milestones/milestone.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import type { Status } from '../statuses/status.ts'
import { checkAnswers } from '../surveys/structure.ts'
import type { Body } from './input.ts'
import { extraProperties, ownerOf, peopleOf, priorityOf, statusColumns } from './input.ts'
import type { Recurrence } from './recurrence.ts'
import { nextDay, nominalAfter, recurrenceFrom } from './recurrence.ts'
import { Task } from './task.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Task)

const id = { type: 'string', minLength: 1, maxLength: 25 }

const above: { [name: string]: AnyRecord } = {
  project_id: ProjectOrDeal,
  milestone_id: Milestone,
  account_id: Account,
  parent_id: Task,
}

const only: { [name: string]: JSONSchema } = {
  project_id: id,
  milestone_id: id,
  account_id: id,
  parent_id: id,
  owner: { ...id, description: 'tasks of this user' },
  is_completed: { type: 'boolean' },
  due_filter: { type: 'string', enum: dayWords.slice(0, 10) },
}

export const tasks = {
  ...plain,
  list: {
    ...plain.list,
    input: { query: withProperties(plain.list.input.query!, only) },
    async run(ctx: Context, { query }: Input) {
      // what hangs on a record that the caller cannot see is not there either
      for (const [name, record] of Object.entries(above)) {
        if (query[name]) await checkReadable(ctx, record, query[name])
      }
      return listPage(ctx, Task, query, chosen(ctx, query))
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withProperties(plain.create.input.body!, extraProperties) },
    run: async (ctx: Context, { body }: Input) => written(await createTask(ctx, body)),
  } satisfies Operation,
  update: {
    ...plain.update,
    input: {
      ...plain.update.input,
      body: withProperties(plain.update.input.body!, extraProperties),
    },
    run: async (ctx: Context, { params, body, ifMatch }: Input) =>
      written(await updateTask(ctx, params.id, body, ifMatch)),
  } satisfies Operation,
  remove: {
    ...plain.remove,
    run: (ctx: Context, { params, ifMatch }: Input) => removeTask(ctx, params.id, ifMatch),
  } satisfies Operation,
  restore: {
    ...plain.restore,
    run: async (ctx: Context, { params }: Input) => written(await restoreTask(ctx, params.id)),
  } satisfies Operation,
}

/** The filters of a list of tasks as a condition over `t`. */
function chosen(ctx: Context, query: Body): Query | undefined {
  const conditions: Query[] = []
  for (const name of ['project_id', 'milestone_id', 'account_id', 'parent_id', 'owner']) {
    if (query[name]) conditions.push(sql`${sql.ref(`t.${name}`)} = ${query[name]}`)
  }
  if (query.is_completed !== undefined) {
    conditions.push(sql`t.is_completed = ${query.is_completed}`)
  }
  const due = dueCondition(ctx, query.due_filter)
  if (due) conditions.push(due)
  return conditions.length ? all(...conditions) : undefined
}

/** `due_filter` over `t`: days of the organization's zone; undefined for `show_all`. */
export function dueCondition(ctx: Context, word: string | undefined): Query | undefined {
  if (!word) return undefined
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  const range = dayRange(word as (typeof dayWords)[number], clock)
  return range ? sql`t.due_date between ${range.from}::date and ${range.to}::date` : undefined
}

/** Makes a task; both surfaces, recurrence and automations come here. */
export async function createTask(ctx: Context, given: Body, more: Body = {}): Promise<Written> {
  const { status, is_completed, priority, users, recurrence_pattern, recurrence_status, ...body } =
    given
  checkDates(body)
  const set: Body = {
    ...(await statusColumns(ctx, { status, is_completed })).columns,
    ...(await place(ctx, body)),
  }
  if (priority !== undefined) set.priority = await priorityOf(ctx, priority)
  if (users) body.users = await peopleOf(ctx, users, 'users')
  if (body.owner) body.owner = await ownerOf(ctx, body.owner)
  if (body.form_id && !body.form_structure) await takeForm(ctx, body)
  checkForm(body.form_structure, body.form_responses, set.is_completed === true)
  if (recurrence_pattern) {
    const from = body.due_date ?? today(ctx)
    const pattern = await recurrenceFrom(ctx, recurrence_pattern, from)
    Object.assign(set, {
      is_recurring: true,
      recurrence_pattern: JSON.stringify(pattern),
      recurrence_status: recurrence_status ?? 'active',
      recurrence_date: from,
    })
  }
  const made = await insert(ctx, Task, body as Draft<typeof Task>, { set: { ...set, ...more } })
  await tellBirth(ctx, made, body, set)
  return made
}

/** Changes a task; completing one of a series makes the next. */
export async function updateTask(
  ctx: Context,
  id: string,
  given: Body,
  ifMatch?: number[],
): Promise<Written> {
  const { status, is_completed, priority, users, recurrence_pattern, recurrence_status, ...body } =
    given
  const { row } = await lock(ctx, Task, id, 'update', ifMatch)
  checkConfined(ctx, given)
  checkDates({ ...row, ...body })
  const old = { status: row.status as Status | null, is_completed: row.is_completed as boolean }
  const moved = await statusColumns(ctx, { status, is_completed }, old)
  const set: Body = { ...moved.columns }
  if (['project_id', 'milestone_id', 'parent_id'].some((name) => body[name] !== undefined)) {
    Object.assign(set, await place(ctx, { ...pick(row), ...body }, id))
  }
  if (priority !== undefined) {
    const value = await priorityOf(ctx, priority)
    if (value !== (row.priority?.value ?? null)) set.priority = value
  }
  if (users) {
    const ids = await peopleOf(ctx, users, 'users')
    const before = (row.users as { user_id: string }[]).map((each) => each.user_id)
    if ([...ids].sort().join() !== [...before].sort().join()) body.users = ids
  }
  if (body.owner) body.owner = await ownerOf(ctx, body.owner)
  if (body.form_id && !body.form_structure) await takeForm(ctx, body)
  const isDone = (set.is_completed ?? row.is_completed) === true
  const answered =
    body.form_responses ?? (isDone && !row.is_completed ? row.form_responses : undefined)
  checkForm(body.form_structure ?? row.form_structure, answered ?? undefined, isDone)
  if (recurrence_pattern !== undefined) {
    Object.assign(set, await seriesColumns(ctx, recurrence_pattern, row, body))
  }
  if (recurrence_status && recurrence_status !== row.recurrence_status) {
    if (!row.is_recurring && !recurrence_pattern) {
      throw badField('recurrence_status', 'this task does not recur')
    }
    set.recurrence_status = recurrence_status
  }
  // a series that this very change ends or pauses does not go on
  const state = 'recurrence_status' in set ? set.recurrence_status : row.recurrence_status
  const goesOn =
    moved.status?.category === 'completed' &&
    row.recurrence_status === 'active' &&
    state === 'active'
  if (goesOn) set.recurrence_status = 'completed'
  const after = await update(ctx, Task, id, body, { set })
  await tellChanges(ctx, row, after, body, moved.status)
  if (goesOn) await makeNext(ctx, id)
  return after
}

/** Deletes a task with its subtasks. */
export async function removeTask(ctx: Context, id: string, ifMatch?: number[]) {
  const answer = await remove(ctx, Task, id, ifMatch)
  const children = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t where ${mine(ctx)} and t.parent_id = ${id} and t.deleted_at is null`)
  for (const child of children) await removeTask(ctx, child.id)
  return answer
}

/** Brings a task back with the subtasks that went with it, and none that was deleted on its own. */
async function restoreTask(ctx: Context, id: string): Promise<Written> {
  const gone = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t join tasks p on p.organization_id = t.organization_id
      and p.id = t.parent_id and p.deleted_at = t.deleted_at
    where ${mine(ctx)} and t.parent_id = ${id}`)
  const restored = await restore(ctx, Task, id)
  for (const child of gone) await restoreTask(ctx, child.id)
  return restored
}

/** The next task of a series, once for each of its days; the series ends where its rule does. */
export async function makeNext(ctx: Context, id: string): Promise<void> {
  const found = await ctx.one<Body>(sql`
    select t.*, t.due_date::text as due, t.start_date::text as start, t.recurrence_date::text as day
    from tasks t where ${mine(ctx)} and t.id = ${id}`)
  const pattern = found!.recurrence_pattern as Recurrence
  const series = found!.parent_recurring_id ?? id
  const after = found!.day ?? found!.due ?? today(ctx)
  const nominal = nominalAfter(pattern, after)
  if (!nominal) {
    await ctx.run(sql`update tasks t set recurrence_status = 'completed'
      where ${mine(ctx)} and t.id = any(${[id, series]})`)
    return
  }
  const due = (await nextDay(ctx, pattern, after)) ?? nominal
  const { columns } = await statusColumns(ctx, {})
  const length = found!.start && found!.due ? daysBetween(found!.start, found!.due) : undefined
  const next = { ...pattern, next_occurrence: await nextDay(ctx, pattern, nominal) }
  await tryInsert(
    ctx,
    Task,
    {
      title: found!.title,
      description: found!.description,
      item_type: found!.item_type,
      account_id: found!.account_id,
      project_id: found!.project_id,
      milestone_id: found!.milestone_id,
      owner: found!.owner,
      users: found!.users,
      tags: found!.tags,
      is_private: found!.is_private,
      visibility: found!.visibility,
      due_date: due,
      start_date: length === undefined ? null : addDays(due, -length),
      form_id: found!.form_id,
      form_structure: found!.form_structure,
      custom_fields: found!.custom_fields,
    },
    {
      set: {
        ...columns,
        priority: found!.priority,
        position: found!.position,
        is_recurring: true,
        parent_recurring_id: series,
        recurrence_pattern: JSON.stringify(next),
        recurrence_status: 'active',
        recurrence_date: nominal,
      },
      unlessTaken: true,
    },
  )
  // the series goes on with the new one
  await ctx.run(sql`update tasks t set recurrence_status = 'completed'
    where ${mine(ctx)} and t.id = ${id}`)
}

async function seriesColumns(ctx: Context, given: unknown, row: Body, body: Body) {
  if (given === null) {
    if (!row.is_recurring) return {}
    return {
      is_recurring: false,
      recurrence_pattern: null,
      recurrence_status: null,
      recurrence_date: null,
    }
  }
  // what a read gave is sent back: the series goes on as it is
  if (equal(given, row.recurrence_pattern)) return {}
  const from = body.due_date ?? row.due_date ?? today(ctx)
  const pattern = await recurrenceFrom(ctx, given, from)
  if (equal(pattern, row.recurrence_pattern)) return {}
  return {
    is_recurring: true,
    recurrence_pattern: JSON.stringify(pattern),
    recurrence_status: row.recurrence_status ?? 'active',
    recurrence_date: from,
  }
}

/** A form task has the structure of its form as it is now; a later edit is propagated on demand. */
async function takeForm(ctx: Context, body: Body) {
  const id = typeof body.form_id === 'string' ? body.form_id : body.form_id?.survey_id
  const form = await ctx.one<{ form_structure: Body }>(sql`select t.form_structure from surveys t
    where ${mine(ctx)} and t.id = ${String(id)} and t.deleted_at is null`)
  if (form) body.form_structure = form.form_structure
  body.item_type ??= 3
}

/** The answers of a form task fit its questions; a completed one has all that are required. */
function checkForm(
  structure: Body | undefined,
  responses: Body | null | undefined,
  isDone: boolean,
) {
  if (!structure?.pages || responses === undefined) return
  try {
    checkAnswers(structure.pages, responses ?? {}, isDone)
  } catch (error) {
    // the answers stand under another name here
    throw error instanceof Failure ? inWords(error) : error
  }
}

function inWords({ errors = [] }: Failure): Failure {
  const named = errors.map(({ field, message }) => ({
    field: field.replace(/^answers/, 'form_responses'),
    message,
  }))
  return badRequest(named.map(({ field, message }) => `${field}: ${message}`).join('; '), named)
}

/** Where a task hangs: its milestone's project, its parent's place; 400 where they disagree. */
async function place(ctx: Context, body: Body, self?: string): Promise<Body> {
  const idOf = (value: unknown, key: string) =>
    typeof value === 'string'
      ? value
      : ((value as Body | null)?.[key] ?? (value as Body | null)?.id)
  const parent = idOf(body.parent_id, 'item_id')
  const milestone = idOf(body.milestone_id, 'milestone_id')
  const project = idOf(body.project_id, 'project_id')
  const found = await ctx.one<{
    milestone_project: string | null
    parent_project: string | null
    parent_milestone: string | null
    account_id: string | null
    above: string[] | null
  }>(sql`
    with recursive above (id, depth) as (
      select ${parent ?? null}::varchar collate "C", 1
      union all
      select t.parent_id, depth + 1 from tasks t join above on above.id = t.id
      where ${mine(ctx)} and t.parent_id is not null and depth < 12
    )
    select (select t.project_id from milestones t where ${mine(ctx)} and t.id = ${milestone ?? null}
        and t.deleted_at is null) as milestone_project,
      (select t.project_id from tasks t where ${mine(ctx)} and t.id = ${parent ?? null}) as parent_project,
      (select t.milestone_id from tasks t where ${mine(ctx)} and t.id = ${parent ?? null}) as parent_milestone,
      (select t.account_id from projects t where ${mine(ctx)} and t.id = ${project ?? null}) as account_id,
      (select json_agg(id) from above where id is not null) as above`)
  const set: Body = {}
  const { milestone_project, parent_project, parent_milestone, account_id, above } = found!
  if (parent) {
    if (self && above?.includes(self)) throw badField('parent_id', 'a task cannot be below itself')
    if ((above?.length ?? 0) > 5) throw badField('parent_id', 'subtasks go at most 5 levels deep')
    if (project && parent_project && project !== parent_project) {
      throw badField('parent_id', 'is a task of another project')
    }
    if (!project) set.project_id = parent_project
    if (!milestone) set.milestone_id = parent_milestone
    if (!self && body.item_type === undefined) set.item_type = 2
  }
  if (milestone && milestone_project) {
    if (project && project !== milestone_project) {
      throw badField('milestone_id', 'is a milestone of another project')
    }
    set.project_id = milestone_project
  }
  if (!self && project && !body.account_id && account_id) set.account_id = account_id
  return set
}

/** The events that go beside `task_created`: a task may be somebody's, or done, from its first day. */
async function tellBirth(ctx: Context, made: Written, body: Body, set: Body) {
  if (!body.owner && !set.is_completed) return
  const row = JSON.parse(await made.json()) as Body
  const tell = teller(ctx, made, row)
  if (row.owner) await tell('task_assigned', 'Task assigned', 'owner', null, row.owner)
  if (row.is_completed) await tell('task_completed', 'Task completed', 'is_completed', null, true)
}

/** The events that go beside `task_updated`. */
async function tellChanges(
  ctx: Context,
  row: Body,
  after: Written,
  body: Body,
  status: Status | undefined,
) {
  const tell = teller(ctx, after, row)
  const now = after.changed ? (JSON.parse(await after.json()) as Body) : row
  if (body.owner !== undefined && after.changed) {
    if (now.owner && now.owner.user_id !== row.owner?.user_id) {
      await tell('task_assigned', 'Task assigned', 'owner', row.owner, now.owner)
    }
  }
  if (!status) return
  await tell('task_status_changed', 'Task status changed', 'status', row.status, now.status)
  if (status.category === 'completed' && !row.is_completed) {
    await tell('task_completed', 'Task completed', 'is_completed', false, true)
  }
}

/** Writes one more event of a task that has just been written. */
function teller(ctx: Context, after: Written, row: Body) {
  return async (type: string, title: string, field: string, from: unknown, to: unknown) =>
    ctx.emit({
      type,
      title,
      module_id: Task.number,
      reference_id: after.id,
      project_id: row.project_id,
      changes: [{ field, from, to }],
      data: await after.json(),
      version: after.version,
      raw_description: { action: 'updated', module: 'tasks', name: row.title },
    })
}

const confinedMay = ['is_completed', 'status', 'form_responses']

/** Customers and partners complete tasks that are theirs, and change nothing else of them. */
function checkConfined(ctx: Context, given: Body) {
  if (!ctx.actor.is_confined) return
  const other = Object.keys(given).find((name) => !confinedMay.includes(name))
  if (other) throw forbidden(`Your role may complete tasks, not change ${other}`)
}

function checkDates({ start_date, due_date }: Body) {
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}

function pick({ project_id, milestone_id, parent_id }: Body): Body {
  return { project_id, milestone_id, parent_id }
}

/** Today in the organization's zone. */
export function today(ctx: Context): string {
  const now = Temporal.Instant.fromEpochMilliseconds(+ctx.now())
  return `${now.toZonedDateTimeISO(ctx.organization.timezone).toPlainDate()}`
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}

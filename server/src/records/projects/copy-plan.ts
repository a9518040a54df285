import type { Context } from '../../kit/ground/context.ts'
import { addDays, daysBetween, isDay } from '../../kit/ground/dates.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { copyOf } from '../../kit/record/copy.ts'
import { copiedCustom } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { insertMany } from '../../kit/write/many.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { statusFor } from '../../model/statuses/status.ts'
import { announceNewTasks } from '../tasks/announce.ts'
import { presentPeople } from '../../model/people/people.ts'
import { Task } from '../../model/tasks/task.ts'

/** A stored row of a milestone or task. */
type Stored = {
  id: string
  owner: string | null
  start_date: string | null
  due_date: string | null
  milestone_id?: string | null
  parent_id?: string | null
  priority?: string | null
  users?: string[]
  custom_fields?: { [key: string]: unknown }
  template_ref: string | null
}

/**
 * Copies milestones and tasks of one project to another as not started, their dates
 * moved by as much as the start. What the caller does not see is not copied, nor are owners who
 * have left. Required fields may be missing, as they may be in the source.
 */
export async function copyPlan(
  ctx: Context,
  from: string,
  to: string,
  oldStart: string | null,
  newStart: string | null | undefined,
): Promise<void> {
  const shift = oldStart && newStart ? daysBetween(oldStart, newStart) : 0
  const milestones = await storedRows(ctx, Milestone, from)
  const tasks = await storedRows(ctx, Task, from)
  const people = [...milestones, ...tasks].flatMap(({ owner, users = [] }) => [owner, ...users])
  const present = new Set(
    await presentPeople(ctx, [...new Set(people.filter((id) => id !== null))]),
  )
  const copying = { to, shift, present }
  const milestoneIds = await copyRows(ctx, Milestone, milestones, copying)
  const taskIds = new Map<string, string>()
  // parents first: a subtask needs the id of its parent's copy
  for (let level = topOf(tasks); level.length; level = childrenOf(tasks, level)) {
    const links = { milestone_id: milestoneIds, parent_id: taskIds }
    for (const [old, id] of await copyRows(ctx, Task, level, { ...copying, links })) {
      taskIds.set(old, id)
    }
  }
  await copyDependencies(ctx, taskIds)
  // last, so that events show milestones with their tasks, and tasks with their predecessors
  await announceAll(ctx, Milestone, 'created', [...milestoneIds.values()])
  await announceNewTasks(
    ctx,
    tasks.flatMap(({ id }) => taskIds.get(id) ?? []),
  )
}

async function storedRows(ctx: Context, record: AnyRecord, project: string): Promise<Stored[]> {
  const rows = await ctx.all<{ row: Stored }>(sql`
    select row_to_json(t) as row from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.project_id = ${project} order by t.id`)
  return rows.map(({ row }) => row)
}

/** Tasks whose parent is not among the copied ones. */
function topOf(tasks: Stored[]): Stored[] {
  const ids = new Set(tasks.map(({ id }) => id))
  return tasks.filter(({ parent_id }) => !parent_id || !ids.has(parent_id))
}

function childrenOf(tasks: Stored[], parents: Stored[]): Stored[] {
  const ids = new Set(parents.map(({ id }) => id))
  return tasks.filter(({ parent_id }) => parent_id && ids.has(parent_id))
}

type Copying = {
  /** the id of the new project */
  to: string
  /** days by which dates move */
  shift: number
  /** the people who are still users */
  present: Set<string>
  /** links within the plan: the new ids by the old ones */
  links?: { [field: string]: Map<string, string> }
}

/** Inserts copies of rows, and returns their ids by the old ones; the caller announces them. */
async function copyRows(
  ctx: Context,
  record: AnyRecord,
  rows: Stored[],
  copying: Copying,
): Promise<Map<string, string>> {
  const status = await statusFor(ctx, record === Task ? 'tasks' : 'milestones', 'not_started')
  const copies: Parameters<typeof insertMany>[2] = []
  for (const row of rows) {
    const { values, links } = splitLinks(record, copyOf(record, row), copying)
    const { users, custom_fields } = row
    copies.push({
      body: {
        ...values,
        start_date: moved(row.start_date, copying.shift),
        due_date: moved(row.due_date, copying.shift),
        ...(users ? { users: users.filter((id) => copying.present.has(id)) } : {}),
        ...(custom_fields ? { custom_fields: await copiedCustom(ctx, record, custom_fields) } : {}),
      },
      links,
      set: {
        status_id: status.id,
        template_ref: row.template_ref,
        ...(row.priority ? { priority: row.priority } : {}),
      },
    })
  }
  const options = { allowMissing: true, announcesLater: true }
  const outcomes = await insertMany(ctx, record, copies, options)
  const ids = new Map<string, string>()
  for (const [i, { id }] of rows.entries()) {
    const outcome = outcomes[i]
    if (outcome instanceof Failure) throw outcome
    if (outcome) ids.set(id, outcome.id)
  }
  return ids
}

/** The links of a copy; those within the plan lead to the copies. */
function splitLinks(
  record: AnyRecord,
  body: { [field: string]: unknown },
  { to, present, links: inside = {} }: Copying,
) {
  const values: { [field: string]: unknown } = {}
  const links: { [field: string]: string } = { project_id: to }
  for (const [name, value] of Object.entries(body)) {
    if (!record.fields[name]?.reference) values[name] = value
    else if (typeof value !== 'string' || name === 'project_id') continue
    else if (name === 'owner') {
      if (present.has(value)) links.owner = value
    } else {
      const id = inside[name] ? inside[name].get(value) : value
      if (id) links[name] = id
    }
  }
  return { values, links }
}

function moved(day: string | null, shift: number): string | null {
  const to = day && addDays(day, shift)
  if (to && !isDay(to)) throw badField('start_date', `moves ${day} beyond the calendar`)
  return to
}

/** The dependencies between the copied tasks. */
async function copyDependencies(ctx: Context, ids: Map<string, string>) {
  const pairs = [...ids].map(([old_id, new_id]) => ({ old_id, new_id }))
  const copies = sql`json_to_recordset(${JSON.stringify(pairs)}) as n (old_id text, new_id text)`
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
    select t.organization_id, n.new_id, p.new_id, t.type, t.lag_days
    from task_dependencies t join ${copies} on n.old_id = t.task_id
    join (select * from ${copies}) p on p.old_id = t.predecessor_id
    where ${mine(ctx)}`)
}

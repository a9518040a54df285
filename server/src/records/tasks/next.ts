import type { Context } from '../../kit/ground/context.ts'
import { addDays, daysBetween } from '../../kit/ground/dates.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { copyOf } from '../../kit/record/copy.ts'
import { copiedCustom } from '../../kit/record/custom.ts'
import { fieldNamed } from '../../kit/record/record.ts'
import { calendarOfProject } from '../../model/holidays/calendar.ts'
import { tryCreateTask } from './create.ts'
import { today } from '../../model/time/dates.ts'
import { presentPeople } from '../../model/people/people.ts'
import type { Recurrence } from '../../model/recurrence/recurrence.ts'
import { nextOccurrence } from '../../model/recurrence/recurrence.ts'
import { Task } from '../../model/tasks/task.ts'

/** A stored row of a task. */
type Stored = {
  title: string
  priority: string | null
  owner: string | null
  users: string[]
  project_id: string | null
  start_date: string | null
  due_date: string | null
  custom_fields: { [key: string]: unknown }
  parent_recurring_id: string | null
  recurrence_pattern: Recurrence
  /** the day of the series, before holidays moved it */
  recurrence_date: string | null
}

/** How many days back a series that follows the calendar catches up: some rules come once a year. */
const backlogDays = 366

/**
 * Creates the next task of a series, once for each of its days; the series ends with its rule.
 * It is a copy of the task as not started, whoever completed that one. A series that follows the calendar goes on
 * with the days of the last year: one that began decades ago would create thousands of tasks.
 */
export async function createNext(ctx: Context, id: string): Promise<void> {
  const stored = await ctx.one<{ task: Stored }>(sql`
    select row_to_json(t) as task from tasks t where ${mine(ctx)} and t.id = ${id}`)
  if (!stored) return
  const { task } = stored
  const pattern = task.recurrence_pattern
  const series = task.parent_recurring_id ?? id
  const calendar = await calendarOfProject(ctx, task.project_id)
  const found = await nextOccurrence(ctx, pattern, lastOccurrence(ctx, task), calendar)
  if (!found) {
    await ctx.run(sql`update tasks t set recurrence_status = 'completed'
      where ${mine(ctx)} and t.id = any(${[id, series]})`)
    return
  }
  if (pattern.mode === 'on_schedule' && found.day > today(ctx)) {
    // nothing of the last year: its next day is awaited
    const awaited = JSON.stringify({ ...pattern, next_occurrence: found.day })
    await ctx.run(sql`update tasks t set recurrence_pattern = ${awaited}
      where ${mine(ctx)} and t.id = ${id}`)
    return
  }
  const following = await nextOccurrence(ctx, pattern, found, calendar)
  const next = { ...pattern, next_occurrence: following?.day ?? null }
  const created = await tryCreateTask(
    ctx,
    { title: task.title, ...(await valuesOf(ctx, task, nextDates(task, found.day))) },
    {
      links: await linksOf(ctx, task),
      set: {
        priority: task.priority,
        is_recurring: true,
        parent_recurring_id: series,
        recurrence_pattern: JSON.stringify(next),
        recurrence_status: 'active',
        recurrence_date: found.nominal,
      },
      allowMissing: true,
      unlessTaken: true,
    },
  )
  if (created) {
    const shift = daysBetween(task.due_date ?? lastOccurrence(ctx, task).nominal, found.day)
    await copySubtasks(ctx, { from: id, to: created.id, shift })
  }
  // the series continues with the new task
  await ctx.run(sql`update tasks t set recurrence_status = 'completed'
    where ${mine(ctx)} and t.id = ${id}`)
}

/** The day of the series after which its next one is sought. */
function lastOccurrence(ctx: Context, task: Stored) {
  const nominal = task.recurrence_date ?? task.due_date ?? today(ctx)
  const last = { nominal, day: task.due_date ?? nominal }
  if (task.recurrence_pattern.mode !== 'on_schedule') return last
  const earliest = addDays(today(ctx), -backlogDays)
  return nominal < earliest ? { nominal: earliest, day: earliest } : last
}

function isLink(name: string): boolean {
  return Boolean(fieldNamed(Task, name).reference)
}

type Dates = Pick<Stored, 'start_date' | 'due_date'>

/** The next task has the same duration. */
function nextDates({ start_date, due_date }: Dates, due: string): Dates {
  const length = start_date && due_date ? daysBetween(start_date, due_date) : undefined
  return { due_date: due, start_date: length === undefined ? null : addDays(due, -length) }
}

/**
 * Gives the next task the subtasks of the one before on all levels, whether these are done or not, as not started
 * and as many days later. Those of the one before stay where they are. A subtask that recurs has a series of its own.
 */
async function copySubtasks(
  ctx: Context,
  { from, to, shift }: { from: string; to: string; shift: number },
) {
  const rows = await ctx.all<{ task: Stored & { id: string; parent_id: string } }>(sql`
    with recursive below (id, depth) as (
      select ${from}::varchar collate "C", 0
      union select t.id, depth + 1 from tasks t join below on t.parent_id = below.id
      where ${mine(ctx)} and t.deleted_at is null and not t.is_recurring and depth < 12
    )
    select row_to_json(t) as task from below join tasks t on ${mine(ctx)} and t.id = below.id
    where depth > 0 order by depth, t.id`)
  const copies = new Map([[from, to]])
  const later = (day: string | null) => day && addDays(day, shift)
  for (const { task } of rows) {
    const parent_id = copies.get(task.parent_id)
    if (parent_id === undefined) continue
    const dates = { start_date: later(task.start_date), due_date: later(task.due_date) }
    const copy = await tryCreateTask(
      ctx,
      { title: task.title, ...(await valuesOf(ctx, task, dates)) },
      {
        links: { ...(await linksOf(ctx, task)), parent_id },
        set: { priority: task.priority },
        allowMissing: true,
      },
    )
    if (copy) copies.set(task.id, copy.id)
  }
}

/** The fields that a copy of a task of a series has besides its links. */
async function valuesOf(ctx: Context, task: Stored, { start_date, due_date }: Dates) {
  const copied = Object.entries(copyOf(Task, task)).filter(([name]) => !isLink(name))
  const users = await presentPeople(ctx, task.users)
  return {
    ...Object.fromEntries(copied),
    users: users.length ? users : undefined,
    due_date,
    start_date,
    custom_fields: await copiedCustom(ctx, Task, task.custom_fields),
  }
}

/**
 * All its links, even if whoever completes a task of a series does not see them. An owner who
 * has left is not assigned again.
 */
async function linksOf(ctx: Context, task: Stored): Promise<{ [field: string]: string }> {
  const links: { [field: string]: string } = {}
  for (const [name, id] of Object.entries(copyOf(Task, task))) {
    if (isLink(name) && typeof id === 'string') links[name] = id
  }
  const { owner, ...others } = links
  const present = owner ? await presentPeople(ctx, [owner]) : []
  return present.length ? links : others
}

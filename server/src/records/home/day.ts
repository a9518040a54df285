import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Task } from '../../model/tasks/task.ts'
import { today as todayOf } from '../../model/time/dates.ts'
import { listMeetings } from '../calendar/list.ts'
import type { Listed } from './part.ts'
import { orElse, orFailed, partOf, rowsOf, whoIs } from './part.ts'
import type { Home, List, Part, Row } from './shape.ts'
import { rowOf, whyOf } from './shape.ts'

type Person = { user_id: string; full_name: string } | null
type StoredTask = {
  item_id: string
  title: string
  due_date: string | null
  project_id: string | null
  project_name: string | null
  owner: Person
  is_shared: boolean
  is_blocked: boolean
  creation_time: string
  version: number
  can: { update: boolean }
}

/** Rows of a group at most; its count says how many there are. */
const most = { own: 25, waiting: 10, meetings: 12 }

const open = { field: 'is_completed', operator: 'eq', value: false }

/** The tasks and meetings of people by when they are due, and what they wait for from others. */
export async function groupsOf(ctx: Context, people: string[]): Promise<Home['groups']> {
  const now = todayOf(ctx)
  const own = whoIs('owner', people)
  const due = (operator: string, value: unknown) => [
    own,
    open,
    { field: 'due_date', operator, value },
  ]
  const waiting = [
    whoIs('created_by', people),
    { not: own },
    { field: 'owner', operator: 'is_not_empty' },
    open,
  ]
  const isOne = people.length === 1
  const withOwner = (task: StoredTask) => (isOne ? taskRow(ctx, task) : ownedRow(ctx, task))
  const ownedIn = (filter: unknown[]) => orFailed(ctx, tasks(ctx, filter, most.own, withOwner))
  const [late, dueToday, week, others, meetings] = await Promise.all([
    ownedIn(due('lt', now)),
    ownedIn(due('eq', now)),
    ownedIn(due('between', [addDays(now, 1), addDays(now, 7)])),
    orFailed(
      ctx,
      tasks(ctx, waiting, most.waiting, (task) => ownedRow(ctx, task)),
    ),
    orFailed(ctx, meetingsUntil(ctx, addDays(now, 1), people)),
  ])
  const groups = { late, today: together(meetings, dueToday), week, waiting: others }
  // without it the rows stand, and do not say what waits for them
  await orElse(ctx, addHeldUp(ctx, groups), undefined)
  return groups
}

/** The task that is due next after the coming week, or has no day; null without one. */
export async function nextOf(ctx: Context, people: string[]): Promise<Row | null> {
  const after = addDays(todayOf(ctx), 7)
  const later = { not: { field: 'due_date', operator: 'lte', value: after } }
  const { rows } = await orFailed(
    ctx,
    tasks(ctx, [whoIs('owner', people), open, later], 1, (task) => taskRow(ctx, task)),
  )
  return rows[0] ?? null
}

/** The list of tasks with these conditions, those that are due first at the top. */
function tasksListed(filter: unknown[]): List {
  return { module: 'tasks', filter, sort: 'due_date' }
}

function tasks(
  ctx: Context,
  filter: unknown[],
  size: number,
  row: (task: StoredTask) => Row,
): Promise<Part> {
  const listed: Listed<StoredTask> = {
    record: Task,
    list: tasksListed(filter),
    fields:
      'item_id,title,due_date,project_id,project_name,owner,is_shared,is_blocked,creation_time,version,can',
    size,
    row,
  }
  return partOf(ctx, listed)
}

function taskRow({ actor }: Context, task: StoredTask): Row {
  const { item_id: id, title, due_date: due, project_id, project_name, version, can } = task
  const acts: Row['acts'] = can.update ? ['done'] : []
  if (can.update && !actor.is_confined) acts.push('move', 'give')
  return rowOf({
    kind: 'task',
    id,
    title,
    record: project_id && project_name ? { id: project_id, name: project_name } : null,
    owner: task.owner?.user_id ?? null,
    due,
    why: task.is_blocked ? whyOf('blocked') : task.is_shared ? whyOf('shared') : null,
    acts: [...acts, 'comment'],
    version,
  })
}

/** A task with whose it is, for those that are not one's own. */
function ownedRow(ctx: Context, task: StoredTask): Row {
  const since = task.creation_time.slice(0, 10)
  const why = whyOf('waits_for', { text: task.owner?.full_name ?? null, since })
  return { ...taskRow(ctx, task), why }
}

/** Says of one's own tasks how many open ones wait for them: one query for all. */
async function addHeldUp(ctx: Context, { late, today, week }: Home['groups']): Promise<void> {
  const rows = [late, today, week].flatMap((part) => part.rows)
  const ids = rows.filter(({ kind }) => kind === 'task').map(({ id }) => id)
  if (!ids.length) return
  const found = await ctx.all<{ id: string; count: number }>(sql`
    select d.predecessor_id as id, count(*)::int as count from task_dependencies d
    join ${readableRows(ctx, 'tasks')} t on t.organization_id = $organization and t.id = d.task_id
    where d.organization_id = $organization and d.predecessor_id = any(${ids}::varchar[])
      and not t.is_completed and t.deleted_at is null
    group by d.predecessor_id`)
  const counts = new Map(found.map(({ id, count }) => [id, count]))
  for (const row of rows) {
    const count = counts.get(row.id)
    if (count && row.why?.word !== 'waits_for') row.why = whyOf('holds_up', { count })
  }
}

type StoredMeeting = {
  calendar_id: string
  title: string
  start: string
  end: string
  link: string | null
  all_day: boolean
  attendees: { type: string; id: string | null }[]
  project: { project_id: string; project_name: string } | null
  series_start?: string
}

/** The meetings of people that are not over and start before a day, each occurrence of a series by itself. */
export async function meetingsUntil(ctx: Context, day: string, people: string[]): Promise<Part> {
  const takePart = people.map(
    (id) => sql`t.attendees @> ${JSON.stringify([{ type: 'user', id }])}::jsonb`,
  )
  const answer = await listMeetings(
    ctx,
    {
      start: ctx.now().toISOString(),
      end: `${day}T00:00`,
      items_per_page: most.meetings,
      fields: 'calendar_id,title,start,end,link,all_day,attendees,project,is_meeting_cancelled',
    },
    all(
      sql`not t.is_meeting_cancelled`,
      sql`(t.created_by = any(${people}) or ${sql.join(takePart, sql` or `)})`,
    ),
  )
  const rows = rowsOf<StoredMeeting>(answer).map(meetingRow)
  return { rows, count: rows.length, list: null, is_failed: false }
}

function meetingRow(meeting: StoredMeeting): Row {
  const { calendar_id: id, title, start, end, link, all_day, attendees, project } = meeting
  return rowOf({
    kind: 'meeting',
    id,
    title,
    record: project ? { id: project.project_id, name: project.project_name } : null,
    due: all_day ? start.slice(0, 10) : start,
    until: end,
    link,
    why: attendees.length > 1 ? whyOf('invited', { count: attendees.length }) : null,
    acts: ['comment'],
  })
}

/** Meetings and tasks of a day as one group, which no list has; what could be read of it stands. */
function together(meetings: Part, due: Part): Part {
  return {
    rows: [...meetings.rows, ...due.rows],
    count: meetings.count + due.count,
    list: meetings.count ? null : due.list,
    is_failed: meetings.is_failed || due.is_failed,
  }
}

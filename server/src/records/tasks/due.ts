import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { today } from './dates.ts'
import { createNext } from './next.ts'
import { Task } from './task.ts'
import { readWhole } from '../../kit/read/one.ts'

const batch = 200

type Due = { id: string; title: string; owner: string | null; project_id: string | null }

/**
 * Notifies, once for each task and due date, of tasks that are due today and that are overdue, and
 * creates the tasks of series that follow the calendar. One organization and one batch a call; gives
 * how many there were.
 */
export async function notifyDue(ctx: Context): Promise<number> {
  const day = today(ctx)
  const overdue = await announceOverdue(ctx, day)
  const due = await notifyDueToday(ctx, day)
  const scheduled = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t
    where ${mine(ctx)} and t.recurrence_status = 'active' and t.deleted_at is null
      and t.recurrence_pattern ->> 'mode' = 'on_schedule'
      and t.recurrence_pattern ->> 'next_occurrence' <= ${day}
    order by t.id limit ${batch} for update skip locked`)
  for (const { id } of scheduled) await createNext(ctx, id)
  return overdue + due + scheduled.length
}

async function announceOverdue(ctx: Context, day: string): Promise<number> {
  const overdue = await ctx.all<Due & { version: number }>(sql`
    update tasks t set overdue_told_for = t.due_date, is_risk = t.is_risk
    where (organization_id, id) in (select t.organization_id, t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null
        and t.due_date < ${day}::date and t.overdue_told_for is distinct from t.due_date
      order by t.due_date, t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id, t.version`)
  for (const { id, title: name, owner, project_id, version } of overdue) {
    await announce(ctx, Task, 'task_overdue', {
      id,
      version,
      whole: () => readWhole(ctx, Task, id),
      name,
      project_id,
      action: 'overdue',
      notify: owner ? [notice(owner, 4, `Overdue: ${name}`)] : [],
    })
  }
  return overdue.length
}

async function notifyDueToday(ctx: Context, day: string): Promise<number> {
  const due = await ctx.all<Due>(sql`
    update tasks t set due_told_for = t.due_date
    where (organization_id, id) in (select t.organization_id, t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null and t.owner is not null
        and t.due_date = ${day}::date and t.due_told_for is distinct from t.due_date
      order by t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id`)
  for (const { id, title: name, owner, project_id } of due) {
    await announce(ctx, Task, 'due', {
      id,
      title: 'Task due today',
      name,
      project_id,
      notify: owner ? [notice(owner, 3, `Due today: ${name}`)] : [],
    })
  }
  return due.length
}

function notice(user_id: string, notification_type: 3 | 4, title: string) {
  return { user_id, notification_type, title: title.slice(0, 255) }
}

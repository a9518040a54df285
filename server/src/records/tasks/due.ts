import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { today } from '../../model/time/dates.ts'
import { createNext } from './next.ts'
import { Task } from '../../model/tasks/task.ts'
import { readWhole } from '../../kit/read/one.ts'

const batch = 200

type Due = {
  id: string
  title: string
  owner: string | null
  project_id: string | null
  due_date: string
}

/**
 * Notifies, once for each task and due date, of tasks due tomorrow, due today and overdue, and
 * creates the tasks of series that follow the calendar. One organization and one batch per call; returns
 * how many there were.
 */
export async function notifyDue(ctx: Context): Promise<number> {
  const day = today(ctx)
  const overdue = await announceOverdue(ctx, day)
  const tomorrow = await notifyDueOn(ctx, addDays(day, 1), 'tomorrow')
  const due = await notifyDueOn(ctx, day, 'today')
  const scheduled = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t
    where ${mine(ctx)} and t.recurrence_status = 'active' and t.deleted_at is null
      and t.recurrence_pattern ->> 'mode' = 'on_schedule'
      and t.recurrence_pattern ->> 'next_occurrence' <= ${day}
    order by t.id limit ${batch} for update skip locked`)
  for (const { id } of scheduled) await createNext(ctx, id)
  return overdue + tomorrow + due + scheduled.length
}

async function announceOverdue(ctx: Context, day: string): Promise<number> {
  const overdue = await ctx.all<Due & { version: number }>(sql`
    update tasks t set overdue_told_for = t.due_date, is_risk = t.is_risk
    where ${mine(ctx)} and t.id in (select t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null
        and t.due_date < ${day}::date and t.overdue_told_for is distinct from t.due_date
      order by t.due_date, t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id, t.due_date, t.version`)
  for (const { id, title: name, owner, project_id, due_date, version } of overdue) {
    await announce(ctx, Task, 'task_overdue', {
      id,
      version,
      whole: () => readWhole(ctx, Task, id),
      name,
      project_id,
      action: 'overdue',
      notify: owner ? [notice(owner, 4, `Overdue: ${name}`, due_date)] : [],
    })
  }
  return overdue.length
}

/** Notifies, once for each due date, the owners of the tasks that are due on a day. */
async function notifyDueOn(ctx: Context, day: string, when: 'today' | 'tomorrow'): Promise<number> {
  const notified = sql.ref(when === 'today' ? 'due_told_for' : 'due_tomorrow_notified_for')
  // whoever was mailed the day before is not mailed again
  const isMailed = sql`${when === 'today'} and t.due_tomorrow_notified_for is not distinct from t.due_date`
  const due = await ctx.all<Due & { is_mailed: boolean }>(sql`
    update tasks t set ${notified} = t.due_date
    where ${mine(ctx)} and t.id in (select t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null and t.owner is not null
        and t.due_date = ${day}::date and t.${notified} is distinct from t.due_date
      order by t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id, t.due_date, ${isMailed} as is_mailed`)
  for (const { id, title: name, owner, project_id, due_date, is_mailed } of due) {
    await announce(ctx, Task, when === 'today' ? 'due' : 'due tomorrow', {
      id,
      title: `Task due ${when}`,
      name,
      project_id,
      notify: owner
        ? [{ ...notice(owner, 3, `Due ${when}: ${name}`, due_date), isMailed: is_mailed }]
        : [],
    })
  }
  return due.length
}

function notice(user_id: string, notification_type: 3 | 4, title: string, due_date: string) {
  return {
    user_id,
    notification_type,
    title: title.slice(0, 255),
    notification_obj: { due_date },
  }
}

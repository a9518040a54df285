import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readOne } from '../../kit/write/write.ts'
import { Task } from './task.ts'
import { makeNext, today } from './operations.ts'

const batch = 200

type Due = { id: string; title: string; owner: string | null; project_id: string | null }

/**
 * Tells, once for each task and due date, what is due today and what is overdue, and makes the tasks
 * of series that go by the calendar. One organization, one batch a call: gives how many there were.
 */
export async function notifyDue(ctx: Context): Promise<number> {
  const day = today(ctx)
  const overdue = await ctx.all<Due & { version: number }>(sql`
    update tasks t set overdue_told_for = t.due_date, is_risk = t.is_risk
    where (organization_id, id) in (select t.organization_id, t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null
        and t.due_date < ${day}::date and t.overdue_told_for is distinct from t.due_date
      order by t.due_date, t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id, t.version`)
  for (const { id, title, owner, project_id, version } of overdue) {
    const { body } = await readOne(ctx, Task, id)
    ctx.emit({
      type: 'task_overdue',
      title: 'Task overdue',
      module_id: Task.number,
      reference_id: id,
      project_id,
      data: (body as { text: string }).text,
      version,
      notify: owner ? [notice(owner, 4, `Overdue: ${title}`)] : [],
      raw_description: { action: 'overdue', module: 'tasks', name: title },
    })
  }
  const due = await ctx.all<Due>(sql`
    update tasks t set due_told_for = t.due_date
    where (organization_id, id) in (select t.organization_id, t.id from tasks t
      where ${mine(ctx)} and not t.is_completed and t.deleted_at is null and t.owner is not null
        and t.due_date = ${day}::date and t.due_told_for is distinct from t.due_date
      order by t.id limit ${batch} for update skip locked)
    returning t.id, t.title, t.owner, t.project_id`)
  for (const { id, title, owner, project_id } of due) {
    ctx.emit({
      type: null,
      title: 'Task due today',
      module_id: Task.number,
      reference_id: id,
      project_id,
      notify: owner ? [notice(owner, 3, `Due today: ${title}`)] : [],
      raw_description: { action: 'due', module: 'tasks', name: title },
    })
  }
  const scheduled = await ctx.all<{ id: string }>(sql`
    select t.id from tasks t
    where ${mine(ctx)} and t.recurrence_status = 'active' and t.deleted_at is null
      and t.recurrence_pattern ->> 'mode' = 'on_schedule'
      and t.recurrence_pattern ->> 'next_occurrence' <= ${day}
    order by t.id limit ${batch} for update skip locked`)
  for (const { id } of scheduled) await makeNext(ctx, id)
  return overdue.length + due.length + scheduled.length
}

function notice(user_id: string, notification_type: 3 | 4, title: string) {
  return { user_id, notification_type, title: title.slice(0, 255) }
}

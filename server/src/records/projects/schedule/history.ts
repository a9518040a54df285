import type { Context } from '../../../kit/ground/context.ts'
import { foldedText } from '../../../kit/ground/fold.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { Task } from '../../../model/tasks/task.ts'
import { externalKinds } from '../../../model/users/roles/permissions.ts'
import type { LinkType } from '../../../schedule/plan.ts'
import type { Kind } from '../../../schedule/slips.ts'
import { slipsOf } from '../../../schedule/slips.ts'
import { dayNumber } from '../../../schedule/workdays.ts'

/** The newest finished tasks that count. */
const most = 2000

type Row = {
  id: string
  start_date: string | null
  due_date: string | null
  done_on: string
  template_id: string | null
  holidays_id: string | null
  milestone: string | null
  side: string
}
type LinkRow = { task_id: string; predecessor_id: string; type: LinkType; lag_days: number }

/** The slips of the newest finished tasks of projects that the caller may read, in working days. */
export async function pastSlips(ctx: Context): Promise<(Kind & { days: number })[]> {
  const queries = ctx.reading('heavy', 'tasks')
  const tasks = await queries.all<Row>(sql`
    select t.id, t.start_date::text, t.due_date::text, p.template_id, p.holidays_id,
      (t.completed_at at time zone ${ctx.organization.timezone})::date::text as done_on,
      coalesce(m.template_ref, m.name) as milestone,
      case when r.kind = any(${externalKinds}) then 'customer' else 'us' end as side
    from tasks t
    join projects p on p.organization_id = $organization and p.id = t.project_id
      and p.project_type = 'project'
    left join milestones m on m.organization_id = $organization and m.id = t.milestone_id
    left join users u on u.organization_id = $organization and u.id = t.owner
    left join roles r on r.organization_id = $organization and r.id = u.role_id
    where ${scope(ctx, Task, 'read')} and t.is_completed and t.completed_at is not null
      and (t.start_date is not null or t.due_date is not null)
    order by t.completed_at desc, t.id limit ${most}`)
  if (!tasks.length) return []
  const ids = tasks.map(({ id }) => id)
  const links = await queries.all<LinkRow>(sql`
    select t.task_id, t.predecessor_id, t.type, t.lag_days from task_dependencies t
    where ${mine(ctx)} and t.task_id = any(${ids}::varchar[])
    order by t.task_id, t.predecessor_id`)
  const slips: (Kind & { days: number })[] = []
  // days count by the calendar of the project
  for (const [holidays, its] of Map.groupBy(tasks, ({ holidays_id }) => holidays_id)) {
    const { rules } = await workCalendar(ctx, holidays)
    const own = new Set(its.map(({ id }) => id))
    const days = slipsOf(
      its.map(({ id, start_date, due_date, done_on }) => ({
        id,
        start: start_date ? dayNumber(start_date) : null,
        due: due_date ? dayNumber(due_date) : null,
        done: dayNumber(done_on),
      })),
      links.flatMap(({ task_id, predecessor_id, type, lag_days }) =>
        own.has(task_id)
          ? [{ task: task_id, predecessor: predecessor_id, type, lag: lag_days }]
          : [],
      ),
      rules,
    )
    for (const { id, template_id, milestone, side } of its) {
      const slip = days.get(id)
      if (slip === undefined) continue
      slips.push({ template: template_id, milestone: keyOf(milestone), side, days: slip })
    }
  }
  return slips
}

/** A milestone by the line of its template, or else by its name. */
export function keyOf(milestone: string | null): string | null {
  return milestone === null ? null : foldedText(milestone)
}

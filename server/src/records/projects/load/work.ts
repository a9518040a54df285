import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField, forbidden } from '../../../kit/ground/errors.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { rights } from '../../../kit/record/scope.ts'
import { workCalendar } from '../../../model/holidays/calendar.ts'
import { settingsOf } from '../../../model/organizations/settings.ts'
import { Task } from '../../../model/tasks/task.ts'
import { today } from '../../../model/time/dates.ts'
import type { Weeks } from '../../../schedule/load.ts'
import { dayNumber, dayText, WorkDays } from '../../../schedule/workdays.ts'

/** 403 for customers and partners: how much people have to do is nothing of theirs. */
export function refuseCustomers({ actor }: Context): void {
  if (actor.is_external) throw forbidden('Customers and partners may not read the load of people')
}

/** The days by which the load of people is counted: those of the organization, its own weeks, and today. */
export async function calendarOfLoad(ctx: Context) {
  const { rules } = await workCalendar(ctx)
  const { week_start, working_days } = await settingsOf(ctx)
  const now = dayNumber(today(ctx))
  return {
    rules,
    today: now,
    workdays: new WorkDays(rules, now),
    daysOfWeek: working_days.length,
    // day 0 was a Thursday, 4
    weekOf: (day: number) => day - ((((day + 4 - week_start) % 7) + 7) % 7),
  }
}

/** The weeks, if all their days can be written; 400 by the name of the field that lies beyond the calendar. */
export function checkWeeks(weeks: Weeks, first: string, last: string): Weeks {
  const beyond = 'must be within the years 0001 to 9999, with its whole week'
  if (dayText(weeks.first) === undefined) throw badField(first, beyond)
  if (dayText(weeks.first + 7 * weeks.count - 1) === undefined) throw badField(last, beyond)
  return weeks
}

/** An open task on its days, as far as the caller may read it. */
export type OpenWork = {
  id: string
  title: string
  owner: string
  project_id: string | null
  project_name: string | null
  start_date: string | null
  due_date: string | null
  estimate_minutes: number | null
  version: number
  is_updatable: boolean
}

/**
 * The open tasks of people that the caller may read and that may fall into some weeks; of a task with estimated
 * parts its parts, and of one without an estimate, too.
 */
export function openWork(
  ctx: Context,
  owners: string[],
  { first, count }: Weeks,
  most: number,
): Promise<OpenWork[]> {
  const tasks = readableRows(ctx, 'tasks')
  const from = dayText(first) ?? null
  const to = dayText(first + 7 * count - 1) ?? null
  const now = today(ctx)
  const isNow = (from ?? now) <= now && now <= (to ?? now)
  const end = sql`coalesce(t.due_date, t.start_date)`
  const late: Query[] = isNow ? [sql`${end} < ${now}::date`] : []
  return ctx.reading('unknown', 'tasks').all<OpenWork>(sql`
    select t.id, t.title, t.owner, p.id as project_id, p.project_name, t.start_date::text,
      t.due_date::text, t.estimate_minutes, t.version,
      ${rights(ctx, Task, 'update') ?? sql`true`} as is_updatable
    from ${tasks} t
    left join ${readableRows(ctx, 'projects')} p on p.organization_id = $organization
      and p.id = t.project_id
    where ${all(
      mine(ctx),
      sql`t.owner = any(${owners})`,
      sql`t.deleted_at is null and not t.is_completed`,
      sql`coalesce(t.start_date, t.due_date) <= ${to}::date`,
      sql`(${sql.join([sql`${end} >= ${from}::date`, ...late], sql` or `)})`,
    )}
      and not exists (select from ${tasks} c where c.organization_id = $organization
        and c.parent_id = t.id and c.deleted_at is null
        and (c.estimate_minutes is not null or t.estimate_minutes is null))
    order by t.owner, t.id limit ${most}`)
}

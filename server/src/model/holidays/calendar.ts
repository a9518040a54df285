import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { CalendarRules } from '../../schedule/workdays.ts'
import { settingsOf } from '../organizations/settings.ts'

/** The days off of an organization or a project: non-working weekdays and holidays. */
export type WorkCalendar = {
  /** no working day, or a holiday */
  isOff(day: string): boolean
  isHoliday(day: string): boolean
  /** the same for the engine of plans */
  rules: CalendarRules
  /** what holidays are called, by their day as in `rules` */
  names: { [day: string]: string }
}

type Holiday = { name: string; date: string; is_repeat_annually?: boolean }
type Days = { once: Set<string>; yearly: Set<string>; names: { [day: string]: string } }

/**
 * The calendar of the organization's holiday sets, or of the one that a project names. Cached until
 * a set changes.
 */
export async function workCalendar(
  ctx: Context,
  holidays_id?: string | null,
): Promise<WorkCalendar> {
  const sets = await ctx.cached('holidays', async (committed) => {
    const rows = await committed.all<{ id: string; holidays: Holiday[] }>(sql`
      select id, holidays from holiday_sets t where ${mine(ctx)} and deleted_at is null`)
    const byId = new Map(rows.map(({ id, holidays }) => [id, daysOf(holidays)]))
    // a plan checks thousands of days, and an organization may have thousands of sets
    return { byId, every: daysOf(rows.flatMap(({ holidays }) => holidays)) }
  })
  const { working_days } = await settingsOf(ctx)
  const named = holidays_id ? sets.byId.get(holidays_id) : undefined
  const { once, yearly, names } = named ?? sets.every
  const isHoliday = (day: string) => once.has(day) || yearly.has(day.slice(5))
  return {
    isHoliday,
    isOff: (day) => !working_days.includes(weekday(day)) || isHoliday(day),
    rules: { working_days, holidays: [...once, ...yearly] },
    names,
  }
}

/** The calendar of a project; without one that of the organization. */
export async function calendarOfProject(
  ctx: Context,
  project_id: string | null | undefined,
): Promise<WorkCalendar> {
  if (!project_id) return workCalendar(ctx)
  const project = await ctx.one<{ holidays_id: string | null }>(sql`
    select t.holidays_id from projects t where ${mine(ctx)} and t.id = ${project_id}`)
  return workCalendar(ctx, project?.holidays_id)
}

/** 1, Monday, to 7, as in ISO 8601. */
function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

function daysOf(holidays: Holiday[]): Days {
  const days: Days = { once: new Set(), yearly: new Set(), names: {} }
  for (const { name, date, is_repeat_annually } of holidays) {
    const day = is_repeat_annually ? date.slice(5) : date
    days[is_repeat_annually ? 'yearly' : 'once'].add(day)
    days.names[day] ??= name
  }
  return days
}

import type { Context } from '../../../kit/ground/context.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { externalKinds } from '../../../model/users/roles/permissions.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import { withTeam } from '../../users/actor.ts'

/** A person who works here, with the time that they have. */
export type Worker = {
  user_id: string
  full_name: string
  designation: string | null
  reports_to: string | null
  weekly_hours: number | null
  absences: { start_date: string; end_date: string }[]
}

/** The time of a person, as the engine counts it. */
export function timeOf({ weekly_hours, absences }: Pick<Worker, 'weekly_hours' | 'absences'>) {
  const away = absences.map(({ start_date, end_date }) => ({
    from: dayNumber(start_date),
    to: dayNumber(end_date),
  }))
  return { weekly_hours, absences: away }
}

type Of = {
  team?: string | undefined
  designation?: string | undefined
  ids?: string[]
  most: number
}

/** The active people that the caller may read, by name; no customers and partners. */
export function peopleOf(ctx: Context, { team, designation, ids, most }: Of): Promise<Worker[]> {
  const begin = team === undefined ? sql`` : withTeam(ctx.organization.id, team)
  return ctx.reading('unknown', 'users').all<Worker>(sql`${begin}
    select t.id as user_id, t.full_name, t.designation, h.id as reports_to, t.weekly_hours,
      t.absences
    from ${readableRows(ctx, 'users')} t
    join roles r on r.organization_id = $organization and r.id = t.role_id
    left join ${readableRows(ctx, 'users')} h on h.organization_id = $organization
      and h.id = t.reports_to
    where ${all(
      mine(ctx),
      sql`t.is_active and t.deleted_at is null`,
      sql`not r.kind = any(${externalKinds})`,
      team === undefined ? undefined : sql`t.id in (select id from team)`,
      ids && sql`t.id = any(${ids}::varchar[])`,
      designation === undefined ? undefined : sql`lower(t.designation) = lower(${designation})`,
    )}
    order by t.full_name, t.id limit ${most}`)
}

import type { Context } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { today } from '../../model/time/dates.ts'
import { capacityIn, sharesOf } from '../../schedule/load.ts'
import { daysOf } from '../projects/load/load.ts'
import type { Worker } from '../projects/load/people.ts'
import { timeOf } from '../projects/load/people.ts'
import { calendarOfLoad, openWork } from '../projects/load/work.ts'
import type { Part } from './shape.ts'
import { rowOf, whyOf } from './shape.ts'

/** People of the card at most, and tasks of theirs that are counted as their load. */
const most = { people: 8, tasks: 5000 }

type Member = Pick<Worker, 'full_name' | 'weekly_hours' | 'absences'> & {
  id: string
  late: number
  week: number
}

/** The people below the caller, the latest first: their late tasks, those of the coming week, and how full this week is. */
export async function team(ctx: Context): Promise<Part> {
  const now = today(ctx)
  const people = ctx.actor.team.filter((id) => id !== ctx.actor.user_id)
  const found = await ctx.all<Member>(sql`
    select t.id, t.full_name, t.weekly_hours, t.absences,
      count(*) filter (where k.due_date < ${now}::date)::int as late,
      count(*) filter (where k.due_date between ${now}::date and ${addDays(now, 7)}::date)::int
        as week
    from ${readableRows(ctx, 'users')} t
    left join ${readableRows(ctx, 'tasks')} k on k.organization_id = $organization
      and k.owner = t.id and not k.is_completed and k.deleted_at is null
    where ${all(mine(ctx), sql`t.id = any(${people}) and t.is_active and t.deleted_at is null`)}
    group by t.id, t.full_name, t.weekly_hours, t.absences
    order by late desc, week desc, t.full_name, t.id`)
  const shown = found.slice(0, most.people)
  const loads = await loadOf(ctx, shown)
  const rows = shown.map(({ id, full_name: title, late, week }) => {
    const load = loads.get(id)
    return rowOf({
      kind: 'person',
      id,
      title,
      value: load === undefined ? null : `${load} %`,
      why: whyOf('load', { count: late, also: week }),
    })
  })
  return { rows, count: found.length, list: null, is_failed: false }
}

/** What of this week's time people's open tasks take, in percent; nobody who has no time in it. */
async function loadOf(ctx: Context, people: Member[]): Promise<Map<string, number>> {
  const { weekOf, workdays, today: now, daysOfWeek } = await calendarOfLoad(ctx)
  const week = { first: weekOf(now), count: 1 }
  const ids = people.map(({ id }) => id)
  const works = Map.groupBy(await openWork(ctx, ids, week, most.tasks), ({ owner }) => owner)
  const loads = new Map<string, number>()
  for (const person of people) {
    const { capacity } = capacityIn(week.first, timeOf(person), workdays, daysOfWeek)
    if (!capacity) continue
    const planned = (works.get(person.id) ?? [])
      .flatMap((work) => sharesOf(daysOf(work), week, workdays, now))
      .reduce((sum, { minutes }) => sum + (minutes ?? 0), 0)
    loads.set(person.id, Math.round((100 * planned) / capacity))
  }
  return loads
}

import type { Context } from '../../../kit/ground/context.ts'
import type { Day } from '../../../schedule/workdays.ts'
import type { Work } from '../../../schedule/load.ts'
import { capacityIn, sharesOf } from '../../../schedule/load.ts'
import { dayNumber, dayText } from '../../../schedule/workdays.ts'
import type { DatedPlan } from '../../templates/dated.ts'
import { daysOf } from '../load/load.ts'
import { peopleOf, timeOf } from '../load/people.ts'
import { calendarOfLoad, openWork } from '../load/work.ts'
import type { Concern } from './concerns.ts'
import { counted } from './concerns.ts'

/** The fullest week in which a person has tasks of the plan, in minutes. */
export type RoleLoad = { week: string; planned: number; capacity: number; percent: number }
export type RoleLoads = ReadonlyMap<string, RoleLoad>

/** Weeks of a plan, and open tasks of its people, that are counted. */
const most = { weeks: 53, tasks: 20_000 }

type Task = Work & { owner: string | null; start: Day; due: Day }

/**
 * How full the weeks of a plan's people would be with it, as far as the caller may read what they have to do; and who would
 * have more than they have time for, or is away. Nothing is said of customers and partners, nor to them.
 */
export async function loadsOf(
  ctx: Context,
  plan: DatedPlan,
): Promise<{ loads: RoleLoads; concerns: Concern[] }> {
  const loads = new Map<string, RoleLoad>()
  const ids = [...new Set([...plan.roles.values()].flatMap(({ owner }) => owner ?? []))]
  const { start, end } = plan
  if (ctx.actor.is_external || !ids.length || start === null || end === null) {
    return { loads, concerns: [] }
  }
  const { weekOf, workdays, daysOfWeek, today } = await calendarOfLoad(ctx)
  const first = weekOf(start)
  const weeks = { first, count: Math.min((weekOf(end) - first) / 7 + 1, most.weeks) }
  const [people, works] = await Promise.all([
    peopleOf(ctx, { ids, most: ids.length }),
    openWork(ctx, ids, weeks, most.tasks),
  ])
  const stored = Map.groupBy(works, ({ owner }) => owner)
  const added = Map.groupBy(tasksOf(plan), ({ owner }) => owner)
  const concerns: Concern[] = []
  for (const person of people) {
    const { user_id, full_name, absences } = person
    const own = added.get(user_id) ?? []
    const sharesIn = (some: Work[]) =>
      some.flatMap((work) => sharesOf(work, weeks, workdays, today))
    const ofPlan = sharesIn(own)
    const others = sharesIn((stored.get(user_id) ?? []).map(daysOf))
    const planned: number[] = Array.from({ length: weeks.count }, () => 0)
    for (const { week, minutes } of [...ofPlan, ...others]) {
      planned[week] = (planned[week] ?? 0) + (minutes ?? 0)
    }
    const time = timeOf(person)
    const busy = new Set(ofPlan.map(({ week }) => week))
    const shown = [...busy].flatMap((at): RoleLoad[] => {
      const { capacity } = capacityIn(first + 7 * at, time, workdays, daysOfWeek)
      const minutes = planned[at] ?? 0
      if (!capacity) return []
      const percent = Math.round((100 * minutes) / capacity)
      return [{ week: dayText(first + 7 * at) ?? '', planned: minutes, capacity, percent }]
    })
    const [fullest] = shown.toSorted((a, b) => b.percent - a.percent || (a.week < b.week ? -1 : 1))
    if (fullest) loads.set(user_id, fullest)
    if (fullest && fullest.planned > fullest.capacity) {
      const [has, of] = [inHours(fullest.planned), inHours(fullest.capacity)]
      const text = `${full_name} has ${has} h of ${of} h in the week of ${fullest.week}`
      concerns.push({ kind: 'load', text })
    }
    for (const { start_date, end_date } of absences) {
      const [from, to] = [dayNumber(start_date), dayNumber(end_date)]
      const inside = own.filter((task) => task.start <= to && from <= task.due).length
      if (!inside) continue
      const until = start_date === end_date ? `on ${start_date}` : `${start_date} to ${end_date}`
      const words = inside === 1 ? 'falls into it' : 'fall into it'
      concerns.push({
        kind: 'away',
        text: `${full_name} is away ${until}: ${counted(inside, 'task')} ${words}`,
      })
    }
  }
  return { loads, concerns }
}

/** How long the tasks of a plan are expected to take, in minutes. */
export function estimateOf(plan: DatedPlan): number {
  return tasksOf(plan).reduce((sum, { minutes }) => sum + (minutes ?? 0), 0)
}

/** The tasks of a plan as they count in the load of people: without those whose parts are estimated. */
function tasksOf({ milestones }: DatedPlan): Task[] {
  return milestones.flatMap(({ dated }) => {
    const isEstimated = new Set(
      dated.flatMap(({ parent, estimate_minutes: minutes }) =>
        parent !== undefined && typeof minutes === 'number' ? parent : [],
      ),
    )
    return dated
      .filter(
        ({ id, title }) => ![id, title].some((ref) => ref !== undefined && isEstimated.has(ref)),
      )
      .map(({ owner, start_date, due_date, estimate_minutes }) => ({
        owner,
        start: dayNumber(start_date),
        due: dayNumber(due_date),
        minutes: estimate_minutes ?? null,
      }))
  })
}

function inHours(minutes: number): number {
  return Math.round(minutes / 60)
}

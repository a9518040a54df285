import { badField, conflict, forbidden } from '../../../kit/ground/errors.ts'
import type { PlanDates, PlanLink } from '../../../schedule/plan.ts'
import { isFamily } from '../../../schedule/network.ts'
import { WorkDays, dayNumber } from '../../../schedule/workdays.ts'
import type { LinkChange } from '../../tasks/links.ts'
import type { Change } from './input.ts'
import type { StoredPlan, StoredRow } from './stored.ts'
import { schedule } from './undated.ts'
import { datesOf, textOf } from './stored.ts'

/** What the operations of a body come to, one after the other. */
export type Wanted = {
  dates: Map<string, PlanDates>
  pins: Map<string, boolean>
  /** dependencies by task and predecessor; null are removed */
  links: Map<string, { task: string; predecessor: string; link: PlanLink | null }>
  /** the new start of the project */
  start: string | null
  /** the new agreed go-live */
  agreed: string | null
  closesGaps: boolean
}

/** Checks operations against the stored plan: 400 naming what is wrong, 403 for what the caller may not change. */
export function wantedBy(ops: Change[], stored: StoredPlan): Wanted {
  const rows = new Map([...stored.tasks, ...stored.milestones].map((row) => [row.id, row]))
  const tasks = new Set(stored.tasks.map(({ id }) => id))
  const parents = new Map(stored.plan.tasks.map(({ id, parent }) => [id, parent]))
  const workdays = new WorkDays(stored.plan.calendar, stored.plan.today)
  const wanted: Wanted = {
    dates: new Map(),
    pins: new Map(),
    links: new Map(),
    start: null,
    agreed: null,
    closesGaps: false,
  }
  const rowOf = (id: string | undefined, field: string, isTask: boolean): StoredRow => {
    if (id === undefined) throw badField(field, 'is required')
    const row = rows.get(id)
    if (!row?.is_readable || (isTask && !tasks.has(id))) {
      throw badField(
        field,
        isTask ? 'no such task in this plan' : 'no such task or milestone in this plan',
      )
    }
    return row
  }
  for (const [at, op] of ops.entries()) {
    const field = (name: string) => `ops/${at}/${name}`
    if (op.op === 'close_gaps') wanted.closesGaps = true
    else if (op.op === 'move_project') {
      if (!stored.project.is_updatable) throw forbidden('Your role may not change this project')
      const start_date = startAfter(op, stored, workdays, wanted, field)
      const due_date = wanted.agreed ?? stored.project.due_date
      if (due_date && due_date < start_date) {
        throw badField(
          field(op.start_date === undefined ? 'days' : 'start_date'),
          `must not be after due_date ${due_date}`,
        )
      }
      shiftAll(stored, workdays, start_date, wanted)
      wanted.start = start_date
    } else if (op.op === 'agree') {
      if (op.due_date === undefined) throw badField(field('due_date'), 'is required')
      if (!stored.project.is_updatable) throw forbidden('Your role may not change this project')
      const start_date = wanted.start ?? stored.project.start_date
      if (start_date && op.due_date < start_date) {
        throw badField(field('due_date'), `must not be before start_date ${start_date}`)
      }
      wanted.agreed = op.due_date
    } else if (op.op === 'schedule') {
      const one = op.id === undefined ? undefined : rowOf(op.id, field('id'), true)
      if (one && !one.is_updatable) throw forbidden(`Your role may not change ${one.title}`)
      schedule(stored, workdays, wanted, one?.id)
    } else {
      const row = rowOf(op.id, field('id'), op.op !== 'set')
      if (!row.is_updatable) throw forbidden(`Your role may not change ${row.title}`)
      if (op.version !== undefined && op.version !== row.version) {
        const { id, version } = row
        throw conflict(`${row.title} has changed since it was read`, 'stale', { id, version })
      }
      if (op.op === 'set') {
        if (!op.set || !Object.keys(op.set).length) throw badField(field('set'), 'is required')
        const { is_pinned } = op.set
        if (is_pinned !== undefined && !tasks.has(row.id)) {
          throw badField(field('set/is_pinned'), 'is for tasks')
        }
        if (is_pinned !== undefined) wanted.pins.set(row.id, is_pinned)
        const now = wanted.dates.get(row.id) ?? datesOf(row)
        const dates = datesAfter(op.set, now, workdays, field)
        if (dates) wanted.dates.set(row.id, dates)
        continue
      }
      const predecessor = rowOf(op.predecessor_id, field('predecessor_id'), true)
      const pair = { task: row.id, predecessor: predecessor.id }
      if (op.op === 'link' && isFamily(row.id, predecessor.id, (of) => parents.get(of))) {
        throw badField(
          field('predecessor_id'),
          'must be another task, and neither a part of this one nor what it is a part of',
        )
      }
      const { type = 'FS', lag_days: lag = 0 } = op
      const link = op.op === 'link' ? { ...pair, type, lag } : null
      wanted.links.set(`${pair.task} ${pair.predecessor}`, { ...pair, link })
    }
  }
  return wanted
}

type NewDates = NonNullable<Change['set']>

/** The dates after a `set`; undefined if it sets none. */
function datesAfter(
  { start_date, due_date, duration_days }: NewDates,
  now: PlanDates,
  workdays: WorkDays,
  field: (name: string) => string,
): PlanDates | undefined {
  if (start_date === undefined && due_date === undefined && duration_days === undefined)
    return undefined
  if (duration_days !== undefined && due_date !== undefined) {
    throw badField(field('set/duration_days'), 'cannot be combined with due_date')
  }
  const number = (day: string | null | undefined, own: number | null) =>
    day === undefined ? own : day === null ? null : dayNumber(day)
  const start = number(start_date, now.start)
  let due = number(due_date, now.due)
  if (duration_days !== undefined) {
    if (start === null) throw badField(field('set/duration_days'), 'needs a start_date')
    due = workdays.day(workdays.from(start) + duration_days - 1)
  } else if (due_date === undefined && start !== null && now.start !== null && now.due !== null) {
    const days = workdays.length(now.start, now.due)
    due = Math.max(start, workdays.day(workdays.from(start) + days - 1))
  }
  if (start !== null && due !== null && due < start) {
    throw due_date
      ? badField(field('set/due_date'), `must not be before start_date ${textOf(start)}`)
      : badField(field('set/start_date'), `must not be after due_date ${textOf(due)}`)
  }
  return { start, due }
}

/** The first day of a plan: that of its project, or else of its tasks and milestones. */
function firstDay({ project, plan }: StoredPlan, { dates, start }: Wanted): number | null {
  const begin = start ?? project.start_date
  if (begin) return dayNumber(begin)
  const days = [...plan.tasks, ...plan.milestones].flatMap((row) => {
    const now = dates.get(row.id) ?? row
    return now.start ?? now.due ?? []
  })
  return days.length ? days.reduce((one, other) => Math.min(one, other)) : null
}

/** The start of the project that is asked for, as a day or by working days. */
function startAfter(
  { start_date, days }: Change,
  stored: StoredPlan,
  workdays: WorkDays,
  wanted: Wanted,
  field: (name: string) => string,
): string {
  if (start_date !== undefined && days !== undefined) {
    throw badField(field('days'), 'cannot be combined with start_date')
  }
  if (start_date !== undefined) return start_date
  if (days === undefined) throw badField(field('start_date'), 'is required')
  const first = firstDay(stored, wanted)
  if (first === null) throw badField(field('days'), 'needs a project or tasks with dates')
  return textOf(workdays.day(workdays.from(first) + days)) ?? ''
}

/**
 * Every date by as many working days as the start of the project, from where earlier operations have put it; the engine
 * leaves alone what has begun.
 */
function shiftAll(stored: StoredPlan, workdays: WorkDays, to: string, wanted: Wanted) {
  const { plan } = stored
  const { dates, pins } = wanted
  const now = <Row extends PlanDates & { id: string }>({ id, start, due }: Row) =>
    dates.get(id) ?? { start, due }
  const first = firstDay(stored, wanted)
  if (first === null) return
  const by = workdays.from(dayNumber(to)) - workdays.from(first)
  if (!by) return
  const mayMove = [
    ...plan.tasks.filter(
      ({ id, state, isPinned, isFixed }) =>
        state === 'open' && !(pins.get(id) ?? isPinned) && !isFixed,
    ),
    ...plan.milestones.filter(({ isDone, isFixed }) => !isDone && !isFixed),
  ]
  for (const row of mayMove) {
    const { start, due } = now(row)
    if (start !== null || due !== null) dates.set(row.id, workdays.shifted({ start, due }, by))
  }
}

/** The dependencies that are to be other than they are stored. */
export function linkChanges({ links }: StoredPlan, wanted: Wanted): LinkChange[] {
  const stored = new Map(links.map((each) => [`${each.task_id} ${each.predecessor_id}`, each]))
  return [...wanted.links].flatMap(([key, { task, predecessor, link }]) => {
    const { type, lag_days } = stored.get(key) ?? {}
    if (type === link?.type && lag_days === link?.lag) return []
    const from = type === undefined || lag_days === undefined ? null : { type, lag_days }
    const to = link && { type: link.type, lag_days: link.lag }
    return { task_id: task, predecessor_id: predecessor, from, to }
  })
}

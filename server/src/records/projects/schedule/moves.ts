import { badField, conflict, forbidden } from '../../../kit/ground/errors.ts'
import type { PlanDates, PlanLink } from '../../../schedule/plan.ts'
import { WorkDays, dayNumber, dayText } from '../../../schedule/workdays.ts'
import type { Change } from './input.ts'
import type { StoredPlan, StoredRow } from './stored.ts'
import { datesOf } from './stored.ts'

/** What the operations of a body come to. */
export type Wanted = {
  dates: Map<string, PlanDates>
  pins: Map<string, boolean>
  links: PlanLink[]
  unlinks: { task: string; predecessor: string }[]
  /** the new start of the project */
  start: string | null
  closesGaps: boolean
}

/** Checks operations against the stored plan: 400 naming what is wrong, 403 for what the caller may not change. */
export function wantedBy(ops: Change[], stored: StoredPlan): Wanted {
  const rows = new Map([...stored.tasks, ...stored.milestones].map((row) => [row.id, row]))
  const tasks = new Set(stored.tasks.map(({ id }) => id))
  const workdays = new WorkDays(stored.plan.calendar, stored.plan.today)
  const wanted: Wanted = {
    dates: new Map(),
    pins: new Map(),
    links: [],
    unlinks: [],
    start: null,
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
      if (op.start_date === undefined) throw badField(field('start_date'), 'is required')
      wanted.start = op.start_date
      shiftAll(stored, workdays, op.start_date, wanted.dates)
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
      if (op.op === 'unlink') {
        wanted.unlinks.push({ task: row.id, predecessor: predecessor.id })
        continue
      }
      checkFamily(stored, row.id, predecessor.id, field('predecessor_id'))
      const { type = 'FS', lag_days: lag = 0 } = op
      wanted.links.push({ task: row.id, predecessor: predecessor.id, type, lag })
    }
  }
  return wanted
}

type Set = NonNullable<Change['set']>

/** The dates after a `set`; undefined if it sets none. */
function datesAfter(
  { start_date, due_date, duration_days }: Set,
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
    const days = Math.max(workdays.until(now.due) - workdays.from(now.start), 0)
    due = Math.max(start, workdays.day(workdays.from(start) + days))
  }
  if (start !== null && due !== null && due < start) {
    throw badField(
      field(due_date ? 'set/due_date' : 'set/start_date'),
      'must not be after the due date',
    )
  }
  return { start, due }
}

/** Every date by as many working days as the start of the project; the engine leaves alone what has begun. */
function shiftAll(
  { project, plan }: StoredPlan,
  workdays: WorkDays,
  to: string,
  dates: Map<string, PlanDates>,
) {
  const starts = [...plan.tasks, ...plan.milestones].flatMap(({ start, due }) => start ?? due ?? [])
  const first = project.start_date ? dayNumber(project.start_date) : Math.min(...starts)
  if (!Number.isFinite(first)) return
  const by = workdays.from(dayNumber(to)) - workdays.from(first)
  if (!by) return
  const shifted = (day: number | null, number: 'from' | 'until') =>
    day === null ? null : workdays.day(workdays[number](day) + by)
  const mayMove = [
    ...plan.tasks.filter(
      ({ state, isPinned, isFixed }) => state === 'open' && !isPinned && !isFixed,
    ),
    ...plan.milestones.filter(({ isDone, isFixed }) => !isDone && !isFixed),
  ]
  for (const { id, start, due } of mayMove) {
    if (start === null && due === null) continue
    const from = shifted(start, 'from')
    const until = shifted(due, 'until')
    dates.set(id, {
      start: from,
      due: until !== null && from !== null ? Math.max(from, until) : until,
    })
  }
}

/** 400 for a dependency between a task and what it is a part of, which means nothing. */
function checkFamily({ plan }: StoredPlan, task: string, predecessor: string, field: string) {
  const parents = new Map(plan.tasks.map(({ id, parent }) => [id, parent]))
  const isAbove = (above: string, below: string) => {
    const seen = new Set<string>()
    for (let at: string | null | undefined = below; at && !seen.has(at); at = parents.get(at)) {
      if (at === above) return true
      seen.add(at)
    }
    return false
  }
  if (task === predecessor || isAbove(task, predecessor) || isAbove(predecessor, task)) {
    throw badField(
      field,
      'must be another task, and neither a part of this one nor what it is a part of',
    )
  }
}

/** 400 for dates outside the calendar. */
export function textOf(day: number | null): string | null {
  if (day === null) return null
  const text = dayText(day)
  if (text === undefined) throw badField('ops', 'moves dates beyond the calendar')
  return text
}

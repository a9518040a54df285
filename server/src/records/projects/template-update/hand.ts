import { WorkDays, dayNumber } from '../../../schedule/workdays.ts'
import type { StoredPlan } from '../schedule/stored.ts'
import type { Line, Waits } from './lines.ts'
import { contentFields, isSameValue } from './lines.ts'
import type { ProjectRow } from './rows.ts'

/** A project beside the version of the template from which it was made. */
export type Beside = {
  stored: StoredPlan
  rows: ProjectRow[]
  byId: ReadonlyMap<string, ProjectRow>
  byRef: ReadonlyMap<string, ProjectRow>
  /** the lines of the version from which it was made, by their name */
  base: ReadonlyMap<string, Line>
  workdays: WorkDays
  /** working days from the numbers of a template to those of the calendar, of all and in a milestone */
  shift: (milestone: string | null) => number
  /** the rows that are done, or that a person has changed */
  byHand: ReadonlySet<string>
  isGroup: ReadonlySet<string>
}

/** Finds which rows of a project a person has changed since they were made from a line of its template. */
export function besideTemplate(stored: StoredPlan, rows: ProjectRow[], lines: Line[]): Beside {
  const byRef = new Map<string, ProjectRow>()
  for (const row of rows) if (row.ref !== null) byRef.set(row.ref, row)
  const { start_date } = stored.project
  const workdays = new WorkDays(
    stored.plan.calendar,
    start_date ? dayNumber(start_date) : stored.plan.today,
  )
  const base = new Map(lines.map((line) => [line.ref, line]))
  const isGroup = new Set(stored.tasks.flatMap(({ parent_id }) => parent_id ?? []))
  const made = rows.flatMap((row) => {
    const line = row.ref === null ? undefined : base.get(row.ref)
    return line && row.start_date
      ? [{ row, line, number: workdays.from(dayNumber(row.start_date)) }]
      : []
  })
  const shifts = made.map(({ line, number }) => ({ of: line.milestone, by: number - line.start }))
  const first = start_date ? workdays.from(dayNumber(start_date)) : undefined
  const whole = most(
    shifts.map(({ by }) => by),
    first,
  )
  const inside = Map.groupBy(shifts, ({ of }) => of)
  const shift = (milestone: string | null) =>
    milestone === null
      ? whole
      : most(
          (inside.get(milestone) ?? []).map(({ by }) => by),
          whole,
        )
  const beside = {
    stored,
    rows,
    byRef,
    byId: new Map(rows.map((row) => [row.id, row])),
    base,
    workdays,
    shift,
    isGroup,
    byHand: new Set<string>(),
  }
  const shiftOf = new Map(made.map(({ row, line, number }) => [row.id, number - line.start]))
  const waits = waitsOf(beside)
  for (const row of rows) {
    const line = row.ref === null ? undefined : base.get(row.ref)
    if (!line || row.is_done) continue
    const isSame =
      isAsWritten(beside, row, line) &&
      isSameWaits(beside, line, waits.get(row.id)) &&
      isAsDated(beside, row, line, { whole, shiftOf, waits: waits.get(row.id) })
    if (!isSame) beside.byHand.add(row.id)
  }
  return beside
}

type Waiting = Map<string, Waits>

/** What the tasks of a project wait for, by their ids and those of the others. */
function waitsOf({ stored }: Pick<Beside, 'stored'>): Map<string, Waiting> {
  const found = new Map<string, Waiting>()
  for (const { task_id, predecessor_id, type, lag_days } of stored.links) {
    const its = found.get(task_id) ?? new Map()
    found.set(task_id, its.set(predecessor_id, { type, lag_days }))
  }
  return found
}

/** Whether what a row says, and where it stands, is as its line had it. */
function isAsWritten({ byId }: Pick<Beside, 'byId'>, row: ProjectRow, line: Line): boolean {
  if (!contentFields.every((field) => isSameValue(sorted(row[field]), sorted(line[field])))) {
    return false
  }
  if (row.row_kind === 'milestone') return true
  const refOf = (id: string | null) => (id === null ? null : (byId.get(id)?.ref ?? id))
  return (
    !row.is_pinned &&
    refOf(row.milestone_id) === line.milestone &&
    refOf(row.parent_id) === line.parent
  )
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value
}

function isSameWaits(
  { byId, byRef }: Pick<Beside, 'byId' | 'byRef'>,
  line: Line,
  waits: Waiting = new Map(),
) {
  const wanted = [...line.waits].filter(([ref]) => byRef.has(ref))
  return (
    wanted.length === waits.size &&
    [...waits].every(([id, { type, lag_days }]) => {
      const its = line.waits.get(byId.get(id)?.ref ?? '')
      return its?.type === type && its.lag_days === lag_days
    })
  )
}

/**
 * Whether the dates of a row are those of its line, moved with the whole plan, or as what it waits for has pushed it.
 * Those of milestones, and of tasks with subtasks, follow from others.
 */
function isAsDated(
  { workdays, isGroup, byId }: Pick<Beside, 'workdays' | 'isGroup' | 'byId'>,
  row: ProjectRow,
  line: Line,
  {
    whole,
    shiftOf,
    waits,
  }: { whole: number; shiftOf: Map<string, number>; waits: Waiting | undefined },
): boolean {
  if (row.row_kind === 'milestone' || isGroup.has(row.id)) return true
  const { start_date, due_date } = row
  if (!start_date || !due_date) return false
  const [start, due] = [dayNumber(start_date), dayNumber(due_date)]
  if (workdays.length(start, due) !== line.days) return false
  const own = shiftOf.get(row.id)
  if (own === whole) return true
  return [...(waits ?? [])].some(([id, { type, lag_days }]) => {
    const other = byId.get(id)
    if (!other?.start_date || !other.due_date) return false
    if (own !== undefined && shiftOf.get(id) === own) return true
    const from =
      type === 'FS' || type === 'FF'
        ? workdays.until(dayNumber(other.due_date)) + 1
        : workdays.from(dayNumber(other.start_date))
    const at = type === 'FS' || type === 'SS' ? workdays.from(start) : workdays.until(due) + 1
    return at === from + lag_days
  })
}

/** The number that is there most often; of several the usual one, or else the least. */
function most(numbers: number[], usual: number | undefined): number {
  const counts = new Map<number, number>()
  for (const each of usual === undefined ? numbers : [usual, ...numbers]) {
    counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  const highest = Math.max(0, ...counts.values())
  const best = [...counts].flatMap(([each, count]) => (count === highest ? each : []))
  if (usual !== undefined && best.includes(usual)) return usual
  return best.length ? Math.min(...best) : 0
}

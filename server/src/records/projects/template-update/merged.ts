import { mostLevels } from '../../../model/templates/config.ts'
import type { Plan, PlanDates, PlanLink } from '../../../schedule/plan.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import type { LinkChange } from '../../tasks/links.ts'
import type { Beside } from './hand.ts'
import type { Line, Waits } from './lines.ts'
import { contentFields, isSameLine, isSameValue } from './lines.ts'
import type { ProjectRow } from './rows.ts'

/** Why a line that another version would add or change stays as it is. */
export type Reason = 'done' | 'changed' | 'deleted' | 'not_allowed'
export type Kept = { title: string; reason: Reason }

/** A line that a project gets: where it stands is the id of a row, or the name of another new line. */
export type NewLine = { line: Line; milestone: string | null; parent: string | null }

/** What another version of a template means for a project, before anything moves. */
export type Merged = {
  added: NewLine[]
  changed: Map<string, { row: ProjectRow; fields: Fields }>
  kept: Kept[]
  links: LinkChange[]
  /** documents of which rows get a copy */
  documents: Map<string, string>
  /** dates of rows and new lines as the version has them; the engine moves what does not fit */
  dates: Map<string, PlanDates>
}

/** The forms and documents of a version that there are, and that the caller may give to tasks. */
export type Sources = {
  forms: ReadonlyMap<string, unknown>
  documents: ReadonlySet<string>
}

type Fields = { [field: string]: { from: unknown; to: unknown } }

/**
 * What a project takes over of another version of its template: lines that are new, and what was changed of those that
 * are open and as they were made. A line that the version lacks stays.
 */
export function merged(beside: Beside, next: Line[], sources: Sources): Merged {
  const { byRef, base, byHand } = beside
  const result: Merged = {
    added: [],
    changed: new Map(),
    kept: [],
    links: [],
    documents: new Map(),
    dates: new Map(),
  }
  const isNew = new Map<string, NewLine>()
  const keep = (line: Line, reason: Reason) => result.kept.push({ title: line.title, reason })
  for (const line of next) {
    const row = byRef.get(line.ref)
    const before = base.get(line.ref)
    if (!row) {
      const place = before ? ('deleted' as const) : placeOf(beside, line, isNew)
      if (typeof place === 'string') {
        // what is gone as it was is no news
        if (!before || !isSameLine(before, line)) keep(line, place)
        continue
      }
      isNew.set(line.ref, place)
      result.added.push(place)
      result.dates.set(line.ref, newDates(beside, line))
    } else if (!before || !isSameLine(before, line)) {
      const reason = reasonOf(row, before, byHand)
      if (reason) keep(line, reason)
      else if (before && !takeOver(beside, { row, before, line }, sources, result)) {
        keep(line, 'changed')
      }
    }
  }
  const known = (ref: string) => byRef.get(ref)?.id ?? (isNew.has(ref) ? ref : undefined)
  for (const { line } of result.added) {
    if (line.kind === 'task') result.links.push(...linksOf(line.ref, new Map(), line.waits, known))
  }
  for (const line of next) {
    const row = byRef.get(line.ref)
    const before = base.get(line.ref)
    if (!row || !before || reasonOf(row, before, byHand)) continue
    result.links.push(...linksOf(row.id, before.waits, line.waits, known))
  }
  return result
}

function reasonOf(
  row: ProjectRow,
  before: Line | undefined,
  byHand: Beside['byHand'],
): Reason | null {
  if (row.is_done) return 'done'
  if (!row.is_readable || !row.is_updatable) return 'not_allowed'
  return !before || byHand.has(row.id) ? 'changed' : null
}

/** Where a new line goes; or why it does not. */
function placeOf(
  { byRef, byId }: Beside,
  line: Line,
  isNew: ReadonlyMap<string, NewLine>,
): NewLine | Reason {
  if (line.kind === 'milestone') return { line, milestone: null, parent: null }
  const places = { milestone: line.milestone, parent: line.parent }
  const found = { milestone: null as string | null, parent: null as string | null }
  for (const above of ['milestone', 'parent'] as const) {
    const ref = places[above]
    if (ref === null) continue
    const row = byRef.get(ref)
    if (!row && !isNew.has(ref)) return 'deleted'
    if (row?.is_done) return 'done'
    if (row && !row.is_readable) return 'not_allowed'
    found[above] = row?.id ?? ref
  }
  const parent = byId.get(found.parent ?? '')
  // a person may have moved it further down, or elsewhere
  if (parent && levelOf(byId, parent) >= mostLevels) found.parent = null
  else if (parent) found.milestone = parent.milestone_id
  return { line, ...found }
}

function levelOf(byId: Beside['byId'], row: ProjectRow): number {
  let level = 1
  for (let at = byId.get(row.parent_id ?? ''); at && level < mostLevels; level++) {
    at = byId.get(at.parent_id ?? '')
  }
  return level
}

/** As the version has it in the plan as it has moved, not before today. */
function newDates({ workdays, shift, stored }: Beside, line: Line): PlanDates {
  const wanted = shift(line.kind === 'task' ? line.milestone : null) + line.start
  const first = Math.max(wanted, workdays.from(stored.plan.today))
  return { start: workdays.day(first), due: workdays.day(first + line.days - 1) }
}

type Counterparts = { row: ProjectRow; before: Line; line: Line }

/** The fields of a row that a version changes; whether all of them. */
function takeOver(
  beside: Beside,
  { row, before, line }: Counterparts,
  sources: Sources,
  { changed, documents, dates }: Merged,
): boolean {
  const { fields, isWhole } = addedTo({ row, before, line }, sources)
  for (const field of contentFields) {
    if (isSameValue(before[field], line[field])) continue
    fields[field] = { from: row[field], to: line[field] }
  }
  const { document_id } = line
  if (document_id && document_id !== before.document_id && sources.documents.has(document_id)) {
    documents.set(row.id, document_id)
  }
  changed.set(row.id, { row, fields })
  const to = datesOf(beside, row, before, line)
  if (to) dates.set(row.id, to)
  return isWhole
}

/** The estimate and the form that a version gives a row, unless it has got others, or answers. */
function addedTo({ row, before, line }: Counterparts, { forms }: Sources) {
  const fields: Fields = {}
  const estimate = { from: row.estimate_minutes, to: line.estimate_minutes }
  const isEstimated = isSameValue(before.estimate_minutes, line.estimate_minutes)
  const hasEstimate = isSameValue(row.estimate_minutes, before.estimate_minutes)
  if (!isEstimated && hasEstimate) fields.estimate_minutes = estimate
  const structure = line.form_id === null ? null : forms.get(line.form_id)
  const isAsked = isSameValue(before.form_id, line.form_id) || structure === undefined
  const hasForm = isSameValue(row.form_id, before.form_id) && !row.has_answers
  if (!isAsked && hasForm) {
    fields.form_id = { from: row.form_id, to: line.form_id }
    fields.form_structure = { from: row.form_structure ?? null, to: structure }
    const usual = structure ? 3 : row.parent_id === null ? 1 : 2
    const item_type = line.task?.item_type ?? usual
    if (item_type !== row.item_type) fields.item_type = { from: row.item_type, to: item_type }
  }
  return { fields, isWhole: (isEstimated || hasEstimate) && (isAsked || hasForm) }
}

/** By as many working days as the version moves it and as long as it says; what has begun keeps its start. */
function datesOf(
  { workdays, isGroup, stored, rows }: Beside,
  row: ProjectRow,
  before: Line,
  { start, days }: Line,
): PlanDates | undefined {
  const isHolder = isGroup.has(row.id) || rows.some(({ milestone_id }) => milestone_id === row.id)
  const by = start - before.start
  if (isHolder || !row.start_date || !row.due_date || (!by && days === before.days))
    return undefined
  const own = workdays.from(dayNumber(row.start_date))
  const today = workdays.from(stored.plan.today)
  const moved = row.is_started ? own : by < 0 ? Math.min(own, Math.max(own + by, today)) : own + by
  const due = workdays.day(moved + days - 1)
  return { start: moved === own ? dayNumber(row.start_date) : workdays.day(moved), due }
}

/** The dependencies of a task that a version adds, changes or drops. */
function linksOf(
  task_id: string,
  before: Line['waits'],
  after: Line['waits'],
  known: (ref: string) => string | undefined,
): LinkChange[] {
  const refs = new Set([...before.keys(), ...after.keys()])
  return [...refs].flatMap((ref): LinkChange[] => {
    const predecessor_id = known(ref)
    const [from, to] = [before.get(ref) ?? null, after.get(ref) ?? null]
    const isSame = isSameWait(from, to)
    return predecessor_id === undefined || isSame ? [] : [{ task_id, predecessor_id, from, to }]
  })
}

function isSameWait(one: Waits | null, other: Waits | null): boolean {
  return one?.type === other?.type && one?.lag_days === other?.lag_days
}

/** A plan with what a version adds and changes, and its links that may push what they lead to. */
export function planWith(
  beside: Beside,
  { added, dates, links }: Merged,
): { plan: Plan; links: PlanLink[] } {
  const { plan } = beside.stored
  const changed = new Set(links.map(keyOf))
  const kept = plan.links.filter(({ task, predecessor }) => !changed.has(`${task} ${predecessor}`))
  const isTouched = ({ task, predecessor }: PlanLink) => dates.has(task) || dates.has(predecessor)
  const next = links.flatMap(({ task_id, predecessor_id, to }): PlanLink[] => {
    const type = linkTypes.find((each) => each === to?.type)
    return to && type
      ? [{ task: task_id, predecessor: predecessor_id, type, lag: to.lag_days }]
      : []
  })
  const none = { start: null, due: null }
  const tasks = added.flatMap(({ line, milestone, parent }) =>
    line.kind === 'task'
      ? [
          {
            id: line.ref,
            parent,
            milestone,
            state: 'open' as const,
            isPinned: false,
            isFixed: false,
            ...(dates.get(line.ref) ?? none),
          },
        ]
      : [],
  )
  const milestones = added.flatMap(({ line }) =>
    line.kind === 'milestone'
      ? [{ id: line.ref, isDone: false, isFixed: false, ...(dates.get(line.ref) ?? none) }]
      : [],
  )
  return {
    plan: {
      ...plan,
      tasks: [
        ...plan.tasks.map((task) => ({
          ...task,
          ...dates.get(task.id),
          isPinned: task.isPinned || beside.byHand.has(task.id),
        })),
        ...tasks,
      ],
      milestones: [
        ...plan.milestones.map((each) => ({ ...each, ...dates.get(each.id) })),
        ...milestones,
      ],
      links: kept,
    },
    links: [...kept.filter(isTouched), ...next],
  }
}

const linkTypes = ['FS', 'SS', 'FF', 'SF'] as const

function keyOf({ task_id, predecessor_id }: LinkChange): string {
  return `${task_id} ${predecessor_id}`
}

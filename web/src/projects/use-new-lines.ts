import { useRef, useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { perform } from '../data/history.ts'
import type { Place } from '../data/modules.ts'
import type { PlanPlace } from '../data/plan-places.ts'
import { addToPlan } from '../data/plan-places.ts'
import type { PlanRows } from '../data/plan-rows.ts'
import { deleteRows, undoAll } from '../data/plan-rows.ts'
import type { PlanMilestone, PlanTask, ProjectPlan } from '../data/project-plan.ts'
import { refreshPlan } from '../data/project-plan.ts'
import type { More } from './new-values.ts'
import { movedIn } from './places.ts'
import { deepest } from './tree.ts'
import { t } from '../locales/text.ts'

/** A line that is added: what it is called, and what else is set. */
export type Line = { title: string; more?: More }

/** A milestone or task that was typed: shown under its key until it is stored and read. */
type NewLine = Line & { key: string; id?: string; place: PlanPlace; below?: number }

/** What lines are called once they are added. */
export type AddedAs = 'line' | 'row' | 'task'

type NewLines = {
  /** the plan with what is on its way */
  plan: ProjectPlan
  /** adds a line, and returns the id that it has until it is stored */
  add: (line: Line, place: PlanPlace) => string
  /** adds lines, each so far below the first one, as one act that `word` counts */
  addAll: (lines: (Line & { depth: number })[], place: PlanPlace, word?: AddedAs) => void
  /** the id of a line, once it is stored */
  real: (id: string) => string
}

/** Lines that are added to a plan, one after the other: shown at once, so that one can type on. */
export function useNewLines(projectId: string, tasks: Place, plan: ProjectPlan): NewLines {
  const [lines, setLines] = useState<NewLine[]>([])
  const [ids, setIds] = useState<ReadonlyMap<string, string>>(new Map())
  // what a line in the queue is below may have been stored since it was typed
  const stored = useRef(new Map<string, string>())
  const queue = useRef(Promise.resolve())
  const known = new Set([
    ...plan.tasks.map(({ item_id }) => item_id),
    ...plan.milestones.map(({ milestone_id }) => milestone_id),
  ])
  const waiting = lines.filter(({ id }) => id === undefined || !known.has(id))
  if (waiting.length < lines.length) setLines(waiting)
  const real = (id: string) => ids.get(id) ?? id

  async function store(batch: NewLine[], place: PlanPlace): Promise<void> {
    const keys = new Set(batch.map(({ key }) => key))
    try {
      const added = await addToPlan(
        projectId,
        batch.map(({ title, more, below, place: { kind } }) => ({
          kind,
          title,
          more: more?.sent ?? {},
          below,
        })),
        placeIn(place, stored.current),
        batch[0]?.key ?? '',
      )
      for (const [at, { key }] of batch.entries()) {
        const id = added[at]
        if (id !== undefined) stored.current.set(key, id)
      }
      setIds(new Map(stored.current))
      setLines((all) => all.map((each) => withId(each, stored.current.get(each.key))))
    } catch (error) {
      setLines((all) => all.filter(({ key }) => !keys.has(key)))
      notifyRefusal(error)
    }
  }

  function enqueue(batch: NewLine[], place: PlanPlace) {
    setLines((all) => [...all, ...batch])
    const last = queue.current.then(() => store(batch, place))
    queue.current = last
    void last.then(() => (queue.current === last ? refreshPlan(projectId) : undefined))
    return last
  }

  /** The act of adding: undone by deleting what was added, and redone by restoring it, so that it is the same rows. */
  function remember(keys: string[], last: Promise<void>, rows: () => PlanRows, message?: string) {
    let bulks: string[] = []
    void perform(projectId, async () => {
      await last
      if (bulks.length) await undoAll(projectId, bulks)
      if (!keys.some((key) => stored.current.has(key))) return undefined
      const undo = async () => {
        bulks = await deleteRows(projectId, tasks, rows())
        // one that was never read with the plan would stay
        setLines((all) => all.filter(({ key }) => !keys.includes(key)))
      }
      return { ...(message === undefined ? {} : { message }), undo }
    })
  }

  const idsOf = (keys: string[]) => keys.flatMap((key) => stored.current.get(key) ?? [])

  /** Adds lines as one act; returns the key of the first one. */
  function addLines(list: (Line & { depth: number })[], first: PlanPlace, message?: string) {
    const batch = batchOf(list, first, depthLeft(plan, first))
    const last = enqueue(batch, first)
    const keysOf = (kind: PlanPlace['kind']) =>
      batch.flatMap(({ key, below, place }) =>
        below === undefined && place.kind === kind ? key : [],
      )
    const rows = () => ({
      tasks: idsOf(keysOf('task')),
      milestones: idsOf(keysOf('milestone')),
    })
    const keys = batch.map(({ key }) => key)
    remember(keys, last, rows, message)
    return keys[0] ?? ''
  }

  const add: NewLines['add'] = (line, place) => addLines([{ ...line, depth: 0 }], place)
  const addAll: NewLines['addAll'] = (list, first, word = 'line') =>
    void addLines(list, first, addedWords(list.length, word))

  const shown = waiting.reduce(
    (now, { key, id = key, place, ...line }) =>
      movedIn(withNew(now, id, line, place), id, placeIn(place, ids)),
    plan,
  )
  return { plan: shown, add, addAll, real }
}

function withId(line: NewLine, id: string | undefined): NewLine {
  return id === undefined ? line : { ...line, id }
}

/** How many levels there may be below what is added at a place. */
function depthLeft(plan: ProjectPlan, { kind, parent_id }: PlanPlace): number {
  const above = new Map(plan.tasks.map(({ item_id, parent_id: id }) => [item_id, id]))
  let level = kind === 'milestone' ? 1 : 2
  for (let id = parent_id; id !== null && level < deepest; id = above.get(id) ?? null) level++
  return deepest - level
}

/** Lines with their places and what they are below; what is too deep stands beside the line before it. */
function batchOf(list: (Line & { depth: number })[], first: PlanPlace, most: number): NewLine[] {
  const batch: NewLine[] = []
  const above: number[] = []
  const keyAt = (at: number | undefined) => (at === undefined ? null : (batch[at]?.key ?? null))
  const isMilestone = first.kind === 'milestone'
  for (const { depth: wanted, ...line } of list) {
    const depth = Math.min(wanted, most)
    const parent = above[depth - 1]
    const place: PlanPlace =
      parent === undefined
        ? { ...first, after: keyAt(above[0]) ?? first.after }
        : {
            kind: 'task',
            milestone_id: isMilestone ? keyAt(above[0]) : first.milestone_id,
            parent_id: isMilestone && depth === 1 ? null : keyAt(parent),
            after: keyAt(above[depth]),
            before: null,
          }
    above.splice(parent === undefined ? 0 : depth, above.length, batch.length)
    const key = crypto.randomUUID()
    batch.push({ ...line, key, place, ...(parent === undefined ? {} : { below: parent }) })
  }
  return batch
}

function placeIn(place: PlanPlace, ids: ReadonlyMap<string, string>): PlanPlace {
  const real = (id: string | null) => (id === null ? null : (ids.get(id) ?? id))
  const { kind, milestone_id, parent_id, after, before } = place
  return {
    kind,
    milestone_id: real(milestone_id),
    parent_id: real(parent_id),
    after: real(after),
    before: real(before),
  }
}

/** What a row has before the server says more of it; it cannot be changed until then. */
const nothingYet = {
  status: null,
  owner: null,
  start_date: null,
  due_date: null,
  completed_at: null,
  position: 0,
  rank: '',
  is_shared: false,
  version: 0,
  can: { update: false, delete: false, restore: false },
  number: '',
}

function withNew(
  plan: ProjectPlan,
  id: string,
  { title, more }: Line,
  { kind, milestone_id, parent_id }: PlanPlace,
): ProjectPlan {
  if (kind === 'milestone') {
    const counts = {
      tasks_count: 0,
      completed_tasks_count: 0,
      kind: null,
      agreed_date: null,
      forecast_date: null,
      baseline: null,
      totals: {
        tasks: 0,
        completed: 0,
        late: 0,
        blocked: 0,
        estimate_minutes: 0,
        spent_minutes: 0,
      },
    }
    const milestone: PlanMilestone = {
      ...nothingYet,
      ...counts,
      ...more?.shown,
      milestone_id: id,
      name: title,
      rating: null,
    }
    return { ...plan, milestones: [...plan.milestones, milestone] }
  }
  const task: PlanTask = {
    ...nothingYet,
    item_type: 1,
    is_completed: false,
    priority: null,
    is_pinned: false,
    is_blocked: false,
    is_private: false,
    duration_days: null,
    forecast: null,
    slack: null,
    is_critical: false,
    estimate_minutes: null,
    spent_minutes: 0,
    late: null,
    baseline: null,
    owner_side: 'nobody',
    is_timer_running: false,
    ...more?.shown,
    item_id: id,
    title,
    milestone_id,
    parent_id,
  }
  return { ...plan, tasks: [...plan.tasks, task] }
}

function addedWords(count: number, word: AddedAs): string {
  if (word === 'task') return t('{count} task added | {count} tasks added', { count })
  return word === 'row'
    ? t('{count} row added | {count} rows added', { count })
    : t('{count} line added | {count} lines added', { count })
}

import { useRef, useState } from 'react'
import { changeMany } from '../data/bulk.ts'
import { notifyRefusal } from '../data/change.ts'
import type { Place } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import type { PlanPlace } from '../data/plan-places.ts'
import { addToPlan } from '../data/plan-places.ts'
import type { PlanMilestone, PlanTask, ProjectPlan } from '../data/project-plan.ts'
import { milestonesOf, refreshPlan } from '../data/project-plan.ts'
import { linesOf } from './pasted.ts'
import { movedIn } from './places.ts'

/** A milestone or task that was typed: shown under its key until it is stored and read. */
type NewLine = { key: string; id?: string; title: string; place: PlanPlace }

type NewLines = {
  /** the plan with what is on its way */
  plan: ProjectPlan
  /** adds a line, and returns the id that it has until it is stored */
  add: (title: string, place: PlanPlace) => string
  /** adds pasted text, line by line, with one undo */
  addText: (text: string, place: PlanPlace) => void
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

  async function store({ key, title, place }: NewLine): Promise<void> {
    try {
      const id = await addToPlan(projectId, title, placeIn(place, stored.current), key)
      stored.current.set(key, id)
      setIds(new Map(stored.current))
      setLines((all) => all.map((each) => (each.key === key ? { ...each, id } : each)))
    } catch (error) {
      setLines((all) => all.filter((each) => each.key !== key))
      notifyRefusal(error)
    }
  }

  function add(title: string, place: PlanPlace): string {
    const line = { key: crypto.randomUUID(), title, place }
    setLines((all) => [...all, line])
    const last = queue.current.then(() => store(line))
    queue.current = last
    void last.then(() => (queue.current === last ? refreshPlan(projectId) : undefined))
    return line.key
  }

  function addText(text: string, first: PlanPlace) {
    const list = linesOf(text)
    const keys: string[] = []
    const last: string[] = []
    for (const { title, depth } of list) {
      const above = last[depth - 1]
      const isInMilestone = first.kind === 'milestone' && depth === 1
      const below: PlanPlace = {
        kind: 'task',
        milestone_id: first.kind === 'milestone' ? (last[0] ?? null) : first.milestone_id,
        parent_id: isInMilestone ? null : (above ?? null),
        after: last[depth] ?? null,
        before: null,
      }
      const key = add(title, above ? below : { ...first, after: last[0] ?? first.after })
      last.splice(depth, last.length, key)
      keys.push(key)
    }
    const tops = first.kind === 'milestone' ? keys.filter((_, at) => list[at]?.depth === 0) : keys
    void queue.current.then(() => {
      const ids = tops.flatMap((key) => stored.current.get(key) ?? [])
      const place = first.kind === 'milestone' ? milestonesOf(projectId) : tasks
      const count = keys.filter((key) => stored.current.has(key)).length
      if (!count) return
      notify({
        message: `${count} ${count === 1 ? 'line' : 'lines'} added`,
        undo: async () => {
          await changeMany(place, { ids }, { action: 'delete' }, (words) => `Deleted ${words}`)
          await refreshPlan(projectId)
        },
      })
    })
  }

  const shown = waiting.reduce(
    (now, { key, id = key, title, place }) =>
      movedIn(withNew(now, id, title, place), id, placeIn(place, ids)),
    plan,
  )
  return { plan: shown, add, addText, real }
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
  title: string,
  { kind, milestone_id, parent_id }: PlanPlace,
): ProjectPlan {
  if (kind === 'milestone') {
    const counts = {
      tasks_count: 0,
      completed_tasks_count: 0,
      kind: null,
      agreed_date: null,
      forecast_date: null,
      totals: {
        tasks: 0,
        completed: 0,
        late: 0,
        blocked: 0,
        estimate_minutes: 0,
        spent_minutes: 0,
      },
    }
    const milestone: PlanMilestone = { ...nothingYet, ...counts, milestone_id: id, name: title }
    return { ...plan, milestones: [...plan.milestones, milestone] }
  }
  const task: PlanTask = {
    ...nothingYet,
    item_id: id,
    title,
    milestone_id,
    parent_id,
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
    owner_side: 'nobody',
  }
  return { ...plan, tasks: [...plan.tasks, task] }
}

import { asProblem } from '../api/problem.ts'
import { notifyRefusal } from '../data/change.ts'
import type { Values } from '../data/change.ts'
import type { Module, Place } from '../data/modules.ts'
import type { PlanOp } from '../data/plan-moves.ts'
import { moveAlone } from '../data/plan-moves.ts'
import type { PlanPlace } from '../data/plan-places.ts'
import { placeInPlan } from '../data/plan-places.ts'
import type {
  MilestoneStatus,
  PlanMilestone,
  PlanTarget,
  PlanTask,
  ProjectPlan,
} from '../data/project-plan.ts'
import { changeInPlan, deleteFromPlan, milestonesOf, showInPlan } from '../data/project-plan.ts'
import { announce } from '../ui/announce.tsx'
import { linkOps, readAfter } from './after.ts'
import type { Moving } from './move-dialog.tsx'
import type { Direction } from './places.ts'
import { movedIn, placeBehind, placeOf, placeToward } from './places.ts'
import type { MilestoneRow, PlanRow, TaskRow } from './tree.ts'
import { idOf, loose, rowsOf } from './tree.ts'

/** A row that can be changed. */
export type RealRow = TaskRow | MilestoneRow

type Of = {
  projectId: string
  tasks: Module
  /** those of milestones */
  statuses: MilestoneStatus[]
  plan: ProjectPlan
  /** asks whether what follows may move, too */
  ask: (moving: Moving) => void
}

export type PlanActions = ReturnType<typeof planActions>

/** What is done to the rows of a plan; each is shown at once, and has its undo. */
export function planActions({ projectId, tasks, statuses, plan, ask }: Of) {
  const all = rowsOf(plan)
  const targetOf = (row: RealRow): PlanTarget => ({
    projectId,
    place: placeOfKind(row),
    id: row.id,
    row: row.kind === 'task' ? row.task : row.milestone,
  })
  const placeOfKind = ({ kind }: RealRow): Place =>
    kind === 'task' ? tasks : milestonesOf(projectId)

  /** Changes fields of a row; throws the `Problem`. */
  const change = (
    row: RealRow,
    values: Values,
    message: string,
    more: { shown?: Values; regardless?: boolean } = {},
  ) => changeInPlan(targetOf(row), { values, message, ...more })

  const tick = (row: RealRow) => {
    const isDone = row.kind === 'task' ? row.task.is_completed : row.milestone.completed_at !== null
    const message = `${row.title} ${isDone ? 'opened again' : 'completed'}`
    if (row.kind === 'task') return change(row, { is_completed: !isDone }, message)
    const begun = row.milestone.completed_tasks_count > 0 ? 'in_progress' : 'not_started'
    const wanted = isDone ? begun : 'completed'
    const status = statuses.find(({ category }) => category === wanted)
    const completed_at = isDone ? null : new Date().toISOString()
    return change(row, { status: status?.status_key ?? wanted }, message, {
      shown: { status: status ?? row.milestone.status, completed_at },
    })
  }

  const share = (row: RealRow) => {
    const is_shared = !(row.kind === 'task' ? row.task : row.milestone).is_shared
    return change(row, { is_shared }, is_shared ? `${row.title} shared` : `${row.title} internal`)
  }

  const remove = (row: RealRow) => {
    const at = all.findIndex(({ id }) => id === row.id)
    const end = all.findIndex(({ level }, n) => n > at && level <= row.level)
    const below = all.slice(at + 1, end < 0 ? undefined : end).map(({ id }) => id)
    const count = below.length
    const words = count ? ` and ${count} ${count === 1 ? 'task' : 'tasks'} below` : ''
    return deleteFromPlan(targetOf(row), `${row.title}${words}`, new Set(below))
  }

  const put = async (row: RealRow, to: PlanPlace) => {
    const moved = rowsOf(movedIn(plan, row.id, to)).find(({ id }) => id === row.id)
    const above = all.find(({ id }) => id === moved?.above)
    const where = above ? `to ${above.title}, ` : ''
    const message = `Moved ${where}${moved?.at ?? 1} of ${moved?.of ?? 1}`
    announce(message)
    const show = (now: ProjectPlan, place: PlanPlace) => movedIn(now, row.id, place)
    await placeInPlan(targetOf(row), to, placeOf(all, row.id), { show, message })
  }

  const move = (row: RealRow, direction: Direction) => {
    const to = placeToward(all, row.id, direction)
    return to ? put(row, to) : Promise.resolve()
  }

  /** To the end of a milestone, or of what has none. */
  const moveTo = (row: RealRow, top: string) => {
    const last = all.findLast(({ above }) => above === top)
    const end = placeBehind(all, last?.id ?? top, 2)
    const none = {
      kind: 'task',
      milestone_id: null,
      parent_id: null,
      after: null,
      before: null,
    } as const
    return put(row, top === loose && !last ? none : end)
  }

  /** Dates, or dependencies: what reaches further is asked for first. Throws the `Problem`. */
  const send = async (row: RealRow, ops: PlanOp[]) => {
    const putBack = await showInPlan(projectId, (now) => withDates(now, row.id, ops))
    const found = await moveAlone(projectId, row.id, ops).catch((error: unknown) => {
      putBack()
      throw error
    })
    if (!found) return
    putBack()
    const own = found.moved.find(({ id }) => id === row.id)
    const { start_date, due_date } = row.kind === 'task' ? row.task : row.milestone
    const isDates = ops.every(({ op }) => op === 'set')
    ask({
      title: row.title,
      id: row.id,
      start_date: own ? own.to.start : start_date,
      due_date: own ? own.to.due : due_date,
      ...(isDates ? {} : { ops }),
    })
  }

  const setDates = (row: RealRow, set: NonNullable<PlanOp['set']>) =>
    send(row, [{ op: 'set', id: row.id, set }])

  /** The dependencies that a text names; returns what is wrong with it. */
  const setAfter = async (row: TaskRow, text: string): Promise<string | undefined> => {
    const ids = new Map(all.map(({ id, number }) => [number, id]))
    const read = readAfter(text, ids)
    if ('error' in read) return read.error
    const before = plan.dependencies.filter(({ task_id }) => task_id === row.id)
    const ops = linkOps(row.id, before, read.links)
    try {
      if (ops.length) await send(row, ops)
      return undefined
    } catch (error) {
      return asProblem(error).message
    }
  }

  /** An act whose refusal is a notice. */
  const quietly = (act: Promise<unknown>) => void act.catch(notifyRefusal)

  return { all, change, tick, share, remove, move, moveTo, setDates, setAfter, quietly }
}

/** A plan with the dates of a row as they are set; what follows from them is not known yet. */
function withDates(plan: ProjectPlan, id: string, ops: PlanOp[]): ProjectPlan {
  const { start_date, due_date } = ops.reduce<NonNullable<PlanOp['set']>>(
    (all, { set: one }) => ({ ...all, ...one }),
    {},
  )
  const dates = {
    ...(start_date === undefined ? {} : { start_date }),
    ...(due_date === undefined ? {} : { due_date }),
  }
  const set = <Row extends PlanTask | PlanMilestone>(row: Row): Row =>
    idOf(row) === id ? { ...row, ...dates } : row
  return { ...plan, tasks: plan.tasks.map(set), milestones: plan.milestones.map(set) }
}

/** Whether a row is a milestone or a task, and not a heading. */
export function isReal(row: PlanRow): row is RealRow {
  return row.kind !== 'loose'
}

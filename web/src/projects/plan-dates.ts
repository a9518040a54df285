import { WorkDays, dayNumber, dayText } from '../../../server/src/schedule/workdays.ts'
import { asProblem } from '../api/problem.ts'
import type { PlanOp } from '../data/plan-moves.ts'
import { moveAlone } from '../data/plan-moves.ts'
import type { PlanMilestone, PlanTask, ProjectPlan } from '../data/project-plan.ts'
import { showInPlan } from '../data/project-plan.ts'
import { linkOps, readAfter } from './after.ts'
import type { Moving } from './move-dialog.tsx'
import type { PlanRow, RealRow, TaskRow } from './tree.ts'
import { idOf } from './tree.ts'
import { t } from '../locales/text.ts'

type Of = {
  projectId: string
  plan: ProjectPlan
  /** asks whether what follows may move, too */
  ask: (moving: Moving) => void
  /** all rows of the plan */
  all: PlanRow[]
}

/** What is done to the dates and dependencies of a plan's rows: what reaches further than them is asked for first. */
export function dateActions({ projectId, plan, ask, all }: Of) {
  /** Dates, or dependencies: what reaches further than the row is asked for first. Throws the `Problem`. */
  const send = async (row: RealRow, ops: PlanOp[]) => {
    const putBack = await showInPlan(projectId, (now) => withDates(now, row.id, ops))
    const found = await moveAlone(projectId, new Set([row.id]), ops).catch((error: unknown) => {
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

  /** The same of several rows, whose words are `title`. */
  const sendMany = async (rows: RealRow[], ops: PlanOp[], title: string) => {
    const [first] = rows
    if (!first || !ops.length) return
    const found = await moveAlone(projectId, new Set(rows.map(({ id }) => id)), ops)
    if (found) ask({ title, id: first.id, start_date: null, due_date: null, ops })
  }

  /** Each row by as many working days; those without dates stay. */
  const shift = (rows: RealRow[], days: number) => {
    const work = new WorkDays(plan.calendar, dayNumber(plan.go_live.planned ?? '2030-01-01'))
    const shifted = (start: string | null, due: string | null) => {
      const from = { start: numberOrNull(start), due: numberOrNull(due) }
      const to = work.shifted(from, days)
      return { start_date: textOrNull(to.start), due_date: textOrNull(to.due) }
    }
    const dated = rows.filter((row) => row.kind === 'task')
    const ops = dated.flatMap((row): PlanOp[] => {
      const { start_date, due_date } = row.task
      if (start_date === null && due_date === null) return []
      return [{ op: 'set', id: row.id, set: shifted(start_date, due_date) }]
    })
    return sendMany(dated, ops, t('{count} task | {count} tasks', { count: ops.length }))
  }

  const setDueOf = (rows: RealRow[], due_date: string | null) =>
    sendMany(
      rows,
      rows.map(({ id }) => ({ op: 'set', id, set: { due_date } })),
      t('{count} row | {count} rows', { count: rows.length }),
    )

  /** Each task waits for the one before it. */
  const linkInOrder = (rows: RealRow[]) => {
    const tasksOf = rows.filter(({ kind }) => kind === 'task')
    const known = new Set(
      plan.dependencies.map(({ task_id, predecessor_id }) => `${task_id} ${predecessor_id}`),
    )
    const ops = tasksOf.flatMap(({ id }, at): PlanOp[] => {
      const before = tasksOf[at - 1]
      if (!before || known.has(`${id} ${before.id}`)) return []
      return [{ op: 'link', id, predecessor_id: before.id, type: 'FS', lag_days: 0 }]
    })
    return sendMany(tasksOf, ops, t('{count} task | {count} tasks', { count: tasksOf.length }))
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

  return { shift, setDueOf, linkInOrder, setDates, setAfter }
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

function numberOrNull(day: string | null): number | null {
  return day === null ? null : dayNumber(day)
}

function textOrNull(day: number | null): string | null {
  return day === null ? null : (dayText(day) ?? null)
}

import { notifyRefusal } from '../data/change.ts'
import type { Values } from '../data/change.ts'
import type { Module, Place } from '../data/modules.ts'
import { dateActions } from './plan-dates.ts'
import { notify } from '../data/notices.ts'
import { setTimer } from '../data/timer.ts'
import type { PlanPlace } from '../data/plan-places.ts'
import { placeInPlan } from '../data/plan-places.ts'
import type { PlanRows, PlanTarget } from '../data/plan-rows.ts'
import { changeInPlan, changeManyInPlan, deleteFromPlan } from '../data/plan-rows.ts'
import type { MilestoneStatus, ProjectPlan } from '../data/project-plan.ts'
import { milestonesOf, refreshPlan } from '../data/project-plan.ts'
import { announce } from '../ui/announce.tsx'
import type { Moving } from './move-dialog.tsx'
import type { Direction } from './places.ts'
import { movedIn, placeBehind, placeOf, placeToward } from './places.ts'
import type { PlanRow, RealRow, TaskRow } from './tree.ts'
import { isReal, loose, rowsOf } from './tree.ts'
import { language, t } from '../locales/text.ts'

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
    { version, ...more }: { shown?: Values; regardless?: boolean; version?: number } = {},
  ) => {
    const target = targetOf(row)
    // the version that was shown when the edit began
    const shown = version === undefined ? target : { ...target, row: { ...target.row, version } }
    return changeInPlan(shown, { values, message, ...more })
  }

  const tick = (row: RealRow) => {
    const isDone = row.kind === 'task' ? row.task.is_completed : row.milestone.completed_at !== null
    const message = isDone
      ? t('{title} opened again', { title: row.title })
      : t('{title} completed', { title: row.title })
    if (row.kind === 'task') return change(row, { is_completed: !isDone }, message)
    const begun = row.milestone.completed_tasks_count > 0 ? 'in_progress' : 'not_started'
    const wanted = isDone ? begun : 'completed'
    const status = statuses.find(({ category }) => category === wanted)
    const completed_at = isDone ? null : new Date().toISOString()
    return change(row, { status: status?.status_key ?? wanted }, message, {
      shown: { status: status ?? row.milestone.status, completed_at },
    })
  }

  /** Shares rows with the customer, or makes them internal where all of them are shared. */
  const share = (rows: RealRow[]) => {
    const isShared = (row: RealRow) => (row.kind === 'task' ? row.task : row.milestone).is_shared
    const is_shared = !rows.every(isShared)
    const [first] = rows
    if (rows.length === 1 && first) {
      const { title } = first
      const words = is_shared ? t('{title} shared', { title }) : t('{title} internal', { title })
      return change(first, { is_shared }, words)
    }
    const count = rows.length
    const message = is_shared
      ? t('{count} row shared | {count} rows shared', { count })
      : t('{count} row internal | {count} rows internal', { count })
    return changeMany(rows, 'is_shared', is_shared, { message, isOfBoth: true })
  }

  const endOf = (at: number, level: number) => {
    const end = all.findIndex((each, n) => n > at && each.level <= level)
    return end < 0 ? all.length : end
  }
  /** A row's own and what is below it. */
  const below = (row: RealRow) => {
    const at = all.findIndex(({ id }) => id === row.id)
    return all.slice(at + 1, endOf(at, row.level)).filter(isReal)
  }

  /** Rows without those that are below another one of them, in the order of the plan. */
  const topsOf = (rows: RealRow[]) => {
    const ids = new Set(rows.map(({ id }) => id))
    for (const row of rows) for (const each of below(row)) ids.delete(each.id)
    return all.filter(isReal).filter(({ id }) => ids.has(id))
  }

  /** Deletes rows with what is below them; one row is named. */
  const remove = (rows: RealRow[]) => {
    const tops = topsOf(rows)
    const gone = new Set(tops.flatMap((row) => below(row).map(({ id }) => id)))
    const [only] = tops
    const message =
      tops.length > 1 || !only
        ? t('Deleted {rows}', { rows: countOfRows(tops, gone.size) })
        : gone.size
          ? t('Deleted {title} and {count} task below | Deleted {title} and {count} tasks below', {
              title: only.title,
              count: gone.size,
            })
          : t('Deleted {title}', { title: only.title })
    return deleteFromPlan(projectId, tasks, idsByKind(tops), gone, message)
  }

  const put = async (steps: { row: RealRow; to: PlanPlace; from: PlanPlace }[]) => {
    const [first] = steps
    if (!first) return
    const after = rowsOf(steps.reduce((now, { row, to }) => movedIn(now, row.id, to), plan))
    const moved = after.find(({ id }) => id === first.row.id)
    const above = all.find(({ id }) => id === moved?.above)
    const message = movedWords(steps.length, above?.title, moved)
    announce(message)
    await placeInPlan(
      projectId,
      steps.map(({ row, ...step }) => ({ ...step, target: targetOf(row) })),
      movedIn,
      message,
    )
  }

  /** Where rows go one after the other, each where the ones before it have been moved already. */
  const stepsOf = (
    rows: RealRow[],
    placeIn: (now: PlanRow[], row: RealRow, before: RealRow | undefined) => PlanPlace | undefined,
  ) => {
    let now = plan
    let before: RealRow | undefined
    return rows.flatMap((row) => {
      const list = rowsOf(now)
      const to = placeIn(list, row, before)
      if (!to) return []
      const from = placeOf(list, row.id)
      now = movedIn(now, row.id, to)
      before = row
      return { row, to, from }
    })
  }

  /** Moves rows by one step; those that move down or out begin with the last, so that their order stays. */
  const move = (rows: RealRow[], direction: Direction) => {
    const tops = topsOf(rows)
    const order = direction === 'down' || direction === 'out' ? tops.toReversed() : tops
    return put(stepsOf(order, (now, { id }) => placeToward(now, id, direction)))
  }

  /** Moves rows one behind the other to a place. */
  const moveToPlace = (rows: RealRow[], to: PlanPlace) => {
    const tops = topsOf(rows).filter(({ kind }) => kind === to.kind)
    return put(
      stepsOf(tops, (_, __, before) => (before ? { ...to, after: before.id, before: null } : to)),
    )
  }

  /** To the end of a milestone, or of what has none. */
  const moveTo = (rows: RealRow[], top: string) => {
    const moved = new Set(rows.map(({ id }) => id))
    const last = all.findLast(({ above, id }) => above === top && !moved.has(id))
    const end = placeBehind(all, last?.id ?? top, 2)
    const none = {
      kind: 'task',
      milestone_id: null,
      parent_id: null,
      after: null,
      before: null,
    } as const
    return moveToPlace(rows, top === loose && !last ? none : end)
  }

  /** The same value of a field for many rows; milestones, which have not all of them, only where it `isOfBoth`. */
  const changeMany = (
    rows: RealRow[],
    field: string,
    value: unknown,
    { message, isOfBoth = false }: { message: string; isOfBoth?: boolean },
  ) => {
    const { tasks: ids, milestones } = idsByKind(rows)
    const of = { tasks: ids, milestones: isOfBoth ? milestones : [] }
    return changeManyInPlan(projectId, tasks, of, { field, value, message })
  }

  /** Starts the person's timer on a task, or stops it there; the one on another task stops. */
  const time = async (row: TaskRow) => {
    const isRunning = await setTimer(row.id, row.task.is_timer_running)
    await refreshPlan(projectId)
    notify({
      message: isRunning
        ? t('Timer started: {title}', { title: row.title })
        : t('Timer stopped: {title}', { title: row.title }),
    })
  }

  /** An act whose refusal is a notice. */
  const quietly = (act: Promise<unknown>) => void act.catch(notifyRefusal)

  return {
    all,
    below,
    change,
    changeMany,
    tick,
    share,
    remove,
    move,
    moveTo,
    moveToPlace,
    time,
    ...dateActions({ projectId, plan, ask, all }),
    quietly,
  }
}

function idsByKind(rows: RealRow[]): PlanRows {
  const of = (kind: RealRow['kind']) => rows.flatMap((row) => (row.kind === kind ? row.id : []))
  return { tasks: of('task'), milestones: of('milestone') }
}

function countOfRows(tops: RealRow[], below: number): string {
  const { tasks, milestones } = idsByKind(tops)
  return new Intl.ListFormat(language).format([
    ...(milestones.length
      ? [t('{count} milestone | {count} milestones', { count: milestones.length })]
      : []),
    ...(tasks.length || below
      ? [t('{count} task | {count} tasks', { count: tasks.length + below })]
      : []),
  ])
}

/** That rows are elsewhere now; of a single one, which of how many it is there. */
function movedWords(count: number, title: string | undefined, row: PlanRow | undefined): string {
  const { at: place = 1, of: total = 1 } = row ?? {}
  if (title === undefined) {
    return count > 1
      ? t('Moved {count} row | Moved {count} rows', { count })
      : t('Moved {place} of {total}', { place, total })
  }
  return count > 1
    ? t('Moved {count} row to {title} | Moved {count} rows to {title}', { count, title })
    : t('Moved to {title}, {place} of {total}', { title, place, total })
}

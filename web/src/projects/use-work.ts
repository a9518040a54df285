import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyRefusal } from '../data/change.ts'
import { moduleQuery } from '../data/modules.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import { milestoneStatusesQuery } from '../data/project-plan.ts'
import { changePreferences, isAllowed, useMay, useSession } from '../data/session.ts'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import type { Column, Rights } from './columns.ts'
import { shownColumns } from './columns.ts'
import { troublesOf } from './late.ts'
import type { PlanFilter } from './plan-filter.ts'
import { filtered, isFiltering, unfiltered } from './plan-filter.ts'
import type { Moving } from './move-dialog.tsx'
import type { PlanActions } from './plan-actions.ts'
import { planActions } from './plan-actions.ts'
import type { PlanRow, RealRow } from './tree.ts'
import { rowsOf, spansOf } from './tree.ts'
import { useNewLines } from './use-new-lines.ts'

/** A plan that is worked on, in the grid and in the list of a phone. */
export type Work = {
  projectId: string
  plan: ProjectPlan
  actions: PlanActions
  rights: Rights
  /** what the person may do to a row, and add to the plan */
  may: (row: RealRow) => { change: boolean; create: boolean; plan: boolean; delete: boolean }
  mayCreate: boolean
  /** the rows that are shown */
  rows: PlanRow[]
  filter: PlanFilter
  setFilter: (filter: PlanFilter) => void
  /** rows that only lead to what the filter shows, and how many tasks that is */
  found: { faint: ReadonlySet<string>; tasks: number }
  troubles: ReturnType<typeof troublesOf>
  /** the columns that are shown */
  columns: Column[]
  setColumns: (columns: Column[] | undefined) => void
  /** closes all rows of this level and deeper; from milestones, level 1; none without a level */
  collapse: (level: number | undefined) => void
  spans: ReturnType<typeof spansOf>
  toggle: (id: string) => void
  add: ReturnType<typeof useNewLines>['add']
  addAll: ReturnType<typeof useNewLines>['addAll']
  real: ReturnType<typeof useNewLines>['real']
  /** what waits for the person to agree, as others move with it */
  moving: Moving | undefined
  ask: (moving: Moving | undefined) => void
}

/** The preference that holds the columns. */
const columnsName = 'columns.plan'
const none: ReadonlySet<string> = new Set()

export function useWork(projectId: string, stored: ProjectPlan): Work {
  const [{ data: tasks }, { data: statuses }] = useSuspenseQueries({
    queries: [moduleQuery('tasks'), milestoneStatusesQuery],
  })
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState(unfiltered)
  const [moving, ask] = useState<Moving>()
  const mayChange = useMay('tasks', 'update')
  const mayCreate = useMay('tasks', 'create')
  const mayDelete = useMay('tasks', 'delete')
  const mayPlan = useMay('projects', 'update')
  const { plan, add, addAll, real } = useNewLines(projectId, tasks, stored)
  const actions = planActions({ projectId, tasks, statuses, plan, ask })
  const session = useSession()
  const now = today(useFormat().timezone)
  const chosen = session.preferences[columnsName]
  const numbers = new Map(actions.all.map(({ id, number }) => [id, number]))
  const troubles = troublesOf(plan, numbers, now)
  const isFiltered = isFiltering(filter)
  const found = isFiltered
    ? filtered(actions.all, filter, { me: session.user.user_id, today: now, troubles })
    : { rows: rowsOf(plan, closed), faint: none, tasks: plan.tasks.length }
  return {
    filter,
    setFilter,
    found,
    troubles,
    columns: shownColumns(chosen),
    setColumns: (columns) =>
      void changePreferences({ [columnsName]: columns ?? null }).catch(notifyRefusal),
    collapse: (level) =>
      setClosed(
        new Set(
          level === undefined
            ? []
            : actions.all.flatMap((row) => (row.children && row.level >= level ? row.id : [])),
        ),
      ),
    projectId,
    plan,
    actions,
    add,
    addAll,
    real,
    moving,
    ask,
    mayCreate,
    rights: { tasks, statuses, mayChange, mayPlan },
    may: (row) => {
      const { kind } = row
      const record = kind === 'task' ? row.task : row.milestone
      return {
        change: (kind === 'task' ? mayChange : mayPlan) && isAllowed(record, 'update'),
        create: mayCreate,
        plan: mayPlan,
        delete: (kind === 'task' ? mayDelete : mayPlan) && isAllowed(record, 'delete'),
      }
    },
    rows: found.rows,
    spans: spansOf(actions.all),
    toggle: (id) =>
      setClosed((before) =>
        before.has(id)
          ? new Set([...before].filter((each) => each !== id))
          : new Set([...before, id]),
      ),
  }
}

import { useSuspenseQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { moduleQuery } from '../data/modules.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import { milestoneStatusesQuery } from '../data/project-plan.ts'
import { isAllowed, useMay } from '../data/session.ts'
import type { Rights } from './columns.ts'
import type { Moving } from './move-dialog.tsx'
import type { PlanActions, RealRow } from './plan-actions.ts'
import { planActions } from './plan-actions.ts'
import type { PlanRow } from './tree.ts'
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
  spans: ReturnType<typeof spansOf>
  toggle: (id: string) => void
  add: ReturnType<typeof useNewLines>['add']
  addText: ReturnType<typeof useNewLines>['addText']
  real: ReturnType<typeof useNewLines>['real']
  /** what waits for the person to agree, as others move with it */
  moving: Moving | undefined
  ask: (moving: Moving | undefined) => void
}

export function useWork(projectId: string, stored: ProjectPlan): Work {
  const [{ data: tasks }, { data: statuses }] = useSuspenseQueries({
    queries: [moduleQuery('tasks'), milestoneStatusesQuery],
  })
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [moving, ask] = useState<Moving>()
  const mayChange = useMay('tasks', 'update')
  const mayCreate = useMay('tasks', 'create')
  const mayDelete = useMay('tasks', 'delete')
  const mayPlan = useMay('projects', 'update')
  const { plan, add, addText, real } = useNewLines(projectId, tasks, stored)
  const actions = planActions({ projectId, tasks, statuses, plan, ask })
  return {
    projectId,
    plan,
    actions,
    add,
    addText,
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
    rows: rowsOf(plan, closed),
    spans: spansOf(actions.all),
    toggle: (id) =>
      setClosed((before) =>
        before.has(id)
          ? new Set([...before].filter((each) => each !== id))
          : new Set([...before, id]),
      ),
  }
}

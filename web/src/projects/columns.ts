import type { Field, Module } from '../data/modules.ts'
import type { MilestoneStatus } from '../data/project-plan.ts'
import { fieldOf } from '../data/modules.ts'
import { isAllowed } from '../data/session.ts'
import type { PlanRow } from './tree.ts'

/** The columns of a plan's grid behind the number, with their words and widths in pixels; the title has the rest. */
export const columns = [
  { name: 'title', label: 'Title', width: undefined },
  { name: 'owner', label: 'Owner', width: 160 },
  { name: 'start', label: 'Start', width: 96 },
  { name: 'due', label: 'Due', width: 96 },
  { name: 'days', label: 'Days', width: 52 },
  { name: 'status', label: 'Status', width: 128 },
  { name: 'after', label: 'After', width: 96 },
  { name: 'shared', label: 'Shared', width: 62 },
] as const

export type Column = (typeof columns)[number]['name']

/** A cell by its row and column. */
export type Cell<Name extends string = Column> = { id: string; column: Name }

/** What a person may do in a plan. */
export type Rights = {
  tasks: Module
  /** those of milestones */
  statuses: MilestoneStatus[]
  mayChange: boolean
  mayPlan: boolean
}

/** The field of a row that a column shows; those of milestones are like those of tasks. */
export function fieldIn(row: PlanRow, column: Column, rights: Rights): Field | undefined {
  const names: { [column in Column]: string } = {
    title: 'title',
    owner: 'owner',
    start: 'start_date',
    due: 'due_date',
    days: 'due_date',
    status: 'status',
    after: 'due_date',
    shared: 'is_shared',
  }
  const field = fieldOf(rights.tasks, names[column])
  if (row.kind !== 'milestone' || !field) return field
  const options = rights.statuses.map(({ status_key: value, status_name: label, color, icon }) => {
    return { value, label, color, icon }
  })
  const own = { ...field, is_writable: true }
  if (column === 'title') return { ...own, name: 'name' }
  return column === 'status' ? { ...own, options } : own
}

/** Whether a person may change what a column shows of a row. */
export function canEdit(row: PlanRow, column: Column, rights: Rights): boolean {
  if (row.kind === 'loose') return false
  const record = row.kind === 'task' ? row.task : row.milestone
  const may = row.kind === 'task' ? rights.mayChange : rights.mayPlan
  if (!may || !isAllowed(record, 'update')) return false
  if (row.kind === 'milestone' && ['days', 'after'].includes(column)) return false
  // a status is set by its name, and read as an object
  return column === 'status' || fieldIn(row, column, rights)?.is_writable === true
}

import type { Field, Module } from '../data/modules.ts'
import type { MilestoneStatus } from '../data/project-plan.ts'
import { fieldOf } from '../data/modules.ts'
import { isAllowed } from '../data/session.ts'
import type { PlanRow } from './tree.ts'
import { t } from '../locales/text.ts'

/**
 * The columns of a plan's grid behind the number, with their words and widths in pixels; the title has the rest. Those
 * that are `extra` are shown when they are chosen.
 */
export const columns = [
  { name: 'title', label: t('Title'), width: undefined, extra: false },
  { name: 'owner', label: t('Owner'), width: 160, extra: false },
  { name: 'start', label: t('Start'), width: 96, extra: false },
  { name: 'due', label: t('Due'), width: 96, extra: false },
  { name: 'days', label: t('Days'), width: 52, extra: false },
  { name: 'status', label: t('Status'), width: 128, extra: false },
  { name: 'priority', label: t('Priority'), width: 84, extra: false },
  { name: 'after', label: t('After [task]'), width: 88, extra: false },
  { name: 'time', label: t('Time'), width: 76, extra: false },
  { name: 'shared', label: t('Shared'), width: 62, extra: false },
  { name: 'slack', label: t('Slack [time]'), width: 72, extra: true },
  { name: 'forecast', label: t('Forecast'), width: 96, extra: true },
] as const

export type Column = (typeof columns)[number]['name']

/** The columns whose values stand at the right. */
export const numeric: ReadonlySet<Column> = new Set([
  'start',
  'due',
  'days',
  'time',
  'slack',
  'forecast',
])

/** The columns that are computed, and never edited. */
const computed: ReadonlySet<Column> = new Set(['time', 'slack', 'forecast'])

const made = new Map<string, Column[]>()

/** The columns to show, by what the person has chosen; the title is always there. The same ones are the same array. */
export function shownColumns(chosen: unknown): Column[] {
  const names = Array.isArray(chosen) ? chosen.map(String) : undefined
  const key = names?.join() ?? ''
  const found =
    made.get(key) ??
    columns.flatMap(({ name, extra }) =>
      name === 'title' || (names ? names.includes(name) : !extra) ? name : [],
    )
  made.set(key, found)
  return found
}

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
    priority: 'priority',
    time: 'estimate_minutes',
    slack: 'due_date',
    forecast: 'due_date',
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
  if (row.kind === 'loose' || computed.has(column)) return false
  const record = row.kind === 'task' ? row.task : row.milestone
  const may = row.kind === 'task' ? rights.mayChange : rights.mayPlan
  if (!may || !isAllowed(record, 'update')) return false
  if (row.kind === 'milestone' && ['days', 'after', 'priority'].includes(column)) {
    return false
  }
  // these are set by their names, and read as objects
  return (
    column === 'status' ||
    column === 'priority' ||
    fieldIn(row, column, rights)?.is_writable === true
  )
}

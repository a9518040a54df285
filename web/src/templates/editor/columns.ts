import type { LineRow } from './lines.ts'
import { t } from '../../locales/text.ts'

/** The columns of a template's grid behind the number, with their words and widths in pixels; the title has the rest. */
export const columns = [
  { name: 'title', label: t('Title'), width: undefined },
  { name: 'role', label: t('Role'), width: 168 },
  { name: 'day', label: t('Day'), width: 80 },
  { name: 'days', label: t('Days'), width: 56 },
  { name: 'estimate', label: t('Estimate'), width: 84 },
  { name: 'after', label: t('After [task]'), width: 96 },
  { name: 'usually', label: t('Usually'), width: 112 },
  { name: 'shared', label: t('Shared'), width: 62 },
] as const

export type Column = (typeof columns)[number]['name']
export type Cell = { id: string; column: Column }

export const names: Column[] = columns.map(({ name }) => name)
/** Columns of numbers. */
export const numeric: Column[] = ['day', 'days', 'estimate', 'usually']

/** Whether a cell can be edited: the days of what has something below it follow from that. */
export function isEditable(row: LineRow, column: Column): boolean {
  if (row.kind === 'loose' || column === 'usually') return false
  if (column === 'day' || column === 'days') return !row.children
  return row.kind === 'task' || column === 'title' || column === 'shared'
}

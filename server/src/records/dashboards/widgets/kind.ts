import type { Context, Query } from '../../../kit/ground/context.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import type { Range } from '../range.ts'

export type Numbers = { [name: string]: unknown }

/** What a widget shows of a period: rows to draw and the sums of them. */
export type Shown = { series: Numbers[]; totals: Numbers }

// oxlint-disable-next-line typescript/no-explicit-any -- each kind knows the rows that it asks for
export type Row = { [column: string]: any }

/** A kind of widget: the permission it needs, what changes it, its one query and what that means. */
export type Widget = {
  module: string
  /** the records whose events change its numbers; any event at all when absent */
  changedBy?: readonly AnyRecord[]
  /** `N_days` are the days to come */
  ahead?: boolean
  /** its rows tell their `date`, so that one query serves the period and the one before */
  daily?: boolean
  /**
   * The rows behind a period. Nothing in it may depend on the moment: who asks the same of the same
   * data gets what was answered before.
   */
  ask(ctx: Context, range: Range, isPrevious: boolean): Query
  show(rows: Row[], range: Range, ctx: Context, isPrevious: boolean): Shown
}

/** An amount without the dust of binary fractions. */
export function cents(value: number): number {
  return Math.round(value * 100) / 100
}

/** Per cent with two decimals; 0 of nothing. */
export function percent(part: number, whole: number): number {
  return whole ? cents((100 * part) / whole) : 0
}

/** The sum of a column. */
export function sum(rows: Row[], column: string): number {
  return cents(rows.reduce((total, row) => total + (row[column] as number), 0))
}

/** A row without some of its columns. */
export function without(row: Row, ...columns: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))
}

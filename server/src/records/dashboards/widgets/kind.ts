import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { roundedAmount } from '../../../model/money/currency.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import type { Range } from '../../../model/dashboards/range.ts'
import type { FilteredBy } from './filtered-by.ts'

/** A row as the database returns it. */
export type Row = { [column: string]: unknown }

/** The data of a widget for a period: rows to draw, and their totals. */
export type Shown<S = object, T = object> = { series: S[]; totals: T }

/** The choices of a request besides the period. */
export type Chosen = {
  isPrevious: boolean
  /** a condition over `t`, the widget's record, or over `e`, the log entry */
  where?: Query
  /** the currency whose amounts are summed */
  currency: string
  /** the currency of deals whose account has none */
  organizationCurrency: string
}

/** The properties of every kind of widget. */
type Kind = {
  /** the module of the permission that it needs */
  module: string
  /** whether it is hidden from customers and partners, as scores and health are */
  isInternal?: boolean
  /** the records whose events change its numbers; any event at all when absent */
  changedBy?: readonly AnyRecord[]
  /** how filters apply to its rows */
  by: FilteredBy
  /** whether `N_days` are days in the future */
  ahead?: boolean
  /** whether its rows have a `date`, so that one query serves this period and the previous one */
  daily?: boolean
  /**
   * The rows behind a period. The SQL must not depend on the current time: callers with the same
   * rights on the same data share the cached answer.
   */
  query(ctx: Context, range: Range, chosen: Chosen): Query
  /** adds what only the service can compute, such as the days of series */
  complete?(ctx: Context, rows: Row[], range: Range): Promise<Row[]>
}

type Definition<R extends Row, S extends TProperties, T extends TProperties> = Kind & {
  /** members of an entry of the series */
  series: S
  /** members of the totals */
  totals: T
  show(rows: R[], range: Range, chosen: Chosen): Shown<Static<TObject<S>>, Static<TObject<T>>>
}

/** A kind of widget; its schemas describe what it shows. */
export type Widget = Kind & {
  series: TObject
  totals: TObject
  show(rows: Row[], range: Range, chosen: Chosen): Shown
}

/** Declares a kind of widget: what it shows has the types of its schemas. */
export function widget<R extends Row, S extends TProperties, T extends TProperties>({
  series,
  totals,
  ...kind
}: Definition<R, S, T>): Widget {
  return { ...kind, series: Type.Object(series), totals: Type.Object(totals) }
}

/** A count; the sentence says of what, for the API document. */
export const count = (sentence: string) => Type.Integer({ description: sentence })
/** A sum or a share, defined in a sentence. */
export const amount = (sentence: string) => Type.Number({ description: sentence })

/** A measure rounded to two decimals. */
export function cents(value: number): number {
  return Math.round(value * 100) / 100
}

/** Rounds a sum: to two decimals, or as the amounts of a currency are. */
export type Rounding = (value: number) => number

/** Rounds amounts to the decimals of their currency. */
export function amountsIn(currency: string): Rounding {
  return (value) => roundedAmount(value, currency)
}

/** Per cent with two decimals; 0 of nothing. */
export function percent(part: number, whole: number): number {
  return whole ? cents((100 * part) / whole) : 0
}

/** The sum of a column. */
export function sum<K extends string>(
  rows: { [column in K]: number }[],
  column: K,
  rounded: Rounding = cents,
): number {
  return rounded(rows.reduce((total, row) => total + row[column], 0))
}

/** The sums of several columns, by their names. */
export function sums<K extends string>(
  rows: { [column in K]: number }[],
  columns: readonly K[],
  rounded: Rounding = cents,
): { [column in K]: number } {
  const entries = columns.map((column) => [column, sum(rows, column, rounded)])
  return Object.fromEntries(entries) as { [column in K]: number }
}

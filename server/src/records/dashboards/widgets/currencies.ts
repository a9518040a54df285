import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import type { Rounding } from './kind.ts'
import { amountsIn, sum } from './kind.ts'

/** Three letters, such as `EUR`. */
export const currency_unit = Type.String({ maxLength: 3 })

/** The members of totals about currencies: the one that they are in, and the sums of each. */
export function ofCurrencies<P extends TProperties>(sums: P) {
  return {
    currency_unit,
    by_currency: Type.Array(Type.Object({ currency_unit, ...sums }), {
      description: 'The sums over the deals in each of their currencies.',
    }),
  }
}

type Priced = { currency_unit: string | null }

/** The same rows without amounts in other currencies, which cannot be added to those of one. */
export function inCurrency<R extends Priced, A extends keyof R>(
  rows: R[],
  currency: string,
  amounts: readonly A[],
): R[] {
  const none = Object.fromEntries(amounts.map((amount) => [amount, 0]))
  return rows.map((row) => (row.currency_unit === currency ? row : { ...row, ...none }))
}

/** Combines rows with the same key and sums amounts and counts, in the order of the first row of each. */
export function combined<C extends string, R extends { [column in C]: number }>(
  rows: R[],
  keyOf: (row: R) => unknown,
  columns: readonly C[],
  rounded: Rounding,
): R[] {
  const groups = Map.groupBy(rows, keyOf)
  return [...groups.values()].flatMap((its) => {
    const sums = Object.fromEntries(columns.map((column) => [column, sum(its, column, rounded)]))
    return its.slice(0, 1).map((first) => ({ ...first, ...sums }))
  })
}

/** The totals of the rows of each currency, in alphabetical order. */
export function eachCurrency<R extends Priced, T extends object>(
  rows: R[],
  totalsOf: (rows: R[], rounded: Rounding) => T,
): (T & { currency_unit: string })[] {
  const units = [...new Set(rows.map((row) => row.currency_unit))].filter((unit) => unit !== null)
  return units.toSorted().map((unit) => ({
    currency_unit: unit,
    ...totalsOf(
      rows.filter((row) => row.currency_unit === unit),
      amountsIn(unit),
    ),
  }))
}

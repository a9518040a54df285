import type { Cell } from './cell.ts'
import { isEmpty, textOf } from './cell.ts'
import type { DateOrder } from './dates.ts'
import { dateOrders, ordered, readDate } from './dates.ts'
import type { DecimalSign } from './numbers.ts'
import { decides, decimalSigns, readNumber } from './numbers.ts'

/** A format for a column's numbers or dates. */
export const formats = [...decimalSigns, ...dateOrders]
export type Format = DecimalSign | DateOrder

type Votes<Kind extends string> = { [kind in Kind | 'both' | 'ambiguous']: number }

/** What all values of a column together say about its format. */
export type Profile = {
  /** the number of cells with a value */
  filled: number
  numbers: Votes<DecimalSign>
  dates: Votes<DateOrder>
  /** how often each currency is named */
  currencies: { [code: string]: number }
  /** the first ambiguous value, which could be two numbers or two days */
  undecided: { number?: string; date?: string }
  examples: string[]
  /** how often each value occurs; null or absent where there are too many */
  values?: { [value: string]: number } | null
  /** the number of different values so far */
  distinct?: number
}

/** The profile of a column before any value is read. */
export function emptyProfile(): Profile {
  return {
    filled: 0,
    numbers: { decimal_point: 0, decimal_comma: 0, both: 0, ambiguous: 0 },
    dates: { day_first: 0, month_first: 0, both: 0, ambiguous: 0 },
    currencies: {},
    undecided: {},
    examples: [],
    // a value may have the name of a property that every object has
    values: Object.create(null) as { [value: string]: number },
  }
}

const shown = 3
/** The number of different values of a column that are counted, and the longest value. */
const mostValues = 200
const longestValue = 100

/** Adds a value of the column; a fraction of a microsecond for values without a digit at the beginning or end. */
export function observe(profile: Profile, cell: Cell | undefined) {
  if (isEmpty(cell)) return
  profile.filled++
  const text = textOf(cell)
  if (profile.examples.length < shown && !profile.examples.includes(text.slice(0, 60))) {
    profile.examples.push(text.slice(0, 60))
  }
  tally(profile, text)
  if (typeof cell === 'number' || text.length > 50 || !/\d/.test(text) || /@|:\/\//.test(text))
    return
  const number = readNumber(text)
  if (number && 'by' in number) {
    const says = decides(number)
    profile.numbers[says]++
    if (says === 'ambiguous') profile.undecided.number ??= text
    const { currency } = number
    if (currency) profile.currencies[currency] = (profile.currencies[currency] ?? 0) + 1
  }
  if (!/\d\D+\d/.test(text)) return
  const date = readDate(text)
  if (!date) return
  const says = ordered(date)
  profile.dates[says]++
  if (says === 'ambiguous') profile.undecided.date ??= text
}

/** Counts a value, until there are too many to be asked about. */
function tally(profile: Profile, text: string) {
  const { values } = profile
  if (!values) return
  const before = values[text]
  if (before !== undefined) values[text] = before + 1
  else if (text.length > longestValue) profile.values = null
  else {
    profile.distinct = (profile.distinct ?? 0) + 1
    if (profile.distinct > mostValues) profile.values = null
    else values[text] = 1
  }
}

/** The number format of the column; undefined if its values do not decide it or contradict each other. */
export function decimalOf({ numbers }: Profile): DecimalSign | undefined {
  return only(numbers.decimal_point, numbers.decimal_comma, decimalSigns)
}

/** The order of day and month in the column; undefined if its values do not decide it or contradict each other. */
export function orderOf({ dates }: Profile): DateOrder | undefined {
  return only(dates.day_first, dates.month_first, dateOrders)
}

/**
 * The same, and what the other columns of the file say if the column itself leaves it open: a program writes all its days in
 * one way.
 */
export function orderBeside(profile: Profile, others: Profile[]): DateOrder | undefined {
  const { dates } = profile
  if (dates.day_first || dates.month_first) return orderOf(profile)
  const orders = new Set(others.flatMap((each) => decided(each)))
  return orders.size === 1 ? [...orders][0] : undefined
}

function decided({ dates }: Profile): DateOrder[] {
  return dateOrders.filter((order) => dates[order] > 0)
}

/** The most frequent currency of the column. */
export function currencyOf({ currencies }: Profile): string | undefined {
  return Object.entries(currencies).sort((a, b) => b[1] - a[1])[0]?.[0]
}

function only<T>(first: number, second: number, [one, other]: readonly [T, T]): T | undefined {
  if (first && !second) return one
  return second && !first ? other : undefined
}

import { nearest } from '../ground/nearest.ts'
import type { Failure } from '../ground/errors.ts'
import type { Clock } from '../ground/dates.ts'
import { isDay, startOfDay, endOfDay, parseInstant } from '../ground/dates.ts'
import { optionNamed } from '../record/option-sets.ts'
import type { Filterable } from './filter-fields.ts'

/** Creates the refusal of a value, from what would be right. */
export type Wrong = (must: string) => Failure

/** Upper limits of a filter. */
export const most = { conditions: 50, depth: 5, entries: 500, characters: 1000, days: 36_500 }

/** Text that PostgreSQL can compare. */
export function text(value: unknown, wrong: Wrong, must = 'text'): string {
  if (typeof value !== 'string') throw wrong(must)
  if (value.length > most.characters) throw wrong(`at most ${most.characters} characters long`)
  if (value.includes('\0') || !value.isWellFormed())
    throw wrong('text without NUL characters and unpaired surrogates')
  return value
}

/** A finite number, also as digits. */
export function finite(value: unknown, wrong: Wrong, must = 'a number'): number {
  const isText = typeof value === 'string' && value.length <= most.characters
  const number = isText && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong(must)
  return number
}

/** One of the words, in any case. */
export function word(value: unknown, words: string[], wrong: Wrong): string {
  const folded = typeof value === 'string' && value.toLowerCase()
  const found = words.find((one) => one.toLowerCase() === folded)
  if (found === undefined) {
    const near = typeof value === 'string' ? nearest(value, words) : undefined
    throw wrong(`one of ${words.join(', ')}${near ? `; did you mean ${near}?` : ''}`)
  }
  return found
}

/** The value of the option that a condition names, any other value as it is. */
export function chosen({ options = [] }: Filterable, value: unknown): unknown {
  return typeof value === 'string' ? (optionNamed(options, value) ?? value) : value
}

/** The entries of a list of values. */
export function entries(value: unknown, wrong: Wrong): unknown[] {
  if (!Array.isArray(value) || !value.length || value.length > most.entries)
    throw wrong(`an array of 1 to ${most.entries} values`)
  return value
}

/** Reads a value as its kind of field compares it. */
export const readers: { [kind: string]: (value: unknown, wrong: Wrong) => unknown } = {
  text,
  reference: (value, wrong) => text(value, wrong, 'an id'),
  integer: finite,
  number: finite,
  boolean(value, wrong) {
    if (typeof value !== 'boolean') throw wrong('true or false')
    return value
  },
  date(value, wrong) {
    if (typeof value !== 'string' || !isDay(value)) throw wrong('a date YYYY-MM-DD')
    return value
  },
}

/** PostgreSQL has no year 0 and does not read JavaScript's six-digit years. */
export function bound(iso: string): string {
  if (iso.startsWith('+')) return 'infinity'
  return iso.startsWith('0000') ? '-infinity' : iso
}

/** The instants from which and until which a day, or the millisecond of an instant, lasts. */
export function span(
  value: unknown,
  { clock, wrong }: { clock: Clock; wrong: Wrong },
): [from: string, to: string] {
  const must = 'a date YYYY-MM-DD or a date-time such as 2026-01-31T09:30:00Z'
  const day = text(value, wrong, must)
  if (isDay(day))
    return [bound(startOfDay(day, clock.timezone)), bound(endOfDay(day, clock.timezone))]
  const instant = parseInstant(day, clock.timezone)
  if (!instant) throw wrong(must)
  return [instant, bound(new Date(Date.parse(instant) + 1).toISOString())]
}

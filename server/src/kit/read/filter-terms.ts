import type { DayWord } from '../ground/dates.ts'
import { addDays, dayRange, dayWords, isDay, today } from '../ground/dates.ts'
import { foldedText } from '../ground/fold.ts'
import type { Output, Subject } from './filter.ts'
import type { Filterable, StoredValue } from './filter-fields.ts'
import { chosen, finite, span, word } from './filter-values.ts'

// What a filter implies of the terms that the database stores for each record (`filter_entries`, made by
// `make_filterable` in its migration, which hashes values in the same way).

/** A term: the column and the kind of term, the value, and how many characters of it count. */
export type Term = [head: string, value: string, characters?: number]

/**
 * Terms of which a record has one. Those with `link` are of the records of another table, which a column
 * of the list's own names.
 */
export type Alternative = { link?: { column: string; table: string }; terms: Term[] }

/** One condition: records that meet it meet one of these. */
export type Group = Alternative[]

/** The heads of all terms by which conditions on a value may find rows, without the column. */
export function headsOf({ kind, index }: Filterable): string[] {
  if (kind === 'number' || kind === 'integer') return ['#']
  if (kind === 'date' || kind === 'timestamp') return ['@']
  if (kind === 'list') return ['[']
  if (kind === 'json') return []
  return index?.hasBeginnings ? ['=', '^'] : ['=']
}

/** What a filter implies: groups, or for one bound of an ordered field a range, of which two make a smaller one. */
export type Implied = { groups: Group[]; bound?: { field: Filterable; range: Range } }

/**
 * A filter as the groups that all records have which meet it; none for conditions that no term serves. Values are right:
 * their condition is compiled first.
 */
export const asTerms: Output<Implied> = {
  one(subject, operator, value) {
    const { field } = subject
    if (!field.index) return { groups: [] }
    const range = rangeOf(subject, operator, value)
    if (range) return { groups: [], bound: { field, range } }
    if (isOrdered(field) && operator === 'in') return { groups: [oneOf(subject, value)] }
    return { groups: equality(subject, operator, value) }
  },
  joined: (parts, joint) => ({ groups: joint === 'and' ? conjunction(parts) : disjunction(parts) }),
  not: () => ({ groups: [] }),
}

/** The groups of conditions that are all met. */
function conjunction(parts: Implied[]): Group[] {
  const ranges = new Map<Filterable, Range>()
  for (const { bound } of parts)
    if (bound) ranges.set(bound.field, intersection(ranges.get(bound.field), bound.range))
  const ofRanges = [...ranges].flatMap(([{ index }, range]) =>
    index ? [[alternative(index, coverOf(index.column, range))]] : [],
  )
  return [...parts.flatMap(({ groups }) => groups), ...ofRanges]
}

/** One of several: each of them needs a group, of which one is enough. */
function disjunction(parts: Implied[]): Group[] {
  const group: Group = []
  for (const part of parts) {
    const [first, ...others] = conjunction([part])
    if (!first) return []
    const size = (one: Group) => one.reduce((sum, { terms }) => sum + terms.length, 0)
    group.push(...others.reduce((best, one) => (size(one) < size(best) ? one : best), first))
  }
  return [group]
}

function isOrdered({ kind }: Filterable): boolean {
  return kind === 'number' || kind === 'integer' || kind === 'date' || kind === 'timestamp'
}

/** Each value of an ordered kind is a range of its own. */
function oneOf(subject: Subject, values: unknown): Group {
  const { index } = subject.field
  const terms = (Array.isArray(values) ? values : []).flatMap((one: unknown) => {
    const range = rangeOf(subject, 'eq', one)
    return range && index ? coverOf(index.column, range) : []
  })
  return [alternative(index, terms)]
}

function alternative({ link }: StoredValue = { column: '' }, terms: Term[]): Alternative {
  return link ? { link, terms } : { terms }
}

/** The terms of values that are compared as they are. */
function equality({ field, wrong }: Subject, operator: string, value: unknown): Group[] {
  const { index, kind } = field
  if (!index) return []
  const { column } = index
  if (operator === 'starts_with') return kind === 'text' ? beginning(index, String(value)) : []
  const isList = kind === 'list' && /^contains(_a\w+)?$/.test(operator)
  if (operator !== 'eq' && operator !== 'in' && !isList) return []
  const values = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    field.words ? word(one, field.words, wrong) : chosen(field, one),
  )
  const terms: Term[] = []
  for (const one of values) {
    const term = termOf(kind, column, one)
    if (!term) return []
    terms.push(term)
  }
  // all of several, or one of them
  if (operator === 'contains_all') return terms.map((term) => [alternative(index, [term])])
  const group = [alternative(index, terms)]
  if (index.named) {
    const { named } = index
    group.push({ link: named, terms: terms.map(([, value]) => [`${named.by}=`, value]) })
  }
  return [group]
}

function termOf(kind: Filterable['kind'], column: string, value: unknown): Term | undefined {
  if (kind === 'boolean') return value === true ? [`${column}=`, 'true'] : undefined
  if (kind === 'list') {
    return typeof value === 'string' || typeof value === 'boolean'
      ? [`${column}[`, JSON.stringify(value)]
      : undefined
  }
  return typeof value === 'string' && value !== '' ? [`${column}=`, value] : undefined
}

/** Lengths of the beginnings of a text that have terms. */
const beginnings = [10, 7, 5, 3]

/** Texts that begin so, by as many of their first characters as have a term. */
function beginning(index: StoredValue, value: string): Group[] {
  const text = foldedText(value)
  // the database may know letters of a newer Unicode
  const length = /^[\u0020-\u007e]*$/.test(text) ? text.length : 0
  const characters = beginnings.find((each) => each <= length)
  if (!characters || !index.hasBeginnings) return []
  return [[alternative(index, [[`${index.column}^${characters}`, text, characters]])]]
}

/** From a value to another, both included; days as `YYYY-MM-DD`. */
type Range =
  | { kind: 'number'; from: number; to: number }
  | { kind: 'day'; from: string; to: string }

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

/** The range that an operator asks for; undefined where it is none. */
function rangeOf(subject: Subject, operator: string, value: unknown): Range | undefined {
  const { kind } = subject.field
  if (kind === 'number' || kind === 'integer') return numberRange(subject, operator, value)
  if (kind === 'date' || kind === 'timestamp') return dayRangeOf(subject, operator, value)
  return undefined
}

function numberRange(
  { field, wrong }: Subject,
  operator: string,
  value: unknown,
): Range | undefined {
  const read = (one: unknown) => finite(operator === 'eq' ? chosen(field, one) : one, wrong)
  if (operator === 'between' && Array.isArray(value))
    return { kind: 'number', from: read(value[0]), to: read(value[1]) }
  if (operator === 'eq') return { kind: 'number', from: read(value), to: read(value) }
  if (operator === 'gt' || operator === 'gte')
    return { kind: 'number', from: read(value), to: Infinity }
  if (operator === 'lt' || operator === 'lte')
    return { kind: 'number', from: -Infinity, to: read(value) }
  return undefined
}

function dayRangeOf(subject: Subject, operator: string, value: unknown): Range | undefined {
  const { field, clock } = subject
  const days = (one: unknown): [from: string, to: string] => {
    if (field.kind === 'date') return [String(one), String(one)]
    const [from, to] = span(one, subject)
    return [dayOf(from, firstDay), dayOf(to, lastDay)]
  }
  const between = (from: string, to: string): Range => ({
    kind: 'day',
    // custom fields hold days of other time zones
    from: field.kind === 'timestamp' ? shifted(from, -1) : from,
    to: field.kind === 'timestamp' ? shifted(to, 1) : to,
  })
  if (operator === 'between' && Array.isArray(value))
    return between(days(value[0])[0], days(value[1])[1])
  if (operator === 'eq') return between(...days(value))
  if (operator === 'gt' || operator === 'gte') return between(days(value)[0], lastDay)
  if (operator === 'lt' || operator === 'lte') return between(firstDay, days(value)[1])
  if (operator === 'past') return between(firstDay, shifted(today(clock), 1))
  if (operator === 'future') return between(shifted(today(clock), -1), lastDay)
  if (!(dayWords as readonly string[]).includes(operator)) return undefined
  const range = dayRange(
    operator as DayWord,
    clock,
    operator.endsWith('_x_days') ? Number(value) : 1,
  )
  return range ? between(days(range.from)[0], days(range.to)[1]) : undefined
}

function dayOf(instant: string, otherwise: string): string {
  const day = instant.slice(0, 10)
  return isDay(day) ? day : otherwise
}

function shifted(day: string, by: number): string {
  return day <= '0001-01-02' || day >= '9999-12-30' ? day : addDays(day, by)
}

function intersection(one: Range | undefined, other: Range): Range {
  if (one?.kind === 'number' && other.kind === 'number')
    return { kind: 'number', from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
  if (one?.kind === 'day' && other.kind === 'day')
    return {
      kind: 'day',
      from: one.from > other.from ? one.from : other.from,
      to: one.to < other.to ? one.to : other.to,
    }
  return other
}

/** The terms of which each value in a range has one. */
function coverOf(column: string, range: Range): Term[] {
  const parts = range.kind === 'day' ? daysOf(range) : numbersOf(range)
  const head = `${column}${range.kind === 'day' ? '@' : '#'}`
  // an empty range has a term that no record has
  return (parts.length ? parts : ['none']).map((part) => [head, part])
}

/** Days, months and years that make up a range, of which the first ones and the last ones are not whole. */
function daysOf({ from, to }: { from: string; to: string }): string[] {
  const parts: string[] = []
  let day = from
  if (from < '1900-01-01') {
    parts.push('before')
    day = '1900-01-01'
  }
  const end = to >= '2200-01-01' ? '2199-12-31' : to
  if (to >= '2200-01-01') parts.push('after')
  while (day <= end) {
    const year = day.slice(0, 4)
    const month = day.slice(0, 7)
    const lastOfMonth = addDays(addDays(`${month}-28`, 4).slice(0, 8) + '01', -1)
    if (day.endsWith('-01-01') && `${year}-12-31` <= end) {
      parts.push(year)
      day = addDays(`${year}-12-31`, 1)
    } else if (day.endsWith('-01') && lastOfMonth <= end) {
      parts.push(month)
      day = addDays(lastOfMonth, 1)
    } else {
      parts.push(day)
      day = addDays(day, 1)
    }
  }
  return parts
}

/** How many bits the terms of numbers leave out, the nearest first. */
const shifts = [32n, 38n, 44n, 50n]
/** That many terms of one step make up one of the next. */
const width = 64n

/** Prefixes of bits that make up a range of numbers: short ones in its middle, longer ones at its ends. */
function numbersOf({ from, to }: { from: number; to: number }): string[] {
  const parts: string[] = []
  const [low, high] = [sortable(from), sortable(to)]
  if (low === high) return [`0:${low}`]
  let [a, b] = [low >> 32n, high >> 32n]
  for (const shift of shifts) {
    const isLast = shift === shifts.at(-1) || b - a < width
    for (; a <= b && (isLast || a % width !== 0n); a++) parts.push(`${shift}:${a}`)
    if (isLast) break
    for (; (b + 1n) % width !== 0n; b--) parts.push(`${shift}:${b}`)
    a /= width
    b >>= 6n
  }
  return parts
}

/** A number as an integer that sorts as it does, as `filter_number_terms` makes it. */
function sortable(value: number): bigint {
  const size = Math.min(Math.abs(value), 2 ** 60)
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = size < 2 ** -10 ? 0n : view.getBigInt64(0) - 4562146422526312447n
  return value < 0 ? -bits : bits
}

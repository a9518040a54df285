import type { Query } from '../ground/context.ts'
import type { Clock, DayWord } from '../ground/dates.ts'
import { dayRange, dayWords, today } from '../ground/dates.ts'
import type { Failure } from '../ground/errors.ts'
import { badField, forbidden } from '../ground/errors.ts'
import { piecesOf } from '../ground/fold.ts'
import { sql } from '../ground/sql.ts'
import { template } from '../record/readable.ts'
import { FilterCost } from './filter-cost.ts'
import type { Registry, Filterable } from './filter-fields.ts'
import { customField, entryOf } from './filter-fields.ts'
import { endsAs, holdsPieces, startsAs } from './holds.ts'
import { chosen, most, text, finite, entries, word, readers, span } from './filter-values.ts'
import type { Wrong } from './filter-values.ts'

/**
 * Compiles a filter, JSON text or parsed, to one condition over `t` in which every value is a
 * parameter. Without a filter, or with an empty array, every row matches. Anything outside the grammar
 * is a 400 that names the field and operator and says what would be right. The cost of the conditions
 * is added to `cost`.
 */
export function compileFilter(
  registry: Registry,
  input: unknown,
  { at = plainly, ...clock }: Reader,
  name = 'filter',
  cost = new FilterCost(),
): Query {
  const refuse = (message: string) => badField(name, message)
  const filter = input ?? ''
  const nodes = typeof filter === 'string' ? parse(filter || '[]', refuse) : filter
  if (!Array.isArray(nodes)) throw refuse('must be a JSON array of conditions')
  if (!nodes.length) return sql`true`
  return group(nodes, 'and', 1, { registry, clock, refuse, at, cost, left: most.conditions })
}

/** The operators that a kind of field understands. */
export function operatorsOf(kind: Filterable['kind']): string[] {
  return operators[kind]
}

const compare = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'not_in']
const presence = ['is_empty', 'is_not_empty']
const days = [...compare, ...presence, ...dayWords, 'past', 'future']
const operators: { [kind in Filterable['kind']]: string[] } = {
  text: [...compare, 'contains', 'not_contains', 'starts_with', 'ends_with', ...presence],
  reference: ['eq', 'neq', 'in', 'not_in', ...presence],
  integer: [...compare, ...presence],
  number: [...compare, ...presence],
  boolean: ['eq', 'neq', ...presence],
  timestamp: days,
  date: days,
  list: ['contains', 'not_contains', 'contains_any', 'contains_all', 'contains_none', ...presence],
  json: presence,
}

/** A negative operator is whatever its opposite leaves, empty values among it. */
const opposites: { [operator: string]: string } = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  contains_none: 'contains_any',
  is_not_empty: 'is_empty',
}

type Refuse = (message: string) => Failure
/** The state of compiling; `left` is how many more conditions are allowed. */
type Compiling = {
  registry: Registry
  clock: Clock
  refuse: Refuse
  at: At
  cost: FilterCost
  left: number
}

/** The time and time zone of a filter, and its reader; without `at`, a reader of everything. */
export type Reader = Clock & { at?: At }

const plainly: At = (text) => sql.raw(template(text).plain)

/** The SQL of a field, or of an expression around it, as the reader of the list may read it. */
type At = {
  (text: string): Query
  /** whether the reader is shown all that the text marks */
  isWhole?: (text: string) => boolean
}

function parse(input: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(input)
  } catch {
    throw refuse('is not valid JSON; it must be a JSON array of conditions')
  }
}

function group(nodes: unknown, joint: 'and' | 'or', depth: number, state: Compiling): Query {
  if (!Array.isArray(nodes) || !nodes.length)
    throw state.refuse(`"${joint}" needs an array with at least one condition`)
  const parts: Query[] = []
  for (const node of nodes) parts.push(sql`(${condition(node, depth, state)})`)
  return sql.join(parts, sql.raw(` ${joint} `))
}

function condition(node: unknown, depth: number, state: Compiling): Query {
  const { registry, clock, refuse, at } = state
  if (depth > most.depth) throw refuse(`conditions may be nested ${most.depth} deep at most`)
  const parts = (typeof node === 'object' && node ? node : {}) as { [key: string]: unknown }
  const { field: name, operator, value, ...rest } = parts
  const [only] = Object.keys(parts).length === 1 ? Object.keys(rest) : []
  if (only === 'and' || only === 'or') return group(rest[only], only, depth + 1, state)
  if (only === 'not') return sql`(${condition(rest.not, depth + 1, state)}) is not true`

  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw refuse(`unknown key ${quoted(unknown)}: ${shape}`)
  if (!Object.keys(parts).length) throw refuse(shape)
  if (--state.left < 0) throw refuse(`at most ${most.conditions} conditions are allowed`)
  const field =
    (typeof name === 'string' ? entryOf(registry, name) : undefined) ??
    (registry.open ? undefinedKey(name, operator, value) : undefined)
  const scopes = field ? undefined : scopesFor(name, registry)
  if (scopes?.length)
    throw forbidden(`${name} needs the scope ${scopes.join(' or ')}`, 'missing_scope')
  if (!field) throw refuse(`unknown field ${quoted(name)}; allowed: ${near(name, registry)}`)
  const known = operators[field.kind]
  if (!known.includes(operator as string))
    throw refuse(`${name}: unknown operator ${quoted(operator)}; allowed: ${known.join(', ')}`)
  state.cost.add(name as string, field, operator as string, value)
  const wrong = (must: string) => refuse(`${name} ${operator}: the value must be ${must}`)
  return compileOne({ field, clock, at, wrong }, operator as string, value)
}

const shape =
  'a condition is {"field", "operator", "value"}, {"and": […]}, {"or": […]} or {"not": {…}}'

/** A custom field without a definition: it has the type of what it is compared with. */
export function undefinedKey(
  name: unknown,
  operator: unknown,
  value: unknown,
): Filterable | undefined {
  // the key becomes part of the statement
  const key = typeof name === 'string' ? /^custom_fields\.([^\0]{1,100})$/su.exec(name)?.[1] : ''
  if (!key || !key.isWellFormed()) return undefined
  return customField({ key, type: typeFor(operator, value) })[1]
}

function typeFor(operator: unknown, value: unknown): string {
  if (typeof operator !== 'string' || presence.includes(operator)) return 'json'
  if (operator.startsWith('contains_')) return 'multi_select'
  if (!compare.includes(operator) && days.includes(operator)) return 'date'
  const sample: unknown = Array.isArray(value) ? value[0] : value
  return typeof sample === 'number' || typeof sample === 'boolean' ? typeof sample : 'text'
}

/** The scopes that would open a field of a linked record; undefined where it is no such field. */
function scopesFor(name: unknown, { closed = {} }: Registry): string[] | undefined {
  return typeof name === 'string' && Object.hasOwn(closed, name) ? closed[name] : undefined
}

/** The names that share the wrong one's prefix, else those without a prefix and the prefixes. */
function near(name: unknown, registry: Registry): string {
  const prefix = (key: string) => key.slice(0, key.indexOf('.') + 1)
  const names = [...registry.keys()]
  const prefixOfName = typeof name === 'string' ? prefix(name) : ''
  const same = names.filter((key) => prefixOfName && prefix(key) === prefixOfName)
  if (same.length) return same.join(', ')
  return [...new Set(names.map((key) => (prefix(key) ? `${prefix(key)}…` : key)))].join(', ')
}

/** A value for a message; only its top level, because it may be nested deeply. */
function quoted(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? '(none given)' : `(${typeof value})`
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

export type Subject = { field: Filterable; clock: Clock; at: At; wrong: Wrong }

function compileOne(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong, at } = subject
  const opposite = opposites[operator]
  if (opposite) return sql`(${compileOne(subject, opposite, value)}) is not true`
  if (standing.has(operator)) return standingCondition(subject, operator, value)
  if (field.kind === 'list') return listCondition(subject, operator, value)
  if (operator === 'contains') return holdsPieces(field.sql, piecesOf(text(value, wrong)), at)
  if (operator === 'starts_with') return startsAs(field.sql, text(value, wrong), at)
  if (operator === 'ends_with') return endsAs(field.sql, text(value, wrong), at)
  if (operator !== 'between') return relation(subject, operator, value)
  if (!Array.isArray(value) || value.length !== 2) throw wrong('an array of two: [from, to]')
  return between(subject, value[0], value[1])
}

/** Operators that say it all, but for a number of days. */
const standing = new Set<string>(['is_empty', 'past', 'future', ...dayWords])

/** What filter builders send for operators without a value. */
const sayNothing: unknown[] = [undefined, null, '', true]

function standingCondition(subject: Subject, operator: string, value: unknown): Query {
  const { field, clock, wrong, at } = subject
  let count = 1
  if (operator.endsWith('_x_days')) {
    const must = `a whole number of days from 1 to ${most.days}`
    count = finite(value, wrong, must)
    if (!Number.isInteger(count) || count < 1 || count > most.days) throw wrong(must)
  } else if (!sayNothing.includes(value)) throw wrong('left out')
  if (operator === 'is_empty') return at(emptiness(field, at))
  if (operator === 'past' || operator === 'future') {
    const now = field.kind === 'date' ? today(clock) : clock.now.toISOString()
    return relation(subject, operator === 'past' ? 'lt' : 'gt', now)
  }
  const range = dayRange(operator as DayWord, clock, count)
  return range ? between(subject, range.from, range.to) : sql`true`
}

function between(subject: Subject, from: unknown, to: unknown): Query {
  return sql`${relation(subject, 'gte', from)} and ${relation(subject, 'lte', to)}`
}

function emptiness({ kind, sql, stored, gone }: Filterable, at: At): string {
  if (kind === 'text') return `coalesce(${sql}, '') = ''`
  if (gone) {
    // a reader of the whole other table does not need a look-up of each row
    const id = stored !== undefined && at.isWhole?.(sql) !== false ? stored : sql
    return `(${id} is null or ${gone})`
  }
  if (kind !== 'list' && kind !== 'json') return `${sql} is null`
  return `coalesce(${sql}, 'null') in ('null', '[]', '{}', '""')`
}

/** The whole array is folded as JSON text: quotes, digits and escapes have no case to lose. */
function listCondition({ field, wrong, at }: Subject, operator: string, value: unknown): Query {
  const sent = operator === 'contains' ? [value] : entries(value, wrong)
  const isPlain = (one: unknown) => typeof one === 'boolean' || Number.isFinite(one)
  const must = 'text, numbers or booleans'
  const values = sent.map((one) => (isPlain(one) ? one : chosen(field, text(one, wrong, must))))
  const left = at(`lower((${field.sql})::text)::jsonb`)
  if (operator !== 'contains_any')
    return sql`${left} @> lower(${JSON.stringify(values)}::text)::jsonb`
  const each = values.map((one) => JSON.stringify([one]))
  return sql`${left} @> any(lower(${each}::text)::jsonb[])`
}

const signs: { [operator: string]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function relation(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong, at } = subject
  if (field.kind === 'timestamp') return timeRelation(subject, operator, value)
  const isStored = template(field.sql).plain === field.stored && at.isWhole?.(field.sql) !== false
  const masked = field.stored !== undefined && !isStored
  if (masked && (operator === 'eq' || operator === 'in')) {
    // an index serves what is stored; whether reads show it is checked on those rows only
    const as = (sql: string) => ({ ...subject, field: { ...field, sql, stored: undefined } })
    const each = [field.stored ?? '', field.sql].map((sql) => relation(as(sql), operator, value))
    return sql`(${sql.join(each, sql` and `)})`
  }
  const many = operator === 'in'
  const exact = many || operator === 'eq'
  const words = exact ? field.words : undefined
  const read = (one: unknown) => {
    if (words) return word(one, words, wrong)
    return (readers[field.kind] ?? text)(exact ? chosen(field, one) : one, wrong)
  }
  const right = many ? entries(value, wrong).map(read) : read(value)
  // both sides folded by PostgreSQL: it and JavaScript differ in İ and in Σ at a word's end
  const folds = field.kind === 'text' && !words
  const left = folds ? foldedOf(field) + (exact ? '' : ' collate "C"') : field.sql
  // without a cast a parameter takes the column's type, which an integer may not fit
  const cast = field.kind === 'integer' ? '::numeric' : ''
  if (!many && folds) return sql`${at(`${left} ${signs[operator]}`)} lower(${right}::text)`
  if (field.named) {
    const all = many ? right : [right]
    return sql`(${at(left)} = any(${all}) or ${at(field.named)} = any(${all}))`
  }
  if (!many) return sql`${at(`${left} ${signs[operator]}`)} ${right}${sql.raw(cast)}`
  if (folds) return sql`${at(left)} = any(lower(${right}::text)::text[])`
  return sql`${at(left)} = any(${right}${sql.raw(cast && `${cast}[]`)})`
}

/** A day lasts until the next one starts, an instant for the millisecond that reads show. */
function timeRelation(subject: Subject, operator: string, value: unknown): Query {
  if (operator === 'in') {
    const each = entries(value, subject.wrong).map((one) => timeRelation(subject, 'eq', one))
    return sql.join(each, sql` or `)
  }
  const left = subject.at(subject.field.sql)
  const [from, to] = span(value, subject)
  if (operator === 'eq') return sql`(${left} >= ${from} and ${left} < ${to})`
  const edge = operator === 'gt' || operator === 'lte' ? to : from
  return sql`${left} ${sql.raw(operator.startsWith('g') ? '>=' : '<')} ${edge}`
}

function foldedOf(field: Filterable): string {
  return field.folded ?? `lower((${field.sql}) collate "default")`
}

// The casts would fail for the year 0000 and days such as 02-30; `\d` matches other scripts too.

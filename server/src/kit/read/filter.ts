import type { Query } from '../ground/context.ts'
import type { Clock } from '../ground/dates.ts'
import { dayWords } from '../ground/dates.ts'
import type { Failure } from '../ground/errors.ts'
import { badField, forbidden } from '../ground/errors.ts'
import { sql } from '../ground/sql.ts'
import { template } from '../record/readable.ts'
import { FilterCost } from './filter-cost.ts'
import type { Registry, Filterable } from './filter-fields.ts'
import { customField, entryOf } from './filter-fields.ts'
import type { Wrong } from './filter-values.ts'
import { most } from './filter-values.ts'

/** What is made of a filter: of each condition, of several joined, and of one negated. */
export type Output<T> = {
  one(subject: Subject, operator: string, value: unknown): T
  joined(parts: T[], joint: 'and' | 'or'): T
  not(part: T): T
}

/** What a condition is about; `wrong` refuses its value. */
export type Subject = { field: Filterable; clock: Clock; at: At; wrong: Wrong }

/**
 * Visits a filter, JSON text or parsed, and makes its output; undefined for none, or for an empty array. Anything
 * outside the grammar is a 400 that names the field and operator and says what would be right. The cost of the
 * conditions is added to `cost`.
 */
export function visitFilter<T>(
  registry: Registry,
  input: unknown,
  { at = plainly, ...clock }: Reader,
  output: Output<T>,
  name = 'filter',
  cost = new FilterCost(),
): T | undefined {
  const refuse = (message: string) => badField(name, message)
  const filter = input ?? ''
  const nodes = typeof filter === 'string' ? parse(filter || '[]', refuse) : filter
  if (!Array.isArray(nodes)) throw refuse('must be a JSON array of conditions')
  if (!nodes.length) return undefined
  const state = { registry, clock, refuse, at, cost, left: most.conditions, output }
  return group(nodes, 'and', 1, state)
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

type Refuse = (message: string) => Failure
/** The state of a visit; `left` is how many more conditions are allowed. */
type Visiting<T> = {
  output: Output<T>
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
export type At = {
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

function group<T>(nodes: unknown, joint: 'and' | 'or', depth: number, state: Visiting<T>): T {
  if (!Array.isArray(nodes) || !nodes.length)
    throw state.refuse(`"${joint}" needs an array with at least one condition`)
  return state.output.joined(
    nodes.map((node) => condition(node, depth, state)),
    joint,
  )
}

function condition<T>(node: unknown, depth: number, state: Visiting<T>): T {
  const { registry, clock, refuse, at, output } = state
  if (depth > most.depth) throw refuse(`conditions may be nested ${most.depth} deep at most`)
  const parts = (typeof node === 'object' && node ? node : {}) as { [key: string]: unknown }
  const { field: name, operator, value, ...rest } = parts
  const [only] = Object.keys(parts).length === 1 ? Object.keys(rest) : []
  if (only === 'and' || only === 'or') return group(rest[only], only, depth + 1, state)
  if (only === 'not') return output.not(condition(rest.not, depth + 1, state))

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
  return output.one({ field, clock, at, wrong }, operator as string, value)
}

const shape =
  'a condition is {"field", "operator", "value"}, {"and": […]}, {"or": […]} or {"not": {…}}'

/** A custom field without a definition: it has the type of what it is compared with. */
function undefinedKey(name: unknown, operator: unknown, value: unknown): Filterable | undefined {
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

import type { Query } from './context.ts'
import type { Clock, DayWord } from './dates.ts'
import { dayRange, dayWords, endOfDay, isDay, parseInstant, startOfDay } from './dates.ts'
import type { Failure } from './errors.ts'
import { badField } from './errors.ts'
import type { AnyRecord, Field, Kind, Reference } from './record.ts'
import { columnOf } from './record.ts'
import { sql } from './sql.ts'

export type FilterKind = Kind | 'reference'

/** What may be filtered, by the name it has in conditions. `sql` and `folded` are over alias `t`. */
export type Filterable = {
  kind: FilterKind
  sql: string
  /** a stored column with `lower()` of the text, where an index serves it */
  folded?: string
  /** a closed set of words: others are refused */
  words?: string[]
  /** an open set of choices, for the attributes that a filter editor shows */
  options?: { value: unknown; label?: string }[]
}

export type Registry = Map<string, Filterable>

/**
 * Compiles a filter, JSON text or already parsed, to one condition over `t`. Every value is a
 * parameter. What the grammar does not allow is a 400 that names the field or operator and says
 * what would be right. Nothing at all, or an empty array, lets every row through.
 */
export function compileFilter(
  registry: Registry,
  input: unknown,
  clock: Clock,
  name = 'filter',
): Query {
  const refuse = (message: string) => badField(name, message)
  const conditions =
    input === undefined || input === null || input === '' ? [] : parse(input, refuse)
  if (!Array.isArray(conditions)) throw refuse('must be a JSON array of conditions')
  if (!conditions.length) return sql`true`
  return group(conditions, ' and ', 1, { registry, clock, refuse, left: maxConditions })
}

/** The operators that a kind of field understands. */
export function operatorsOf(kind: FilterKind): string[] {
  return operators[kind]
}

const registries = new WeakMap<AnyRecord, Registry>()

/** Every filterable field of a record, and of the records one hop away: `company.industry`. */
export function registryOf(record: AnyRecord): Registry {
  let registry = registries.get(record)
  if (registry) return registry
  registry = new Map()
  for (const [name, field] of Object.entries(record.fields)) {
    if (!field.filterable) continue
    registry.set(name, filterable(name, field))
    if (field.reference) addHop(registry, name, columnOf(name, field), field.reference)
  }
  registries.set(record, registry)
  return registry
}

/**
 * The registry's entry for an organization's own field. Definitions change while stored values
 * stay, so a stored value of another type counts as empty instead of failing the query.
 */
export function customField(definition: {
  key: string
  type: string
  options?: Filterable['options']
}): [name: string, field: Filterable] {
  const { key, type, options } = definition
  const name = `'${key.replaceAll("'", "''")}'`
  const [kind, of] = Object.hasOwn(customTypes, type) ? customTypes[type]! : customTypes.text!
  const field: Filterable = {
    kind,
    sql: of(`(t.custom_fields->${name})`, `(t.custom_fields->>${name})`),
  }
  if (options?.length) field.options = options
  return [`custom_fields.${key}`, field]
}

const maxConditions = 50
const maxDepth = 5
const maxEntries = 500
const maxLength = 1000
const maxDays = 36_500

const compare = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'not_in']
const presence = ['is_empty', 'is_not_empty']
const days = [...compare, ...presence, ...dayWords, 'past', 'future']
const operators: { [kind in FilterKind]: string[] } = {
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

/** A negative operator is everything its opposite leaves, empty values among it. */
const opposites: { [operator: string]: string } = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  contains_none: 'contains_any',
  is_not_empty: 'is_empty',
}

type Compiling = {
  registry: Registry
  clock: Clock
  refuse(message: string): Failure
  /** how many more conditions there may be */
  left: number
}

function parse(input: unknown, refuse: Compiling['refuse']): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    throw refuse('is not valid JSON; it must be a JSON array of conditions')
  }
}

function group(nodes: unknown, joint: string, depth: number, state: Compiling): Query {
  if (!Array.isArray(nodes) || !nodes.length)
    throw state.refuse(`"${joint.trim()}" needs an array with at least one condition`)
  // ahead of the walk, so that a huge array costs nothing
  if (nodes.length > state.left) throw tooMany(state)
  const parts = nodes.map((node) => sql`(${condition(node, depth, state)})`)
  return sql.join(parts, sql.raw(joint))
}

function tooMany(state: Compiling): Failure {
  return state.refuse(`at most ${maxConditions} conditions are allowed`)
}

function condition(node: unknown, depth: number, state: Compiling): Query {
  if (depth > maxDepth) throw state.refuse(`conditions may be nested ${maxDepth} deep at most`)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) throw state.refuse(shape)
  const given = node as { [key: string]: unknown }
  const keys = Object.keys(given)
  const [only] = keys
  if (keys.length === 1) {
    if (only === 'and') return group(given.and, ' and ', depth + 1, state)
    if (only === 'or') return group(given.or, ' or ', depth + 1, state)
    if (only === 'not') return sql`(${condition(given.not, depth + 1, state)}) is not true`
  }
  const unknown = keys.find((key) => key !== 'field' && key !== 'operator' && key !== 'value')
  if (unknown !== undefined) throw state.refuse(`unknown key ${quoted(unknown)}: ${shape}`)
  if (--state.left < 0) throw tooMany(state)
  return fieldCondition(given, state)
}

const shape =
  'a condition is {"field", "operator", "value"}, {"and": […]}, {"or": […]} or {"not": {…}}'

function fieldCondition(given: { [key: string]: unknown }, state: Compiling): Query {
  const { field: name, operator, value } = given
  const field = typeof name === 'string' ? state.registry.get(name) : undefined
  if (!field)
    throw state.refuse(`unknown field ${quoted(name)}; allowed: ${fieldsNear(name, state)}`)
  const allowed = operators[field.kind]
  if (typeof operator !== 'string' || !allowed.includes(operator)) {
    const rest = `does not know the operator ${quoted(operator)}; allowed: ${allowed.join(', ')}`
    throw state.refuse(`${quoted(name)} ${rest}`)
  }
  const wrong: Wrong = (must) =>
    state.refuse(`${quoted(name)} ${operator}: the value must be ${must}`)
  return compileOne({ field, clock: state.clock, wrong }, operator, value)
}

/** The names that share the wrong one's prefix, else those without any and the prefixes. */
function fieldsNear(name: unknown, state: Compiling): string {
  const prefix = (key: string) => key.slice(0, key.indexOf('.') + 1)
  const names = [...state.registry.keys()]
  const wanted = typeof name === 'string' ? prefix(name) : ''
  const near = wanted ? names.filter((key) => prefix(key) === wanted) : []
  if (near.length) return near.join(', ')
  return [...new Set(names.map((key) => (prefix(key) ? `${prefix(key)}…` : key)))].join(', ')
}

function quoted(given: unknown): string {
  if (given === undefined) return '(none given)'
  const text = JSON.stringify(given)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

type Wrong = (must: string) => Failure
type Subject = { field: Filterable; clock: Clock; wrong: Wrong }

function compileOne(subject: Subject, operator: string, value: unknown): Query {
  const opposite = opposites[operator]
  if (opposite) return sql`(${compileOne(subject, opposite, value)}) is not true`
  const { field, wrong } = subject
  if (standing.has(operator)) return standingCondition(subject, operator, value)
  if (field.kind === 'list') return listCondition(subject, operator, value)
  const pattern = patterns[operator]
  if (pattern) {
    const like = pattern(text(value, wrong).replace(/[\\%_]/g, '\\$&'))
    return sql`${sql.raw(foldedOf(field))} like lower(${like}::text)`
  }
  if (operator === 'between') {
    if (!Array.isArray(value) || value.length !== 2) throw wrong('an array of two: [from, to]')
    return sql`${relation(subject, 'gte', value[0])} and ${relation(subject, 'lte', value[1])}`
  }
  return relation(subject, operator, value)
}

const patterns: { [operator: string]: (text: string) => string } = {
  contains: (text) => `%${text}%`,
  starts_with: (text) => `${text}%`,
  ends_with: (text) => `%${text}`,
}

const standing = new Set<string>(['is_empty', 'past', 'future', ...dayWords])

/** Operators that say it all, but for the number of days. */
function standingCondition(subject: Subject, operator: string, value: unknown): Query {
  const { field, clock, wrong } = subject
  const counted = operator.endsWith('_x_days')
  const count = counted ? Number(value) : 1
  if (!counted && value !== undefined && value !== null) throw wrong('left out')
  if (!(Number.isInteger(count) && count > 0 && count <= maxDays) || Array.isArray(value))
    throw wrong(`a whole number of days from 1 to ${maxDays}`)
  if (operator === 'is_empty') return sql.raw(emptiness(field))
  if (operator === 'past' || operator === 'future') {
    const now = field.kind === 'date' ? dayRange('today', clock)!.from : clock.now.toISOString()
    return relation(subject, operator === 'past' ? 'lt' : 'gt', now)
  }
  const range = dayRange(operator as DayWord, clock, count)
  if (!range) return sql`true`
  return sql`${relation(subject, 'gte', range.from)} and ${relation(subject, 'lte', range.to)}`
}

function emptiness({ kind, sql }: Filterable): string {
  if (kind === 'text') return `coalesce(${sql}, '') = ''`
  if (kind !== 'list' && kind !== 'json') return `${sql} is null`
  return `coalesce(${sql}, 'null') in ('null', '[]', '{}', '""')`
}

/** The whole array is folded as JSON text: quotes, digits and escapes have no case to lose. */
function listCondition({ field, wrong }: Subject, operator: string, value: unknown): Query {
  const given = operator === 'contains' ? [value] : entries(value, wrong)
  const values = given.map((one) => {
    if (typeof one === 'boolean' || Number.isFinite(one)) return one
    return text(one, wrong)
  })
  const left = sql.raw(`lower((${field.sql})::text)::jsonb`)
  if (operator !== 'contains_any')
    return sql`${left} @> lower(${JSON.stringify(values)}::text)::jsonb`
  const each = values.map((one) => JSON.stringify([one]))
  return sql`${left} @> any(lower(${each}::text)::jsonb[])`
}

const signs: { [operator: string]: Query } = {
  eq: sql`=`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
}

function relation(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong } = subject
  if (field.kind === 'timestamp') return timeRelation(subject, operator, value)
  const exact = operator === 'eq' || operator === 'in'
  const closed = exact && field.words
  const read = (one: unknown) =>
    closed ? word(one, closed, wrong) : readers[field.kind]!(one, wrong)
  const right = operator === 'in' ? entries(value, wrong).map(read) : read(value)
  if (field.kind === 'text' && !closed) {
    const left = sql.raw(foldedOf(field) + (exact ? '' : ' collate "C"'))
    // PostgreSQL folds both sides, for it and JavaScript differ: Σ at a word's end, İ
    if (operator === 'in') return sql`${left} = any(lower(${right}::text)::text[])`
    return sql`${left} ${signs[operator]} lower(${right}::text)`
  }
  const left = sql.raw(field.sql)
  // untyped parameters take the column's type, which a fraction or a huge number does not fit
  const fits =
    field.kind !== 'integer' || [right].flat().every((one) => one === (one as number) >> 0)
  if (operator === 'in') return sql`${left} = any(${right}${sql.raw(fits ? '' : '::numeric[]')})`
  return sql`${left} ${signs[operator]} ${right}${sql.raw(fits ? '' : '::numeric')}`
}

/** A day is the span until the next one starts, an instant the millisecond that reads show. */
function timeRelation(subject: Subject, operator: string, value: unknown): Query {
  if (operator === 'in') {
    const each = entries(value, subject.wrong).map((one) => timeRelation(subject, 'eq', one))
    return sql`(${sql.join(each, sql` or `)})`
  }
  const left = sql.raw(subject.field.sql)
  const [from, to] = span(value, subject)
  if (operator === 'eq') return sql`(${left} >= ${from} and ${left} < ${to})`
  if (operator === 'lt') return sql`${left} < ${from}`
  if (operator === 'lte') return sql`${left} < ${to}`
  return sql`${left} >= ${operator === 'gt' ? to : from}`
}

function span(value: unknown, { clock, wrong }: Subject): [from: string, to: string] {
  const given = text(value, wrong)
  if (isDay(given))
    return [bound(startOfDay(given, clock.timezone)), bound(endOfDay(given, clock.timezone))]
  const instant = parseInstant(given, clock.timezone)
  if (!instant) throw wrong('a date YYYY-MM-DD or a date-time such as 2026-01-31T09:30:00Z')
  return [instant, bound(new Date(Date.parse(instant) + 1).toISOString())]
}

/** PostgreSQL has no year 0 and does not read JavaScript's six-digit years. */
function bound(iso: string): string {
  if (iso.startsWith('+')) return 'infinity'
  return iso.startsWith('0000') ? '-infinity' : iso
}

const readers: { [kind: string]: (value: unknown, wrong: Wrong) => unknown } = {
  text,
  reference: text,
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

function text(value: unknown, wrong: Wrong): string {
  if (typeof value !== 'string') throw wrong('text')
  if (value.length > maxLength) throw wrong(`text of at most ${maxLength} characters`)
  if (value.includes('\0') || !value.isWellFormed())
    throw wrong('text without NUL characters and unpaired surrogates')
  return value
}

function finite(value: unknown, wrong: Wrong): number {
  const number = typeof value === 'string' && numeric.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong('a number')
  return number
}

const numeric = /^[+-]?\d{1,400}(\.\d{1,400})?(e[+-]?\d{1,3})?$/i

function word(value: unknown, words: string[], wrong: Wrong): string {
  const folded = typeof value === 'string' ? value.toLowerCase() : undefined
  const found = words.find((one) => one.toLowerCase() === folded)
  if (found === undefined) throw wrong(`one of ${words.join(', ')}`)
  return found
}

function entries(value: unknown, wrong: Wrong): unknown[] {
  if (!Array.isArray(value) || !value.length || value.length > maxEntries)
    throw wrong(`an array of 1 to ${maxEntries} values`)
  return value
}

function foldedOf(field: Filterable): string {
  return field.folded ?? `lower((${field.sql}) collate "default")`
}

function filterable(name: string, field: Field): Filterable {
  const isId = field.reference || field.access === 'key'
  const found: Filterable = { kind: isId ? 'reference' : field.kind, sql: columnOf(name, field) }
  if (field.folded) found.folded = field.folded
  if (Array.isArray(field.schema.enum) && field.kind === 'text') found.words = field.schema.enum
  return found
}

/** Adds the linked record's fields, each as a scalar subselect over the alias `hop`. */
function addHop(registry: Registry, name: string, column: string, { table, shows, to }: Reference) {
  const target = to?.()
  const alive = target?.softDelete ? ' and hop.deleted_at is null' : ''
  const where = `hop.organization_id = t.organization_id and hop.id = ${column}${alive}`
  const over = (sql: string) =>
    `(select ${sql.replace(/(?<![\w."])t\./g, 'hop.')} from ${table} hop where ${where})`
  for (const [key, shown] of Object.entries(shows ?? {}))
    registry.set(`${name}.${key}`, { kind: shown.kind, sql: over(`t.${shown.column}`) })
  for (const [key, field] of Object.entries(target?.fields ?? {})) {
    if (!field.filterable) continue
    const found = filterable(key, field)
    registry.set(`${name}.${key}`, {
      ...found,
      sql: over(found.sql),
      ...(found.folded && { folded: over(found.folded) }),
    })
  }
}

/** The year 0000 and days such as 02-30 would fail the cast; `\d` would match other scripts. */
const realDay =
  '(?!0000)([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)' +
  '|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])' +
  '|([02468][048]|[13579][26])00)-02-29)'
const realTime =
  'T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])'

type CustomType = [kind: FilterKind, of: (json: string, text: string) => string]

const asText = (json: string, text: string) =>
  `case when jsonb_typeof(${json}) in ('string', 'number', 'boolean') then ${text} end`
const asNumber: CustomType = [
  'number',
  (json) => `case when jsonb_typeof(${json}) = 'number' then ${json}::numeric end`,
]
const customTypes: { [type: string]: CustomType } = {
  text: ['text', asText],
  number: asNumber,
  currency: asNumber,
  percent: asNumber,
  rating: asNumber,
  boolean: [
    'boolean',
    (json) => `case when jsonb_typeof(${json}) = 'boolean' then ${json}::boolean end`,
  ],
  date: ['date', (_, text) => `case when ${text} ~ '^${realDay}$' then ${text}::date end`],
  datetime: [
    'timestamp',
    (_, text) => `case when ${text} ~ '^${realDay}${realTime}$' then ${text}::timestamptz end`,
  ],
  multi_select: ['list', (json) => `case when jsonb_typeof(${json}) = 'array' then ${json} end`],
  user: ['reference', (json, text) => `nullif(${asText(json, text)}, '')`],
  json: ['json', (json) => json],
}

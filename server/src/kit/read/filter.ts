import type { Query } from '../ground/context.ts'
import type { Clock, DayWord } from '../ground/dates.ts'
import { dayRange, dayWords, endOfDay, isDay, parseInstant, startOfDay } from '../ground/dates.ts'
import type { Failure } from '../ground/errors.ts'
import { badField } from '../ground/errors.ts'
import type { AnyRecord, Field, Kind, Reference } from '../record/record.ts'
import { columnOf } from '../record/record.ts'
import { sql } from '../ground/sql.ts'

/** What may be filtered, by its name in conditions. The SQL is over the alias `t`. */
export type Filterable = {
  kind: Kind | 'reference'
  sql: string
  /** a stored column with `lower()` of the text, where an index serves it */
  folded?: string
  /** of a link: the word by which the linked row is known beside its id */
  named?: string
  /** a closed set of words: others are refused */
  words?: string[]
  /** choices that a filter editor offers; other values are allowed */
  options?: { value: unknown; label?: string }[]
}

/** In an open one, keys of `custom_fields` without a definition may be filtered too. */
export type Registry = Map<string, Filterable> & {
  open?: boolean
  /** other names that conditions may use, as bodies do */
  aliases?: { [name: string]: string }
}

type Custom = { key: string; type: string; options?: Filterable['options'] }

/**
 * Compiles a filter, JSON text or parsed, to one condition over `t` in which every value is a
 * parameter. None at all, or an empty array, lets every row through. What the grammar does not
 * allow is a 400 that names the field and operator and says what would be right.
 */
export function compileFilter(
  registry: Registry,
  input: unknown,
  clock: Clock,
  name = 'filter',
): Query {
  const refuse = (message: string) => badField(name, message)
  const given = input ?? ''
  const nodes = typeof given === 'string' ? parse(given || '[]', refuse) : given
  if (!Array.isArray(nodes)) throw refuse('must be a JSON array of conditions')
  if (!nodes.length) return sql`true`
  return group(nodes, 'and', 1, { registry, clock, refuse, left: most.conditions })
}

/** The operators that a kind of field understands. */
export function operatorsOf(kind: Filterable['kind']): string[] {
  return operators[kind]
}

/** Every filterable field of a record, and of the records one hop away: `company.industry`. */
export function registryOf(record: AnyRecord): Registry {
  let registry = registries.get(record)
  if (registry) return registry
  registries.set(record, (registry = new Map()))
  for (const [name, field] of Object.entries(record.fields)) {
    if (!field.filterable) continue
    registry.set(name, filterable(name, field))
    if (field.reference) addHop(registry, name, columnOf(name, field), field.reference)
  }
  return registry
}

/**
 * The entry for an organization's own field. Definitions change while stored values stay, so a
 * stored value of another type counts as empty instead of failing the query.
 */
export function customField({ key, type, options }: Custom): [name: string, field: Filterable] {
  const name = `'${key.replaceAll("'", "''")}'`
  const found = customColumn(type, `(t.custom_fields->${name})`, `(t.custom_fields->>${name})`)
  return [`custom_fields.${key}`, options?.length ? { ...found, options } : found]
}

const most = { conditions: 50, depth: 5, entries: 500, characters: 1000, days: 36_500 }

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
/** What compiling shares; `left` is how many more conditions there may be. */
type Compiling = { registry: Registry; clock: Clock; refuse: Refuse; left: number }

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
  const { registry, clock, refuse } = state
  if (depth > most.depth) throw refuse(`conditions may be nested ${most.depth} deep at most`)
  const given = (typeof node === 'object' && node ? node : {}) as { [key: string]: unknown }
  const { field: name, operator, value, ...rest } = given
  const [only] = Object.keys(given).length === 1 ? Object.keys(rest) : []
  if (only === 'and' || only === 'or') return group(rest[only], only, depth + 1, state)
  if (only === 'not') return sql`(${condition(rest.not, depth + 1, state)}) is not true`

  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw refuse(`unknown key ${quoted(unknown)}: ${shape}`)
  if (!Object.keys(given).length) throw refuse(shape)
  if (--state.left < 0) throw refuse(`at most ${most.conditions} conditions are allowed`)
  const field =
    registry.get(name as string) ??
    aliased(name, registry) ??
    (registry.open ? undefinedKey(name, operator, value) : undefined)
  if (!field) throw refuse(`unknown field ${quoted(name)}; allowed: ${near(name, registry)}`)
  const known = operators[field.kind]
  if (!known.includes(operator as string))
    throw refuse(`${name}: unknown operator ${quoted(operator)}; allowed: ${known.join(', ')}`)
  const wrong = (must: string) => refuse(`${name} ${operator}: the value must be ${must}`)
  return compileOne({ field, clock, wrong }, operator as string, value)
}

const shape =
  'a condition is {"field", "operator", "value"}, {"and": […]}, {"or": […]} or {"not": {…}}'

/** A custom field without a definition has the type of what it is compared with. */
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

function aliased(name: unknown, registry: Registry): Filterable | undefined {
  const { aliases = {} } = registry
  if (typeof name !== 'string' || !Object.hasOwn(aliases, name)) return undefined
  return registry.get(aliases[name]!)
}

/** The names that share the wrong one's prefix, else those without a prefix and the prefixes. */
function near(name: unknown, registry: Registry): string {
  const prefix = (key: string) => key.slice(0, key.indexOf('.') + 1)
  const names = [...registry.keys()]
  const wanted = typeof name === 'string' ? prefix(name) : ''
  const same = names.filter((key) => wanted && prefix(key) === wanted)
  if (same.length) return same.join(', ')
  return [...new Set(names.map((key) => (prefix(key) ? `${prefix(key)}…` : key)))].join(', ')
}

/** What was given, for a message; not looked into, since it may be nested without end. */
function quoted(given: unknown): string {
  if (typeof given !== 'string') return given === undefined ? '(none given)' : `(${typeof given})`
  return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given)
}

type Wrong = (must: string) => Failure
type Subject = { field: Filterable; clock: Clock; wrong: Wrong }

function compileOne(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong } = subject
  const opposite = opposites[operator]
  if (opposite) return sql`(${compileOne(subject, opposite, value)}) is not true`
  if (standing.has(operator)) return standingCondition(subject, operator, value)
  if (field.kind === 'list') return listCondition(subject, operator, value)
  const pattern = patterns[operator]
  if (pattern) {
    const like = pattern(text(value, wrong).replace(/[\\%_]/g, '\\$&'))
    return sql`${sql.raw(foldedOf(field))} like lower(${like}::text)`
  }
  if (operator !== 'between') return relation(subject, operator, value)
  if (!Array.isArray(value) || value.length !== 2) throw wrong('an array of two: [from, to]')
  return between(subject, value[0], value[1])
}

const patterns: { [operator: string]: (text: string) => string } = {
  contains: (text) => `%${text}%`,
  starts_with: (text) => `${text}%`,
  ends_with: (text) => `%${text}`,
}

/** Operators that say it all, but for a number of days. */
const standing = new Set<string>(['is_empty', 'past', 'future', ...dayWords])

/** What filter builders send where an operator takes no value. */
const sayNothing: unknown[] = [undefined, null, '', true]

function standingCondition(subject: Subject, operator: string, value: unknown): Query {
  const { field, clock, wrong } = subject
  let count = 1
  if (operator.endsWith('_x_days')) {
    const must = `a whole number of days from 1 to ${most.days}`
    count = finite(value, wrong, must)
    if (!Number.isInteger(count) || count < 1 || count > most.days) throw wrong(must)
  } else if (!sayNothing.includes(value)) throw wrong('left out')
  if (operator === 'is_empty') return sql.raw(emptiness(field))
  if (operator === 'past' || operator === 'future') {
    const now = field.kind === 'date' ? dayRange('today', clock)!.from : clock.now.toISOString()
    return relation(subject, operator === 'past' ? 'lt' : 'gt', now)
  }
  const range = dayRange(operator as DayWord, clock, count)
  return range ? between(subject, range.from, range.to) : sql`true`
}

function between(subject: Subject, from: unknown, to: unknown): Query {
  return sql`${relation(subject, 'gte', from)} and ${relation(subject, 'lte', to)}`
}

function emptiness({ kind, sql }: Filterable): string {
  if (kind === 'text') return `coalesce(${sql}, '') = ''`
  if (kind !== 'list' && kind !== 'json') return `${sql} is null`
  return `coalesce(${sql}, 'null') in ('null', '[]', '{}', '""')`
}

/** The whole array is folded as JSON text: quotes, digits and escapes have no case to lose. */
function listCondition({ field, wrong }: Subject, operator: string, value: unknown): Query {
  const given = operator === 'contains' ? [value] : entries(value, wrong)
  const isPlain = (one: unknown) => typeof one === 'boolean' || Number.isFinite(one)
  const must = 'text, numbers or booleans'
  const values = given.map((one) => (isPlain(one) ? one : text(one, wrong, must)))
  const left = sql.raw(`lower((${field.sql})::text)::jsonb`)
  if (operator !== 'contains_any')
    return sql`${left} @> lower(${JSON.stringify(values)}::text)::jsonb`
  const each = values.map((one) => JSON.stringify([one]))
  return sql`${left} @> any(lower(${each}::text)::jsonb[])`
}

const signs: { [operator: string]: string } = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function relation(subject: Subject, operator: string, value: unknown): Query {
  const { field, wrong } = subject
  if (field.kind === 'timestamp') return timeRelation(subject, operator, value)
  const many = operator === 'in'
  const exact = many || operator === 'eq'
  const words = exact ? field.words : undefined
  const read = (one: unknown) =>
    words ? word(one, words, wrong) : readers[field.kind]!(one, wrong)
  const right = many ? entries(value, wrong).map(read) : read(value)
  // both sides folded by PostgreSQL: it and JavaScript differ in İ and in Σ at a word's end
  const folds = field.kind === 'text' && !words
  const left = folds ? foldedOf(field) + (exact ? '' : ' collate "C"') : field.sql
  // without a cast a parameter takes the column's type, which an integer may not fit
  const cast = field.kind === 'integer' ? '::numeric' : ''
  if (!many && folds) return sql`${sql.raw(`${left} ${signs[operator]}`)} lower(${right}::text)`
  if (field.named) {
    const all = many ? right : [right]
    return sql`(${sql.raw(left)} = any(${all}) or ${sql.raw(field.named)} = any(${all}))`
  }
  if (!many) return sql`${sql.raw(`${left} ${signs[operator]}`)} ${right}${sql.raw(cast)}`
  if (folds) return sql`${sql.raw(left)} = any(lower(${right}::text)::text[])`
  return sql`${sql.raw(left)} = any(${right}${sql.raw(cast && `${cast}[]`)})`
}

/** A day lasts until the next one starts, an instant for the millisecond that reads show. */
function timeRelation(subject: Subject, operator: string, value: unknown): Query {
  if (operator === 'in') {
    const each = entries(value, subject.wrong).map((one) => timeRelation(subject, 'eq', one))
    return sql.join(each, sql` or `)
  }
  const left = sql.raw(subject.field.sql)
  const [from, to] = span(value, subject)
  if (operator === 'eq') return sql`(${left} >= ${from} and ${left} < ${to})`
  const edge = operator === 'gt' || operator === 'lte' ? to : from
  return sql`${left} ${sql.raw(operator.startsWith('g') ? '>=' : '<')} ${edge}`
}

function span(value: unknown, { clock, wrong }: Subject): [from: string, to: string] {
  const must = 'a date YYYY-MM-DD or a date-time such as 2026-01-31T09:30:00Z'
  const given = text(value, wrong, must)
  if (isDay(given))
    return [bound(startOfDay(given, clock.timezone)), bound(endOfDay(given, clock.timezone))]
  const instant = parseInstant(given, clock.timezone)
  if (!instant) throw wrong(must)
  return [instant, bound(new Date(Date.parse(instant) + 1).toISOString())]
}

/** PostgreSQL has no year 0 and does not read JavaScript's six-digit years. */
function bound(iso: string): string {
  if (iso.startsWith('+')) return 'infinity'
  return iso.startsWith('0000') ? '-infinity' : iso
}

const readers: { [kind: string]: (value: unknown, wrong: Wrong) => unknown } = {
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

function text(value: unknown, wrong: Wrong, must = 'text'): string {
  if (typeof value !== 'string') throw wrong(must)
  if (value.length > most.characters) throw wrong(`at most ${most.characters} characters long`)
  if (value.includes('\0') || !value.isWellFormed())
    throw wrong('text without NUL characters and unpaired surrogates')
  return value
}

function finite(value: unknown, wrong: Wrong, must = 'a number'): number {
  const isText = typeof value === 'string' && value.length <= most.characters
  const number = isText && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong(must)
  return number
}

function word(value: unknown, words: string[], wrong: Wrong): string {
  const folded = typeof value === 'string' && value.toLowerCase()
  const found = words.find((one) => one.toLowerCase() === folded)
  if (found === undefined) throw wrong(`one of ${words.join(', ')}`)
  return found
}

function entries(value: unknown, wrong: Wrong): unknown[] {
  if (!Array.isArray(value) || !value.length || value.length > most.entries)
    throw wrong(`an array of 1 to ${most.entries} values`)
  return value
}

function foldedOf(field: Filterable): string {
  return field.folded ?? `lower((${field.sql}) collate "default")`
}

const registries = new WeakMap<AnyRecord, Registry>()

function filterable(name: string, field: Field): Filterable {
  if (field.word) return { kind: 'text', sql: field.word }
  const isId = field.reference || field.access === 'key'
  const found: Filterable = { kind: isId ? 'reference' : field.kind, sql: columnOf(name, field) }
  if (field.folded) found.folded = field.folded
  const { named, table } = field.reference ?? {}
  if (named) {
    found.named = `(select named.${named} from ${table} named
      where named.organization_id = t.organization_id and named.id = ${found.sql})`
  }
  if (found.kind === 'text' && Array.isArray(field.schema.enum)) found.words = field.schema.enum
  return found
}

/** Adds the linked record's fields, each as a scalar subselect over the alias `hop`. */
function addHop(registry: Registry, name: string, column: string, { table, shows, to }: Reference) {
  const target = to?.()
  const alive = target?.softDelete ? ' and hop.deleted_at is null' : ''
  const where = `hop.organization_id = t.organization_id and hop.id = ${column}${alive}`
  const over = (sql: string) =>
    `(select ${sql.replace(/(?<![\w."])t\./g, 'hop.')} from ${table} hop where ${where})`
  for (const [key, { column, kind }] of Object.entries(shows ?? {}))
    registry.set(`${name}.${key}`, { kind, sql: over(`t.${column}`) })
  for (const [key, field] of Object.entries(target?.fields ?? {})) {
    if (!field.filterable) continue
    const found = filterable(key, field)
    if (found.folded) found.folded = over(found.folded)
    if (found.named) found.named = over(found.named)
    registry.set(`${name}.${key}`, { ...found, sql: over(found.sql) })
  }
}

function customColumn(type: string, json: string, text: string): Filterable {
  const typed = (is: string, value: string) =>
    `case when jsonb_typeof(${json}) ${is} then ${value} end`
  const shaped = (pattern: string, cast: string) =>
    `case when ${text} ~ '^${pattern}$' then ${text}::${cast} end`
  const plain = typed("in ('string', 'number', 'boolean')", text)
  if (/^(number|currency|percent|rating)$/.test(type))
    return { kind: 'number', sql: typed("= 'number'", `${json}::numeric`) }
  if (type === 'boolean') return { kind: type, sql: typed("= 'boolean'", `${json}::boolean`) }
  if (type === 'multi_select') return { kind: 'list', sql: typed("= 'array'", json) }
  if (type === 'date') return { kind: type, sql: shaped(realDay, 'date') }
  if (type === 'datetime')
    return { kind: 'timestamp', sql: shaped(realDay + realTime, 'timestamptz') }
  if (type === 'user') return { kind: 'reference', sql: `nullif(${plain}, '')` }
  return type === 'json' ? { kind: type, sql: json } : { kind: 'text', sql: plain }
}

// The casts would fail for the year 0000 and days such as 02-30; `\d` matches other scripts too.
const realDay =
  '(?!0000)([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)' +
  '|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])' +
  '|([02468][048]|[13579][26])00)-02-29)'
const realTime =
  'T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])'

import type { JSONSchema } from '../ground/json-schema.ts'
import { linkedId, linkedRowsOf, rowsOf } from '../record/readable.ts'
import type { Kind, AnyRecord, Field, Reference } from '../record/record.ts'
import { columnOf, linkedTable, wordKeys } from '../record/record.ts'

/** What may be filtered, by its name in conditions. The SQL is over the alias `t`; see `forReader`. */
export type Filterable = {
  kind: Kind | 'reference'
  sql: string
  /** of a link: the column that holds it, whoever may read the record behind it */
  stored?: string
  /** of a link: whether the record behind it was deleted */
  gone?: string
  /** a stored column with `lower()` of the text, where an index serves it */
  folded?: string
  /** of a link: the word by which the linked row is known beside its id */
  named?: string
  /** of ids: the field by whose keys conditions may name them too */
  link?: Field
  /** a closed set of words: others are refused */
  words?: string[]
  /** choices, which conditions name by value or label; other values are allowed */
  options?: { value: string | number; label?: string; is_archived?: boolean }[]
  /** the field that knows its choices: the organization's, or fixed ones */
  chosen?: Pick<Field, 'optionSet' | 'choices'>
  /** the value whose terms the database stores, where it is no computed one; see `filter-terms.ts` */
  index?: StoredValue
}

/** A column, or a key of `custom_fields`: of the list's own table, or of one that `link` leads to. */
export type StoredValue = {
  column: string
  /** whether the beginnings of the text have terms, too */
  hasBeginnings?: boolean
  /** the column of the list's table that holds the id of the row in the other table */
  link?: { column: string; table: string }
  /** the column of a linked row by which conditions name it beside its id */
  named?: { column: string; table: string; by: string }
}

/** In an open one, keys of `custom_fields` without a definition may be filtered too. */
export type Registry = Map<string, Filterable> & {
  open?: boolean
  /** other names that conditions may use, as bodies do */
  aliases?: { [name: string]: string }
  /** fields of linked records outside the scopes of the app that calls, and the scopes for them */
  closed?: { [name: string]: string[] }
}

type Custom = { key: string; type: string; options?: Filterable['options'] }

/** Every filterable field of a record, and of the records one hop away: `company.industry`. */
export function registryOf(record: AnyRecord): Registry {
  let registry = registries.get(record)
  if (registry) return registry
  registries.set(record, (registry = new Map()))
  for (const [name, field] of Object.entries(record.fields)) {
    for (const [part, entry] of Object.entries(field.filters ?? {})) {
      registry.set(part, withIndex({ ...entry }, record))
    }
    if (!field.filterable) continue
    registry.set(name, filterable(name, field, record))
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
  found.index = { column: `custom_fields.${key}`, hasBeginnings: true }
  return [`custom_fields.${key}`, options?.length ? { ...found, options } : found]
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

const registries = new WeakMap<AnyRecord, Registry>()

/** The entry of a field by its name or by another one that conditions may use. */
export function entryOf(registry: Registry, name: string): Filterable | undefined {
  const { aliases = {} } = registry
  return registry.get(name) ?? registry.get((Object.hasOwn(aliases, name) && aliases[name]) || '')
}

function filterable(name: string, field: Field, own: Unread): Filterable {
  const { optionSet, choices } = field
  const chosen = (optionSet && !optionSet.isOpen) || choices ? { optionSet, choices } : undefined
  if (field.word) {
    return withIndex({ kind: 'text', sql: field.word, ...(chosen ? { chosen } : {}) }, own)
  }
  const isId = field.reference || field.access === 'key'
  const column = columnOf(name, field)
  const { reference } = field
  const found: Filterable = { kind: isId ? 'reference' : field.kind, sql: column }
  if (reference?.to && field.nullable) Object.assign(found, linkOf(reference, column))
  if (chosen) found.chosen = chosen
  if (field.idsOf ?? isNamed(field)) found.link = field
  if (field.folded) found.folded = field.folded
  const { named, table } = reference ?? {}
  if (named) {
    found.named = `(select named.${named} from ${table} named
      where named.organization_id = $organization and named.id = ${found.sql})`
  }
  const words = found.kind === 'text' ? wordsOf(field.readSchema ?? field.schema) : undefined
  if (words) found.words = words
  withIndex(found, own, field.schema.maxLength !== 25)
  const { column: stored } = found.index ?? {}
  if (stored && named && reference)
    found.index = { column: stored, named: { column: stored, table: reference.table, by: named } }
  return found
}

/**
 * A link as reads show it: null where the reader may not read the record behind it, and, if its members are
 * shown, where that was deleted. A plain id is shown then, but counts as empty, as in groups and sorts.
 */
function linkOf({ table, shows, to }: Reference, column: string) {
  const isSoft = to?.().life.softDelete
  const rows = shows ? linkedRowsOf(table, ['id']) : rowsOf(table)
  const here = 'linked.organization_id = $organization'
  const shown = `(select linked.id from ${rows} linked
    where ${here} and linked.id = ${column}${isSoft ? ' and linked.deleted_at is null' : ''})`
  // few are deleted, which are looked up once for all rows
  const gone = `${column} in (select linked.id from ${rows} linked
    where ${here} and linked.deleted_at is not null)`
  return {
    stored: column,
    sql: shows ? shown : linkedId(table, column),
    ...(isSoft ? { gone } : {}),
  }
}

/** What of the values of a table's columns has no terms; nothing of tables that are no records. */
type Unread = { find: Pick<AnyRecord['find'], 'terms'> }

function withIndex(
  found: Filterable,
  { find: { terms } }: Unread,
  hasBeginnings = true,
): Filterable {
  const [, plain, list] =
    /^(?:t\.(\w+)|coalesce\(t\.(\w+), '\[\]'\))$/.exec(found.stored ?? found.sql) ?? []
  const column = plain ?? (found.kind === 'list' ? list : undefined)
  if (!column || !terms) return found
  if (['id', 'organization_id', ...(terms.none ?? [])].includes(column)) return found
  const isText = found.kind === 'text' && hasBeginnings && !terms.whole?.includes(column)
  found.index = { column, ...(isText ? { hasBeginnings } : {}) }
  return found
}

/** The words of an enumeration. */
function wordsOf(schema: JSONSchema | undefined): string[] | undefined {
  const words: unknown = schema?.enum
  return Array.isArray(words)
    ? (words as unknown[]).filter((word) => typeof word === 'string')
    : undefined
}

/** Whether bodies name what the field links to by more than its id. */
function isNamed({ reference }: Field): boolean {
  if (!reference?.to && !reference?.isCaller) return false
  return wordKeys(reference).length > 0
}

/** Adds the linked record's fields, each as a scalar subselect over the alias `hop`. */
function addHop(registry: Registry, name: string, column: string, link: Reference) {
  const { table, shows, to } = link
  const target = to?.()
  const alive = target?.life.softDelete ? ' and hop.deleted_at is null' : ''
  const where = `hop.organization_id = $organization and hop.id = ${column}${alive}`
  const [, from] = /^t\.(\w+)$/.exec(column) ?? []
  const rowsTable = linkedTable(link)
  const through = (sql: string, index?: StoredValue): { index?: StoredValue } => {
    if (!from) return {}
    if (sql === 't.id') return { index: { column: from } }
    if (!index || index.named) return {}
    return { index: { ...index, link: { column: from, table: rowsTable } } }
  }
  const over = (sql: string) => {
    const [, plain] = /^t\.(\w+)$/.exec(sql) ?? []
    const rows = !target ? table : plain ? linkedRowsOf(table, [plain]) : rowsOf(table)
    return `(select ${sql.replace(/(?<![\w."])t\./g, 'hop.')} from ${rows} hop where ${where})`
  }
  for (const [key, { column, kind, schema, isOfView }] of Object.entries(shows ?? {})) {
    const words = kind === 'text' ? wordsOf(schema) : undefined
    const own = withIndex({ kind, sql: `t.${column}` }, target ?? { find: { terms: {} } })
    const index = isOfView ? {} : through(own.sql, own.index)
    registry.set(`${name}.${key}`, {
      kind,
      sql: over(own.sql),
      ...(words ? { words } : {}),
      ...index,
    })
  }
  for (const [key, field] of Object.entries(target?.fields ?? {})) {
    if (!field.filterable) continue
    const { index, ...found } = filterable(key, field, target ?? { find: { terms: {} } })
    if (found.folded) found.folded = over(found.folded)
    if (found.named) found.named = over(found.named)
    if (found.gone) found.gone = over(found.gone)
    // the other record is found by its own column, and not by what it links to
    delete found.stored
    registry.set(`${name}.${key}`, {
      ...found,
      sql: over(found.sql),
      ...through(columnOf(key, field), index),
    })
  }
}

import type { Actor, Context, Query } from '../ground/context.ts'
import type { Action } from '../ground/operation.ts'
import type { Scoped } from './scope.ts'
import type { JSONSchema } from '../ground/json-schema.ts'

/** How a value is kept and compared. It decides casts, filter operators and how text becomes JSON. */
export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'json'
  | 'list'

type Access = 'key' | 'required' | 'optional' | 'readOnly'

/** A field of another record that is shown inside this one, by the name it is shown under. */
export type Shown = { [name: string]: { column: string; kind: Kind } }

/** A column by which another record may be named; `anyCase` compares it case-folded. */
export type Key = { column: string; fold?: (value: string) => string; anyCase?: boolean }

/** A link to another record: the column holds its id, reads show the listed fields of it. */
export type Reference = {
  /** the table (or view) that is joined; its key is `(organization_id, id)` */
  table: string
  shows: Shown | null
  /**
   * The linked rows are few and shown everywhere, so the process remembers them instead of joining;
   * the table behind them must tell when it changes
   */
  isCached?: boolean
  /** the record linked to, for filters one hop away and for the check that it can be seen */
  to?: () => AnyRecord
  /** a column of the other record by which filters may name it too, beside its id */
  named?: string
  /** what a body may name the other record by, beside its plain id: key → column and folding */
  by: { [key: string]: Key }
}

/** The records that a computed list shows, and under which key each entry holds the id. */
export type Lists = { of: Scoped & { table: string }; key: string }

/** One field of a record, declared once; everything else is derived from it. */
export type Field<T = unknown> = {
  kind: Kind
  access: Access
  nullable: boolean
  /** JSON Schema of one non-null value as it is written */
  schema: JSONSchema
  /** the stored column, when it is not the field's own name */
  column?: string
  /** SQL over the alias `t` for a field that is derived at reading */
  expression?: string
  /** SQL over `t` that a read gives instead of the stored column, such as what is computed where
   * nothing was set by hand */
  read?: string
  /** SQL over `t` that holds the same text case-folded, where an index serves it */
  folded?: string
  /** SQL over `t` of the word by which filters know what a read shows as an object */
  word?: string
  reference?: Reference
  /** what an insert takes when the field is absent */
  default?: unknown
  /** modules of which a caller must read everything to be shown the field; others see it empty */
  over?: string[]
  /** set where the field is a list of other records: a caller is shown those that it sees */
  lists?: Lists
  /** false where a list, search or filter has no use for it */
  filterable: boolean
  readonly _type?: T
}

export type Fields = { [name: string]: Field }
export type AnyRecord = Record_<Fields>
type Value<F> = F extends Field<infer T> ? T : never

/**
 * The object that a read of the record gives.
 * @public
 */
export type Row<R> = R extends Record_<infer F> ? { [K in keyof F]: Value<F[K]> } : never

type Options = {
  /** the permission module, such as `companies` */
  module: string
  /** the word of the record in the table of modules when the permission has another one */
  subject?: string
  /** the table's name when it is not the module's */
  table?: string
  /** the word in event names, errors and titles, such as `company` */
  word: string
  /** the field that names the record to people */
  title: string
  /** other names that bodies may use, such as `name` for `tag_name` */
  aliases?: { [name: string]: string }
  /** columns holding user ids that make the record somebody's own */
  owners?: string[]
  /** a condition over `t` that makes the record these people's own too, such as being invited */
  owned?: (people: (string | null)[]) => Query
  /** a condition over `t`: whether a customer, partner or observer is attached to the record */
  attached?: (actor: Actor) => Query
  /** a condition over `t` that the rights of every caller end at, such as what is private */
  visible?: (ctx: Context, action: Action) => Query | undefined
  /** fields that hold a person who is told when the record becomes theirs */
  assignees?: string[]
  /** a condition over `t` that decides in place of level, owners and attachment */
  rights?: (ctx: Context, action: Action) => Query
  /** unknown keys of a body are kept in `custom_fields` */
  open?: boolean
  /** the fields that `q` looks into */
  search?: string[]
  /** all words of those are kept by `make_searchable` (migrations), so that long lists are narrowed */
  searched?: boolean
  /** the events that its writes emit; without them a write is logged only */
  events?: { created?: string; updated?: string; deleted?: string; merged?: string }
  /** whether a deleted row stays for 30 days */
  softDelete?: boolean
  /** the modules whose saved filters its list takes, where they are more than its own */
  filteredAs?: string[]
}

/** Options that most records do without. */
type Rare =
  | 'filteredAs'
  | 'events'
  | 'attached'
  | 'visible'
  | 'owned'
  | 'rights'
  | 'assignees'
  | 'subject'

/** What is kept: one table's worth of fields in the specification's own names. */
export type Record_<F extends Fields> = Required<Omit<Options, Rare>> &
  Pick<Options, Rare> & { fields: F; key: string }

/** Declares a record. Pure data: the kit derives row type, schemas, lists, diffs and documents. */
export function record<F extends Fields>(options: Options, fields: F): Record_<F> {
  const key = Object.keys(fields).find((name) => fields[name]!.access === 'key')
  if (!key) throw new Error(`${options.word} has no key`)
  return {
    table: options.module,
    aliases: {},
    owners: ['created_by'],
    open: false,
    search: [options.title],
    searched: false,
    softDelete: true,
    ...options,
    fields,
    key,
  }
}

const base = { access: 'optional', nullable: false, filterable: true } as const

/** Text of at most `max` characters; `extra` adds JSON Schema keywords such as `format`. */
export function text(max = 10_000, extra: JSONSchema = {}): Field<string> {
  return { ...base, kind: 'text', schema: { type: 'string', maxLength: max, ...extra } }
}

/** One of a closed set of words. */
export function oneOf<const W extends string>(...words: W[]): Field<W> {
  return { ...base, kind: 'text', schema: { type: 'string', enum: words } }
}

/** A 32-bit whole number. */
export function integer(extra: JSONSchema = {}): Field<number> {
  const schema = { type: 'integer', minimum: -2147483648, maximum: 2147483647, ...extra }
  return { ...base, kind: 'integer', schema }
}

/**
 * A number; money is in currency units. Up to 10^15, as totals of it must fit too: two of 10^308
 * would break every list and widget that adds them up.
 */
export function number(extra: JSONSchema = {}): Field<number> {
  const schema = { type: 'number', minimum: -1e15, maximum: 1e15, ...extra }
  return { ...base, kind: 'number', schema }
}

export function boolean(): Field<boolean> {
  return { ...base, kind: 'boolean', schema: { type: 'boolean' } }
}

/** An instant: ISO 8601 UTC with milliseconds on reading. */
export function timestamp(): Field<string> {
  return { ...base, kind: 'timestamp', schema: { type: 'string', format: 'date-time' } }
}

/** A day without a time: `YYYY-MM-DD`. */
export function date(): Field<string> {
  return { ...base, kind: 'date', schema: { type: 'string', format: 'date' } }
}

/** An open object. Updates merge it one level deep. */
export function object(schema: JSONSchema = {}): Field<{ [key: string]: unknown }> {
  return { ...base, kind: 'json', schema: { type: 'object', ...schema }, filterable: false }
}

/** An array. Updates replace it. */
export function list(items: JSONSchema = { type: 'string', maxLength: 255 }): Field<unknown[]> {
  return { ...base, kind: 'list', schema: { type: 'array', items, maxItems: 500 } }
}

/** A link to another record by its id; see `Reference`. */
export function reference(link: Reference, column?: string): Field<unknown> {
  const schema: JSONSchema = { type: 'string', minLength: 1, maxLength: 25 }
  const field: Field = { ...base, kind: 'text', schema, reference: link }
  return column ? { ...field, column } : field
}

/** The record's identifier, made by the service. Stored as `id`. */
export function key(): Field<string> {
  return { ...text(25), access: 'key', column: 'id' }
}

/** Must be given on create and can never be null or blank. */
export function required<T>(field: Field<T>): Field<T> {
  const blank = field.kind === 'text' && !field.reference ? { pattern: '\\S' } : {}
  return { ...field, access: 'required', schema: { ...field.schema, ...blank } }
}

/** May be left out; null clears it. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return { ...field, access: 'optional', nullable: true }
}

/** May be left out and then takes `value`; never null. */
export function defaulted<T>(field: Field<T>, value: T): Field<T> {
  return { ...field, access: 'optional', default: value }
}

/** Set by the service; ignored in bodies. */
export function readOnly<T>(field: Field<T>): Field<T> {
  return { ...field, access: 'readOnly' }
}

/** Set by the service and perhaps null. */
export function readOnlyOrNull<T>(field: Field<T>): Field<T | null> {
  return { ...field, access: 'readOnly', nullable: true }
}

/** Derived at reading from SQL over the alias `t`; not stored under this name. */
export function computed<T>(field: Field<T>, expression: string): Field<T | null> {
  return { ...field, access: 'readOnly', nullable: true, expression }
}

/** Keeps the field out of the filter and sort registry. */
export function unlisted<T>(field: Field<T>): Field<T> {
  return { ...field, filterable: false }
}

/** An object that filters know by one word of it. */
export function filteredBy<T>(field: Field<T>, word: string): Field<T> {
  return { ...field, word, filterable: true }
}

/** For callers that read everything of these modules, since the field tells of their records. */
export function restrictedTo<T>(field: Field<T>, ...modules: string[]): Field<T> {
  return { ...field, over: modules }
}

/** A computed list of other records, each with its id under `key`. */
export function linkedRecords<T>(field: Field<T>, key: string, of: Lists['of']): Field<T> {
  return { ...field, lists: { of, key } }
}

/** Text with a stored, case-folded twin column that an index serves. */
export function folded<T>(field: Field<T>, column: string): Field<T> {
  return { ...field, folded: `t.${column}` }
}

/** The SQL that yields a field, over the alias `t`. */
export function columnOf(name: string, field: Field): string {
  return field.read ?? field.expression ?? `t.${field.column ?? name}`
}

/** Whether a body may set the field. */
export function isWritable(field: Field): boolean {
  return field.access === 'required' || field.access === 'optional'
}

import type { Actor, Context, Level, Query } from '../ground/context.ts'
import type { Action, RecordAction } from '../ground/operation.ts'
import type { JSONSchema } from '../ground/json-schema.ts'

/** How a value is stored and compared. It decides casts, filter operators and how text becomes JSON. */
export type Kind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'json'
  | 'list'

/** The JavaScript value that a read gives for each kind. */
export type Values = {
  text: string
  integer: number
  number: number
  boolean: boolean
  timestamp: string
  date: string
  json: { [key: string]: unknown }
  list: unknown[]
}

/** Who sets a field, and whether a new record must have it. */
export type Access = 'key' | 'required' | 'optional' | 'readOnly'

/** A field of another record that is shown inside this one, by the name it is shown under. */
export type Shown = { [name: string]: ShownField }

type ShownField = {
  column: string
  kind: Kind
  /** null unless it is false: the column of every row holds a value */
  isNullable?: false
  /** only the view that is joined has it */
  isOfView?: true
  /** JSON Schema where the kind is not enough, such as the words of an enumeration */
  schema?: JSONSchema
}

/**
 * A column by which another record may be named; `anyCase` compares it case-folded. One with a `name` is that column's
 * name for people: where nothing has it as it is written, it is compared as searches compare texts.
 */
export type Key = {
  column: string
  fold?: (value: string) => string
  anyCase?: boolean
  name?: string
}

/** A link to another record: the column holds its id, reads show the listed fields of it. */
export type Reference = {
  /** the table (or view) that is joined; its key is `(organization_id, id)` */
  table: string
  /** the table behind a view */
  stored?: string
  /** it leads to those who call: a condition names the caller `me`, who may name themselves in any case */
  isCaller?: boolean
  /** of a table that is no record: the columns with the name and the color of a row, for groups */
  label?: { name: string; color?: string }
  shows: Shown | null
  /** what the API document calls the object that reads show, such as `OwnerRef` */
  title?: string
  /**
   * The linked rows are few and shown everywhere, so the process caches them instead of joining;
   * the table behind them must NOTIFY when it changes
   */
  isCached?: boolean
  /** the record linked to, for filters one hop away and for the check that it is visible */
  to?: () => AnyRecord
  /** a column of the other record by which filters may name it too, beside its id */
  named?: string
  /** what a body may name the other record by, beside its plain id: key → column and folding */
  by: { [key: string]: Key }
}

/**
 * A select over `t` of one row that several fields take their values from: a read joins it once, under
 * this name, for all of them. Where only one of them is needed, as in a filter, it is a subquery.
 */
export type SharedRows = { name: string; rows: string }

/**
 * One field of a record, declared once; everything else is derived from it. `Read` is the value that
 * a read gives, `Write` the one that a body may give.
 */
/** Ways to show a value that its type does not say: see the description of a module's field. */
export const fieldLooks = [
  'status',
  'score',
  'owner',
  'tags',
  'due',
  'bytes',
  'duration',
  'days_left',
  'signers',
] as const
export type FieldLook = (typeof fieldLooks)[number]

export type Field<Read = unknown, Write = Read, A extends Access = Access> = {
  kind: Kind
  access: A
  nullable: boolean
  /** JSON Schema of one non-null value as it is written */
  schema: JSONSchema
  /** the stored column, when it is not the field's own name */
  column?: string
  /** SQL over the alias `t` for a field that is derived at reading; a function where it needs the registry */
  expression?: string | (() => string)
  /** SQL over `t` that a read gives instead of the stored column, such as what is computed where
   * nothing was set by hand */
  read?: string
  /** the rows that it shares with other fields, and its SQL over them; see `SharedRows` */
  shared?: SharedRows & { value: string }
  /** JSON Schema of what `read` yields, where it is not the stored value's */
  readSchema?: JSONSchema
  /** SQL over `t` that holds the same text case-folded, where an index serves it */
  folded?: string
  /** SQL over `t` of the word by which filters know what a read shows as an object */
  word?: string
  reference?: Reference
  /** of a link: what it means, for the API document; the schema says how bodies name the other record */
  description?: string
  /** what an insert takes when the field is absent */
  default?: unknown
  /** true where a copy of the record begins without it, such as what has been done so far */
  isNotCopied?: boolean
  /** what a merge gives it, of the values of all records, whatever its strategy; undefined leaves the choice to that */
  merged?: (values: unknown[]) => unknown
  /**
   * why a body may not set it, such as `follows from …`: a value other than a read's is 400, where other read-only fields
   * are ignored
   */
  refusal?: string
  /** finds the ids that words name, such as keys and names, where the field is no link to a record */
  idsOf?: (ctx: Context, words: string[]) => Promise<Map<string, string[]>>
  /** the words that it accepts, for a hint */
  namesOf?: (ctx: Context) => Promise<string[]>
  /** what filters know of an object, by the names of conditions: SQL over `t`, perhaps of a closed set */
  filters?: { [name: string]: { kind: Kind; sql: string; words?: string[] } }
  /** the organization's option set that offers its values: a label in a body is stored as its value */
  optionSet?: { module: string; name: string; isOpen?: boolean }
  /** the words for its values, where these are numbers or known only once all records are */
  choices?: () => { value: string | number; label: string }[]
  /** an amount in the record's currency, or in the organization's: sums of it are by currency */
  isMoney?: boolean
  /** how a screen shows it, where its type does not say */
  look?: FieldLook
  /** the field by which lists are sorted when they are sorted by this one */
  sortedAs?: string
  /** for programs, so that pages do not show it among a record's facts */
  isUnshown?: boolean
  /** a fact about something else: pages offer no change of it */
  isStated?: boolean
  /** about the record as it is stored, such as when it was created: pages show it last */
  isSystem?: boolean
  /** false where a list, search or filter has no use for it */
  filterable: boolean
  /** how customers and partners see it: not at all, or by other SQL over `t`; see `audience.ts` */
  audience?: 'internal' | { read: string | ((record: Pick<AnyRecord, 'module'>) => string) }
  readonly _read?: Read
  readonly _write?: Write
}

/** A record's fields by name, in the order in which reads give them. */
export type Fields = { [name: string]: Field }
/** Any record, where its fields are not known statically. */
export type AnyRecord = Record_<Fields>

type ReadOf<F> = F extends { readonly _read?: infer T } ? T : unknown
type WriteOf<F> = F extends { readonly _write?: infer T } ? T : unknown
type FieldsOf<R> = R extends { fields: infer F } ? F : Fields
type Named<F, A extends Access> = {
  [K in keyof F as F[K] extends { access: infer X } ? ([X] extends [A] ? K : never) : never]: F[K]
}
/** Spreads an intersection out, so that editors and errors show one object. */
type Flat<T> = { [K in keyof T]: T[K] }
type Unknown = { [field: string]: unknown }

/** The object that a read of the record gives. Of a record that is not known statically, any field. */
export type Row<R> = string extends keyof FieldsOf<R>
  ? Unknown
  : { [K in keyof FieldsOf<R>]: ReadOf<FieldsOf<R>[K]> }

/** A body that creates the record: required fields, and those that may be left out. */
export type Draft<R> = string extends keyof FieldsOf<R>
  ? Unknown
  : Flat<
      {
        [K in keyof Named<FieldsOf<R>, 'required'>]: WriteOf<FieldsOf<R>[K & keyof FieldsOf<R>]>
      } & {
        [K in keyof Named<FieldsOf<R>, 'optional'>]?: WriteOf<FieldsOf<R>[K & keyof FieldsOf<R>]>
      }
    >

/** A body that changes the record: every writable field may be left out. */
export type Patch<R> = Partial<Draft<R>>

/** Where a page of a record shows a field: see the description of a module's field. */
export const fieldPlaces = ['strip', 'rail', 'more', 'system'] as const
export type FieldPlace = (typeof fieldPlaces)[number]

/** The fields that a page of a record shows without being asked, in this order; all others are one key away. */
export type Page<Name extends string = string> = {
  /** the figures below the name, of which a page shows six */
  strip: Name[]
  /** the details beside the work, of which a page shows eight; custom fields follow while there is room */
  rail: Name[]
}

/** One event that can be subscribed to. Its payload is the record as a read shows it. */
export type EventKind = {
  /** one sentence of what happened, for the catalogue and the API document */
  summary: string
  /** the ordinary write that emits it; the others are emitted by the operation that they are about */
  on?: 'created' | 'updated' | 'deleted' | 'merged'
  /** what it says of the record, by paths into a read: `{ 'current_pipe_stage.category': 'won' }` */
  after?: { [path: string]: unknown }
  /** the fields that its changes name, each with a value from before; of an object, what differs there */
  changes?: { [field: string]: unknown }
  /** more of the made-up sample, by paths: what is likely after it and not always true */
  sample?: { [path: string]: unknown }
  /** what its delivery carries in place of the record */
  shows?: EventData
}

/** What an event is about where it is not its record itself, such as one response to a survey. */
export type EventData = {
  schema: JSONSchema
  /** the field of its changes that holds the id of what is shown */
  key: string
  /** reads them as JSON texts by their ids; the caller may see the record that they are of */
  read(ctx: Context, ids: string[]): Promise<Map<string, string>>
}

/** The scope of the integration surface that opens a record to apps. */
export type Scope = {
  /** the word before `.read` and `.write` */
  word: string
  /** what it opens, as the consent page puts it */
  things: string
  /** apps read it, and have no scope to write it */
  isReadOnly?: boolean
}

/** A column of another table that holds a record's id and is no reference field of a record. */
export type StoredLink = {
  table: string
  column: string
  /** the other columns of a unique key of that table */
  uniqueWith?: string[]
  /** the rows are part of the record and are removed with it, once none of these names them */
  part?: { namedBy: { table: string; column: string }[] }
}

/**
 * A column of a record's own table that names rows of other records and is neither a reference field
 * nor, mostly, a foreign key: an id beside the number of a module, or ids inside JSON.
 */
export type LooseLink = {
  column: string
  /** the tables whose rows it names; every table where neither this nor `module` is set */
  to?: string[]
  /** the column with the number of the module that the id is of */
  module?: string
  /** the ids are texts inside JSON */
  isJson?: boolean
  /** a condition over `t` that finds the rows naming an id by an index, where there is one */
  lookUp?: (id: unknown) => Query
  /** it is not changed when what it names is merged: readers follow the merge */
  isHistory?: boolean
  /** what happens to the row when what it names is removed for good; nothing by default */
  onRemoval?: 'remove' | 'clear'
}

/**
 * Columns that lead to every row that a confined caller may read: each such row names the caller in one of
 * these, or has an id of a link's query.
 */
export type Reach = {
  /** with the caller's id */
  columns: string[]
  /** JSON lists with the caller's id */
  lists: string[]
  /** the column that is true in rows that are shared */
  shared: string
  /** with one of the values of `id` that this gives */
  links: { [column: string]: Query }
}

/** What of a table's rows a user takes over from another. */
export type HandOver = {
  /** it names the user */
  column: string
  /** what people call these rows, where it is not the record's own word */
  kind?: string
  /** over `t`: which rows */
  where?: Query
  /** SQL over `t` with the title of a row, where it is not the record's */
  title?: string
  /** the column is only a list of ids */
  isList?: boolean
}

/** What a role may do on a module. */
export type Levels = readonly [create: Level, read: Level, update: Level, remove: Level]

/** Who sees and changes it. */
type Rights = {
  /** columns holding user ids that make the record somebody's own */
  owners?: string[]
  /** a condition over `t` that makes the record these people's own too, such as being invited */
  owned?: (people: (string | null)[]) => Query
  /** a condition over `t`: whether the record belongs to what a customer, partner or observer is
   * attached to, such as their account */
  attached?: (ctx: Context) => Query
  /** a condition over `t`: whether such a caller made it or takes part in it, shared or not */
  takesPart?: (actor: Actor) => Query
  /** what leads to all rows that `attached` and `takesPart` allow, where lists find them by it */
  reach?: (ctx: Context) => Reach
  /** SQL over `t`: the only rows that customers and partners see of what they are attached to */
  shared?: string
  /** a condition over `t` that limits every caller, such as for private rows */
  visible?: (ctx: Context, action: Action) => Query | undefined
  /** a condition over `t` that decides in place of level, owners and attachment */
  decide?: (ctx: Context, action: Action) => Query
  /** the same among rows that belong together, of which the caller sees the one that they belong to */
  visibleParts?: (ctx: Context, action: Action) => Query | undefined
  /** what its operations allow, from what the rights alone do, where they refuse or allow more; reads say it as `can` */
  can?: (ctx: Context, action: RecordAction, allowed: Query) => Query
  /** the only fields of a record that customers, partners and observers may change */
  confinedMay?: readonly string[]
  /** whether a reader sees every row, where `visible` or `decide` are a condition even then */
  seesAll?: (actor: Actor) => boolean
  /** with `decide`: the permission modules behind them, of which a reader needs one */
  follows?: string[]
  /** all of it is internal: a customer or partner whose role reads it reads the internal fields of other records too */
  isInternal?: true
  /** the levels of built-in roles on its module, by kind, where they are not the general ones */
  defaults?: { [kind: string]: Levels }
}

/** What becomes of its rows. */
type Life = {
  /** whether a deletion only marks the row */
  softDelete?: boolean
  /** days that a deleted row stays; null for as long as the organization */
  retention?: number | null
  /** a condition over `t`: the deleted rows that are restored by themselves, not with or after another one */
  restoredAlone?: (ctx: Context) => Query
  /** the rows whose personal data were erased, as a condition over `t`: nothing restores them */
  isErased?: (ctx: Context) => Query
  /** reference fields that do not prevent the removal of the row they name */
  weak?: string[]
  /** the same, but they are cleared when the row is removed for good */
  cleared?: string[]
  /** what names the record besides the reference fields of records */
  links?: StoredLink[]
  /** what it names besides its reference fields, without preventing its removal */
  loose?: LooseLink[]
  /**
   * what a user takes over from another, beside the fields with people that bodies may set and, with them, custom fields;
   * `null` for nothing
   */
  handOver?: HandOver[] | null
}

/** How lists and searches find it. */
type Find = {
  /** the fields that `q` searches, the most important first */
  search?: string[]
  /**
   * what `q` searches besides: the record's number, the digits of phone numbers, and the names of what these links
   * lead to, as far as the caller sees it
   */
  searchAlso?: { number?: string; phones?: string[]; links?: string[] }
  /** their words are indexed by `make_searchable` (migrations), so that searches of long lists are fast */
  searched?: boolean
  /** whether the search over everything finds it, all of it or the rows under a condition over `t` */
  searchable?: boolean | { only: string }
  /** the modules whose saved filters its list takes, where they are not just its own */
  filteredAs?: string[]
  /**
   * the terms by which filters find its rows, as its migration made them: false without any, `none` for columns that
   * other indexes serve, and `whole` for texts of which only all has a term, not the beginnings
   */
  terms?: false | { none?: string[]; whole?: string[] }
  /** orders by several fields that an index serves, such as `is_completed,due_date` */
  indexedOrders?: string[]
  /**
   * fields about the reader: those of these records for which one is true, or its values, null for others; in what events
   * store they are false or null
   */
  personal?: {
    [field: string]: (reader: Context, ids: string[]) => Promise<Set<string> | Map<string, string>>
  }
}

/** What opens it to apps. */
type Apps = {
  /** the scope that opens it to apps */
  scope?: Scope
  /** words of other records' scopes, of which any one opens it to apps */
  scopedAs?: string[]
}

/** What the log and subscribers learn of it. */
type Events = {
  /** the events of the record by name; an ordinary write without one is logged only */
  kinds?: { [name: string]: EventKind }
  /** a subscription may be limited to those of one project */
  ofProjects?: true
  /** false where the activity log shows its entries to nobody */
  isLogged?: boolean
  /** what changes name beside the fields: ids of records of its own kind, such as of merged ones */
  loggedIds?: string[]
  /** fields that hold a person who is notified when the record is assigned to them */
  assignees?: string[]
}

type Options = {
  /** the permission module, such as `companies` */
  module: string
  /** the word of the record in the log, the search and the catalogue when the permission has another one */
  subject?: string
  /** the public number of that word (contract, section 1.13) */
  number?: number
  /** the table's name when it is not the module's */
  table?: string
  /** SQL over `t`: which rows of the table are the record's, where two records share it */
  only?: string
  /** the word in event names, errors and titles, such as `company` */
  word: string
  /** the field that names the record to people */
  title: string
  /** other names that bodies may use, such as `name` for `tag_name` */
  aliases?: { [name: string]: string }
  /** what its page shows first */
  page?: Page
  /** unknown keys of a body are stored in `custom_fields` */
  open?: boolean
  rights?: Rights
  life?: Life
  find?: Find
  apps?: Apps
  events?: Events
}

/** Options that have a value in every record. */
type Always = {
  rights: 'owners' | 'defaults'
  life: 'softDelete' | 'retention' | 'weak' | 'cleared' | 'links' | 'loose' | 'handOver'
  find: 'search' | 'searchAlso' | 'searched' | 'searchable' | 'terms'
  apps: never
  events: 'kinds' | 'isLogged' | 'loggedIds'
}
type Group = keyof Always
/** A group of which some options always have a value. */
type Filled<G, Known extends keyof G> = Omit<G, Known> & Required<Pick<G, Known>>

/** One table's worth of fields in the specification's own names. */
export type Record_<F extends Fields> = Required<
  Omit<Options, Group | 'number' | 'subject' | 'only'>
> &
  Pick<Options, 'subject' | 'only'> & {
    fields: F
    key: string
    /** null where the word has no public number */
    number: number | null
    rights: Filled<Rights, Always['rights']>
    life: Filled<Life, Always['life']>
    find: Filled<Find, Always['find']>
    apps: Apps
    /** with the events of the ordinary writes */
    events: Filled<Events, Always['events']> & {
      on: { [verb in NonNullable<EventKind['on']>]?: string }
    }
  }

/** Declares a record. Pure data: the kit derives row type, schemas, lists, diffs and documents. */
export function record<F extends Fields>(
  options: Options & { page?: Page<NoInfer<keyof F & string>> },
  fields: F,
): Record_<F> {
  const key = Object.entries(fields).find(([, { access }]) => access === 'key')?.[0]
  if (!key) throw new Error(`${options.word} has no key`)
  const { rights, life, find, apps, events } = options
  const on: Record_<F>['events']['on'] = {}
  for (const [name, kind] of Object.entries(events?.kinds ?? {})) if (kind.on) on[kind.on] = name
  return {
    table: options.module,
    number: null,
    aliases: {},
    page: { strip: [], rail: [] },
    open: false,
    ...options,
    rights: { owners: ['created_by'], defaults: {}, ...rights },
    life: {
      softDelete: true,
      retention: 30,
      weak: [],
      cleared: [],
      links: [],
      loose: [],
      handOver: [],
      ...life,
    },
    find: {
      search: [options.title],
      searchAlso: {},
      searched: false,
      searchable: false,
      terms: {},
      ...find,
    },
    apps: apps ?? {},
    events: {
      kinds: {},
      isLogged: true,
      loggedIds: [],
      ...events,
      on,
    },
    fields,
    key,
  }
}

/** The word of a record in the log, the search and the catalogue of events. */
export function wordOf({ subject, module }: Pick<AnyRecord, 'subject' | 'module'>): string {
  return subject ?? module
}

/** A field of the record by a name that a caller may have sent; undefined for one that it does not have. */
export function ownField({ fields }: Pick<AnyRecord, 'fields'>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A field of the record by its name; throws for a name that it does not have. */
export function fieldNamed(record: AnyRecord, name: string): Field {
  const field = ownField(record, name)
  if (!field) throw new Error(`A ${record.word} has no field ${name}`)
  return field
}

/** A field that links to another record. */
export type LinkField = Field & { reference: Reference }

/** Whether the field links to another record. */
export function isLink(field: Field): field is LinkField {
  return field.reference !== undefined
}

/** The keys by which a text that is no id may name the record of a link, one for each column. */
export function wordKeys({ by }: Reference): string[] {
  const columns = new Set(['id'])
  return Object.keys(by).filter((key) => {
    const column = by[key]?.column ?? 'id'
    return !columns.has(column) && columns.add(column)
  })
}

/** How a body may name the record of a link, for messages: `id, email or full_name`. */
export function namesOf(link: Reference): string {
  const words = wordKeys(link)
  const last = words.pop()
  return ['id', ...words].join(', ') + (last ? ` or ${last}` : '')
}

/** The table whose rows a link names, where it joins a view of it. */
export function linkedTable({ table, stored }: Reference): string {
  return stored ?? table
}

/** The SQL that yields a field, over the alias `t`. */
export function columnOf(name: string, field: Field): string {
  const { read, expression, column = name } = field
  return read ?? (typeof expression === 'function' ? expression() : expression) ?? `t.${column}`
}

/** Whether a body may set the field. */
export function isWritable(field: Field): boolean {
  return field.access === 'required' || field.access === 'optional'
}

/**
 * The member under which reads give a record's version, as `ETag` and `If-Match` have it. Documents have
 * a `version` of their contents, which the specification names.
 */
export function versionNameOf({ fields }: Pick<AnyRecord, 'fields'>): string {
  return Object.hasOwn(fields, 'version') ? 'record_version' : 'version'
}

/** The members that a read gives beside the fields of a record: its version, and what the caller may do. */
export function additionsOf(record: Pick<AnyRecord, 'fields'>): string[] {
  return Object.hasOwn(record.fields, 'can')
    ? [versionNameOf(record)]
    : [versionNameOf(record), 'can']
}

/** A record's word at the beginning of a sentence: "Meeting insight" for meeting_insight. */
export function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}

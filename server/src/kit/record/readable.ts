import type { Actor, Context, Query } from '../ground/context.ts'
import { all, mine, sql } from '../ground/sql.ts'
import type { AnyRecord, Field, Reference } from './record.ts'
import { readsInternal } from './audience.ts'
import { columnOf, isLink } from './record.ts'
import { registered } from './registry.ts'
import { rights } from './scope.ts'

// The SQL of fields is text that is the same for everybody. Where it reads other records it contains a
// mark, which is replaced by the reader's rights and scopes when a query is built. A mark is enclosed
// in two NULs, which no value, name or key of a caller may contain, and which PostgreSQL refuses.

/**
 * The rows of a record's table that the reader may read: `from ${rowsOf('tasks')} k`. The only way in
 * which the SQL of a field may name the table of another record; a test of the registry checks this.
 */
export function rowsOf(table: string): string {
  return `\0rows ${table}\0`
}

/** The rows of a record's own table that belong to one that the reader sees, such as the replies of a thread. */
export function partsOf(table: string): string {
  return `\0parts ${table}\0`
}

/** All rows of a table, for what everybody who sees a record may see, such as names of people. */
export function openRowsOf(table: string): string {
  return `\0open ${table}\0`
}

/**
 * The id of the reader, null for the service itself: for a field about the reader alone, which the record's `personal`
 * gives events too.
 */
export function readerId(): string {
  return '\0reader -\0'
}

/** Whether the reader is shown internal fields, as a condition: for a member of what a field yields. */
export function readsInternalHere(): string {
  return '\0internal -\0'
}

/**
 * The same as `rowsOf` for a link that shows these columns, of which an app without the scope sees the
 * name.
 */
export function linkedRowsOf(table: string, columns: string[]): string {
  return `\0link ${table} ${columns.join()}\0`
}

/** An id that a column holds, null where the reader may not read the record behind it. */
export function linkedId(table: string, column: string): string {
  return `\0id ${table} ${column}\0`
}

/** The SQL of a field as a read shows it: a link to a record that the reader may not read is null. */
export function shownColumn(name: string, field: Field): string {
  const { reference, nullable } = field
  const column = columnOf(name, field)
  if (!reference?.to || reference.shows || !nullable) return column
  return linkedId(reference.table, column)
}

const otherRows = new Map<string, (ctx: Context) => Query | undefined>()

/**
 * Says which rows of a table that is no record's a reader may read, such as entries of the log: a
 * select of them in brackets, undefined for all. `rowsOf` takes the table then.
 */
export function restrictRows(table: string, rows: (ctx: Context) => Query | undefined) {
  otherRows.set(table, rows)
}

/** The words of the scopes of which any one opens a record to apps; none where no scope does. */
export function scopeWords({ apps: { scope, scopedAs } }: Pick<AnyRecord, 'apps'>): string[] {
  return scopedAs ?? (scope ? [scope.word] : [])
}

/** The scopes of which any one opens records of a table; none where no scope does. */
export function scopesOf(table: string): string[] {
  return [...new Set(recordsOf(table).flatMap(scopeWords))].map((word) => `${word}.read`)
}

/** Whether a link shows this of the record even without its scope: what identifies it, and its name. */
export function isNameOf(record: AnyRecord, name: string, shows: Reference['shows']): boolean {
  const column = shows?.[name]?.column ?? record.fields[name]?.column ?? name
  return namingColumns(record).includes(column)
}

/** Whether the scopes of the app behind the caller, if there is one, open a record for reading. */
export function isInScope({ app }: Actor, record: Pick<AnyRecord, 'apps'>): boolean {
  const words = scopeWords(record)
  return !app || !words.length || words.some((word) => app.scopes.includes(`${word}.read`))
}

/** Text of SQL over `t`, split at its marks. */
export type Template = { parts: (string | Mark)[]; plain: string }

type Mark = { kind: string; table: string; what: string }

/** Splits a text at its marks; `plain` is what callers get who may read everything. */
export function template(text: string): Template {
  const parts = text.split('\0').map((part, i): string | Mark => {
    if (i % 2 === 0) return part
    const [kind = '', table = '', ...what] = part.split(' ')
    return { kind, table, what: what.join(' ') }
  })
  const plain = parts.map((part) => (typeof part === 'string' ? part : plainOf(part))).join('')
  return { parts, plain }
}

/** The SQL of a text for the caller: the text itself, with its marks by the caller's rights. */
export function forReader(ctx: Context, text: string): Query {
  return text.includes('\0') ? boundOnce(ctx, template(text), false).query : sql.raw(text)
}

/**
 * The same of a text that was split before. Writers work with the ids that are stored, whatever they
 * may read of the records behind them: `isStored` leaves them in place.
 */
export function bound(ctx: Context, text: Template, isStored = false): Query {
  return boundTo(ctx, text, isStored).query
}

/** Whether the caller sees everything that the marks of a text limit. */
export function readsWhole(ctx: Context, text: Template): boolean {
  return boundTo(ctx, text, false).isWhole
}

/** SQL for a caller, and whether nothing of it is limited by the caller's rights. */
type Bound = { query: Query; isWhole: boolean }

function boundTo(ctx: Context, text: Template, isStored: boolean): Bound {
  const { stored, shown } = cachedFor(ctx)
  const known = isStored ? stored : shown
  let found = known.get(text)
  if (!found) known.set(text, (found = boundOnce(ctx, text, isStored)))
  return found
}

function boundOnce(ctx: Context, { parts, plain }: Template, isStored: boolean): Bound {
  const queries = parts.map((part) =>
    typeof part === 'string' ? undefined : boundMark(ctx, part, isStored),
  )
  if (queries.every((query) => query === undefined)) return { query: sql.raw(plain), isWhole: true }
  // what is about the reader hides nothing
  const isWhole = parts.every(
    (part, i) => queries[i] === undefined || (typeof part !== 'string' && part.kind === 'reader'),
  )
  const each = parts.map(
    (part, i) => queries[i] ?? sql.raw(typeof part === 'string' ? part : plainOf(part)),
  )
  return { query: sql.join(each, sql``), isWhole }
}

/** The rows of a record's table that the caller may read, for queries written by hand. */
export function readableRows(ctx: Context, table: string): Query {
  return forReader(ctx, rowsOf(table))
}

/**
 * What the caller may read of a table, by rights and scopes, as a condition over `t`; undefined where
 * that is everything. The service itself reads everything.
 */
export function readable(ctx: Context, table: string): Query | undefined {
  const { tables } = cachedFor(ctx)
  if (!tables.has(table)) tables.set(table, readableOf(ctx, table, true))
  return tables.get(table)
}

/** What is computed for a caller: rights are of the actor alone, which is cached itself until it changes. */
type Cached = {
  organization: string
  tables: Map<string, Query | undefined>
  shown: WeakMap<Template, Bound>
  stored: WeakMap<Template, Bound>
}

const cached = new WeakMap<Actor, Cached>()

function cachedFor({ actor, organization: { id } }: Context): Cached {
  let known = cached.get(actor)
  // the service itself works for every organization
  if (known?.organization !== id) {
    known = { organization: id, tables: new Map(), shown: new WeakMap(), stored: new WeakMap() }
    cached.set(actor, known)
  }
  return known
}

function readableParts(ctx: Context, table: string): Query | undefined {
  if (ctx.actor.type === 'system') return undefined
  const [record] = recordsOf(table)
  const {
    rights: { visibleParts: visible },
  } = record
  return rights(
    ctx,
    visible ? { ...record, rights: { ...record.rights, visible } } : record,
    'read',
  )
}

function readableOf(ctx: Context, table: string, isScoped: boolean): Query | undefined {
  if (ctx.actor.type === 'system') return undefined
  const its = recordsOf(table)
  const each = its.map((record) => {
    if (isScoped && !isInScope(ctx.actor, record)) return sql`false`
    const may = record.rights.seesAll?.(ctx.actor) ? undefined : rights(ctx, record, 'read')
    const kinds = isScoped ? kindsInScope(ctx, record) : undefined
    return may && kinds ? all(may, kinds) : (may ?? kinds)
  })
  if (each.every((may) => may === undefined)) return undefined
  if (its.length === 1) return each[0]
  const kinds = its.map(
    ({ only = 'true' }, i) => sql`(${sql.raw(only)} and ${each[i] ?? sql`true`})`,
  )
  return sql`(${sql.join(kinds, sql` or `)})`
}

function recordsOf(table: string): [AnyRecord, ...AnyRecord[]] {
  const known = byTable.get(table)
  if (known) return known
  const [first, ...others] = registered().filter((record) => record.table === table)
  if (!first) throw new Error(`no record has the table ${table}`)
  byTable.set(table, [first, ...others])
  return [first, ...others]
}

const byTable = new Map<string, [AnyRecord, ...AnyRecord[]]>()

function plainOf({ kind, table, what }: Mark): string {
  if (kind === 'internal') return 'true'
  if (kind === 'reader') return 'null'
  return kind === 'id' ? what : table
}

function boundMark(ctx: Context, mark: Mark, isStored: boolean): Query | undefined {
  const { kind, table, what } = mark
  if (kind === 'open' || (kind === 'id' && isStored)) return undefined
  if (kind === 'reader') return sql`${ctx.actor.user_id}::varchar`
  if (kind === 'internal') return readsInternal(ctx.actor) ? undefined : sql`false`
  const other = otherRows.get(table)
  if (other) return ctx.actor.type === 'system' ? undefined : other(ctx)
  if (kind === 'link' && !isAnyInScope(ctx, table)) return nameOnly(ctx, table, what.split(','))
  const may = kind === 'parts' ? readableParts(ctx, table) : readable(ctx, table)
  if (!may) return undefined
  const rows = sql`(select t.* from ${sql.table(table)} t where ${mine(ctx)} and ${may})`
  if (kind !== 'id') return rows
  const id = sql.raw(what)
  // the column is compared outside: inside, its alias would be that of the other table
  return sql`(select x.id from ${rows} x
    where x.organization_id = $organization and x.id = ${id})`
}

/** Whether scopes open any record of a table. */
export function isAnyInScope({ actor }: Context, table: string): boolean {
  return !actor.app || recordsOf(table).some((record) => isInScope(actor, record))
}

/** A linked record of a module outside the app's scopes: its id and its name, the rest null. */
function nameOnly(ctx: Context, table: string, columns: string[]): Query {
  const [record] = recordsOf(table)
  const shown = namingColumns(record)
  const cells = columns
    .filter((column) => column !== 'id')
    .map((column) => sql.raw(shown.includes(column) ? `t.${column}` : `null as ${column}`))
  const always = ['t.organization_id', 't.id', ...(record.life.softDelete ? ['t.deleted_at'] : [])]
  const may = readableOf(ctx, table, false)
  return sql`(select ${sql.join([sql.raw(always.join(', ')), ...cells])} from ${sql.table(table)} t
    where ${all(mine(ctx), may)})`
}

/** The columns that hold the id and the name of a record, and the name folded. */
function namingColumns({ title, fields }: AnyRecord): string[] {
  const named = fields[title]
  return ['id', named?.column ?? title, named?.folded?.replace(/^t\./, '') ?? 'id']
}

/** Of records that belong to others, such as tasks of projects and deals: those of kinds in scope. */
function kindsInScope({ actor }: Context, record: AnyRecord): Query | undefined {
  const { app } = actor
  const words = record.apps.scopedAs ?? []
  if (!app || words.every((word) => app.scopes.includes(`${word}.read`))) return undefined
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isLink(field) || !field.reference.to) continue
    const { table } = field.reference.to()
    const closed = recordsOf(table).filter(
      ({ apps: { scope }, only }) =>
        scope && only && words.includes(scope.word) && !isInScope(actor, { apps: { scope } }),
    )
    if (!closed.length) continue
    const kinds = closed.map(({ only = 'true' }) => only.replace(/(?<![\w."])t\./g, 'p.'))
    return sql`not exists (select from ${sql.table(table)} p
      where p.organization_id = $organization and p.id = ${sql.ref(`t.${field.column ?? name}`)}
        and (${sql.raw(kinds.join(' or '))}))`
  }
  return undefined
}

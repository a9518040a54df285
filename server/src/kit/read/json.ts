import type { Cells, Context, Queries, Query } from '../ground/context.ts'
import type { Template } from '../record/readable.ts'
import { bound, linkedRowsOf, readsWhole, shownColumn, template } from '../record/readable.ts'
import type { AnyRecord, Field, Kind, Reference, Shown } from '../record/record.ts'
import { shownTo } from '../record/audience.ts'
import { additionsOf, columnOf, fieldNamed, versionNameOf } from '../record/record.ts'
import { mine, sql } from '../ground/sql.ts'
import type { RecordAction } from '../ground/operation.ts'
import { rights } from '../record/scope.ts'
import { isoFromPostgres } from '../ground/time.ts'
import { turns } from '../ground/turns.ts'

/** How a record is selected and written: the columns in order, the joins, the text of its rows. */
export type Shape = {
  /** `t.id`, `t.version`, then the record's cells */
  columns: Template
  joins: Template
  parts: Part[]
  /** the member that holds the version of the record in reads; null where they do not show it */
  version: string | null
  /** whether reads show what the caller may do with it: its columns follow those of the parts */
  can: boolean
  /** how many cells it takes */
  width: number
}

/**
 * One member of the object: its name as JSON with what precedes it, the same followed by null, and the
 * texts of one, two, … members from this one on that are all null.
 */
type Part = Writer & { name: string; head: string; none: string; nulls: string[] }

/** How many cells a member takes and how they become JSON. */
type Writer = {
  cells: number
  write(cells: Cells, at: number, known: Known | undefined): string
  /** set where the text of linked rows comes from what is cached */
  known?: CachedLinks
}

/** Rows of another table that are cached as text: under which name, and how they are read and written. */
type CachedLinks = {
  name: string
  table: string
  columns: Query
  write: (cells: Cells, at: number) => string
}

/** Linked rows as JSON text, by id. */
type Known = Map<string, string>

const shapes = new WeakMap<AnyRecord, Map<string, Shape>>()

/**
 * The shape of a record, or of some of its fields. Turning rows into JavaScript values and back
 * costs more than the query, so cells stay PostgreSQL's text and JSON is written straight from them.
 */
export function shapeOf(record: AnyRecord, only?: string[]): Shape {
  let known = shapes.get(record)
  if (!known) shapes.set(record, (known = new Map()))
  const name = only ? only.join() : ''
  let shape = known.get(name)
  if (!shape) {
    // a caller chooses the fields, so the number of cached shapes is bounded
    if (known.size > 200) known.clear()
    known.set(name, (shape = makeShape(record, only)))
  }
  return shape
}

/** The end of a record's text in reads: its version, and what the caller may do. */
function endOf({ version: name, can, width }: Shape, cells: Cells): string {
  const version = name === null ? '' : `,"${name}":${cells[1]}`
  if (!can) return `${version}}`
  const [update, remove, restore] = cells.slice(width, width + 3).map((cell) => cell === 't')
  return `${version},"can":{"update":${update},"delete":${remove},"restore":${restore}}}`
}

/** The texts of records as reads return them, with the members that are no fields. */
export function writeReads(ctx: Context, shape: Shape, rows: Cells[]): Promise<string[]> {
  return writeRows(ctx, shape, rows, endOf)
}

/** The columns of a shape over `t` with those of what the caller may do, where it shows that. */
export function columnsWithRights(ctx: Context, shape: Shape, record: AnyRecord): Query {
  const columns = columnsFor(ctx, shape)
  if (!shape.can) return columns
  const may = (action: RecordAction) => {
    const allowed = rights(ctx, record, action === 'restore' ? 'delete' : action) ?? sql`true`
    return record.rights.can?.(ctx, action, allowed) ?? allowed
  }
  return sql`${columns}, ${may('update')}, ${may('delete')}, ${may('restore')}`
}

/** The same shape with what the caller may do. */
export function withRights(shape: Shape): Shape {
  let made = withCan.get(shape)
  if (!made) withCan.set(shape, (made = { ...shape, can: true }))
  return made
}

const withCan = new WeakMap<Shape, Shape>()

/** The shape of a record, or of some of its fields, as far as the caller knows them; see `shownTo`. */
export function shapeFor(ctx: Context, record: AnyRecord, only?: string[]): Shape {
  const shown = shownTo(ctx, record)
  if (shown === record || !only) return shapeOf(shown, only)
  return shapeOf(
    shown,
    only.filter((name) => Object.hasOwn(shown.fields, name) || name === versionNameOf(shown)),
  )
}

/** The columns of a shape over `t`, with what the caller may read of other records. */
export function columnsFor(ctx: Context, { columns }: Shape): Query {
  return bound(ctx, columns)
}

/** The joins of a shape, behind the table under the alias `t`. */
export function joinsFor(ctx: Context, { joins }: Shape): Query {
  return bound(ctx, joins)
}

/** The same columns for a write, which works with the ids that are stored. */
export function storedColumnsFor(ctx: Context, { columns }: Shape): Query {
  return bound(ctx, columns, true)
}

/** The columns of the record with nothing hidden: for events, which are filtered for each reader. */
export function wholeColumns({ columns }: Shape): Query {
  return sql.raw(columns.plain)
}

/** The joins that belong to `wholeColumns`. */
export function wholeJoins({ joins }: Shape): Query {
  return sql.raw(joins.plain)
}

/** Whether the caller's reads hide no rows behind the record's fields. */
export function showsWhole(ctx: Context, { columns, joins }: Shape): boolean {
  return readsWhole(ctx, columns) && readsWhole(ctx, joins)
}

/** Whether the caller's reads show every field of the record, and hide nothing behind them. */
export function showsRecord(ctx: Context, record: AnyRecord): boolean {
  return shownTo(ctx, record) === record && showsWhole(ctx, shapeOf(record))
}

/** Whether a read of a field may show the caller less of it than there is. */
export function isLimited(ctx: Context, record: AnyRecord, name: string): boolean {
  return !showsWhole(ctx, shapeOf(record, [name]))
}

/** Whether the caller's reads show all that is stored, as `storedColumnsFor` gives it. */
export function showsStored(ctx: Context, record: AnyRecord, only?: string[]): boolean {
  return shownTo(ctx, record) === record && readsWhole(ctx, shapeOf(record, only).columns)
}

/** One cell as JSON text, by its kind. */
export function cellToJson(kind: Kind, cell: string | null): string {
  return cell === null ? 'null' : writers[kind](cell)
}

/**
 * As many of the texts as fit into so many bytes of UTF-8, always at least the first; 0 is no limit.
 */
export function fitting(texts: string[], mostBytes: number): string[] {
  if (!mostBytes) return texts
  let length = 0
  for (const text of texts) length += text.length
  // no unit of JavaScript's text takes more than three bytes
  if (length <= mostBytes / 3) return texts
  return fittingEach(texts, mostBytes)
}

/** The same for texts that are created one by one, so that no more are created than needed. */
export function fittingEach(texts: Iterable<string>, mostBytes: number): string[] {
  const taken: string[] = []
  let bytes = 0
  for (const text of texts) {
    bytes += Buffer.byteLength(text)
    if (mostBytes && bytes > mostBytes && taken.length) break
    taken.push(text)
  }
  return taken
}

/**
 * The texts of a page's rows, of which there is one more than `size` where there is another page, the last
 * row that is on it, and whether it is shorter than requested because its rows are large. The rows are
 * used up.
 */
export async function pageTexts(
  ctx: Context,
  shape: Shape,
  { rows, isCut }: { rows: Cells[]; isCut: boolean },
  size: number,
): Promise<{ texts: string[]; last: Cells | undefined; more: boolean; isShorter: boolean }> {
  const isMore = rows.length > size
  const all = await writeReads(ctx, shape, isMore ? rows.slice(0, size) : rows)
  const texts = fitting(all, ctx.limits.pageBytes)
  const isShorter = isCut ? texts.length < size : texts.length < all.length
  const last = rows[texts.length - 1]
  // promises that waited for their turn are old, and would keep the rows until old memory is collected:
  // with 90 lists of 500 waiting, young collections copied 45 MB each and took a third of the time
  rows.length = 0
  return { texts, last, more: isMore || isCut || isShorter, isShorter }
}

/** Each row as JSON text. */
export async function writeRows(
  ctx: Context,
  shape: Shape,
  rows: Cells[],
  end: (shape: Shape, cells: Cells) => string = () => '}',
): Promise<string[]> {
  const { parts } = shape
  const known: (Known | undefined)[] = []
  let at = extraCells
  for (const part of parts) {
    known.push(part.known && (await linkedRows(ctx, part.known, rows, at)))
    at += part.cells
  }
  const texts: string[] = []
  const turn = turns()
  for (const cells of rows) {
    let text = ''
    let written = 0
    at = extraCells
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      if (cells[at] !== null) {
        // each text that is put together is an object to collect, and a page has tens of thousands: members
        // that are null, which most are, come together
        text += nulls(parts, written, i)
        text += part.head
        text += part.write(cells, at, known[i])
        written = i + 1
      }
      at += part.cells
    }
    text += nulls(parts, written, parts.length) + end(shape, cells)
    texts.push(text)
    // a page may have eight mebibytes
    await turn(text.length)
  }
  return texts
}

/** The text of members that are all null, from one to before another. */
function nulls(parts: Part[], from: number, to: number): string {
  const first = parts[from]
  if (!first || from === to) return ''
  return (first.nulls[to - from] ??= parts
    .slice(from, to)
    .map(({ none }) => none)
    .join(''))
}

/** Rows with their ids, versions and JSON texts. */
export async function textRows(
  ctx: Context,
  shape: Shape,
  rows: Cells[],
): Promise<{ id: string; version: number; text: string }[]> {
  const texts = await writeRows(ctx, shape, rows)
  return texts.map((text, i) => {
    const [id, version] = rows[i] ?? []
    return { id: id ?? '', version: Number(version), text }
  })
}

/** What a read shows of links that is cached, by the ids stored for them. */
export async function shownLinks(
  ctx: Context,
  record: AnyRecord,
  ids: { [field: string]: unknown },
): Promise<{ [field: string]: unknown }> {
  const names = Object.keys(ids)
  if (!names.length) return {}
  const cells = [null, null, ...(Object.values(ids) as string[])]
  const [text = '{}'] = await writeRows(ctx, shapeOf(record, names), [cells])
  return JSON.parse(text) as { [field: string]: unknown }
}

const extraCells = 2

function makeShape(record: AnyRecord, only?: string[]): Shape {
  const columns = ['t.id', 't.version']
  const joins: string[] = []
  const parts: Part[] = []
  const shared = new Set<string>()
  const versionName = versionNameOf(record)
  let version = only ? null : versionName
  const additions = additionsOf(record)
  for (const name of only ?? Object.keys(record.fields)) {
    if (additions.includes(name)) {
      if (name === versionName) version = name
      continue
    }
    const field = fieldNamed(record, name)
    const { reference } = field
    if (reference?.shows && !reference.isCached) {
      joins.push(joinOf(name, columnOf(name, field), reference.shows, reference))
    }
    if (field.shared && !shared.has(field.shared.name)) {
      shared.add(field.shared.name)
      joins.push(`left join lateral (${field.shared.rows}) "${field.shared.name}" on true`)
    }
    const head = `${parts.length ? ',' : '{'}"${name}":`
    parts.push({ name, head, none: `${head}null`, nulls: [], ...partOf(name, field, columns) })
  }
  return {
    // rows are read by position; of two columns of one name none could be sorted by
    columns: template(columns.map((column, i) => `${column} as c${i}`).join(', ')),
    joins: template(joins.join('\n')),
    parts,
    version,
    can: additions.includes('can') && Boolean(only?.includes('can')),
    width: parts.reduce((sum, { cells }) => sum + cells, extraCells),
  }
}

/**
 * A look-up by key for each row, whatever the planner thinks of the number of rows: `limit 1` keeps
 * it from turning the join round and reading the organization's whole other table.
 */
function joinOf(name: string, id: string, shows: Shown, { table, to }: Reference): string {
  const shown = Object.values(shows).map(({ column }) => column)
  const columns = shown.map((column) => `x.${column}`)
  const rows = to ? linkedRowsOf(table, shown) : table
  const alive = to?.().life.softDelete ? ' and x.deleted_at is null' : ''
  return (
    `left join lateral (select ${columns.join(', ')} from ${rows} x` +
    ` where x.organization_id = $organization and x.id = ${id}${alive}` +
    ` limit 1) "${name}" on true`
  )
}

function partOf(name: string, field: Field, columns: string[]): Writer {
  const { reference } = field
  const shows = reference?.shows
  if (!reference || !shows) {
    columns.push(field.shared?.value ?? shownColumn(name, field))
    const write = writers[field.kind]
    return {
      cells: 1,
      write: (cells, at) => {
        const cell = cells[at]
        return cell === null || cell === undefined ? 'null' : write(cell)
      },
    }
  }
  if (reference.isCached) {
    columns.push(columnOf(name, field))
    return {
      cells: 1,
      known: cachedLinks(reference.table, shows),
      write: (cells, at, known) => known?.get(cells[at] ?? '') ?? 'null',
    }
  }
  for (const { column } of Object.values(shows)) columns.push(`"${name}".${column}`)
  const write = objectWriter(shows)
  return { cells: Object.keys(shows).length, write }
}

/** The first shown column is the other record's id: without one there is no object. */
function objectWriter(shows: Shown): (cells: Cells, at: number) => string {
  const members = Object.entries(shows)
  return (cells, at) => {
    if (cells[at] === null) return 'null'
    let text = ''
    for (let i = 0; i < members.length; i++) {
      const [key, { kind }] = members[i]!
      text += `${i ? ',' : '{'}"${key}":${cellToJson(kind, cells[at + i] ?? null)}`
    }
    return text + '}'
  }
}

function cachedLinks(table: string, shows: Shown): CachedLinks {
  const columns = Object.values(shows).map(({ column }) => column)
  return {
    name: `${table} as ${columns}`,
    table,
    columns: sql.join(columns.map((column) => sql.ref(`t.${column}`))),
    write: objectWriter(shows),
  }
}

/**
 * The linked rows as text, from what is cached of the organization; those that it does
 * not know yet, such as one made in this very transaction, are read.
 */
async function linkedRows(
  ctx: Context,
  { name, table, columns, write }: CachedLinks,
  rows: Cells[],
  at: number,
): Promise<Known> {
  const read = async (queries: Queries, condition: Query) => {
    const found = await queries.cells(sql`select t.id, ${columns}
      from ${sql.table(table)} t where ${condition}`)
    return found.map((cells): [string, string] => [cells[0] ?? '', write(cells, 1)])
  }
  const known = await ctx.cached(name, async (committed) => {
    return new Map(await read(committed, mine(ctx)))
  })
  const missing = rows.map((cells) => cells[at]).filter((id) => id && !known.has(id))
  if (!missing.length) return known
  return new Map([...known, ...(await read(ctx, sql`${mine(ctx)} and t.id = any(${missing})`))])
}

// oxlint-disable-next-line no-control-regex -- these are the characters JSON must escape
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const writers: { [kind in Kind]: (cell: string) => string } = {
  text: (cell) => (mustEscape.test(cell) ? JSON.stringify(cell) : `"${cell}"`),
  integer: (cell) => cell,
  number: (cell) => cell,
  boolean: (cell) => (cell === 't' ? 'true' : 'false'),
  timestamp: (cell) => `"${isoFromPostgres(cell)}"`,
  date: (cell) => `"${cell}"`,
  json: (cell) => cell,
  list: (cell) => cell,
}

import { createHash } from 'node:crypto'
import type { Context, Query } from '../ground/context.ts'
import { definitions } from '../record/custom.ts'
import { badField } from '../ground/errors.ts'
import type { Registry } from './filter.ts'
import { compileFilter, customField, registryOf } from './filter.ts'
import type { Shape } from './json.ts'
import { shapeOf, writeArray, writeRows } from './json.ts'
import { searchCandidates } from './text-search.ts'
import { Answer, Json } from '../ground/operation.ts'
import type { AnyRecord, Field } from '../record/record.ts'
import { columnOf } from '../record/record.ts'
import { savedFilter } from './saved-filter.ts'
import { levelOf, scope } from '../record/scope.ts'
import { all, sql } from '../ground/sql.ts'
import type { JSONSchema } from '../ground/json-schema.ts'

/** A sort key: SQL that is never null, the type a cursor's text is cast to, the direction. */
type Sort = { name: string; sql: string; cast: string; descends: boolean }

type PageQuery = {
  page?: number
  items_per_page?: number
  sort?: string
  reverse?: boolean
  q?: string
  filter?: unknown
  filter_id?: string
  fields?: string
  include_count?: boolean
}

/** A page by number: the body is the bare array, the page's place travels beside it. */
export async function listPage(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  extra?: Query,
): Promise<Answer> {
  const number = query.page ?? 1
  const size = query.items_per_page ?? 25
  const { order, condition, shape } = await parseListQuery(ctx, record, query, extra)
  const [rows, total] = await Promise.all([
    ctx.cells(page(shape, record, condition, order, window(size, (number - 1) * size))),
    query.include_count ? count(ctx, record, condition) : undefined,
  ])
  const more = rows.length > size
  if (more) rows.pop()
  return new Answer(new Json(await writeArray(ctx, shape, rows)), {
    page: { number, size, more, total },
  })
}

/** What a list asks for: 400 for what it does not know. */
async function parseListQuery(ctx: Context, record: AnyRecord, query: PageQuery, extra?: Query) {
  const saved = query.filter_id ? await savedFilter(ctx, record, query.filter_id) : undefined
  const order = sortsOf(record, query.sort || saved?.sort || '', query.reverse)
  const chosenBefore = saved && (await compiled(ctx, record, saved.conditions, 'filter_id'))
  const also = saved ? [saved.conditions] : []
  const condition = await conditions(ctx, record, query, all(chosenBefore, extra), also)
  const shape = shapeOf(record, query.fields ? chosen(record, query.fields) : undefined)
  return { order, condition, shape }
}

/**
 * Every record of the list a page names, some hundreds at a time, each read when the one before is
 * used up: whatever their number, as much memory and no statement that takes long. What changes
 * meanwhile may or may not be seen, and nothing comes twice.
 */
export async function everyRow(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  size = 500,
): Promise<AsyncGenerator<{ [field: string]: unknown }[]>> {
  const { order, condition, shape } = await parseListQuery(ctx, record, query)
  const keys = order.map((key) => sql.raw(`(${key.sql})::text`))
  const readAfter = (last?: string[]) => {
    const rest = all(condition, last && afterValues(order, last))
    return ctx.cells(page(shape, record, rest, order, window(size - 1, 0), keys))
  }
  // the first page is read before anything is answered, so that what is wrong can still be said
  const first = await readAfter()
  return pages()

  async function* pages() {
    for (let cells = first; cells.length;) {
      const texts = await writeRows(ctx, shape, cells)
      yield texts.map((text) => JSON.parse(text) as { [field: string]: unknown })
      if (cells.length < size) return
      cells = await readAfter(cells.at(-1)!.slice(-order.length) as string[])
    }
  }
}

/**
 * A page by number as the integration surface gives it: `{count, next, previous, results}`, the
 * links absolute or null. `extra` is a condition over `t`; `also` stands beside the results.
 */
export async function listEnvelope(
  ctx: Context,
  record: AnyRecord,
  { query, url }: { query: PageQuery & { limit?: number }; url: string },
  { size: usual = 25, extra, also = {} }: { size?: number; extra?: Query; also?: object } = {},
): Promise<Answer> {
  const number = query.page ?? 1
  const size = query.items_per_page ?? query.limit ?? usual
  const order = sortsOf(record, query.sort)
  const condition = await conditions(ctx, record, query, extra)
  const shape = shapeOf(record)
  const [rows, total] = await Promise.all([
    ctx.cells(page(shape, record, condition, order, window(size, (number - 1) * size))),
    count(ctx, record, condition),
  ])
  if (rows.length > size) rows.pop()
  const head = JSON.stringify({
    count: total,
    next: number * size < total ? linkTo(ctx, url, number + 1) : null,
    previous: number > 1 ? linkTo(ctx, url, number - 1) : null,
    ...also,
  })
  const results = await writeArray(ctx, shape, rows)
  return new Answer(new Json(`${head.slice(0, -1)},"results":${results}}`))
}

/** The schema of that envelope around a record's. */
export function envelopeOf(items: JSONSchema, also: { [name: string]: JSONSchema } = {}) {
  const link = { type: ['string', 'null'], format: 'uri' }
  const results = { type: 'array', items }
  const properties = { count: { type: 'integer' }, next: link, previous: link, ...also, results }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The same list at another page. The function key may travel in the query; answers never hold it. */
function linkTo(ctx: Context, url: string, page: number): string {
  const to = new URL(url, ctx.public_url)
  to.searchParams.delete('code')
  to.searchParams.set('page', String(page))
  return `${ctx.public_url}${to.pathname}${to.search}`
}

type CursorQuery = {
  limit?: number
  items_per_page?: number
  page?: number
  sort?: string
  filter?: unknown
  next_cursor?: string
  include_count?: boolean
}

/**
 * A page by cursor: `{results, next_cursor}`, and `count` when asked for. The cursor holds the last
 * row's sort values, so it costs the same at any depth and stays put while rows are inserted; used
 * with another sort or filter it is 400. `extra` narrows the list, and `words` bind the cursor to it.
 */
export async function listCursor(
  ctx: Context,
  record: AnyRecord,
  query: CursorQuery,
  extra?: { condition: Query; words: string },
): Promise<Answer> {
  const size = query.limit ?? query.items_per_page ?? 20
  const order = sortsOf(record, query.sort)
  const bound = fingerprint(record, order, extra ? [query.filter, extra.words] : query.filter)
  const after = query.next_cursor ? afterCursor(order, bound, query.next_cursor) : undefined
  const skip = !after && query.page ? (query.page - 1) * size : 0
  const condition = await conditions(ctx, record, query, extra?.condition)
  const shape = shapeOf(record)
  const keys = order.map((key) => sql.raw(`(${key.sql})::text`))
  const [rows, total] = await Promise.all([
    ctx.cells(page(shape, record, all(condition, after), order, window(size, skip), keys)),
    query.include_count ? count(ctx, record, condition) : undefined,
  ])
  const more = rows.length > size
  if (more) rows.pop()
  const last = rows.at(-1)
  const next = more && last ? encode(bound, last.slice(-order.length)) : null
  const counted = total === undefined ? '' : `,"count":${total}`
  const results = await writeArray(ctx, shape, rows)
  const text = `{"results":${results},"next_cursor":${JSON.stringify(next)}${counted}}`
  return new Answer(new Json(text))
}

/**
 * What the caller may filter on: the record's fields, the custom fields as defined or as kept, and
 * one hop away only where the other module may be read, or a filter would tell what a read would not.
 */
export async function filterRegistry(ctx: Context, record: AnyRecord): Promise<Registry> {
  const closed = Object.entries(record.fields)
    .filter(
      ([, { reference }]) =>
        reference?.to &&
        (ctx.actor.is_confined || levelOf(ctx.actor, reference.to().module, 'read') !== 'all'),
    )
    .map(([name]) => `${name}.`)
  // a few hundred entries: made once per organization and kind of caller, not per request
  return ctx.cached(`filters of ${record.module} without ${closed}`, async () => {
    const open = [...registryOf(record)].filter(
      ([name]) => !closed.some((hop) => name.startsWith(hop)),
    )
    const known = record.open ? [...(await definitions(ctx, record.module)).values()] : []
    const custom = known.filter((definition) => !definition.is_built_in)
    const registry: Registry = new Map([...open, ...custom.map(customField)])
    registry.open = record.open
    registry.aliases = record.aliases
    return registry
  })
}

/** 400 for a filter or a sort that a list of the record would refuse, naming where it stands. */
export async function checkList(
  ctx: Context,
  record: AnyRecord,
  { conditions, sort }: { conditions: unknown; sort: string | null },
) {
  await compiled(ctx, record, conditions, 'conditions')
  sortsOf(record, sort ?? '')
}

async function conditions(
  ctx: Context,
  record: AnyRecord,
  query: { q?: string; filter?: unknown },
  extra?: Query,
  also: unknown[] = [],
): Promise<Query> {
  const isGiven = query.filter !== undefined && query.filter !== ''
  const filter = isGiven ? await compiled(ctx, record, query.filter, 'filter') : undefined
  // compiled already: what is text is JSON
  const given: unknown =
    isGiven && typeof query.filter === 'string' ? JSON.parse(query.filter) : query.filter
  return all(
    scope(ctx, record, 'read'),
    await searchCandidates(ctx, record, query.q, [given, ...also]),
    filter,
    query.q ? looksLike(record, query.q) : undefined,
    extra,
  )
}

async function compiled(ctx: Context, record: AnyRecord, filter: unknown, name: string) {
  const clock = { now: ctx.now(), timezone: ctx.organization.timezone }
  return compileFilter(await filterRegistry(ctx, record), filter, clock, name)
}

function looksLike(record: AnyRecord, q: string): Query {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const matches = record.search.map(
    (name) => sql`${sql.raw(columnOf(name, record.fields[name]!))} ilike ${pattern}`,
  )
  return sql`(${sql.join(matches, sql` or `)})`
}

async function count(ctx: Context, record: AnyRecord, condition: Query): Promise<number> {
  const row = await ctx.one<{ n: number }>(
    sql`select count(*) as n from ${sql.table(record.table)} t where ${condition}`,
  )
  return row!.n
}

function chosen(record: AnyRecord, fields: string): string[] {
  const names = new Set(fields.split(',').map((name) => name.trim()))
  for (const name of names) {
    if (!Object.hasOwn(record.fields, name)) {
      throw badField(
        'fields',
        `${name} is not a field; fields are ${Object.keys(record.fields).join(', ')}`,
      )
    }
  }
  return [record.key, ...[...names].filter((name) => name !== record.key)]
}

/** `sort` as a comma list with `-` for descending; `reverse` turns it round. Id breaks ties. */
function sortsOf(record: AnyRecord, sort = '', reverse = false): Sort[] {
  const sorts: Sort[] = []
  for (const part of sort.split(',').map((each) => each.trim())) {
    if (!part) continue
    const given = part.replace(/^[-+]/, '')
    const name = Object.hasOwn(record.aliases, given) ? record.aliases[given]! : given
    const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
    if (!field || !isSortable(field))
      throw badField('sort', `${given} is not one of ${sortable(record)}`)
    if (sorts.some((each) => each.name === name)) throw badField('sort', `${given} is given twice`)
    sorts.push({ name, ...sortKey(name, field), descends: part.startsWith('-') !== reverse })
  }
  if (sorts.length > 5) throw badField('sort', 'at most 5 keys')
  // newest first unless asked otherwise: ids rise with the time of creation
  const descends = sorts.length ? sorts.at(-1)!.descends : !reverse
  if (sorts.at(-1)?.sql !== 't.id')
    sorts.push({ name: 'id', sql: 't.id', cast: 'varchar', descends })
  return sorts
}

function isSortable(field: Field): boolean {
  return (
    field.filterable && !field.reference?.shows && field.kind !== 'json' && field.kind !== 'list'
  )
}

function sortable(record: AnyRecord): string {
  const names = Object.keys(record.fields).filter((name) => isSortable(record.fields[name]!))
  return names.join(', ')
}

/** Null sorts below everything, as a value of its own, so that cursors can compare it. */
function sortKey(name: string, field: Field): { sql: string; cast: string } {
  const column = columnOf(name, field)
  const or = (low: string) => (field.nullable ? `coalesce(${column}, ${low})` : column)
  switch (field.kind) {
    case 'integer':
      return { sql: or('-2147483648'), cast: 'int8' }
    case 'number':
      return { sql: or(`'-Infinity'::float8`), cast: 'float8' }
    case 'boolean':
      return { sql: or('false'), cast: 'boolean' }
    case 'timestamp':
      return { sql: or(`'-infinity'::timestamptz`), cast: 'timestamptz' }
    case 'date':
      return { sql: or(`'-infinity'::date`), cast: 'date' }
    default:
      if (column === 't.id') return { sql: column, cast: 'varchar' }
      return { sql: field.folded ?? `lower(${or(`''`)}) collate "C"`, cast: 'text' }
  }
}

/**
 * The rows of a page first, what they show of other records after: the planner cannot tell how many
 * rows a filter leaves, and would look up the others of all of them before it sorts.
 */
function page(
  shape: Shape,
  record: AnyRecord,
  condition: Query,
  order: Sort[],
  limits: Query,
  extra: Query[] = [],
): Query {
  const columns = sql.join([sql.raw(shape.select), ...extra])
  return sql`select ${columns} from (
      select t.* from ${sql.table(record.table)} t where ${condition}
      order by ${orderBy(order)} ${limits}
    ) t ${sql.raw(shape.joins)} order by ${orderBy(order)}`
}

/**
 * One row more than the page, to know whether there is another. The size is literal text: behind a
 * parameter the planner would expect a tenth of the table and never settle on a generic plan.
 */
function window(size: number, skip: number): Query {
  const offset = skip ? sql` offset ${skip}` : sql``
  return sql`${sql.raw(`limit ${size + 1}`)}${offset}`
}

function orderBy(order: Sort[]): Query {
  return sql.raw(order.map((key) => `${key.sql} ${key.descends ? 'desc' : 'asc'}`).join(', '))
}

function afterCursor(order: Sort[], bound: string, cursor: string): Query {
  const wrong = badField('next_cursor', 'is not a cursor of this list with this sort and filter')
  let given: unknown
  try {
    given = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong
  }
  if (!Array.isArray(given) || given.length !== order.length + 1 || given[0] !== bound) throw wrong
  const values = given.slice(1)
  if (!values.every((value) => typeof value === 'string' && !value.includes('\0'))) throw wrong
  return afterValues(order, values as string[])
}

/** The rows behind the one that has these values. */
function afterValues(order: Sort[], values: string[]): Query {
  const casted = order.map((key, i) => sql`${values[i]}::${sql.raw(key.cast)}`)
  if (order.every((key) => key.descends === order[0]!.descends)) {
    // one row comparison is what an index can serve
    const left = sql.raw(`(${order.map((key) => key.sql).join(', ')})`)
    return sql`${left} ${sql.raw(order[0]!.descends ? '<' : '>')} (${sql.join(casted)})`
  }
  const steps = order.map((key, i) => {
    const equals = order.slice(0, i).map((each, j) => sql`${sql.raw(each.sql)} = ${casted[j]}`)
    const step = sql`${sql.raw(key.sql)} ${sql.raw(key.descends ? '<' : '>')} ${casted[i]}`
    return sql`(${all(...equals, step)})`
  })
  return sql`(${sql.join(steps, sql` or `)})`
}

function encode(bound: string, values: (string | null)[]): string {
  return Buffer.from(JSON.stringify([bound, ...values])).toString('base64url')
}

function fingerprint(record: AnyRecord, order: Sort[], filter: unknown): string {
  const parts = [
    record.module,
    order.map(({ name, descends }) => `${name}${descends}`),
    filter ?? '',
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
}

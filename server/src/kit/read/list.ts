import type { Context, Query } from '../ground/context.ts'
import { badField } from '../ground/errors.ts'
import { shapeOf, writeArray, writeRows } from './json.ts'
import { Answer, Json } from '../ground/operation.ts'
import type { AnyRecord } from '../record/record.ts'
import { savedFilter } from './saved-filter.ts'
import { all, sql } from '../ground/sql.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import { sortsOf } from './sort.ts'
import { compiled } from './filter-registry.ts'
import { page, window, count, conditions, afterValues } from './selection.ts'

/** The query of such a list. A filter is JSON text, or parsed already. */
export type PageQuery = {
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

/** A page by number: the body is the bare array, the page's position travels in the headers. */
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
    ctx.cells(page(ctx, shape, record, condition, order, window(size, (number - 1) * size))),
    query.include_count ? count(ctx, record, condition) : undefined,
  ])
  const more = rows.length > size
  if (more) rows.pop()
  return new Answer(new Json(await writeArray(ctx, shape, rows)), {
    page: { number, size, more, total },
  })
}

/** The parts of a list's query: 400 for what it does not know. */
async function parseListQuery(ctx: Context, record: AnyRecord, query: PageQuery, extra?: Query) {
  const saved = query.filter_id ? await savedFilter(ctx, record, query.filter_id) : undefined
  const order = sortsOf(ctx, record, query.sort || saved?.sort || '', query.reverse)
  const chosenBefore = saved && (await compiled(ctx, record, saved.conditions, 'filter_id'))
  const also = saved ? [saved.conditions] : []
  const condition = await conditions(ctx, record, query, all(chosenBefore, extra), also)
  const shape = shapeOf(record, query.fields ? chosen(record, query.fields) : undefined)
  return { order, condition, shape }
}

/**
 * Every record of the list a page names, some hundreds at a time, each read when the one before is
 * used up: whatever their number, as much memory and no statement that takes long. What changes
 * meanwhile may or may not be included, and nothing comes twice.
 */
export async function everyRow(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  size = 500,
): Promise<AsyncGenerator<{ [field: string]: unknown }[]>> {
  const { order, condition, shape } = await parseListQuery(ctx, record, query)
  const keys = order.map((key) => sql`(${key.value})::text`)
  const readAfter = (last?: string[]) => {
    const rest = all(condition, last && afterValues(order, last))
    return ctx.cells(page(ctx, shape, record, rest, order, window(size - 1, 0), keys))
  }
  // the first page is read before anything is answered, so that an error can still be answered
  const first = await readAfter()
  return pages()

  async function* pages() {
    for (let cells = first; cells.length;) {
      const texts = await writeRows(ctx, shape, cells)
      yield texts.map((text) => JSON.parse(text) as { [field: string]: unknown })
      if (cells.length < size) return
      cells = await readAfter(cells.at(-1)?.slice(-order.length) as string[])
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
  const order = sortsOf(ctx, record, query.sort)
  const condition = await conditions(ctx, record, query, extra)
  const shape = shapeOf(record)
  const [rows, total] = await Promise.all([
    ctx.cells(page(ctx, shape, record, condition, order, window(size, (number - 1) * size))),
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

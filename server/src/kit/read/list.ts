import type { Context, Query } from '../ground/context.ts'
import { badField, badRequest, Failure } from '../ground/errors.ts'
import type { Measured } from './figures.ts'
import { listFigures } from './figures.ts'
import type { Grouping } from './groups.ts'
import { listGroups } from './groups.ts'
import { pageTexts, shapeFor, shapeOf, writeRows } from './json.ts'
import { Answer, Json } from '../ground/operation.ts'
import { shownTo } from '../record/audience.ts'
import type { AnyRecord } from '../record/record.ts'
import { additionsOf } from '../record/record.ts'
import { compiledSaved, savedFilter } from './saved-filter.ts'
import { all, sql } from '../ground/sql.ts'
import { FilterCost } from './filter-cost.ts'
import type { JSONSchema } from '../ground/json-schema.ts'
import type { Sort } from './sort.ts'
import { sortsOf } from './sort.ts'
import { turns } from '../ground/turns.ts'
import { linkedSorts } from './filter-registry.ts'
import { pageRows, count, conditions, afterValues } from './selection.ts'
import { afterCursor, cursorAfter, fingerprint } from './cursor.ts'
import { byDeletion, withDeletion } from './deleted.ts'
import { sizeUnderEitherName } from './page.ts'

/** The query of such a list. A filter is JSON text, or parsed already. */
export type PageQuery = {
  page?: number
  /** in place of `page`: how many records come before the page */
  offset?: number
  items_per_page?: number
  sort?: string
  reverse?: boolean
  q?: string
  filter?: unknown
  filter_id?: string
  fields?: string
  include_count?: boolean
  /** the deleted records that the caller may restore, instead of the others */
  deleted?: boolean
  next_cursor?: string
} & Partial<Grouping> &
  Measured

/**
 * A page by number: the body is the bare array, the page's position travels in the headers. Where its
 * records are large it is shorter, and the next one begins where it ends. With `by` the same records in
 * groups: see `listGroups`, and with `unit`, `then` or `measures` in figures: see `listFigures`.
 */
export async function listPage(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  extra?: Query,
): Promise<Answer> {
  const { by } = query
  if (by !== undefined) {
    const parsed = await parseListQuery(ctx, record, query, extra)
    const isMeasured = query.unit ?? query.width ?? query.then ?? query.then_unit ?? query.measures
    if (isMeasured !== undefined)
      return new Answer(await listFigures(ctx, record, parsed.selection, { ...query, by }))
    return new Answer(await listGroups(ctx, record, parsed, { ...query, by }))
  }
  const number = query.page ?? 1
  const size = query.items_per_page ?? 25
  const skip = query.offset ?? (number - 1) * size
  const { order, selection, shape } = await parseListQuery(ctx, record, query, extra)
  // before the rows, which would stay in memory while the count waits for its turn
  const total = query.include_count ? await count(ctx, record, selection) : undefined
  const found = await pageRows(ctx, record, selection, { shape, order, size, skip })
  const ids = query.deleted ? found.rows.map(([id]) => id ?? '') : []
  const { texts, more, isShorter } = await pageTexts(ctx, shape, found, size)
  const next = isShorter ? skip + texts.length : undefined
  const shown = query.deleted ? await withDeletion(ctx, record, ids, texts) : texts
  return new Answer(Json.of('[', shown, ']'), {
    page: {
      number,
      size,
      more,
      total,
      ...(next === undefined ? {} : { next }),
      offset: query.offset,
    },
  })
}

/**
 * All the records of a list that has few, such as the parts of one record. 400 where they are too large
 * for one answer.
 */
export async function listWhole(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  extra?: Query,
): Promise<Answer> {
  const answer = await listPage(ctx, record, query, extra)
  if (answer.meta.page?.next === undefined) return new Answer(answer.body)
  const message = `These records are too large for one answer of ${ctx.limits.pageBytes} bytes`
  throw badRequest(message, undefined, 'result_too_large')
}

/** The query in the list's own order, unless the caller, a saved filter or the time of deletion decides it. */
export function inOwnOrder<Q extends PageQuery>(
  query: Q,
  order: Pick<PageQuery, 'sort' | 'reverse'>,
): Q {
  return query.sort || query.filter_id || query.deleted ? query : { ...query, ...order }
}

/** The parts of a list's query: 400 for what it does not know. */
async function parseListQuery(ctx: Context, whole: AnyRecord, query: PageQuery, extra?: Query) {
  const record = shownTo(ctx, whole)
  const saved = query.filter_id ? await savedFilter(ctx, record, query.filter_id) : undefined
  const own = saved?.sort && (await isSortable(ctx, record, saved.sort)) ? saved.sort : ''
  const sort = query.sort || own
  const linked = await linkedSorts(ctx, whole, sort)
  const order =
    query.deleted && !sort
      ? byDeletion(query.reverse)
      : sortsOf(ctx, record, sort, query.reverse, linked)
  const cost = new FilterCost()
  const before = saved && {
    filter: saved.conditions,
    ...(await compiledSaved(ctx, record, saved.conditions, cost)),
    cost,
  }
  const selection = await conditions(ctx, record, query, extra, before)
  const shape = shapeOf(record, query.fields ? chosen(record, query.fields) : undefined)
  return { order, selection, shape }
}

/** Whether a saved sort names what is still there; a list with one that does not has its own order. */
async function isSortable(ctx: Context, record: AnyRecord, sort: string): Promise<boolean> {
  try {
    sortsOf(ctx, record, sort, false, await linkedSorts(ctx, record, sort))
    return true
  } catch (error) {
    if (error instanceof Failure && error.status === 400) return false
    throw error
  }
}

/**
 * Every record of a list, in batches of some hundreds that are read one after another, so that memory
 * and statements stay small whatever the number of records. Concurrent changes may or may not be
 * included, and no record comes twice.
 */
export async function everyRow(
  ctx: Context,
  record: AnyRecord,
  query: PageQuery,
  extra?: Query,
  size = 499,
): Promise<AsyncGenerator<{ [field: string]: unknown }[]>> {
  const { order, selection, shape } = await parseListQuery(ctx, record, query, extra)
  const keys = order.map((key) => sql`(${key.value})::text`)
  const readAfter = (last?: string[]) => {
    const condition = all(selection.condition, last && afterValues(order, last))
    return pageRows(ctx, record, { ...selection, condition }, { shape, order, size, keys })
  }
  // the first page is read before anything is answered, so that an error can still be answered
  const first = await readAfter()
  return pages()

  async function* pages() {
    const worked = turns()
    for (let { rows, isCut } = first; rows.length;) {
      const isMore = isCut || rows.length > size
      if (rows.length > size) rows.pop()
      const texts = await writeRows(ctx, shape, rows)
      const parsed: { [field: string]: unknown }[] = []
      for (const text of texts) {
        await worked(text.length)
        parsed.push(JSON.parse(text))
      }
      yield parsed
      if (!isMore) return
      ;({ rows, isCut } = await readAfter(rows.at(-1)?.slice(-order.length) as string[]))
    }
  }
}

/**
 * A page by number as the integration surface gives it: `{count, next, previous, results}`, the links
 * absolute or null, and `next_cursor`, after which the pages stay stable while records are inserted and
 * deleted. `extra` is a condition over `t`, whose `words` bind the cursor to it; `also` is added to the
 * envelope; `order` is the order if no `sort` is requested, instead of newest first.
 */
export async function listEnvelope(
  ctx: Context,
  record: AnyRecord,
  { query, url }: { query: PageQuery & { limit?: number }; url: string },
  {
    size: usual = 25,
    extra,
    words = '',
    also = {},
    order: unsorted,
  }: { size?: number; extra?: Query; words?: string; also?: object; order?: Sort[] } = {},
): Promise<Answer> {
  const number = query.page ?? 1
  const size = sizeUnderEitherName(query) ?? usual
  const linked = await linkedSorts(ctx, record, query.sort)
  const sorted = sortsOf(ctx, record, query.sort, query.reverse, linked)
  const order = (!query.sort && unsorted) || sorted
  const bound = fingerprint(record, order, [query.filter, words])
  const cursor = query.next_cursor ? afterCursor(order, bound, query.next_cursor) : undefined
  const skip = cursor ? 0 : (query.offset ?? (number - 1) * size)
  const selection = await conditions(ctx, record, query, extra)
  const shape = shapeFor(ctx, record)
  const total = await count(ctx, record, selection)
  const rows = { ...selection, condition: all(selection.condition, cursor) }
  const keys = order.map((key) => sql`(${key.value})::text`)
  const found = await pageRows(ctx, record, rows, { shape, order, size, skip, keys })
  const { texts, last, more, isShorter } = await pageTexts(ctx, shape, found, size)
  const next_cursor = more && last ? cursorAfter(order, bound, last) : null
  const links = cursor
    ? { before: undefined, after: next_cursor && { next_cursor } }
    : placesAround(query, { skip, size, total, shorter: isShorter ? texts.length : undefined })
  const head = JSON.stringify({
    count: total,
    next: links.after ? linkTo(ctx, url, links.after) : null,
    previous: links.before ? linkTo(ctx, url, links.before) : null,
    next_cursor,
    ...also,
  })
  return new Answer(Json.of(`${head.slice(0, -1)},"results":[`, texts, ']}'))
}

type Place = { page: number } | { offset: number } | { next_cursor: string }

/** The pages before and after one that begins behind `skip` rows, as its request counts: pages, or rows. */
function placesAround(
  { page: number = 1, offset }: PageQuery,
  { skip, size, total, shorter }: { skip: number; size: number; total: number; shorter?: number },
): { before: Place | undefined; after: Place | undefined } {
  const end = skip + (shorter ?? size)
  const next = shorter === undefined ? { page: number + 1 } : { offset: end }
  if (offset === undefined) {
    return {
      before: number > 1 ? { page: number - 1 } : undefined,
      after: end < total ? next : undefined,
    }
  }
  return {
    before: skip > 0 ? { offset: Math.max(0, skip - size) } : undefined,
    after: end < total ? { offset: end } : undefined,
  }
}

/** The schema of that envelope around a record's. */
export function envelopeOf(items: JSONSchema, also: { [name: string]: JSONSchema } = {}) {
  const link = { type: ['string', 'null'], format: 'uri' }
  const results = { type: 'array', items }
  const next_cursor = { type: ['string', 'null'] }
  const properties = {
    count: { type: 'integer' },
    next: link,
    previous: link,
    next_cursor,
    ...also,
    results,
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The same list at another page. The function key may travel in the query; answers never hold it. */
function linkTo(ctx: Context, url: string, place: Place): string {
  const to = new URL(url, ctx.public_url)
  for (const name of ['code', 'page', 'offset', 'next_cursor']) to.searchParams.delete(name)
  for (const [name, value] of Object.entries<string | number>(place))
    to.searchParams.set(name, String(value))
  return `${ctx.public_url}${to.pathname}${to.search}`
}

function chosen(record: AnyRecord, fields: string): string[] {
  const names = new Set(fields.split(',').map((name) => name.trim()))
  const additions = additionsOf(record)
  for (const name of names) {
    if (!Object.hasOwn(record.fields, name) && !additions.includes(name)) {
      const known = [...Object.keys(record.fields), ...additions].join(', ')
      throw badField('fields', `${name} is not a field; fields are ${known}`)
    }
  }
  return [record.key, ...[...names].filter((name) => name !== record.key)]
}

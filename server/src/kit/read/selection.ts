import type { Cells, Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { compiledWithTerms } from './filter-registry.ts'
import { filterCandidates } from './filter-candidates.ts'
import type { Group } from './filter-terms.ts'
import { all, mine, sql } from '../ground/sql.ts'
import { restorable, rights, scope } from '../record/scope.ts'
import { reachOf } from './reach.ts'
import { searchCandidates, textSearch } from './text-search.ts'
import { shownTo } from '../record/audience.ts'
import type { Shape } from './json.ts'
import { columnsWithRights, joinsFor } from './json.ts'
import type { Sort } from './sort.ts'
import { isIndexed, joinsOf, orderBy } from './sort.ts'
import { FilterCost } from './filter-cost.ts'
import type { Cost } from '../ground/limits.ts'
import { Failure } from '../ground/errors.ts'

/** The rows of a list: a condition over `t`, and what is known of its cost. */
export type Selection = {
  condition: Query
  cost: FilterCost
  /** whether it searches a text */
  isSearched: boolean
}

/**
 * The caller's scope, or what it may restore of what is deleted, `q`, the filter, and `extra`. `before` is a filter
 * compiled elsewhere with its cost, whose texts and terms indexes may use. 400 for a wrong filter, and for one that costs too much.
 */
export async function conditions(
  ctx: Context,
  record: AnyRecord,
  query: { q?: string; filter?: unknown; deleted?: boolean },
  extra?: Query,
  before?: { filter: unknown; condition: Query; groups: Group[]; cost: FilterCost },
): Promise<Selection> {
  const cost = before?.cost ?? new FilterCost()
  const hasFilter = query.filter !== undefined && query.filter !== ''
  const filter = hasFilter
    ? await compiledWithTerms(ctx, record, query.filter, 'filter', cost)
    : undefined
  // compiled already: what is text is JSON
  const parsed: unknown =
    hasFilter && typeof query.filter === 'string' ? JSON.parse(query.filter) : query.filter
  const groups = [...(before?.groups ?? []), ...(filter?.groups ?? [])]
  // the indexes of words and of filters hold nothing of deleted rows, which have one of their own
  const search = query.q ? await textSearch(ctx, shownTo(ctx, record), query.q) : undefined
  const candidates = query.deleted
    ? undefined
    : (search?.candidates ??
      (await searchCandidates(ctx, record, before ? [parsed, before.filter] : [parsed])) ??
      (await filterCandidates(ctx, record, [...groups, ...(await reachOf(ctx, record))])))
  const condition = all(
    query.deleted ? inBin(ctx, record) : scope(ctx, record, 'read'),
    candidates,
    filter?.condition,
    search?.condition,
    before?.condition,
    extra,
  )
  return { condition, cost, isSearched: Boolean(query.q) }
}

/** What the caller may read and restore of what is deleted, each row by itself. */
function inBin(ctx: Context, record: AnyRecord): Query {
  const erased = record.life.isErased?.(ctx)
  return all(
    restorable(ctx, record),
    rights(ctx, record, 'read'),
    record.life.restoredAlone?.(ctx),
    erased && sql`not ${erased}`,
  )
}

/** How many rows a list has. */
export async function count(ctx: Context, record: AnyRecord, rows: Selection): Promise<number> {
  const isPlain = !rows.cost.total && !rows.isSearched
  const query = sql`select count(*) as n from ${sql.table(record.table)} t where ${rows.condition}`
  const parts = () => ['include_count', ...costly(rows)]
  return explained(parts, async () => {
    const queries = ctx.reading(isPlain ? 'unknown' : 'heavy', record.table)
    const row = await queries.one<{ n: number }>(query)
    return row?.n ?? 0
  })
}

/** Filters up to this cost are tried with the light reads. */
const lightCost = 5
/** Larger pages keep the process busy with writing them. */
const wide = 100
/** Pages that begin behind so many rows read them all. */
const deep = 10_000

/** What a page of a list is known to cost, before its organization's numbers are. */
function costOf(
  { cost, isSearched }: Selection,
  { order, size, skip = 0 }: Pick<PageWindow, 'order' | 'size' | 'skip'>,
): Cost {
  if (isSearched || cost.total > lightCost || skip > deep || size > wide) return 'heavy'
  // what seems light may turn out slow or large
  return isIndexed(order) ? 'unknown' : 'heavy'
}

function isNewest(order: Sort[]): boolean {
  return order.every(({ sql }) => sql === 't.id')
}

/** What makes a request expensive, in terms of the request. */
function costly({ cost, isSearched }: Selection, order: Sort[] = [], skip = 0): string[] {
  const parts: string[] = []
  if (cost.total) parts.push(`filter: ${cost.words}`)
  if (isSearched) parts.push('q')
  if (!isNewest(order)) parts.push(`sort by ${order.map(({ name }) => name).join(', ')}`)
  if (skip > deep) parts.push(`a page that begins behind ${skip} records`)
  return parts
}

/** Adds to the error of a read that took too long what makes the request expensive. */
export async function explained<T>(costs: () => string[], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.code === 'query_timeout') {
      const parts = costs()
      if (parts.length) error.message += `. What costs: ${parts.join('; ')}`
    }
    throw error
  }
}

/** The rows of a page, with one more where there is another page: fewer where they are large. */
export async function pageRows(
  ctx: Context,
  record: AnyRecord,
  rows: Selection,
  { shape, order, size, skip = 0, keys }: PageWindow,
): Promise<{ rows: Cells[]; isCut: boolean }> {
  const query = page(ctx, shape, record, rows.condition, order, window(size, skip), keys)
  const cost = costOf(rows, { order, size, skip })
  return explained(
    () => costly(rows, order, skip),
    () => ctx.reading(cost, record.table).page(query, ctx.limits.pageBytes),
  )
}

type PageWindow = { shape: Shape; order: Sort[]; size: number; skip?: number; keys?: Query[] }

/**
 * The rows of a page first, what they show of other records after: the planner cannot tell how many
 * rows a filter leaves, and would look up the others of all of them before it sorts.
 */
function page(
  ctx: Context,
  shape: Shape,
  record: AnyRecord,
  condition: Query,
  order: Sort[],
  limits: Query,
  extra: Query[] = [],
): Query {
  const columns = sql.join([columnsWithRights(ctx, shape, record), ...extra])
  const by = orderBy(order)
  const table = sql.table(record.table)
  if (order.every(({ join }) => !join))
    return sql`select ${columns} from (
        select t.* from ${table} t where ${condition} order by ${by} ${limits}
      ) t ${joinsFor(ctx, shape)} order by ${by}`
  // joined rows are sorted by their ids alone: whole ones would take twice as long
  const joins = joinsOf(order)
  const ids = sql`select t.id from ${table} t ${joins} where ${condition} order by ${by} ${limits}`
  return sql`select ${columns} from ${table} t ${joins} ${joinsFor(ctx, shape)}
    where ${mine(ctx)} and t.id = any(array(${ids})) order by ${by}`
}

/**
 * One row more than the page, to know whether there is another. The size is literal text: behind a
 * parameter the planner would expect a tenth of the table and never settle on a generic plan.
 */
function window(size: number, skip: number): Query {
  const offset = skip ? sql` offset ${skip}` : sql``
  return sql`${sql.raw(`limit ${size + 1}`)}${offset}`
}

/** The rows behind the one that has these values. */
export function afterValues(order: Sort[], values: string[]): Query {
  const casted = order.map((key, i) => sql`${values[i]}::${sql.raw(key.cast)}`)
  const [first] = order
  if (first && order.every((key) => key.descends === first.descends)) {
    // one row comparison is what an index can serve
    const left = sql.join(order.map((key) => key.value))
    return sql`(${left}) ${sql.raw(first.descends ? '<' : '>')} (${sql.join(casted)})`
  }
  const steps = order.map((key, i) => {
    const equals = order.slice(0, i).map((each, j) => sql`${each.value} = ${casted[j]}`)
    const step = sql`${key.value} ${sql.raw(key.descends ? '<' : '>')} ${casted[i]}`
    return sql`(${all(...equals, step)})`
  })
  return sql`(${sql.join(steps, sql` or `)})`
}

import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { compiled } from './filter-registry.ts'
import { all, sql } from '../ground/sql.ts'
import { scope } from '../record/scope.ts'
import { searchCandidates } from './text-search.ts'
import { columnOf, fieldNamed } from '../record/record.ts'
import type { Shape } from './json.ts'
import { columnsFor, joinsFor } from './json.ts'
import type { Sort } from './sort.ts'
import { orderBy } from './sort.ts'

/**
 * The rows of a list as a condition over `t`: the caller's scope, `q`, the filter, and `extra`. `also`
 * are filters compiled elsewhere whose texts the search index may use. 400 for a wrong filter.
 */
export async function conditions(
  ctx: Context,
  record: AnyRecord,
  query: { q?: string; filter?: unknown },
  extra?: Query,
  also: unknown[] = [],
): Promise<Query> {
  const hasFilter = query.filter !== undefined && query.filter !== ''
  const filter = hasFilter ? await compiled(ctx, record, query.filter, 'filter') : undefined
  // compiled already: what is text is JSON
  const parsed: unknown =
    hasFilter && typeof query.filter === 'string' ? JSON.parse(query.filter) : query.filter
  return all(
    scope(ctx, record, 'read'),
    await searchCandidates(ctx, record, query.q, [parsed, ...also]),
    filter,
    query.q ? looksLike(record, query.q) : undefined,
    extra,
  )
}

function looksLike(record: AnyRecord, q: string): Query {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const matches = record.search.map(
    (name) => sql`${sql.raw(columnOf(name, fieldNamed(record, name)))} ilike ${pattern}`,
  )
  return sql`(${sql.join(matches, sql` or `)})`
}

/** How many rows meet a condition over `t`. */
export async function count(ctx: Context, record: AnyRecord, condition: Query): Promise<number> {
  const row = await ctx.one<{ n: number }>(
    sql`select count(*) as n from ${sql.table(record.table)} t where ${condition}`,
  )
  return row?.n ?? 0
}

/**
 * The rows of a page first, what they show of other records after: the planner cannot tell how many
 * rows a filter leaves, and would look up the others of all of them before it sorts.
 */
export function page(
  ctx: Context,
  shape: Shape,
  record: AnyRecord,
  condition: Query,
  order: Sort[],
  limits: Query,
  extra: Query[] = [],
): Query {
  const columns = sql.join([columnsFor(ctx, shape), ...extra])
  return sql`select ${columns} from (
      select t.* from ${sql.table(record.table)} t where ${condition}
      order by ${orderBy(order)} ${limits}
    ) t ${joinsFor(ctx, shape)} order by ${orderBy(order)}`
}

/**
 * One row more than the page, to know whether there is another. The size is literal text: behind a
 * parameter the planner would expect a tenth of the table and never settle on a generic plan.
 */
export function window(size: number, skip: number): Query {
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

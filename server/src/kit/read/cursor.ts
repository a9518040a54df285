import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { Answer, Json } from '../ground/operation.ts'
import { linkedSorts } from './filter-registry.ts'
import { sortsOf } from './sort.ts'
import { pageTexts, shapeFor } from './json.ts'
import { sql, all } from '../ground/sql.ts'
import type { Sort } from './sort.ts'
import { badField } from '../ground/errors.ts'
import { createHash } from 'node:crypto'
import { conditions, pageRows, count, afterValues } from './selection.ts'
import { sizeUnderEitherName } from './page.ts'

/** The query of such a list. A filter is JSON text, or parsed already. */
export type CursorQuery = {
  limit?: number
  items_per_page?: number
  page?: number
  sort?: string
  /** text to search for, which `words` bind the cursor to */
  q?: string
  filter?: unknown
  next_cursor?: string
  /** the parameter that `next_cursor` came in, which a refusal names */
  cursor_name?: string
  include_count?: boolean
}

/**
 * A page by cursor: `{results, next_cursor}`, and `count` when requested. The cursor contains the last
 * row's sort values, so it costs the same at any depth and is stable while rows are inserted; with
 * another sort or filter it is 400. A page of large records is shorter. `extra` restricts the list, its
 * `words` bind the cursor to it, and `only` names the fields of a row.
 */
export async function listCursor(
  ctx: Context,
  record: AnyRecord,
  query: CursorQuery,
  extra?: { condition: Query; words: string; only?: string[] | undefined },
): Promise<Answer> {
  const size = sizeUnderEitherName(query) ?? 20
  const linked = await linkedSorts(ctx, record, query.sort)
  const order = sortsOf(ctx, record, query.sort, false, linked)
  const bound = fingerprint(record, order, extra ? [query.filter, extra.words] : query.filter)
  const after = query.next_cursor
    ? afterCursor(order, bound, query.next_cursor, query.cursor_name)
    : undefined
  const skip = !after && query.page ? (query.page - 1) * size : 0
  const selection = await conditions(ctx, record, query, extra?.condition)
  const condition = all(selection.condition, after)
  const shape = shapeFor(ctx, record, extra?.only)
  const keys = order.map((key) => sql`(${key.value})::text`)
  // before the rows, which would stay in memory while the count waits for its turn
  const total = query.include_count ? await count(ctx, record, selection) : undefined
  const window = { shape, order, size, skip, keys }
  const found = await pageRows(ctx, record, { ...selection, condition }, window)
  const { texts, last, more } = await pageTexts(ctx, shape, found, size)
  const next = more && last ? cursorAfter(order, bound, last) : null
  const counted = total === undefined ? '' : `,"count":${total}`
  const end = `],"next_cursor":${JSON.stringify(next)}${counted}}`
  return new Answer(Json.of('{"results":[', texts, end))
}

/**
 * The condition that rows come after a cursor; 400 naming the parameter `name` for a cursor of another
 * list, sort or filter.
 */
export function afterCursor(
  order: Sort[],
  bound: string,
  cursor: string,
  name = 'next_cursor',
): Query {
  const wrong = badField(name, 'is not a cursor of this list with this sort and filter')
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong
  }
  if (!Array.isArray(decoded) || decoded.length !== order.length + 1 || decoded[0] !== bound)
    throw wrong
  const values = decoded.slice(1)
  if (!values.every((value) => typeof value === 'string' && !value.includes('\0'))) throw wrong
  return afterValues(order, values as string[])
}

/** The cursor after the row that ends with the values of the sort. */
export function cursorAfter(order: Sort[], bound: string, row: (string | null)[]): string {
  const values = row.slice(-order.length)
  return Buffer.from(JSON.stringify([bound, ...values])).toString('base64url')
}

/** What a cursor is bound to: the list, its sort, and what selects its rows. */
export function fingerprint(record: AnyRecord, order: Sort[], filter: unknown): string {
  const parts = [
    record.module,
    order.map(({ name, descends }) => `${name}${descends}`),
    filter ?? '',
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
}

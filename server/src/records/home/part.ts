import type { Context, Query } from '../../kit/ground/context.ts'
import type { Answer, Json } from '../../kit/ground/operation.ts'
import { listPage } from '../../kit/read/list.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import type { List, Part, Row } from './shape.ts'

/** What a part of Home shows: the first rows of a list that has an address, as rows of Home. */
export type Listed<T> = {
  record: AnyRecord
  list: List
  fields: string
  size: number
  /** a condition over `t` that the list itself has */
  extra?: Query
  row: (stored: T) => Row
}

/** A part of Home: its first rows, and how many the list behind it has. Two queries at most. */
export async function partOf<T>(ctx: Context, listed: Listed<T>): Promise<Part> {
  const { record, list, fields, size, extra, row } = listed
  const query = { filter: list.filter, sort: list.sort }
  const answer = await listPage(ctx, record, { ...query, fields, items_per_page: size }, extra)
  const rows = rowsOf<T>(answer).map(row)
  const count = answer.meta.page?.more ? await countOf(ctx, listed) : rows.length
  return { rows, count, list, is_failed: false }
}

/** How many rows a list has. */
async function countOf(
  ctx: Context,
  { record, list, extra }: Pick<Listed<never>, 'record' | 'list' | 'extra'>,
): Promise<number> {
  const query = { filter: list.filter, items_per_page: 1, include_count: true, fields: record.key }
  const { meta } = await listPage(ctx, record, query, extra)
  return meta.page?.total ?? 0
}

/** The part, or that it could not be read: a fault of one part leaves the others as they are. */
export function orFailed(ctx: Context, part: Promise<Part>): Promise<Part> {
  return orElse(ctx, part, { rows: [], count: 0, list: null, is_failed: true })
}

/** What a part of Home reads, or something in its place where it could not be read. */
export async function orElse<T>(ctx: Context, read: Promise<T>, instead: T): Promise<T> {
  try {
    return await read
  } catch (error) {
    ctx.log.warn({ err: error }, 'a part of Home could not be read')
    return instead
  }
}

/** The rows of a list's answer. */
export function rowsOf<T>({ body }: Answer): T[] {
  return JSON.parse((body as Json).text) as T[]
}

/** A condition that one of these people stands in a field. */
export function whoIs(field: string, people: string[]) {
  const [only] = people
  return people.length === 1
    ? { field, operator: 'eq', value: only }
    : { field, operator: 'in', value: people }
}

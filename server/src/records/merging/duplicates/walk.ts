import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { forReader, linkedId } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { Likeness, Row, Walk } from './likeness.ts'

/**
 * The number of rows that one step of a walk reads, which limits its cost. Equal values are found by the
 * database; pairs of similar ones cost about 5 µs each.
 */
const windowSizes = { same: 20_000, similar: 1500 }

/** The number of following names with which a name is compared. */
export const neighbours = 5

/** Sorts after every id. */
export const afterAll = '~'

/** A position on a walk: after this value and id. */
export type Place = { at: number; walk: Walk; value: string; id: string }

/** The rows that one step of a walk reads. */
export type Window = {
  rows: Row[]
  /** the rows before it have had all their comparisons */
  complete: number
  /** where the next window begins; undefined at the end of the walk */
  end: Place | undefined
}

/** The beginning of a walk; undefined after the last walk. */
export function startOf({ walks }: Likeness, at: number): Place | undefined {
  const walk = walks[at]
  return walk && { at, walk, value: '', id: '' }
}

/** The position of a row on its walk. */
export function placeOf({ at, walk }: Place, row: Row): Place {
  return { at, walk, value: String(row[walk.column]), id: row.id }
}

/** The next rows of a walk. */
export function readWindow(ctx: Context, record: AnyRecord, likeness: Likeness, place: Place) {
  return place.walk.similar
    ? readNeighbouring(ctx, record, likeness, place)
    : readRepeated(ctx, record, likeness, place)
}

/** The next rows of a walk, with the following ones with which the last are compared. */
async function readNeighbouring(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  place: Place,
): Promise<Window> {
  const size = windowSizes.similar + neighbours
  const rows = await ctx.all<Row>(along(ctx, record, likeness, place, size))
  const complete = windowSizes.similar
  const last = rows.length < size ? undefined : rows[complete - 1]
  if (!last) return { rows, complete: rows.length, end: undefined }
  return { rows, complete, end: placeOf(place, last) }
}

/** The next rows of a walk whose value occurs more than once, and the last row. */
async function readRepeated(
  ctx: Context,
  record: AnyRecord,
  likeness: Likeness,
  place: Place,
): Promise<Window> {
  const { column } = place.walk
  const size = windowSizes.same
  const at = sql.ref(`t.${column}`)
  const rows = await ctx.all<Row & { n: number }>(sql`
    select * from (
      select t.*, row_number() over line as n,
        ${at} is not distinct from lag(${at}) over line as is_like_previous,
        lead(${at}) over line as next
      from (${along(ctx, record, likeness, place, size)}) t window line as (order by ${at}, t.id)
    ) t where is_like_previous or ${at} = next or next is null`)
  const last = rows.at(-1)
  if (!last || last.n < size) return { rows, complete: rows.length, end: undefined }
  // the last value may continue after the window; one that fills the window is cut there
  const value = String(last[column])
  const complete = rows.findIndex((row) => row[column] === value)
  if (rows.length < size || complete > 0) {
    return { rows, complete, end: { ...place, value, id: '' } }
  }
  return { rows, complete: size, end: { ...place, value, id: afterAll } }
}

function along(
  ctx: Context,
  record: AnyRecord,
  { walks, apart }: Likeness,
  { walk, value, id }: Place,
  size: number,
): Query {
  const at = sql.ref(`t.${walk.column}`)
  const names = [...walks.map(({ column }) => column), ...(apart ? [apart.column] : [])]
  const columns = names.map((name) => {
    const link = Object.entries(record.fields).find(([, { column }]) => column === name)?.[1]
    const { reference } = link ?? {}
    // a company that the caller may not read must not count as something in common
    if (!reference?.to) return sql.ref(`t.${name}`)
    return sql`${forReader(ctx, linkedId(reference.table, `t.${name}`))} as ${sql.ref(name)}`
  })
  return sql`
    select t.id, ${sql.join(columns)} from ${sql.table(record.table)} t
    where ${all(scope(ctx, record, 'read'), sql`${at} is not null`)}
      and (${at}, t.id) > (${value}, ${id})
    order by ${at}, t.id ${sql.raw(`limit ${size}`)}`
}

/** A position as a cursor of the list. */
export function encodePlace({ module }: AnyRecord, { at, value, id }: Place): string {
  return Buffer.from(JSON.stringify([module, at, value, id])).toString('base64url')
}

/** The position of a cursor; 400 if it does not belong to this list. */
export function decodePlace({ walks }: Likeness, { module }: AnyRecord, cursor: string): Place {
  const wrong = badField('next_cursor', 'is not a cursor of this list')
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrong
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== module) throw wrong
  const [, at, value, id] = parts as unknown[]
  if (typeof at !== 'number' || typeof value !== 'string' || typeof id !== 'string') throw wrong
  const walk = walks[at]
  const isClean = !`${value}${id}`.includes('\0') && `${value}${id}`.isWellFormed()
  if (!isClean || !walk) throw wrong
  return { at, walk, value, id }
}

import { Type } from 'typebox'
import type { Context } from '../ground/context.ts'
import { badField, badFields, conflict, notFound } from '../ground/errors.ts'
import { orNull } from '../ground/json-schema.ts'
import { all, sql } from '../ground/sql.ts'
import type { Place, PlaceColumns } from '../record/rank.ts'
import { between, isAhead, placesIn, textOf } from '../record/rank.ts'
import type { AnyRecord } from '../record/record.ts'
import { capitalized } from '../record/record.ts'
import { scope } from '../record/scope.ts'

const neighbour = (description: string) =>
  Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 25, description })))

/** What a body says of the new place of a record. */
export const placeProperties = {
  before: neighbour('the record directly behind it'),
  after: neighbour('the record directly ahead of it'),
}

/** For descriptions of operations that move a record. */
export const moveDescription =
  'Puts it behind `after` and ahead of `before` (one of them may be absent), and changes the fields in `set`, in one write. Lists sorted by `position` or `rank` show it there. 409 `order_changed` if the order of the two has changed.'

/** 400 for a move that neither names a place nor changes anything. */
export function checkMove(place: PlaceColumns | undefined, set: object) {
  if (!place && !Object.keys(set).length) throw badField('before', 'is required, or after, or set')
}

export type Neighbours = { before?: string | null; after?: string | null }

/** What records are next to each other: those of the same value in a column. */
type Within = { column: string; isStrict: boolean }

type Neighbour = Place & { id: string; group: string | null }

/** The longest text of a place: some thousand moves into the very same gap. */
const longest = 1000

/**
 * The columns that put a record behind `after` and ahead of `before`, of which one may be missing; none
 * where both are. They and the record are locked, so that moves into the same gap follow each other.
 * `within` is the column whose value decides what is next to a record, and which they must have in
 * common where it `isStrict`. 404 for a record that the caller cannot see,
 * 400 for neighbours that it cannot see or that are no such, 409 if the order has changed.
 */
export async function placeBetween(
  ctx: Context,
  record: AnyRecord,
  id: string,
  neighbours: Neighbours,
  within: Within,
): Promise<PlaceColumns | undefined> {
  const named = { before: neighbours.before ?? undefined, after: neighbours.after ?? undefined }
  const ids = [id, named.before, named.after].filter((each) => each !== undefined)
  const rows = await lockNeighbours(ctx, record, ids, within.column)
  const own = rows.get(id)
  if (!own) throw notFound(capitalized(record.word))
  const wrong = Object.entries(named).flatMap(([field, other]) => {
    const message = other === undefined ? undefined : refusal(record, own, rows.get(other), within)
    return message ? [{ field, message }] : []
  })
  if (wrong.length) throw badFields(wrong)
  const gap = await gapAt(ctx, record, id, rows, named, within)
  if (!gap) return undefined
  const place = between(...gap)
  checkRoom([place])
  return place
}

/**
 * The columns of so many new records in a row, behind `after` and ahead of `before`, of those with a `value` in a
 * column; none where both are missing. Locks and refuses as for one that moves.
 */
export async function placesBetween(
  ctx: Context,
  record: AnyRecord,
  count: number,
  neighbours: Neighbours,
  { column, value }: { column: string; value: string },
): Promise<PlaceColumns[] | undefined> {
  const named = { before: neighbours.before ?? undefined, after: neighbours.after ?? undefined }
  const ids = [named.before, named.after].filter((each) => each !== undefined)
  if (!ids.length || !count) return undefined
  const rows = await lockNeighbours(ctx, record, ids, column)
  const wrong = Object.entries(named).flatMap(([field, other]) =>
    other === undefined || rows.get(other)?.group === value
      ? []
      : [{ field, message: `no such ${record.word}` }],
  )
  if (wrong.length) throw badFields(wrong)
  const gap = await gapAt(ctx, record, '', rows, named, { column })
  if (!gap) return undefined
  const places = placesIn(count, ...gap)
  checkRoom(places)
  return places
}

async function lockNeighbours(ctx: Context, record: AnyRecord, ids: string[], column: string) {
  const found = await ctx.all<Neighbour>(sql`
    select t.id, coalesce(t.position, 0) as position, ${sql.raw(textOf('t'))} as text,
      ${sql.ref(`t.${column}`)} as "group"
    from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.id = any(${ids}) order by t.id for update`)
  return new Map(found.map((row) => [row.id, row]))
}

type Named = { before: string | undefined; after: string | undefined }

/** What is right ahead and right behind a place; `own` is the id of what moves there. */
async function gapAt(
  ctx: Context,
  record: AnyRecord,
  own: string,
  rows: Map<string, Neighbour>,
  named: Named,
  { column }: Pick<Within, 'column'>,
): Promise<[Place | undefined, Place | undefined] | undefined> {
  const [after, before] = [rows.get(named.after ?? ''), rows.get(named.before ?? '')]
  if (!after && !before) return undefined
  if (after && after.id === before?.id) throw badField('before', 'must differ from after')
  if (after && before && !isAhead(after, before)) {
    throw conflict('The order of these records has changed: read them again', 'order_changed')
  }
  return [
    after ?? (before && (await nearest(ctx, record, own, before, column, 'after'))),
    before ?? (after && (await nearest(ctx, record, own, after, column, 'before'))),
  ]
}

function checkRoom(places: PlaceColumns[]) {
  if (places.some(({ rank }) => (rank?.length ?? 0) > longest)) {
    throw conflict('There is no room between these records: set their position', 'order_full')
  }
}

function refusal(
  record: AnyRecord,
  own: Neighbour,
  other: Neighbour | undefined,
  { isStrict }: Within,
) {
  if (!other) return `no such ${record.word}`
  if (other.id === own.id) return 'is the record itself'
  return other.group === own.group || !isStrict
    ? undefined
    : `is not in the same list as the ${record.word}`
}

/** The record right ahead of another one, or right behind it, whether or not the caller sees it. */
async function nearest(
  ctx: Context,
  record: AnyRecord,
  own: string,
  to: Neighbour,
  column: string,
  side: 'after' | 'before',
): Promise<Place | undefined> {
  const text = sql.raw(textOf('t'))
  const isBehind = side === 'before'
  const direction = sql.raw(isBehind ? 'asc' : 'desc')
  return ctx.one<Place>(sql`
    select coalesce(t.position, 0) as position, ${text} as text
    from ${sql.table(record.table)} t
    where ${all(
      sql`t.organization_id = ${ctx.organization.id}`,
      sql`t.deleted_at is null and t.id not in (${own}, ${to.id})`,
      sql`${sql.ref(`t.${column}`)} is not distinct from ${to.group}`,
      sql`(coalesce(t.position, 0), ${text}) ${sql.raw(isBehind ? '>' : '<')}
        (${to.position}::int, ${to.text}::text collate "C")`,
    )}
    order by coalesce(t.position, 0) ${direction}, ${text} ${direction} limit 1`)
}

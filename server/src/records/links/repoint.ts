import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { Link } from './links.ts'

// The common part of a merge and a hand-over: changes references from one record to another.

/** A stored row of a record's table. */
type Stored = { [column: string]: unknown }

/** The rows whose links were changed. */
export type Step = { from: Stored; to: Stored; rows: Touched[] }

/** A row that was changed, and whether it is not deleted. */
export type Touched = { id: string; is_alive: boolean }

/** Changes the links of those rows that still point to `now`. */
export async function point(
  ctx: Context,
  link: Link,
  ids: string[],
  now: unknown,
  to: unknown,
): Promise<Touched[]> {
  if (!ids.length) return []
  const { table, column, record, isJson } = link
  const at = sql.ref(`t.${column}`)
  // ids are unique as texts, wherever they are in the JSON
  const pointed = isJson
    ? sql`replace(${at}::text, ${`"${String(now)}"`}, ${`"${String(to)}"`})::jsonb`
    : sql`${to}`
  const version = record
    ? sql`, version = t.version + 1, last_update_time = ${ctx.now().toISOString()}`
    : sql``
  const alive = record?.life.softDelete ? sql`t.deleted_at is null` : sql`true`
  return ctx.all<Touched>(sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = ${pointed} ${version}
    where ${all(mine(ctx), sql`t.id = any(${ids})`, names(link, now), onlyOf(link))}
    returning t.id, ${alive} as is_alive`)
}

/** Whether a row of `t` has an id in the link's column. */
export function names({ column, isJson }: Link, id: unknown): Query {
  const at = sql.ref(`t.${column}`)
  return isJson ? sql`(position(${`"${String(id)}"`} in ${at}::text) > 0)` : sql`${at} = ${id}`
}

export function onlyOf({ only, module }: Link): Query | undefined {
  const ofModule = module && sql`${sql.ref(`t.${module.column}`)} = ${module.number}`
  const ofRecord = only ? sql.raw(only) : undefined
  return ofModule || ofRecord ? all(ofModule, ofRecord) : undefined
}

/** Writes the log entries and events of the moved records, and returns the ids of all moved rows; `because` is the reason in the log. */
export async function announceMoved(
  ctx: Context,
  because: string,
  link: Link,
  steps: Step[],
): Promise<string[]> {
  const { record, field = link.column } = link
  const moved: string[][] = []
  for (const { from, to, rows } of steps) {
    const alive = rows.filter(({ is_alive }) => is_alive).map(({ id }) => id)
    moved.push(alive)
    if (!record) continue
    const change = { field, from: asShown(record, field, from), to: asShown(record, field, to) }
    await announceAll(ctx, record, 'updated', alive, [change], { more: { because } })
  }
  return moved.flat()
}

/** A linked row as a read of the field shows it. */
function asShown(record: AnyRecord, field: string, row: Stored): unknown {
  const shows = record.fields[field]?.reference?.shows
  if (!shows) return row.id
  const parts = Object.entries(shows).map(([name, { column }]) => [name, row[column] ?? null])
  return Object.fromEntries(parts)
}

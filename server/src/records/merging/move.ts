import type { Context, Query } from '../../kit/ground/context.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { Stored } from './fields.ts'
import type { Link } from '../links.ts'
import { linksTo } from '../links.ts'

/** What moved: how many rows of a table, by the field that points to another record now. */
export type Moved = { module: string; field: string; count: number; ids: string[] }

/** The one that stays, and those that become part of it, as they are stored. */
export type Group = { merge_id: string; primary: Stored; merged: Stored[] }

/** Makes everything that points to the merged records point to the primary, and stores where it pointed. */
export async function moveLinks(ctx: Context, record: AnyRecord, group: Group): Promise<Moved[]> {
  const moved: Moved[] = []
  const to = group.primary
  for (const link of movable(record)) {
    const steps: Step[] = []
    for (const from of group.merged) {
      const ids = await storeLinks(ctx, record, link, group, String(from.id))
      steps.push({ from, to, rows: await point(ctx, link, ids, from.id, to.id) })
    }
    moved.push(await announceMoved(ctx, record, link, steps))
  }
  return moved.filter(({ count }) => count)
}

/** Brings back what still points to the primary; what was pointed elsewhere since stays there. */
export async function moveBack(ctx: Context, record: AnyRecord, group: Group): Promise<Moved[]> {
  const moved: Moved[] = []
  const from = group.primary
  for (const link of movable(record)) {
    const steps: Step[] = []
    const stored = await storedLinks(ctx, link, group.merge_id)
    for (const to of group.merged) {
      const ids = stored.get(String(to.id)) ?? []
      steps.push({ from, to, rows: await point(ctx, link, ids, from.id, to.id) })
    }
    moved.push(await announceMoved(ctx, record, link, steps))
  }
  return moved.filter(({ count }) => count)
}

/** What points to a record and is no account of the past. */
function movable({ table }: AnyRecord): Link[] {
  return (linksTo[table] ?? []).filter(({ isHistory }) => !isHistory)
}

/** The rows that one record's links led to another by. */
type Step = { from: Stored; to: Stored; rows: Touched[] }

/** How many rows of the answer are named by their id. */
const shown = 100

/** Stores which rows point to one merged record, but for the group's own, and returns their ids. */
async function storeLinks(
  ctx: Context,
  record: AnyRecord,
  link: Link,
  group: Group,
  from_id: string,
): Promise<string[]> {
  const { table, column, uniqueWith = [] } = link
  const { merge_id, primary, merged } = group
  const own = [primary, ...merged].map(({ id }) => id)
  const outside = table === record.table ? sql`t.id <> all(${own})` : undefined
  const sameKey = uniqueWith.map((name) => sql`${sql.ref(`o.${name}`)} = ${sql.ref(`t.${name}`)}`)
  const apart = uniqueWith.length
    ? sql`not exists (select from ${sql.table(table)} o
        where ${all(mine(ctx, 'o'), ...sameKey)} and ${sql.ref(`o.${column}`)} = ${primary.id})`
    : link.isJson
      ? sql`not ${names(link, primary.id)}`
      : undefined
  const stored = await ctx.all<{ record_id: string }>(sql`
    insert into merge_moves (organization_id, merge_id, table_name, column_name, record_id, from_id)
    select t.organization_id, ${merge_id}, ${table}, ${column}, t.id, ${from_id}
    from ${sql.table(table)} t
    where ${all(mine(ctx), link.lookUp?.(from_id), names(link, from_id), onlyOf(link), outside, apart)}
    returning record_id`)
  return stored.map(({ record_id }) => record_id)
}

/** The rows that pointed to each merged record before the merge, by its id. */
async function storedLinks(ctx: Context, { table, column }: Link, merge_id: string) {
  const rows = await ctx.all<{ from_id: string; record_id: string }>(sql`
    select from_id, record_id from merge_moves t where ${mine(ctx)} and merge_id = ${merge_id}
      and table_name = ${table} and column_name = ${column}`)
  const ids = new Map<string, string[]>()
  for (const { from_id, record_id } of rows) {
    const known = ids.get(from_id)
    if (known) known.push(record_id)
    else ids.set(from_id, [record_id])
  }
  return ids
}

type Touched = { id: string; is_alive: boolean }

/** Points those of the rows that point to `now` to another one. */
async function point(
  ctx: Context,
  link: Link,
  ids: string[],
  now: unknown,
  to: unknown,
): Promise<Touched[]> {
  if (!ids.length) return []
  const { table, column, record, isJson } = link
  const at = sql.ref(`t.${column}`)
  // ids are unique as texts, wherever in the JSON they stand
  const pointed = isJson
    ? sql`replace(${at}::text, ${`"${String(now)}"`}, ${`"${String(to)}"`})::jsonb`
    : sql`${to}`
  const version = record
    ? sql`, version = t.version + 1, last_update_time = ${ctx.now().toISOString()}`
    : sql``
  const alive = record?.softDelete ? sql`t.deleted_at is null` : sql`true`
  return ctx.all<Touched>(sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = ${pointed} ${version}
    where ${all(mine(ctx), sql`t.id = any(${ids})`, names(link, now), onlyOf(link))}
    returning t.id, ${alive} as is_alive`)
}

/** Whether a row of `t` names an id in the link's column. */
function names({ column, isJson }: Link, id: unknown): Query {
  const at = sql.ref(`t.${column}`)
  return isJson ? sql`(position(${`"${String(id)}"`} in ${at}::text) > 0)` : sql`${at} = ${id}`
}

function onlyOf({ only, module }: Link): Query | undefined {
  const ofModule = module && sql`${sql.ref(`t.${module.column}`)} = ${module.number}`
  const ofRecord = only ? sql.raw(only) : undefined
  return ofModule || ofRecord ? all(ofModule, ofRecord) : undefined
}

/** The log entries and events of the records that moved, and what the answer says of them. */
async function announceMoved(
  ctx: Context,
  target: AnyRecord,
  link: Link,
  steps: Step[],
): Promise<Moved> {
  const { record, table, field = link.column } = link
  let ids: string[] = []
  let count = 0
  for (const { from, to, rows } of steps) {
    const alive = rows.filter(({ is_alive }) => is_alive).map(({ id }) => id)
    ids = [...ids, ...alive.slice(0, shown)]
    count += alive.length
    if (!record) continue
    const change = { field, from: asShown(record, field, from), to: asShown(record, field, to) }
    await announceAll(ctx, record, 'updated', alive, [change], { because: `${target.word}_merge` })
  }
  return { module: record?.module ?? table, field, count, ids: ids.slice(0, shown) }
}

/** A linked row as a read of the field shows it. */
function asShown(record: AnyRecord, field: string, row: Stored): unknown {
  const shows = record.fields[field]?.reference?.shows
  if (!shows) return row.id
  const parts = Object.entries(shows).map(([name, { column }]) => [name, row[column] ?? null])
  return Object.fromEntries(parts)
}

import type { Context, Query } from '../../kit/context.ts'
import { shapeOf, writeRows } from '../../kit/json.ts'
import type { AnyRecord } from '../../kit/record.ts'
import { all, mine, sql } from '../../kit/sql.ts'
import { once, tell } from '../../kit/write.ts'
import type { Stored } from './fields.ts'
import type { Link } from './links.ts'
import { fieldOf, linksTo } from './links.ts'

/** What moved: how many rows of a table, by the field that points to another record now. */
export type Moved = { module: string; field: string; count: number; ids: string[] }

/** The one that stays, and those that become part of it, as they are stored. */
export type Group = { merge_id: string; primary: Stored; merged: Stored[] }

/** Makes everything that points to the merged records point to the primary, and notes whence it came. */
export async function moveLinks(ctx: Context, record: AnyRecord, group: Group): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const link of linksTo[record.module] ?? []) {
    for (const row of group.merged) await note(ctx, record, link, group, String(row.id))
    const rows = await point(ctx, link, group.merge_id, sql`${group.primary.id}`, sql`m.from_id`)
    moved.push(
      await told(ctx, record, link, rows, (row) => [find(group, row.from_id), group.primary]),
    )
  }
  return moved.filter(({ count }) => count)
}

/** Brings back what still points to the primary; what was pointed elsewhere since stays there. */
export async function moveBack(ctx: Context, record: AnyRecord, group: Group): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const link of linksTo[record.module] ?? []) {
    const rows = await point(ctx, link, group.merge_id, sql`m.from_id`, sql`${group.primary.id}`)
    moved.push(
      await told(ctx, record, link, rows, (row) => [group.primary, find(group, row.from_id)]),
    )
  }
  return moved.filter(({ count }) => count)
}

/** How many rows of the answer are named by their id. */
const shown = 100
/** How many records are read at a time for those who are told of them. */
const batch = 500

/** Notes what points to one merged record, and moves. The group's own rows are not others. */
async function note(ctx: Context, record: AnyRecord, link: Link, group: Group, from_id: string) {
  const { table, column, uniqueWith = [] } = link
  const at = sql.ref(`t.${column}`)
  const { merge_id, primary, merged } = group
  const own = [primary, ...merged].map(({ id }) => id)
  const outside = table === record.table ? sql`t.id <> all(${own})` : undefined
  const sameKey = uniqueWith.map((name) => sql`${sql.ref(`o.${name}`)} = ${sql.ref(`t.${name}`)}`)
  const apart = uniqueWith.length
    ? sql`not exists (select from ${sql.table(table)} o where ${all(mine(ctx, 'o'), ...sameKey)}
        and (${sql.ref(`o.${column}`)} = ${primary.id} or exists (
          select from merge_moves m where ${mine(ctx, 'm')} and m.merge_id = ${merge_id}
            and m.table_name = ${table} and m.column_name = ${column} and m.record_id = o.id)))`
    : undefined
  await ctx.run(sql`
    insert into merge_moves (organization_id, merge_id, table_name, column_name, record_id, from_id)
    select t.organization_id, ${merge_id}, ${table}, ${column}, t.id, ${from_id}
    from ${sql.table(table)} t where ${all(mine(ctx), sql`${at} = ${from_id}`, outside, apart)}`)
}

type Touched = { id: string; from_id: string; is_alive: boolean }

/** Points the noted rows that are at `now` to `to`; both are SQL over the note `m`. */
function point(
  ctx: Context,
  link: Link,
  merge_id: string,
  to: Query,
  now: Query,
): Promise<Touched[]> {
  const { table, column, record } = link
  const version = record
    ? sql`, version = t.version + 1, last_update_time = ${ctx.now().toISOString()}`
    : sql``
  const alive = record?.softDelete ? sql`t.deleted_at is null` : sql`true`
  return ctx.all<Touched>(sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = ${to} ${version}
    from merge_moves m
    where ${mine(ctx)} and ${mine(ctx, 'm')} and m.merge_id = ${merge_id}
      and m.table_name = ${table} and m.column_name = ${column}
      and t.id = m.record_id and ${sql.ref(`t.${column}`)} = ${now}
    returning t.id, m.from_id, ${alive} as is_alive`)
}

/** The log entries and events of the records that moved, and what the answer says of them. */
async function told(
  ctx: Context,
  target: AnyRecord,
  link: Link,
  rows: Touched[],
  ends: (row: Touched) => [from: Stored, to: Stored],
): Promise<Moved> {
  const { record, table } = link
  const field = fieldOf(link)
  const alive = rows.filter(({ is_alive }) => is_alive)
  for (let at = 0; record && at < alive.length; at += batch) {
    const some = alive.slice(at, at + batch)
    const ids = some.map(({ id }) => id)
    const texts = once(() => textsOf(ctx, record, ids))
    const after = await versionsOf(ctx, record, ids)
    for (const row of some) {
      const [from, to] = ends(row).map((end) => asShown(record, field, end))
      const json = async () => (await texts()).get(row.id)!
      const changes = [{ field, from, to }]
      const more = { because: `${target.word}_merge` }
      await tell(ctx, record, 'updated', { ...after.get(row.id)!, json, changes, more })
    }
  }
  const ids = alive.slice(0, shown).map(({ id }) => id)
  return { module: record?.module ?? table, field, count: alive.length, ids }
}

async function versionsOf(ctx: Context, record: AnyRecord, ids: string[]) {
  const found = await ctx.all<{ id: string; version: number; title: string }>(sql`
    select t.id, t.version, ${sql.ref(`t.${record.title}`)} as title
    from ${sql.table(record.table)} t where ${mine(ctx)} and t.id = any(${ids})`)
  return new Map(found.map((row) => [row.id, row]))
}

/** The records as reads give them, for those who are told. */
async function textsOf(ctx: Context, record: AnyRecord, ids: string[]) {
  const shape = shapeOf(record)
  const cells = await ctx.cells(sql`select ${sql.raw(shape.select)}
    from ${sql.table(record.table)} t ${sql.raw(shape.joins)}
    where ${mine(ctx)} and t.id = any(${ids})`)
  const texts = await writeRows(ctx, shape, cells)
  return new Map(cells.map(([id], i) => [id!, texts[i]!]))
}

/** A linked row as a read of the field shows it. */
function asShown(record: AnyRecord, field: string, row: Stored): unknown {
  const shows = record.fields[field]?.reference?.shows
  if (!shows) return row.id
  const parts = Object.entries(shows).map(([name, { column }]) => [name, row[column] ?? null])
  return Object.fromEntries(parts)
}

function find({ merged }: Group, id: string): Stored {
  return merged.find((row) => row.id === id)!
}

import type { Context } from '../../kit/ground/context.ts'
import { readable } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { Stored } from './fields.ts'
import type { Link } from '../links/links.ts'
import { linksTo } from '../links/links.ts'
import type { Step } from '../links/repoint.ts'
import { announceMoved, names, onlyOf, point } from '../links/repoint.ts'

/** The rows of the record that stays, and of those that are merged into it. */
export type Group = { merge_id: string; primary: Stored; merged: Stored[] }

/** The number of records whose field was changed, and the ids of the first hundred. */
export type Moved = { module: string; field: string; count: number; ids: string[] }

/** Changes all references to the merged records to the primary, and stores the former ones. */
export async function moveLinks(ctx: Context, record: AnyRecord, group: Group): Promise<Moved[]> {
  const moved: Moved[] = []
  const to = group.primary
  for (const link of movable(record)) {
    const steps: Step[] = []
    for (const from of group.merged) {
      const ids = await storeLinks(ctx, record, link, group, String(from.id))
      steps.push({ from, to, rows: await point(ctx, link, ids, from.id, to.id) })
    }
    const ids = await announceMoved(ctx, `${record.word}_merge`, link, steps)
    moved.push(...(await shownOf(ctx, link, ids)))
  }
  return moved
}

/** Restores references that still point to the primary; those changed since stay as they are. */
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
    const ids = await announceMoved(ctx, `${record.word}_merge`, link, steps)
    moved.push(...(await shownOf(ctx, link, ids)))
  }
  return moved
}

/** The moved rows for an answer: those of records that the caller may read. */
async function shownOf(
  ctx: Context,
  { record, column, field = column }: Link,
  ids: string[],
): Promise<Moved[]> {
  if (!record || !ids.length) return []
  const may = readable(ctx, record.table)
  const seen = may
    ? await ctx.all<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
        where ${all(mine(ctx), may, sql`t.id = any(${ids})`)} order by t.id`)
    : ids.map((id) => ({ id }))
  if (!seen.length) return []
  const first = seen.slice(0, 100).map(({ id }) => id)
  return [{ module: record.module, field, count: seen.length, ids: first }]
}

/** The links to a record, except those in its history. */
function movable({ table }: AnyRecord): Link[] {
  return (linksTo[table] ?? []).filter(({ isHistory }) => !isHistory)
}

/** Stores which rows point to one merged record, except those of the group itself, and returns their ids. */
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
    insert into merge_moves as m (organization_id, merge_id, table_name, column_name, record_id,
      from_id)
    select t.organization_id, ${merge_id}, ${table}, ${column}, t.id, ${from_id}
    from ${sql.table(table)} t
    where ${all(mine(ctx), link.lookUp?.(from_id), names(link, from_id), onlyOf(link), outside, apart)}
    returning m.record_id`)
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

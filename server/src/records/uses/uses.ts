import { notFound } from '../../kit/ground/errors.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readable } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { records } from '../../model/all.ts'
import type { Link } from '../links/links.ts'
import { linksTo } from '../links/links.ts'
import { names, onlyOf } from '../links/repoint.ts'
import { namingsOf, wordKinds } from './words.ts'

/** Records of one kind that name the record in one field. */
export type Use = {
  word: string
  module: string
  field: string
  /** those that the caller may read, and how many others there are */
  count: number
  hidden: number
  /** the first of those that the caller may read */
  records: { id: string; name: string | null }[]
  /** what a delete does to them until it is undone */
  effect: 'shown_empty' | 'without_effect'
}

/** The largest number of records that are named for each kind. */
const mostNamed = 5

/**
 * What names a custom field, an option or a status, or a record that the caller may delete, by the columns that merges and hand-overs use too: reference
 * fields, and ids inside JSON such as the conditions of filters and automations, widgets and templates. 404 for an
 * unknown module, and for a record that the caller may not delete.
 */
export async function usesOf(ctx: Context, module: string, id: string): Promise<Use[]> {
  const kind = wordKinds.find((each) => each === module)
  if (kind) {
    const namings = await namingsOf(ctx, kind, id)
    return readUses(
      ctx,
      namings.flatMap(({ link, condition }) => usesThrough(ctx, link, condition) ?? []),
    )
  }
  const record =
    records.find(({ word }) => word === module) ?? records.find((each) => each.module === module)
  if (!record) throw notFound('module')
  const found = await ctx.one(sql`
    select t.id from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'delete')} and t.id = ${id}`)
  if (!found) throw notFound(record.word)
  const asked = (linksTo[record.table] ?? []).flatMap(ofRecords).flatMap((link) => {
    const query = usesThrough(ctx, link, all(link.lookUp?.(id), names(link, id)))
    return query ? [query] : []
  })
  return readUses(ctx, asked)
}

/** A link of a table as one for each record that shows its column, such as the pipeline of deals. */
function ofRecords(link: Link): Link[] {
  if (link.record) return [link]
  return records
    .filter(({ table, fields }) => table === link.table && Object.hasOwn(fields, link.column))
    .map((record) => ({ ...link, record, ...(record.only ? { only: record.only } : {}) }))
}

async function readUses(ctx: Context, asked: Query[]): Promise<Use[]> {
  if (!asked.length) return []
  const rows = await ctx.all<{
    word: string
    field: string
    is_json: boolean
    count: number
    visible: number
    named: Use['records'] | null
  }>(sql`select * from (${sql.join(asked, sql` union all `)}) u
    where u.count > 0 order by u.count desc, u.word, u.field`)
  const known = new Map(records.map((each) => [each.word, each.module]))
  const uses = rows.map(({ word, field, is_json, count, visible, named }): Use => ({
    word,
    module: known.get(word) ?? word,
    field,
    count: visible,
    // whether others exist at all is nothing that outsiders learn
    hidden: ctx.actor.is_confined ? 0 : count - visible,
    records: named ?? [],
    effect: is_json ? 'without_effect' : 'shown_empty',
  }))
  return uses.filter(({ count, hidden }) => count || hidden)
}

/** The records of one link, as one row; none for what only the service stores, and for history. */
function usesThrough(ctx: Context, link: Link, isNamed: Query): Query | undefined {
  const { record, column, field = column, isHistory, isJson = false } = link
  if (!record || isHistory) return undefined
  const may = readable(ctx, record.table) ?? sql`true`
  return sql`
    select ${record.word}::text as word, ${field}::text as field, ${isJson}::boolean as is_json,
      count(*)::int as count, (count(*) filter (where n.is_visible))::int as visible,
      json_agg(json_build_object('id', n.id, 'name', n.name) order by n.id)
        filter (where n.is_visible and n.place <= ${mostNamed}) as named
    from (
      select v.id, v.name, v.is_visible,
        row_number() over (partition by v.is_visible order by v.id) as place
      from (
        select t.id, ${titleOf(record)} as name, coalesce(${may}, false) as is_visible
        from ${sql.table(record.table)} t
        where ${all(
          mine(ctx),
          record.life.softDelete ? sql`t.deleted_at is null` : undefined,
          isNamed,
          onlyOf(link),
        )}) v) n`
}

/** The column that people know a record by, where its title is one. */
function titleOf({ title, fields }: AnyRecord): Query {
  const field = fields[title]
  if (!field || field.expression || field.reference) return sql`null::text`
  return sql`${sql.ref(`t.${field.column ?? title}`)}::text`
}

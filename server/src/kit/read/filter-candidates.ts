import { LRUCache } from 'lru-cache'
import type { Context, Query } from '../ground/context.ts'
import { sql } from '../ground/sql.ts'
import type { AnyRecord } from '../record/record.ts'
import type { Alternative, Group, Term } from './filter-terms.ts'

/** With more ids, reading a list in which so many rows match is as fast. */
export const mostCandidates = 1000

/**
 * Conditions that were met by more records than that: the same filter asks again with each page and each
 * caller, and looking 1,000 entries up in vain takes a third of the time of a page. Only how a list is
 * read depends on it, never what it contains, so an entry may be out of date for as long as it lives.
 */
const common = new LRUCache<string, true>({ max: 5000, ttl: 60_000 })
/** Longer conditions, such as those of many values, are seldom repeated and are not cached. */
const longestRemembered = 300

/**
 * A condition over `t` that filters imply and an index serves: the ids of the records that may meet them;
 * undefined where these are too many. Row-level security lets the operators of most conditions into no
 * index of the record's own table, so the entries of all records are searched first.
 */
export async function filterCandidates(
  ctx: Context,
  { table }: AnyRecord,
  groups: Group[],
): Promise<Query | undefined> {
  const wanted: Term[][] = []
  for (const group of groups) {
    const terms = await termsOf(ctx, group)
    if (terms?.length === 0) return sql`false`
    if (terms) wanted.push(terms)
  }
  const ids = wanted.length ? await idsWith(ctx, table, wanted) : undefined
  return ids && sql`t.id = any(${ids})`
}

/** The terms of the list's own table that a group results in; undefined if it is not selective. */
async function termsOf(ctx: Context, group: Group): Promise<Term[] | undefined> {
  const all: Term[] = []
  for (const { link, terms } of group) {
    const own = link ? await linkedTerms(ctx, link, terms) : terms
    if (!own) return undefined
    all.push(...own)
  }
  return all.length <= mostCandidates ? all : undefined
}

/** The terms of rows that are linked to those of another table with one of these terms. */
async function linkedTerms(
  ctx: Context,
  { column, table }: NonNullable<Alternative['link']>,
  terms: Term[],
): Promise<Term[] | undefined> {
  const ids = await idsWith(ctx, table, [terms])
  return ids?.map((id) => [`${column}=`, id])
}

/** The ids of a table's rows that have a term of each of these; undefined where they are many. */
export async function idsWith(
  ctx: Context,
  table: string,
  wanted: Term[][],
): Promise<string[] | undefined> {
  const terms = JSON.stringify(wanted)
  const key = `${ctx.organization.id} ${table} ${terms}`
  if (common.has(key)) return undefined
  const row = await ctx
    .reading('unknown', table)
    .one<{ ids: string[] | null }>(
      sql`select array_to_json(filter_ids(${table}, ${terms}::jsonb, ${mostCandidates})) as ids`,
    )
  if (row?.ids) return row.ids
  if (key.length <= longestRemembered) common.set(key, true)
  return undefined
}

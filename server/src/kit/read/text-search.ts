import type { Context, Query } from '../ground/context.ts'
import type { AnyRecord } from '../record/record.ts'
import { sql } from '../ground/sql.ts'

/** Longer lists of ids cost more than walking a list in which so many rows match. */
const most = 1000

/**
 * A condition over `t` that the searched text implies and an index serves; undefined where nothing
 * is to be gained. Row-level security keeps `like` out of the indexes of the record's own table, so
 * its indexed words are searched first. `filters` are filters as sent, compiled elsewhere.
 */
export async function searchCandidates(
  ctx: Context,
  record: AnyRecord,
  q: string | undefined,
  filters: unknown[],
): Promise<Query | undefined> {
  if (!record.searched) return undefined
  const texts = [q, ...filters.flatMap((filter) => searchedTexts(record, filter))]
  const needle = texts.filter(isSelective).toSorted((a, b) => b.length - a.length)[0]
  if (needle === undefined) return undefined
  const row = await ctx
    .reading('unknown', record.table)
    .one<{ ids: string[] | null }>(
      sql`select array_to_json(search_ids(${record.table}, ${needle}, ${most})) as ids`,
    )
  return row?.ids ? sql`t.id = any(${row.ids})` : undefined
}

const patterns = ['contains', 'starts_with', 'ends_with', 'eq']

/** What the conditions that must all hold look for in the fields whose words are indexed. */
function searchedTexts(record: AnyRecord, filter: unknown): string[] {
  if (!Array.isArray(filter)) return []
  return filter.flatMap((node) => {
    const { field, operator, value, and } = (node ?? {}) as { [key: string]: unknown }
    if (and) return searchedTexts(record, and)
    const isIndexed = record.search.some((name) => name === field)
    return isIndexed && patterns.includes(operator as string) && typeof value === 'string'
      ? [value]
      : []
  })
}

/**
 * Whether trigrams are selective for it. Folding must commute with cutting a piece out, which is plain for
 * Latin letters only; other scripts go without.
 */
function isSelective(needle: string | undefined): needle is string {
  return (
    needle !== undefined && /^[\u0020-\u024f]+$/.test(needle) && /[\p{L}\p{N}]{3}/u.test(needle)
  )
}

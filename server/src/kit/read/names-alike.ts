import type { Context, Query } from '../ground/context.ts'
import { foldedWords } from '../ground/fold.ts'
import { mine, sql } from '../ground/sql.ts'
import type { LinkField } from '../record/record.ts'
import { linkedTable } from '../record/record.ts'
import { registered } from '../record/registry.ts'

/**
 * The ids of the records of a link whose names are these once folded, in whatever order of up to four words: name →
 * ids, the oldest first. Names with the words in the same order come before others. `column` holds the name, and
 * `from` are the rows that may be found, as `from … where …` over `t` of what a condition leaves.
 */
export async function idsAlike(
  ctx: Context,
  { reference }: LinkField,
  column: string,
  names: string[],
  from: (condition: Query) => Query,
): Promise<Map<string, string[]>> {
  const short = names.filter((name) => name.length <= longest)
  const variants = new Map(short.map((name) => [name, orders(foldedWords(name))]))
  const keys = [...new Set([...variants.values()].flat())]
  if (!keys.length) return new Map()
  const shelf = linkedTable(reference)
  const isSearchable = registered().some((each) => each.table === shelf && each.find.searchable)
  const name = sql`folded_words(${sql.ref(`t.${column}`)})`
  // others are few
  const found = isSearchable ? await entriesNamed(ctx, shelf, keys) : undefined
  if (found?.length === 0) return new Map()
  const condition = found
    ? sql`t.id = any(${found.map(({ id }) => id)}::text[])`
    : sql`${name} = any(${keys}::text[])`
  const rows = await ctx.all<{ name: string; id: string }>(
    sql`select ${name} as name, t.id ${from(condition)} order by t.id`,
  )
  const ids = new Map<string, string[]>()
  for (const row of rows) ids.set(row.name, [...(ids.get(row.name) ?? []), row.id])
  return new Map(
    [...variants].flatMap(([typed, [same = '', ...others]]) => {
      const its = ids.get(same) ?? others.flatMap((each) => ids.get(each) ?? []).sort()
      return its.length ? [[typed, its] as const] : []
    }),
  )
}

function entriesNamed(ctx: Context, shelf: string, keys: string[]) {
  return ctx.all<{ id: string }>(sql`select e.id from search_entries e
    where ${mine(ctx, 'e')} and e.source = ${shelf} and e.title_key = any(${keys}::text[])`)
}

/** The characters of a name as it is typed, and of its words, which are indexed so far. */
const longest = 300
const mostIndexed = 100

/** The words in all orders, the given one first; of many words only that. */
function orders(words: string[]): string[] {
  const same = words.join(' ')
  if (!same || same.length > mostIndexed) return []
  return words.length > 4 ? [same] : [...new Set([same, ...permutations(words)])]
}

function permutations(words: string[]): string[] {
  if (words.length < 2) return words
  return words.flatMap((word, i) =>
    permutations(words.toSpliced(i, 1)).map((rest) => `${word} ${rest}`),
  )
}

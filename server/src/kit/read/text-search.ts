import type { Context, Query } from '../ground/context.ts'
import { foldedLetters, foldedWords } from '../ground/fold.ts'
import { all, sql } from '../ground/sql.ts'
import type { AnyRecord } from '../record/record.ts'
import { columnOf, fieldNamed } from '../record/record.ts'
import { scope } from '../record/scope.ts'
import { holdsPieces } from './holds.ts'
import { phoneIn, phoneMatches } from './phone-search.ts'

/** Longer lists of ids cost more than walking a list in which so many rows match. */
const most = 1000

/** What a list is searched by: the condition over `t`, and one that it implies and an index serves, if any gains by it. */
export type TextSearch = { condition: Query; candidates?: Query }

/**
 * The rows that `q` finds: those that hold each of its words in the fields that `record` searches, or in the names of
 * what it links to, as far as the caller sees that; and those with its digits in a phone number. `record` is what the
 * caller is shown of it.
 */
export async function textSearch(ctx: Context, record: AnyRecord, q: string): Promise<TextSearch> {
  const { number, phones = [] } = record.find.searchAlso
  const texts = [...record.find.search, ...(number ? [number] : [])].map((name) => at(record, name))
  const words = [...new Set(foldedWords(q))]
  if (!words.length) {
    // signs alone, such as %
    const signs = foldedLetters(q.trim())
    return {
      condition: anyOf(
        texts.map((text) => sql`strpos(folded_letters(${sql.raw(text)}), ${signs}::text) > 0`),
      ),
    }
  }
  const [linked, own] = await Promise.all([
    // an address is nobody's name, and its ending is in many
    q.includes('@') ? [] : linkedTo(ctx, record, words),
    record.find.searched ? idsHolding(ctx, record, words.join(' ')) : undefined,
  ])
  const ofWord = (word: string) =>
    anyOf([
      ...texts.map((text) => holdsPieces(text, [word])),
      ...linked.flatMap(({ by }) => by.get(word)?.condition ?? []),
    ])
  const phone = phones.length ? phoneIn(q) : undefined
  const numbers = phone ? phones.map((name) => phoneMatches(at(record, name), phone)) : []
  const condition = anyOf([sql`(${all(...words.map(ofWord))})`, ...numbers])
  const candidates = record.find.searched
    ? await candidatesFor(ctx, record, { words, own }, linked, phone?.shortest)
    : undefined
  return candidates ? { condition, candidates } : { condition }
}

/** The links of one kind: for a word in the names of what is linked, a condition over `t`, and the ids if they are few. */
type Linked = { column: string; by: Map<string, { condition: Query; ids?: string[] }> }

async function linkedTo(ctx: Context, record: AnyRecord, words: string[]): Promise<Linked[]> {
  const long = words.filter(isSelective)
  const linked: Linked[] = []
  for (const name of long.length ? (record.find.searchAlso.links ?? []) : []) {
    const field = fieldNamed(record, name)
    const target = field.reference?.to?.()
    if (!target) continue
    const column = columnOf(name, field)
    const title = at(target, target.title)
    const visible = scope(ctx, target, 'read')
    const rows = await ctx.reading('unknown', target.table).all<{
      word: string
      ids: string[]
      is_many: boolean
    }>(sql`
      select w.word, few.ids is null as is_many, array_to_json(array(
          select t.id from ${sql.table(target.table)} t
          where ${all(sql`t.id = any(few.ids)`, visible)} and folded_holds(${sql.raw(title)}, array[w.word]))) as ids
      from unnest(${long}::text[]) w (word),
        lateral (select search_ids(${target.table}, w.word, ${most}) as ids offset 0) few`)
    const by: Linked['by'] = new Map()
    for (const { word, ids, is_many } of rows) {
      const where = sql`${visible} and ${holdsPieces(title, [word])}`
      if (is_many)
        by.set(word, {
          condition: sql`${sql.raw(column)} in (select t.id from ${sql.table(target.table)} t where ${where})`,
        })
      else if (ids.length) by.set(word, { condition: sql`${sql.raw(column)} = any(${ids})`, ids })
    }
    if (by.size) linked.push({ column, by })
  }
  return linked
}

/**
 * A row holds all words itself, but for those that very many linked names hold, or links to one of the few whose name
 * holds another.
 */
async function candidatesFor(
  ctx: Context,
  record: AnyRecord,
  { words, own: holding }: { words: string[]; own: string[] | undefined },
  linked: Linked[],
  digits: string | undefined,
): Promise<Query | undefined> {
  const isCommon = (word: string) =>
    linked.some(({ by }) => by.has(word) && by.get(word)?.ids === undefined)
  const rare = words.filter((word) => !isCommon(word))
  const own = rare.length === words.length ? holding : await idsHolding(ctx, record, rare.join(' '))
  const numbers = own && digits ? await idsHolding(ctx, record, digits) : []
  if (!own || !numbers) return undefined
  const found = [sql`t.id = any(${[...new Set([...own, ...numbers])]})`]
  for (const { column, by } of linked) {
    const ids = [...new Set([...by.values()].flatMap((each) => each.ids ?? []))]
    if (ids.length > most) return undefined
    if (ids.length) found.push(sql`${sql.raw(column)} = any(${ids})`)
  }
  return anyOf(found)
}

/**
 * A condition over `t` that filters on the texts of a record imply and an index serves; undefined where nothing is to
 * be gained. Row-level security keeps `like` out of the indexes of the record's own table, so its indexed words are
 * searched first. The filters are as sent, compiled elsewhere.
 */
export async function searchCandidates(
  ctx: Context,
  record: AnyRecord,
  filters: unknown[],
): Promise<Query | undefined> {
  if (!record.find.searched) return undefined
  const texts = filters.flatMap((filter) => searchedTexts(record, filter))
  const needle = texts.filter(isSelective).toSorted((a, b) => b.length - a.length)[0]
  const ids = needle === undefined ? undefined : await idsHolding(ctx, record, needle)
  return ids && sql`t.id = any(${ids})`
}

/** The ids of rows whose indexed words hold all words of a text; undefined where they are many, or the text too short. */
async function idsHolding(
  ctx: Context,
  { table }: AnyRecord,
  needle: string,
): Promise<string[] | undefined> {
  if (!isSelective(needle)) return undefined
  const row = await ctx
    .reading('unknown', table)
    .one<{ ids: string[] | null }>(
      sql`select array_to_json(search_ids(${table}, ${needle}, ${most})) as ids`,
    )
  return row?.ids ?? undefined
}

const patterns = ['contains', 'starts_with', 'ends_with', 'eq']

/** What the conditions that must all hold look for in the fields whose words are indexed. */
function searchedTexts(record: AnyRecord, filter: unknown): string[] {
  if (!Array.isArray(filter)) return []
  return filter.flatMap((node) => {
    const { field, operator, value, and } = (node ?? {}) as { [key: string]: unknown }
    if (and) return searchedTexts(record, and)
    const isIndexed = record.find.search.some((name) => name === field)
    return isIndexed && patterns.includes(operator as string) && typeof value === 'string'
      ? [value]
      : []
  })
}

/** Whether trigrams are selective for it, which are made of letters that PostgreSQL knows in every locale. */
function isSelective(needle: string | undefined): needle is string {
  return (
    needle !== undefined && /^[\u0020-\u024f]+$/.test(needle) && /[\p{L}\p{N}]{3}/u.test(needle)
  )
}

function at(record: AnyRecord, name: string): string {
  return columnOf(name, fieldNamed(record, name))
}

function anyOf(conditions: Query[]): Query {
  return conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`
}

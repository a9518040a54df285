import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { foldedWords } from '../../kit/ground/fold.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { columnOf, fieldNamed, wordOf } from '../../kit/record/record.ts'
import { rights, scope } from '../../kit/record/scope.ts'
import { type Phone, phoneIn, phoneMatches } from '../../kit/read/phone-search.ts'
import { parent } from './parents.ts'
import { mistakesIn, nearest } from './typos.ts'

/** A search result. */
export const searchResult = Type.Object(
  {
    module: Type.String(),
    module_id: orNull(Type.Integer({ description: 'null where it has no number' })),
    id: Type.String(),
    title: Type.String(),
    subtitle: orNull(
      Type.String({ description: 'such as the e-mail of a contact or the domain of a company' }),
    ),
    matched: Type.String({ description: 'the field in which it was found' }),
    parent,
    score: Type.Number({ description: 'from 0 to 1, best first' }),
  },
  { title: 'SearchResult' },
)

type Result = Omit<Static<typeof searchResult>, 'parent'>

/** The maximum number of matches of one source that are ranked. */
const ranked = 300
/** If rights may exclude some matches, so many are read first, then more if these were not all. */
const scanned = [5000, 200_000] as const
const mostWords = 10
/** The number of words similar to a mistyped one that are compared, and the number that are used as corrections. */
const considered = 200
const corrections = 5

/**
 * The records of these sources that match the typed text, a page and one more, best first. Words are
 * corrected if nothing is found as typed. Records that the caller may not see have no influence: neither on the
 * ranking, nor on whether a word is known, nor on its corrections.
 */
export async function find(
  ctx: Context,
  sources: AnyRecord[],
  q: string,
  { size, skip }: { size: number; skip: number },
): Promise<Result[]> {
  const typed = parse(q)
  if (!typed.whole) return []
  const found = await match(ctx, sources, typed, size + 1, skip)
  const isNothing = !found.length && (!skip || !(await match(ctx, sources, typed, 1, 0)).length)
  if (!isNothing) return found
  const number = numberIn(q)
  if (number) return match(ctx, sources, number, size + 1, skip)
  const corrected = await correct(ctx, sources, typed)
  return corrected ? match(ctx, sources, corrected, size + 1, skip) : []
}

/** The typed text, folded, its words, and the likely corrections of each. */
type Typed = { whole: string; words: string[]; variants: string[][]; phone?: Phone }

function parse(q: string): Typed {
  const all = foldedWords(q)
  const words = all.slice(0, mostWords)
  return { whole: all.join(' '), words, variants: words.map((word) => [word]) }
}

/** The digits of what looks like a phone number, with and without a country's prefix. */
function numberIn(q: string): Typed | undefined {
  const phone = phoneIn(q)
  if (!phone) return undefined
  const { digits, national } = phone
  const variants = [national ? [digits, ` ${national}`] : [digits]]
  return { whole: digits, words: [digits], variants, phone }
}

/** The same with corrections that occur in records visible to the caller; undefined if there are none. */
async function correct(
  ctx: Context,
  sources: AnyRecord[],
  typed: Typed,
): Promise<Typed | undefined> {
  const mistyped = typed.words.filter((word) => mistakesIn(word) && word.length <= 40)
  if (!mistyped.length) return undefined
  const rows = await ctx.all<{ word: string; near: string[] }>(sql`
    select word, array(select search_guess(word, true, ${considered})) as near
    from unnest(${mistyped}::text[]) word`)
  const near = new Map(rows.map(({ word, near: all }) => [word, nearest(word, all, considered)]))
  const known = await knownWords(ctx, sources, [...new Set([...near.values()].flat())])
  const variants = typed.words.map((word) => [
    word,
    ...(near.get(word) ?? []).filter((each) => known.has(each)).slice(0, corrections),
  ])
  return variants.some(({ length }) => length > 1) ? { ...typed, variants } : undefined
}

/** The words among these that occur in a record visible to the caller. */
async function knownWords(
  ctx: Context,
  sources: AnyRecord[],
  words: string[],
): Promise<Set<string>> {
  if (!words.length) return new Set()
  const tables = [...new Set(sources.map(({ table }) => table))]
  const [, most] = scanned
  const visible = sources.map(
    (record) => sql`select f.word from found f
      join ${sql.table(record.table)} t on t.id = f.id collate "C"
      where ${all(sql`f.source = ${record.table}`, scope(ctx, record, 'read'))}`,
  )
  const rows = await ctx.all<{ word: string }>(sql`
    with found as materialized (
      select w.word, f.source, f.id from unnest(${words}::text[]) w (word),
        search_find(${tables}::text[], w.word, jsonb_build_array(jsonb_build_array(w.word)), ${most}) f
      where position(' ' || w.word || ' ' in f.words || ' ') > 0
    ) select distinct word from (${sql.join(visible, sql` union all `)}) seen`)
  return new Set(rows.map(({ word }) => word))
}

async function match(
  ctx: Context,
  sources: AnyRecord[],
  typed: Typed,
  size: number,
  skip: number,
): Promise<Result[]> {
  const [some, many] = scanned
  const { results, isCut } = await matchAmong(ctx, sources, typed, { size, skip, most: some })
  if (!isCut) return results
  return (await matchAmong(ctx, sources, typed, { size, skip, most: many })).results
}

/** The matches among at most so many of each source; `isCut` if a source has more. */
async function matchAmong(
  ctx: Context,
  sources: AnyRecord[],
  typed: Typed,
  { size, skip, most }: { size: number; skip: number; most: number },
): Promise<{ results: Result[]; isCut: boolean }> {
  const variants = JSON.stringify(typed.variants)
  const from = (some: AnyRecord[], most: number) => {
    const tables = [...new Set(some.map(({ table }) => table))]
    return sql`select * from search_find(${tables}::text[], ${typed.whole}::text, ${variants}::jsonb, ${most})`
  }
  // a table shared by two records is complete for both or neither, or it would be searched twice
  const isWhole = ({ table }: AnyRecord) =>
    sources
      .filter((each) => each.table === table)
      .every((each) => each.rights.seesAll?.(ctx.actor) || rights(ctx, each, 'read') === undefined)
  const whole = sources.filter(isWhole)
  const restricted = sources.filter((record) => !isWhole(record))
  const tables = [...new Set(restricted.map(({ table }) => table))]
  const rows = await ctx.all<Partial<Result> & { is_cut: boolean }>(sql`
    with found as materialized (
      ${from(whole, ranked)} union all ${from(restricted, most)}
    ), visible as (
      ${sql.join(
        sources.map((record) => visibleOf(ctx, record, typed)),
        sql` union all `,
      )}
    ), best as (
      select module, module_id, id, title, subtitle,
        case when in_title then title_field when other_field is not null then other_field
          when tier >= 0.5 then also_field
          when word_similarity(${typed.whole}, title_key) >= word_similarity(${typed.whole}, words)
          then title_field else also_field end as matched,
        round((tier + 0.09 * similarity(title_key, ${typed.whole}))::numeric, 3)::float8 as score
      from visible, lateral (select ${inTitle(typed)} as in_title) i, lateral (select ${tier(typed)} as tier) r
      order by score desc, id desc limit ${size} offset ${skip}
    )
    select cut.is_cut, best.* from (select exists (select from found
      where source = any(${tables}::text[]) group by source having count(*) >= ${most}) as is_cut) cut
    left join best on true order by best.score desc, best.id desc`)
  const isCut = rows.some(({ is_cut }) => is_cut)
  const results = rows.flatMap(({ is_cut: _isCut, ...row }) => (row.id ? [row as Result] : []))
  return { results, isCut }
}

/** The visible matches of one source. */
function visibleOf(ctx: Context, record: AnyRecord, { words, phone }: Typed): Query {
  const also = record.find.search[1]
  const { number, phones = [] } = record.find.searchAlso
  const field = (name: string) => {
    const searched = record.fields[name]
    return searched ? sql.raw(columnOf(name, searched)) : sql`null`
  }
  const others = [
    ...(number ? [sql`when folded_holds(${field(number)}, ${words}::text[]) then ${number}`] : []),
    ...phones.flatMap((name) => {
      const column = columnOf(name, fieldNamed(record, name))
      return phone ? [sql`when ${phoneMatches(column, phone)} then ${name}`] : []
    }),
  ]
  const otherField = others.length ? sql`case ${sql.join(others, sql` `)} end` : sql`null`
  return sql`
    select ${wordOf(record)}::text as module, ${record.number}::int as module_id, t.id::text as id,
      left(${field(record.title)}, 255) as title,
      ${also ? field(also) : sql`null`}::text as subtitle,
      ${record.title}::text as title_field, ${also ?? record.title}::text as also_field,
      ${otherField}::text as other_field,
      f.title_key, f.words
    from found f join ${sql.table(record.table)} t on t.id = f.id collate "C"
    where ${all(sql`f.source = ${record.table}`, scope(ctx, record, 'read'))}`
}

/** The score of a match by its kind; similarity adds less than the difference between two kinds. */
function tier({ whole, words }: Typed): Query {
  return sql`case
    when title_key = ${whole} then 0.9
    when starts_with(title_key, ${whole}) then 0.8
    when ${every(words, sql`' ' || title_key`, ' ')} then 0.7
    when ${every(words, sql`words`, ' ')} then 0.6
    when ${every(words, sql`words`, '')} then 0.5
    else 0.1 + 0.3 * word_similarity(${whole}, words) end`
}

function inTitle({ words }: Typed): Query {
  return every(words, sql`' ' || title_key || coalesce(' ' || joined_words(title), '')`, '')
}

function every(words: string[], text: Query, before: string): Query {
  return sql`not exists (select from unnest(${words}::text[]) w
    where position(${before}::text || w in ${text}) = 0)`
}

import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { columnOf, wordOf } from '../../kit/record/record.ts'
import { rights, scope } from '../../kit/record/scope.ts'
import { mistakesIn, nearest } from './typos.ts'

/** A record that was found. */
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
    score: Type.Number({ description: 'from 0 to 1, best first' }),
  },
  { title: 'SearchResult' },
)

type Result = Static<typeof searchResult>

/** Matches of one source that are ranked; more are read where rights may leave some of them out. */
const ranked = 300
const scanned = 5000
const mostWords = 10

/**
 * The records of these sources that match what was typed, a page and one more, best first. A word is
 * corrected where no record has it, or where nothing is found as typed.
 */
export async function find(
  ctx: Context,
  sources: AnyRecord[],
  q: string,
  { size, skip }: { size: number; skip: number },
): Promise<Result[]> {
  const typed = await parse(ctx, q, false)
  if (!typed.whole) return []
  const found = await match(ctx, sources, typed, size + 1, skip)
  const isNothing = !found.length && (!skip || !(await match(ctx, sources, typed, 1, 0)).length)
  return isNothing ? match(ctx, sources, await parse(ctx, q, true), size + 1, skip) : found
}

/** What was typed, folded, its words, and each word with its likely corrections. */
type Typed = { whole: string; words: string[]; variants: string[][] }

async function parse(ctx: Context, q: string, evenKnown: boolean): Promise<Typed> {
  const rows = await ctx.all<{ whole: string; word: string; near: string[] }>(sql`
    with typed as materialized (select plain_words(${q}::text) as whole)
    select whole, word, case when length(word) between 4 and 40
      then array(select search_guess(word, ${evenKnown}, 50)) else '{}' end as near
    from typed, unnest(string_to_array(whole, ' ')) word limit ${mostWords}`)
  const words = rows.map(({ word }) => word)
  const variants = rows.map(({ word, near }) => [
    word,
    ...(mistakesIn(word) ? nearest(word, near, 5) : []),
  ])
  return { whole: rows[0]?.whole ?? '', words, variants }
}

async function match(
  ctx: Context,
  sources: AnyRecord[],
  typed: Typed,
  size: number,
  skip: number,
): Promise<Result[]> {
  const variants = JSON.stringify(typed.variants)
  const from = (some: AnyRecord[], most: number) => {
    const tables = [...new Set(some.map(({ table }) => table))]
    return sql`select * from search_find(${tables}::text[], ${typed.whole}::text, ${variants}::jsonb, ${most})`
  }
  const isWhole = (record: AnyRecord) => rights(ctx, record, 'read') === undefined
  const whole = sources.filter(isWhole)
  const restricted = sources.filter((record) => !isWhole(record))
  return ctx.all<Result>(sql`
    with found as materialized (
      ${from(whole, ranked)} union all ${from(restricted, scanned)}
    ), visible as (
      ${sql.join(
        sources.map((record) => visibleOf(ctx, record)),
        sql` union all `,
      )}
    )
    select module, module_id, id, title, subtitle,
      case when in_title then title_field when tier >= 0.5 then also_field
        when word_similarity(${typed.whole}, title_key) >= word_similarity(${typed.whole}, words)
        then title_field else also_field end as matched,
      round((tier + 0.09 * similarity(title_key, ${typed.whole}))::numeric, 3)::float8 as score
    from visible, lateral (select ${inTitle(typed)} as in_title) i, lateral (select ${tier(typed)} as tier) r
    order by score desc, id desc limit ${size} offset ${skip}`)
}

/** The rows of one source that were found and that the caller sees. */
function visibleOf(ctx: Context, record: AnyRecord): Query {
  const also = record.search[1]
  const field = (name: string) => {
    const searched = record.fields[name]
    return searched ? sql.raw(columnOf(name, searched)) : sql`null`
  }
  return sql`
    select ${wordOf(record)}::text as module, ${record.number}::int as module_id, t.id::text as id,
      left(${field(record.title)}, 255) as title,
      ${also ? field(also) : sql`null`}::text as subtitle,
      ${record.title}::text as title_field, ${also ?? record.title}::text as also_field,
      f.title_key, f.words
    from found f join ${sql.table(record.table)} t on t.id = f.id collate "C"
    where ${all(sql`f.source = ${record.table}`, scope(ctx, record, 'read'))}`
}

/** The score of a match by its kind; similarity adds less than what lies between two kinds. */
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
  return every(words, sql`' ' || title_key`, '')
}

function every(words: string[], text: Query, before: string): Query {
  return sql`not exists (select from unnest(${words}::text[]) w
    where position(${before}::text || w in ${text}) = 0)`
}

import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { moduleNumber, moduleWord } from '../../kit/record/modules.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { columnOf, wordOf } from '../../kit/record/record.ts'
import { levelOf, rights, scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { sources } from './sources.ts'
import { mistakesIn, nearest } from './typos.ts'

type Found = {
  module: string
  module_id: number | null
  id: string
  title: string
  subtitle: string | null
  matched: string
  score: number
}

/** Looks for records of every kind by name, whatever of the name is mistyped or left out. */
export const search: Operation = {
  name: 'search',
  summary: 'Search everything the caller may see',
  description:
    'Best first: the whole name, then names that start with what was typed, then those in which ' +
    'every word of it starts a word, then those that contain it, then those that are near it. ' +
    'Case, accents and punctuation do not matter.',
  topic: 'search',
  can: 'signed_in',
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        q: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          pattern: '\\S',
          description: 'what to look for',
        },
        modules: {
          type: 'string',
          maxLength: 400,
          description: `only these, comma-separated words or numbers: ${sources.map(wordOf).join(', ')}`,
        },
        page: pageProperties.page,
        items_per_page: pageProperties.items_per_page,
      },
      required: ['q'],
    },
  },
  output: {
    title: 'SearchResults',
    type: 'object',
    properties: {
      results: {
        type: 'array',
        items: {
          title: 'SearchResult',
          type: 'object',
          properties: {
            module: { type: 'string' },
            module_id: { type: ['integer', 'null'], description: 'null where it has no number' },
            id: { type: 'string' },
            title: { type: 'string' },
            subtitle: {
              type: ['string', 'null'],
              description: 'such as the e-mail of a contact or the domain of a company',
            },
            matched: { type: 'string', description: 'the field in which it was found' },
            score: { type: 'number', description: 'from 0 to 1, best first' },
          },
          required: ['module', 'module_id', 'id', 'title', 'subtitle', 'matched', 'score'],
        },
      },
      has_more: { type: 'boolean', description: 'whether there is another page' },
    },
    required: ['results', 'has_more'],
  },
  async run(ctx, { query }) {
    const { number, size, skip } = pageOf(query)
    const open = chosen(query.modules).filter((record) => mayRead(ctx, record))
    const found = open.length ? await find(ctx, open, query.q, size, skip) : []
    const more = found.length > size
    const results = found.slice(0, size)
    return new Answer({ results, has_more: more }, { page: { number, size, more } })
  },
}

/** So many of one source are ranked; with rights that leave some out, so many are looked through. */
const ranked = 300
const lookedThrough = 5000
const mostWords = 10

/** The sources named, all without any; 400 for a word or number that is none of theirs. */
function chosen(given: string | undefined): AnyRecord[] {
  if (!given?.trim()) return sources
  return given.split(',').map((part) => {
    const number = moduleNumber(part)
    const word = number === undefined ? part.trim().toLowerCase() : moduleWord(number)!
    const found = sources.find(
      (record) => [word, `${word}s`].includes(wordOf(record)) || record.module === word,
    )
    if (found) return found
    const known = sources.map(wordOf).join(', ')
    throw badField('modules', `${part.trim() || '(none)'} is not searched; searched are ${known}`)
  })
}

function mayRead(ctx: Context, record: AnyRecord): boolean {
  return record.rights !== undefined || levelOf(ctx.actor, record.module, 'read') !== 'none'
}

/** A page and one more. What was typed is guessed at where it is no word, or where it finds nothing. */
async function find(ctx: Context, open: AnyRecord[], q: string, size: number, skip: number) {
  const typed = await guesses(ctx, q, false)
  if (!typed.whole) return []
  const found = await look(ctx, open, typed, size + 1, skip)
  const isNothing = !found.length && (!skip || !(await look(ctx, open, typed, 1, 0)).length)
  return isNothing ? look(ctx, open, await guesses(ctx, q, true), size + 1, skip) : found
}

/** What was typed, folded, its words, and for each word what it may have meant beside itself. */
type Typed = { whole: string; words: string[]; meant: string[][] }

async function guesses(ctx: Context, q: string, evenKnown: boolean): Promise<Typed> {
  const rows = await ctx.all<{ whole: string; word: string; near: string[] }>(sql`
    with typed as materialized (select plain_words(${q}::text) as whole)
    select whole, word, case when length(word) between 4 and 40
      then array(select search_guess(word, ${evenKnown}, 50)) else '{}' end as near
    from typed, unnest(string_to_array(whole, ' ')) word limit ${mostWords}`)
  const words = rows.map(({ word }) => word)
  const meant = rows.map(({ word, near }) => [
    word,
    ...(mistakesIn(word) ? nearest(word, near, 5) : []),
  ])
  return { whole: rows[0]?.whole ?? '', words, meant }
}

async function look(
  ctx: Context,
  open: AnyRecord[],
  typed: Typed,
  size: number,
  skip: number,
): Promise<Found[]> {
  const asked = JSON.stringify(typed.meant)
  const from = (some: AnyRecord[], most: number) => {
    const tables = [...new Set(some.map(({ table }) => table))]
    return sql`select * from search_find(${tables}::text[], ${typed.whole}::text, ${asked}::jsonb, ${most})`
  }
  const isWhole = (record: AnyRecord) => rights(ctx, record, 'read') === undefined
  const wide = open.filter(isWhole)
  const narrow = open.filter((record) => !isWhole(record))
  return ctx.all<Found>(sql`
    with found as materialized (
      ${from(wide, ranked)} union all ${from(narrow, lookedThrough)}
    ), seen as (
      ${sql.join(
        open.map((record) => seenOf(ctx, record)),
        sql` union all `,
      )}
    )
    select module, module_id, id, title, subtitle,
      case when in_title then title_field when tier >= 0.5 then also_field
        when word_similarity(${typed.whole}, title_key) >= word_similarity(${typed.whole}, words)
        then title_field else also_field end as matched,
      round((tier + 0.09 * similarity(title_key, ${typed.whole}))::numeric, 3)::float8 as score
    from seen, lateral (select ${inTitle(typed)} as in_title) i, lateral (select ${tier(typed)} as tier) r
    order by score desc, id desc limit ${size} offset ${skip}`)
}

/** The rows of one source that were found and that the caller sees. */
function seenOf(ctx: Context, record: AnyRecord): Query {
  const also = record.search[1]
  const field = (name: string) => sql.raw(columnOf(name, record.fields[name]!))
  return sql`
    select ${wordOf(record)}::text as module, ${record.number}::int as module_id, t.id::text as id,
      left(${field(record.title)}, 255) as title,
      ${also ? field(also) : sql`null`}::text as subtitle,
      ${record.title}::text as title_field, ${also ?? record.title}::text as also_field,
      f.title_key, f.words
    from found f join ${sql.table(record.table)} t on t.id = f.id collate "C"
    where ${all(sql`f.source = ${record.table}`, scope(ctx, record, 'read'))}`
}

/** How good a match is: every kind of it stands above what similarity adds to the one below. */
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

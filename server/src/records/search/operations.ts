import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { moduleNumber, moduleWord } from '../../kit/record/modules.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { wordOf } from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { find, searchResult } from './find.ts'
import { withParents } from './parents.ts'
import { sources } from './sources.ts'

const known = sources.map(wordOf).join(', ')

/** Finds records of every type by name, even if parts are mistyped or left out. */
export const search = operation({
  name: 'search',
  summary: 'Search all records',
  description:
    'Finds what the caller may see. Best first: the whole name, then names that start with what ' +
    'was typed, then those in which every word of it starts a word, then those that contain it, ' +
    'then those that are similar. Case, accents, punctuation and hyphens do not matter. What looks like ' +
    'a phone number and is no name finds those who have it.',
  topic: 'search',
  can: 'signed_in',
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'what to look for',
      }),
      modules: Type.Optional(
        Type.String({
          maxLength: 400,
          description: `only these, comma-separated words or numbers: ${known}`,
        }),
      ),
      page: pageProperties.page,
      items_per_page: pageProperties.items_per_page,
    }),
  },
  output: Type.Object(
    {
      results: Type.Array(searchResult),
      has_more: Type.Boolean({ description: 'whether there is another page' }),
    },
    { title: 'SearchResults' },
  ),
  async run(ctx, { query }) {
    const { number, size, skip } = pageOf(query)
    const readable = chosen(query.modules).filter((record) => mayRead(ctx, record))
    const found = readable.length ? await find(ctx, readable, query.q, { size, skip }) : []
    const more = found.length > size
    const results = await withParents(ctx, found.slice(0, size))
    return new Answer({ results, has_more: more }, { page: { number, size, more } })
  },
})

/** The named sources, or all if none is named; 400 for an unknown word or number. */
function chosen(names: string | undefined): AnyRecord[] {
  if (!names?.trim()) return sources
  return names.split(',').map((part) => {
    const number = moduleNumber(part)
    const word = (number === undefined ? undefined : moduleWord(number)) ?? folded(part)
    const found = sources.find(
      (record) => [word, `${word}s`].includes(wordOf(record)) || record.module === word,
    )
    if (found) return found
    throw badField('modules', `${part.trim() || '(none)'} is not searched; searched are ${known}`)
  })
}

function folded(word: string): string {
  return word.trim().toLowerCase()
}

function mayRead(ctx: Context, record: AnyRecord): boolean {
  return record.rights.decide !== undefined || levelOf(ctx.actor, record.module, 'read') !== 'none'
}

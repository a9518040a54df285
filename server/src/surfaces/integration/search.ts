import { Type } from 'typebox'
import { operation } from '../../kit/ground/operation.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { Input } from '../../kit/ground/operation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { wordOf } from '../../kit/record/record.ts'
import { scopeWords } from '../../kit/record/readable.ts'
import { search } from '../../records/search/operations.ts'
import { sources } from '../../records/search/sources.ts'

/** The kinds of records for which apps can have scopes, and their modules. */
const searched = sources.flatMap((record) => {
  const words = scopeWords(record)
  return words.length ? [{ module: wordOf(record), words }] : []
})
export const searchedModules = searched.map(({ module }) => module)

/** The scopes of which any one allows the search. */
export const searchScopes = [
  ...new Set(searched.flatMap(({ words }) => words.map((word) => `${word}.read`))),
]

/** The search over everything, in the modules that the scopes of the app allow. */
export async function searchIn(
  ctx: Context,
  input: Pick<Input, 'url' | 'address'>,
  { q, modules: only = searchedModules, ...page }: Wanted,
): Promise<unknown> {
  const open = searched.filter((each) => isOpen(ctx, each)).map(({ module }) => module)
  if (!open.length)
    throw forbidden('This needs a scope that reads one of the searched modules', 'missing_scope')
  const chosen = only.filter((module) => open.includes(module))
  if (!chosen.length) {
    throw badField('modules', `the connection has scopes only for ${open.join(', ')}`)
  }
  const query = { ...page, q, modules: chosen.join() }
  return search.run(ctx, { ...input, query, params: {}, body: undefined } as never)
}

type Wanted = { q: string; modules?: string[] | undefined; items_per_page?: number; page?: number }

/** Records that belong to several kinds, such as tasks, are found if the app has all their scopes. */
function isOpen({ actor: { app } }: Context, { words }: { words: string[] }): boolean {
  return !app || words.every((word) => app.scopes.includes(`${word}.read`))
}

/** GET search: every kind of record by its name. */
export const searchRecords = operation({
  ...search,
  name: 'search_records',
  summary: 'Search records',
  description:
    'Of every kind that your rights and the scopes of the app allow, also where parts of a name are mistyped; best first.',
  // those of the modules that are searched
  scope: null,
  scopes: searchScopes,
  input: {
    query: Type.Object({
      ...search.input.query.properties,
      modules: Type.Optional(
        Type.String({
          maxLength: 400,
          description: `only these, separated by commas: ${searchedModules.join(', ')}`,
        }),
      ),
    }),
  },
  run(ctx, input) {
    const { modules: named, ...query } = input.query
    const modules = named?.split(',').map((word) => word.trim())
    const unknown = modules?.find((word) => !searchedModules.includes(word))
    if (unknown !== undefined) {
      throw badField(
        'modules',
        `has ${JSON.stringify(unknown)}; there are ${searchedModules.join(', ')}`,
      )
    }
    return searchIn(ctx, input, { ...query, modules })
  },
})

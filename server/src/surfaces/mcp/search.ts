import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import { wordOf } from '../../kit/record/record.ts'
import { scopeWords } from '../../kit/record/readable.ts'
import { search } from '../../records/search/operations.ts'
import { sources } from '../../records/search/sources.ts'
import { mostRows } from './find.ts'

/** The kinds of records for which apps can have scopes, and their modules. */
const searched = sources.flatMap((record) => {
  const words = scopeWords(record)
  return words.length ? [{ module: wordOf(record), words }] : []
})
const modules = searched.map(({ module }) => module)

/** The scopes of which any one allows the search. */
export const searchScopes = [
  ...new Set(searched.flatMap(({ words }) => words.map((word) => `${word}.read`))),
]

/** The search over everything, in the modules that the scopes of the app allow. */
export const searchRecords = operation({
  ...search,
  // those of the modules that are searched
  scope: null,
  input: {
    body: Type.Object({
      q: search.input.query.properties.q,
      modules: Type.Optional(
        Type.Array(enumeration(modules), { maxItems: modules.length, description: 'only these' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostRows,
          description: `rows, ${mostRows} by default`,
        }),
      ),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'from 1 on' })),
    }),
  },
  run(ctx, input) {
    const { q, modules: only = modules, limit: items_per_page = mostRows, page } = input.body
    const open = searched.filter((each) => isOpen(ctx, each)).map(({ module }) => module)
    if (!open.length)
      throw forbidden('This needs a scope that reads one of the searched modules', 'missing_scope')
    const chosen = only.filter((module) => open.includes(module))
    if (!chosen.length) {
      throw badField('modules', `the connection has scopes only for ${open.join(', ')}`)
    }
    const query = { q, modules: chosen.join(), page, items_per_page }
    return search.run(ctx, { ...input, query, body: undefined })
  },
})

/** Records that belong to several kinds, such as tasks, are found if the app has all their scopes. */
function isOpen({ actor: { app } }: Context, { words }: { words: string[] }): boolean {
  return !app || words.every((word) => app.scopes.includes(`${word}.read`))
}

import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { search } from '../../records/search/operations.ts'
import { searchedModules, searchIn } from '../integration/search.ts'
import { mostRows } from './find.ts'

/** The search over everything, in the modules that the scopes of the app allow. */
export const searchRecords = operation({
  ...search,
  // those of the modules that are searched
  scope: null,
  input: {
    body: Type.Object({
      q: search.input.query.properties.q,
      modules: Type.Optional(
        Type.Array(enumeration(searchedModules), {
          maxItems: searchedModules.length,
          description: 'only these',
        }),
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
    const { limit: items_per_page = mostRows, ...wanted } = input.body
    return searchIn(ctx, input, { ...wanted, items_per_page })
  },
})

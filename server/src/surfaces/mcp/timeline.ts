import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { recordTimeline } from '../../records/timeline/operations.ts'
import { mostRows } from './find.ts'
import { kinds } from './records.ts'

const modules = ['companies', 'contacts', 'accounts', 'deals', 'projects'] as const
const { kinds: only, cursor } = recordTimeline.input.query.properties

/** What happened to a record, as far as the caller and the scopes of its app may read what each entry is about. */
export const timelineOf = operation({
  ...recordTimeline,
  name: 'get_timeline',
  scope: null,
  input: {
    body: Type.Object({
      module: enumeration(modules),
      id: Type.String({ minLength: 1, maxLength: 25 }),
      kinds: only,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRows })),
      next_cursor: cursor,
    }),
  },
  run(ctx, input) {
    const { module, id, kinds: named, limit = mostRows, next_cursor } = input.body
    requireScope(ctx.actor, ...(kinds[module]?.scopes ?? []))
    const query = { kinds: named, limit, cursor: next_cursor }
    return recordTimeline.run(ctx, {
      ...input,
      params: { module, id },
      query,
      body: undefined,
    } as Input)
  },
})

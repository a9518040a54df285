import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import type { Can, Operation } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listCursor } from '../../kit/read/cursor.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { versionNameOf } from '../../kit/record/record.ts'
import { cursorPage } from '../integration/shapes.ts'

/** The maximum number of rows in an answer to a model. */
export const mostRows = 20

const condition = Type.Object({}, { additionalProperties: true })

/** The arguments of every MCP list: a body, so that a filter is JSON instead of JSON text. */
export const findBody = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'text that the record’s name or keys contain' }),
  ),
  filter: Type.Optional(
    Type.Array(condition, {
      maxItems: 50,
      description:
        'conditions that all hold, such as {"field":"industry","operator":"eq","value":"Logistics"}; get_fields lists the fields',
    }),
  ),
  sort: Type.Optional(
    Type.String({ maxLength: 500, description: 'comma-separated fields, - sorts descending' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostRows, description: `rows, ${mostRows} by default` }),
  ),
  next_cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: 'from the previous answer, for the next rows' }),
  ),
})

type Own = { [name: string]: unknown }

type Found = {
  name: string
  summary: string
  description?: string
  can: Can
  scope?: null
  /** arguments besides those of every list */
  own?: TProperties
  /** the default sort */
  usualSort?: string
  /** further conditions of the list besides its filter: from the caller, the tool, and its own arguments */
  only?: (ctx: Context, own: Own) => Promise<Query | undefined> | Query | undefined
}

/** A list for models: at most 20 rows and the cursor of the next, newest first unless sorted. */
export function finding(
  record: AnyRecord,
  { own = {}, only, usualSort, ...named }: Found,
): Operation {
  return operation({
    ...named,
    writes: false,
    input: { body: extend(findBody, own) },
    output: cursorPage(record),
    async run(ctx, { body }) {
      const {
        q: typed,
        filter,
        sort = usualSort,
        limit = mostRows,
        next_cursor,
        ...rest
      } = body as Sent
      const q = typed?.trim() || undefined
      const condition = all(sql`true`, await only?.(ctx, rest))
      // a cursor of another search is not valid for this one
      const words = JSON.stringify([q, rest])
      const query = { q, filter, sort, limit, next_cursor }
      return listCursor(ctx, record, query, { condition, words, only: fieldsOf(record) })
    },
  })
}

/** Fields that repeat a whole pipeline or plan in every row, which were 60 % of a list of deals; single reads show them. */
const repeated = ['pipeline_stages', 'stages']

/** The fields of a row; all if none of them repeats. */
function fieldsOf(record: AnyRecord): string[] | undefined {
  const names = Object.keys(record.fields)
  const rest = names.filter((name) => !repeated.includes(name))
  return rest.length < names.length ? [...rest, versionNameOf(record)] : undefined
}

type Sent = Own & {
  q?: string
  filter?: unknown[]
  sort?: string
  limit?: number
  next_cursor?: string
}

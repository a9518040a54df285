import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { hintFor } from '../../kit/ground/nearest.ts'
import { isObject } from '../../kit/ground/object.ts'
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
        'conditions that all hold, such as {"field":"industry","operator":"eq","value":"Logistics"}; people are named by id, or as me',
    }),
  ),
  sort: Type.Optional(
    Type.String({ maxLength: 500, description: 'comma-separated fields, - sorts descending' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: mostRows, description: `rows, ${mostRows} by default` }),
  ),
  fields: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'only these fields of each record, and its id',
    }),
  ),
  next_cursor: Type.Optional(
    Type.String({ maxLength: 4000, description: 'from the previous answer, for the next rows' }),
  ),
})

/** What selects the rows of a list, for models. */
export const selecting = { q: findBody.properties.q, filter: findBody.properties.filter }

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
        fields,
        next_cursor,
        ...rest
      } = body as Sent
      const q = typed?.trim() || undefined
      const condition = all(sql`true`, await only?.(ctx, rest))
      // a cursor of another search is not valid for this one
      const words = JSON.stringify([q, rest])
      const query = { q, filter: withMe(ctx, record, filter), sort, limit, next_cursor }
      const shown = fields ? checkedFields(record, fields) : fieldsOf(record)
      return listCursor(ctx, record, query, { condition, words, only: shown })
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

/** Conditions in which the one who calls is meant by `me` in fields for people. */
export function withMe(ctx: Context, { fields }: AnyRecord, filter: unknown): unknown {
  const { user_id } = ctx.actor
  const mineFor = (field: unknown, value: unknown): unknown => {
    const isPerson = typeof field === 'string' && fields[field]?.reference?.isCaller
    if (!isPerson) return value
    return Array.isArray(value)
      ? value.map((each: unknown) => mineFor(field, each))
      : value === 'me'
        ? user_id
        : value
  }
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (!isObject(part)) return part
    const named = Object.entries(part).map(([name, value]) => [
      name,
      name === 'value' ? mineFor(part.field, value) : walk(value),
    ])
    return Object.fromEntries(named) as object
  }
  return walk(filter)
}

/** The fields that a call names, with what identifies the record; 400 for one that it does not have. */
export function checkedFields(record: AnyRecord, fields: string[]): string[] {
  const known = Object.keys(record.fields)
  const unknown = fields.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw badField('fields', `${record.word} has no ${unknown}; ${hintFor(unknown, known)}`)
  }
  return [...new Set([record.key, ...fields])]
}

type Sent = Own & {
  q?: string
  filter?: unknown[]
  sort?: string
  limit?: number
  fields?: string[]
  next_cursor?: string
}

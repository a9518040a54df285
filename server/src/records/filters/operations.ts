import { Type } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { arrayOf, extend, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import { insert, lock, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../../kit/write/default-mark.ts'
import { attributesOf, filterAttribute } from './attributes.ts'
import { checkFilter, checkProperties, checked } from './check.ts'
import { Filter } from '../../model/filters/filter.ts'
import { listedRecord, readableRecord, readableRecords } from '../../model/readable-module.ts'

const plain = crud(Filter)
const moduleWord = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 40, description }))

const moduleInput = schema<string | number>({
  type: ['string', 'integer'],
  maxLength: 40,
  description: 'whose list it filters, such as companies, or its number',
})
// checked by the filter compiler, which has better messages
const conditions = Type.Optional(
  Type.Array(schema<{ [key: string]: unknown }>({ type: 'object', additionalProperties: true }), {
    maxItems: 500,
    description: 'as in the query parameter filter',
  }),
)

export const filters = {
  ...plain,
  list: operation({
    ...plain.list,
    input: {
      query: extend(plain.list.input.query, { module: moduleWord('only filters of this module') }),
    },
    run(ctx, { query }) {
      const { module } = query
      const only = module === undefined ? undefined : sql`t.module = ${listedRecord(module).module}`
      return listPage(ctx, Filter, query, only)
    },
  }),
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, { module: moduleInput, conditions }) },
    async run(ctx, { body }) {
      checkProperties(body)
      const draft = { ...body, module: listedRecord(body.module).module }
      await checkFilter(ctx, draft)
      if (draft.is_default) await clearDefaultOf(ctx, ctx.actor.user_id, draft.module)
      return written(await insert(ctx, Filter, draft))
    },
  }),
  update: operation({
    ...plain.update,
    input: {
      params: byId,
      body: extend(plain.update.input.body, { module: Type.Optional(moduleInput), conditions }),
    },
    async run(ctx, { params, body, ifMatch }) {
      checkProperties(body)
      const locked = await lock(ctx, Filter, params.id, 'update', ifMatch)
      const { row } = locked
      const changes = withoutRepeated(row, body)
      const { module, ...others } = changes
      const patch =
        module === undefined ? others : { ...others, module: listedRecord(module).module }
      const next = { ...row, ...patch }
      // a filter that is no longer valid can still be renamed
      const isTouched = checked.some((name) => name in changes)
      if (isTouched) await checkFilter(ctx, next)
      if (next.is_default) {
        await clearDefaultOf(ctx, row.created_by?.user_id ?? null, next.module, params.id)
      }
      return written(await update(ctx, locked, patch))
    },
  }),
  restore: operation({
    ...plain.restore,
    async run(ctx, { params }) {
      const found = await ctx.one<{ created_by: string | null; module: string }>(sql`
        select created_by, module from filters t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) await clearDefaultOf(ctx, found.created_by, found.module, params.id)
      return written(await restore(ctx, Filter, params.id))
    },
  }),
}

/** The fields that conditions may use, from the same registry that checks them. */
export const filterAttributes = operation({
  name: 'list_filter_attributes',
  summary: 'List filter attributes',
  description: 'The fields that conditions may name, each with its type, operators and options.',
  can: { module: 'filters', action: 'read' },
  writes: false,
  input: {
    query: Type.Object({
      module: moduleWord('a module or its number; all that you may read when absent'),
    }),
  },
  output: arrayOf(filterAttribute),
  async run(ctx, { query }) {
    const records =
      query.module === undefined ? readableRecords(ctx) : [readableRecord(ctx, query.module)]
    return (await Promise.all(records.map((record) => attributesOf(ctx, record)))).flat()
  },
})

/** Clears the owner's default for a module's list, except on the filter with this id. */
function clearDefaultOf(ctx: Context, owner: string | null, module: string, except?: string) {
  const defaults: Query = sql`t.created_by = ${owner} and t.module = ${module}`
  return clearDefault(ctx, Filter, defaults, except)
}

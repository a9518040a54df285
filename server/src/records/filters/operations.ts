import type { Context, Query } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, lock, restore, update, written } from '../../kit/write/write.ts'
import { listedModule, recordsByModule } from '../by-module.ts'
import { clearDefault } from '../default-mark.ts'
import { Filter } from './filter.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { checkList } from '../../kit/read/filter-registry.ts'

const plain = crud(Filter)

const moduleSchema = {
  type: ['string', 'integer'],
  maxLength: 40,
  description: 'whose list it filters, such as companies, or its number',
}

export const filters = {
  ...plain,
  list: {
    ...plain.list,
    input: {
      query: withProperties(plain.list.input.query!, {
        module: { type: 'string', minLength: 1, maxLength: 40, description: 'only this module’s' },
      }),
    },
    run(ctx: Context, { query }: Input) {
      const only =
        query.module === undefined ? undefined : sql`t.module = ${moduleOf(query.module)}`
      return listPage(ctx, Filter, query, only)
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withProperties(plain.create.input.body!, { module: moduleSchema }) },
    async run(ctx: Context, { body }: Input) {
      const given = withWord(body)
      await check(ctx, given)
      if (given.is_default)
        await clearDefault(ctx, Filter, ofOwner(ctx.actor.user_id, given.module))
      return written(await insert(ctx, Filter, given))
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: {
      ...plain.update.input,
      body: withProperties(plain.update.input.body!, { module: moduleSchema }),
    },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const given = withWord(body)
      const { row } = await lock(ctx, Filter, params.id, 'update', ifMatch)
      const next = { ...row, ...given }
      // a filter that nobody could read any more can still be renamed
      const isTouched = ['module', 'conditions', 'columns', 'sort'].some((name) => name in given)
      if (isTouched) await check(ctx, next as Given)
      if (next.is_default) {
        const owner = row.created_by?.user_id ?? null
        await clearDefault(ctx, Filter, ofOwner(owner, next.module), params.id)
      }
      return written(await update(ctx, Filter, params.id, given))
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    async run(ctx: Context, { params }: Input) {
      const found = await ctx.one<{ created_by: string | null; module: string }>(sql`
        select created_by, module from filters t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) {
        await clearDefault(ctx, Filter, ofOwner(found.created_by, found.module), params.id)
      }
      return written(await restore(ctx, Filter, params.id))
    },
  } satisfies Operation,
}

/** A module's word; 400 when it has no list, 403 when the caller may not read it. */
export function readableModule(ctx: Context, given: unknown): string {
  const module = moduleOf(given)
  if (levelOf(ctx.actor, module, 'read') === 'none') {
    throw forbidden(`Your role may not read ${module}`)
  }
  return module
}

type Given = {
  module: string
  conditions?: unknown
  columns?: string[]
  sort?: string | null
  is_default?: boolean
}

function withWord<B extends { module?: unknown }>(body: B): B {
  return body.module === undefined ? body : { ...body, module: moduleOf(body.module) }
}

function moduleOf(given: unknown): string {
  const module = listedModule(given)
  if (module) return module
  throw badField('module', `must be one of ${Object.keys(recordsByModule).join(', ')}`)
}

/** Everything that a list of the module would refuse is refused when it is saved. */
async function check(ctx: Context, { module, conditions = [], columns = [], sort = null }: Given) {
  const record = recordsByModule[readableModule(ctx, module)]!
  await checkList(ctx, record, { conditions, sort })
  for (const column of columns) {
    const isKnown = Object.hasOwn(record.fields, column)
    if (isKnown || (record.open && /^custom_fields\../.test(column))) continue
    const names = Object.keys(record.fields).join(', ')
    throw badField('columns', `${column} is not a field; fields are ${names}`)
  }
}

/** The condition of the owner's defaults of a module. */
function ofOwner(owner: string | null, module: string): Query {
  return sql`t.created_by = ${owner} and t.module = ${module}`
}

function withProperties(schema: JSONSchema, more: { [name: string]: JSONSchema }): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...more } }
}

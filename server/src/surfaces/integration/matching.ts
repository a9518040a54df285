import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { isObject } from '../../kit/ground/object.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { asStored, definitions } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { uniqueForm } from '../../kit/write/unique.ts'
import { duplicateSwitches } from '../../records/duplicates/duplicates.ts'

type Body = { [name: string]: unknown }
type Query = { match?: string; on_duplicate?: 'fail' | 'update' }

/** How a create finds an existing record. */
export type Matching = {
  /** the record that a body creates */
  recordOf: (body: Body) => AnyRecord
  /** changes the record of this id by the same body */
  update: (ctx: Context, id: string, input: Input) => Promise<unknown>
}

const prefix = 'custom_fields.'

const match = Type.Optional(
  Type.String({
    maxLength: 300,
    description:
      'a unique custom field, as `custom_fields.<key>`: a record with its value is the same, and with `on_duplicate=update` it is updated',
  }),
)

/**
 * A create that recognizes existing records by a unique custom field, such as the id of another system. Of two
 * concurrent requests one waits for the other.
 */
export function matching(create: Operation, { recordOf, update }: Matching): Operation {
  const { on_duplicate } = duplicateSwitches
  const query = extend((create.input.query ?? Type.Object({})) as ReturnType<typeof Type.Object>, {
    on_duplicate,
    match,
  })
  return {
    ...create,
    input: { ...create.input, query: query as JSONSchema },
    async run(ctx, input) {
      const { match: by, ...others } = input.query as Query
      const sent = input.body as Body
      const policy = others.on_duplicate ?? sent.on_duplicate
      if (by === undefined) {
        return create.run(ctx, { ...input, query: create.input.query ? others : {} })
      }
      const record = recordOf(sent)
      const field = await uniqueField(ctx, record, by)
      const value = valueIn(ctx, sent, field)
      const form = uniqueForm(value)
      await lockName(ctx, `match ${ctx.organization.id} ${record.module} ${field.key} ${form}`)
      const found = await ctx.one<{ id: string }>(sql`
        select t.id from ${sql.table(record.table)} t
        join unique_values u on ${mine(ctx, 'u')} and u.module = ${record.module}
          and u.key = ${field.key} and u.value = ${form} and u.record_id = t.id
        where ${scope(ctx, record, 'read')}`)
      // other duplicate checks could find a different record
      const body = { ...sent }
      delete body.on_duplicate
      if (!found) return create.run(ctx, { ...input, query: {}, body })
      if (policy !== 'update') {
        const data = { [record.key]: found.id }
        throw conflict(`${by}: this value is already taken`, 'duplicate', data)
      }
      delete body.allow_duplicate
      const answer = await update(ctx, found.id, { ...input, query: {}, body })
      return answer instanceof Answer
        ? new Answer(answer.body, { ...answer.meta, created: false })
        : answer
    },
  }
}

/** The field definition that `match` names; 400 if it is no unique field of the record. */
async function uniqueField(ctx: Context, record: AnyRecord, by: string): Promise<Definition> {
  const key = by.startsWith(prefix) ? by.slice(prefix.length) : undefined
  const known = [...(await definitions(ctx, record.module)).values()]
  const unique = known.filter((each) => each.unique && !each.is_archived && !each.is_built_in)
  const field = unique.find((each) => each.key === key)
  if (field) return field
  const names = unique.map((each) => prefix + each.key).join(', ')
  throw badField(
    'match',
    `must name a unique custom field of ${record.module}: ${names || 'none yet'}`,
  )
}

/** The value by which a body is matched: in `custom_fields`, or at the top level. 400 without one. */
function valueIn(ctx: Context, body: Body, field: Definition): unknown {
  const custom = isObject(body.custom_fields) ? body.custom_fields : {}
  const sent = Object.hasOwn(custom, field.key) ? custom[field.key] : body[field.key]
  const value = asStored(field, sent ?? null, ctx.organization.timezone)
  if (value === null || value === '') {
    throw badField(prefix + field.key, 'is required, as `match` names it')
  }
  return value
}

import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden, renamed } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { isObject } from '../../kit/ground/object.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import type { Answer, Json } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { condition } from '../../kit/read/condition.ts'
import { underOneName } from '../../kit/record/names.ts'
import { isWritable } from '../../kit/record/record.ts'
import { may } from '../../kit/record/scope.ts'
import { checkBody, trimmed } from '../../kit/record/validate.ts'
import type { BulkAction } from './change.ts'
import { bulkActions, changeMany } from './change.ts'
import type { BulkList, Verb } from './list.ts'
import type { OtherUndos } from './undo.ts'
import { undoDays, undoMany } from './undo.ts'

/** How many records one bulk write may change. */
const most = 500

const outcome = Type.Object(
  {
    updated: Type.Integer({ description: 'how many were changed' }),
    failed: Type.Array(
      Type.Object(
        { id: Type.String(), error: Type.String() },
        { title: 'BulkFailure', additionalProperties: false },
      ),
      { description: 'those that could not be, with the reason' },
    ),
    bulk_id: Type.String({ description: 'for the undo' }),
  },
  { title: 'BulkOutcome', additionalProperties: false },
)

const selection = {
  ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 25 }), { minItems: 1, maxItems: most }),
  ),
  filter: Type.Optional(
    Type.Array(condition, {
      maxItems: 50,
      description: 'in place of `ids`: conditions as in the list',
    }),
  ),
  filter_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 25,
      description: 'in place of `ids`: a saved filter, combined with `filter`',
    }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'in place of `ids`: text to search for' }),
  ),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: most,
      description: 'with `filter`: how many records the caller expects; 409 if the number differs',
    }),
  ),
}

const verbs: { [action in BulkAction]: Verb } = {
  update: 'update',
  add_tags: 'update',
  remove_tags: 'update',
  delete: 'remove',
  restore: 'restore',
}

/** The same change to many records of a list, by the operations that change one of them. */
export function bulkOf(kind: BulkList): Operation {
  const { list, record, operations } = kind
  const tagged = record.fields.tags && isWritable(record.fields.tags)
  const actions = bulkActions.filter(
    (action) => operations[verbs[action]] && (tagged || !action.endsWith('_tags')),
  )
  const things = list.replaceAll('_', ' ')
  const { params } = operations.list.input
  return {
    name: `bulk_write_${list}`,
    summary: `Change many ${things}`,
    description:
      `Applies one action to up to ${most} records: \`update\` with the \`fields\` of an ordinary ` +
      `update, ${tagged ? '`add_tags` and `remove_tags` with `fields.tags`, ' : ''}\`delete\` or ` +
      '`restore`. Those that cannot be changed are listed under `failed`; the others are changed, ' +
      `all in one transaction. It can be undone for ${undoDays} days.`,
    can: rightOf(kind),
    writes: true,
    mayFree: true,
    input: {
      ...(params ? { params } : {}),
      body: Type.Object(
        {
          ...selection,
          action: enumeration(actions, { title: 'BulkAction' }),
          fields: Type.Optional(
            schema<{ [field: string]: unknown }>({
              ...updateFields(operations.update),
              description: 'as an ordinary update takes them',
            }),
          ),
        },
        { additionalProperties: false },
      ) as unknown as JSONSchema,
    },
    output: outcome as unknown as JSONSchema,
    run: (ctx, input) => run(ctx, kind, input),
  }
}

/** The right of the ordinary update, or if any user may call that for their own records, the right to update. */
function rightOf({ record: { module }, operations: { update } }: BulkList): Can {
  return typeof update?.can === 'object' ? update.can : { module, action: 'update' }
}

/** The body of an ordinary update, without its title; the action checks what is required. */
function updateFields(update: Operation | undefined): JSONSchema {
  const { properties = {} } = update?.input.body ?? {}
  return { type: 'object', properties }
}

async function run(ctx: Context, kind: BulkList, input: Input) {
  const { action, fields = {} } = input.body as { action: BulkAction; fields?: object }
  const one = kind.operations[verbs[action]]
  const { can = 'signed_in' } = one ?? {}
  if (!may(ctx.actor, can)) throw forbidden(`Your role may not ${action} these records`)
  if (one) ctx.services.rowQuota.check(ctx.organization.id, one)
  const body = checkedFields(ctx, kind, action, fields)
  const { list } = kind.operations
  // for a list inside another record's path: 404 if that record does not exist
  if (list.input.params) await list.run(ctx, { ...input, query: { items_per_page: 1 } })
  const ids = await selected(ctx, kind, input)
  checkTotal(ctx, ids, body)
  return changeMany(ctx, kind, { action, ids, fields: body, at: input.params as object })
}

type Fields = { [field: string]: unknown }

function checkedFields(
  ctx: Context,
  { operations: { update } }: BulkList,
  action: BulkAction,
  fields: object,
): Fields {
  if (action === 'delete' || action === 'restore') return {}
  const renamed = inside(() => underOneName({ ...fields }, update?.aliases ?? {}))
  if (action !== 'update') {
    const { tags } = renamed
    const isList = Array.isArray(tags) && tags.length > 0
    if (!isList || !(tags as unknown[]).every((tag) => typeof tag === 'string')) {
      throw badField('fields.tags', 'must be an array of at least one tag')
    }
    return inside(() => checked(ctx, update, { tags }))
  }
  if (!Object.keys(renamed).length) throw badField('fields', 'must have at least one field')
  return inside(() => checked(ctx, update, renamed))
}

function checked({ organization }: Context, update: Operation | undefined, fields: Fields): Fields {
  const body = update?.input.body
  if (!body) return fields
  const made = trimmed(body, fields, organization.timezone)
  checkBody(body, made)
  return isObject(made) ? made : {}
}

/** Prefixes the fields of an error with their place in the body. */
function inside<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw renamed(error, (field) => `fields.${field}`)
  }
}

/** 400 if the changes of all records together are more than a request may write. */
function checkTotal({ limits }: Context, ids: string[], fields: Fields) {
  const each = Buffer.byteLength(JSON.stringify(fields))
  const bound = limits.bulkBytes
  if (!bound || each * ids.length <= bound) return
  const message = `must be at most ${Math.floor(bound / each)} with changes of ${each} bytes each`
  throw badField('ids', message)
}

/** The ids in the body, or those that its filter matches. */
async function selected(ctx: Context, { record, operations }: BulkList, input: Input) {
  const { ids, filter, filter_id, q, expected_count } = input.body as {
    ids?: string[]
    filter?: unknown[]
    filter_id?: string
    q?: string
    expected_count?: number
  }
  const [chosen] =
    Object.entries({ filter, filter_id, q }).find(([, value]) => value !== undefined) ?? []
  if (ids && chosen) throw badField(chosen, 'cannot be combined with ids')
  if (ids) return ids
  if (!chosen) throw badField('ids', 'is required, or filter with expected_count')
  if (expected_count === undefined) throw badField('expected_count', 'is required with filter')
  const query = {
    page: 1,
    items_per_page: most,
    include_count: true,
    fields: record.key,
    ...(filter ? { filter: JSON.stringify(filter) } : {}),
    ...(filter_id === undefined ? {} : { filter_id }),
    ...(q ? { q } : {}),
  }
  const answer = (await operations.list.run(ctx, { ...input, query, body: undefined })) as Answer
  const { total = 0 } = answer.meta.page ?? {}
  if (total > most) {
    const message = `matches ${total} records, and one bulk write changes at most ${most}`
    throw badField('filter', message)
  }
  if (total !== expected_count) {
    const message = `The filter matches ${total} records now, not ${expected_count}`
    throw conflict(message, 'count_changed', { count: total })
  }
  const rows = JSON.parse((answer.body as Json).text) as { [field: string]: string }[]
  return rows.map((row) => row[record.key]!)
}

const kept = Type.Object(
  {
    id: Type.String(),
    field: Type.String(),
    by: orNull(Type.String({ description: 'who changed it, by name' })),
  },
  { title: 'KeptField', additionalProperties: false },
)

/** Undoes a bulk write on any of these lists, or one of the others. */
export function undoOf(lists: BulkList[], others: OtherUndos) {
  return operation({
    name: 'undo_bulk_write',
    summary: 'Undo a bulk write',
    description: `For whoever made it, for ${undoDays} days and once. Records that were changed since stay as they are and are listed under \`failed\`; of a changed plan, only the fields that were changed since stay, listed under \`kept\`.`,
    can: 'signed_in',
    topic: 'bulk',
    writes: true,
    input: { params: Type.Object({ bulk_id: Type.String() }) },
    output: Type.Object(
      { ...outcome.properties, kept: Type.Optional(Type.Array(kept)) },
      { title: 'UndoOutcome', additionalProperties: false },
    ),
    run: (ctx, { params }) => undoMany(ctx, lists, others, params.bulk_id),
  })
}

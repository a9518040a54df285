import type { Context, Query } from '../kit/ground/context.ts'
import { conflict } from '../kit/ground/errors.ts'
import type { Input } from '../kit/ground/operation.ts'
import type { Answer } from '../kit/ground/operation.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { scope } from '../kit/record/scope.ts'
import { sql } from '../kit/ground/sql.ts'
import { refuseCycle } from './cycle.ts'
import { lock, tryInsert, update, written } from '../kit/write/write.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

type Switches = { on_duplicate?: 'update' | 'fail'; allow_duplicate?: boolean }

const switches = {
  on_duplicate: {
    type: 'string',
    enum: ['fail', 'update'],
    description: 'update: an existing record is updated instead, and answered with 200',
  },
  allow_duplicate: { type: 'boolean', description: 'make another one all the same' },
}

/** The query of a create that minds duplicates. */
export const duplicateQuery: JSONSchema = { type: 'object', properties: switches }

/** The same switches may travel in the body. */
export function withSwitches(body: JSONSchema): JSONSchema {
  return { ...body, properties: { ...(body.properties as object), ...switches } }
}

/**
 * Creates a record unless one with the same `unique_key` exists: then 409 with its id, or an update
 * of it where the caller asked for that. `alike` is a condition over `t` for what else counts; `line`
 * the field that may point to another record of the kind, but never round to itself.
 */
export async function createOnce(
  ctx: Context,
  record: AnyRecord,
  input: Input,
  unique_key: string | null,
  line: string,
  alike?: Query,
): Promise<Answer> {
  const { on_duplicate, allow_duplicate, ...body } = input.body as Switches & {
    [key: string]: unknown
  }
  const wanted: Switches = { on_duplicate, allow_duplicate, ...pick(input.query) }
  const key = wanted.allow_duplicate ? null : unique_key
  const same =
    alike && key
      ? await ctx.one(sql`select 1 from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and ${alike} limit 1`)
      : undefined
  const made = same
    ? undefined
    : await tryInsert(ctx, record, body, {
        set: { unique_key: key, record_source: ctx.source },
        unlessTaken: true,
      })
  if (made) return written(made, true)
  const existing = await ctx.one<{ id: string }>(sql`
    select t.id from ${sql.table(record.table)} t where ${scope(ctx, record, 'read')}
      and (t.unique_key = ${key} ${alike ? sql`or ${alike}` : sql``}) order by t.id limit 1`)
  if (!existing || wanted.on_duplicate !== 'update') throw taken(record, existing?.id)
  const updated = await update(ctx, record, existing.id, body)
  if (body[line]) await refuseCycle(ctx, record, line, existing.id)
  return written(updated, false)
}

/**
 * Updates a record whose `unique_key` may change with it: 409 with the other's id, where the caller
 * may see that one, when it is taken. `line` as above: 400 when it goes round.
 */
export async function updateOnce(
  ctx: Context,
  record: AnyRecord,
  id: string,
  body: { [key: string]: unknown },
  set: { unique_key?: string | null },
  line: string,
): Promise<Answer> {
  if (typeof set.unique_key === 'string') {
    await lock(ctx, record, id, 'update')
    const other = await ctx.one<{ id: string }>(sql`select t.id from ${sql.table(record.table)} t
      where ${scope(ctx, record, 'read')} and t.unique_key = ${set.unique_key} and t.id <> ${id}`)
    if (other) throw taken(record, other.id)
  }
  const updated = await update(ctx, record, id, body, set)
  if (body[line]) await refuseCycle(ctx, record, line, id)
  return written(updated)
}

function taken(record: AnyRecord, id: string | undefined) {
  const data = id === undefined ? undefined : { [record.key]: id }
  return conflict(`This ${record.word} already exists`, 'duplicate', data)
}

function pick(query: Switches): Switches {
  const given: Switches = {}
  if (query.on_duplicate !== undefined) given.on_duplicate = query.on_duplicate
  if (query.allow_duplicate !== undefined) given.allow_duplicate = query.allow_duplicate
  return given
}

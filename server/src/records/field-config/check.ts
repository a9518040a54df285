import type { Context } from '../../kit/ground/context.ts'
import { Failure, badField, conflict } from '../../kit/ground/errors.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { absentUser } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { builtIns } from './built-in.ts'
import type { FieldInput } from './input.ts'
import { problem } from '../../kit/record/field-types.ts'

/**
 * 409 for changes that stored data forbids, 400 for a default that does not fit the type, or that a second record
 * could not have; `at` is its place in the body.
 */
export async function checkChange(
  ctx: Context,
  record: AnyRecord,
  old: Definition | undefined,
  next: Definition,
  input: FieldInput,
  at: string,
) {
  if (old?.is_built_in) {
    const fixed = builtIns(record).find(({ key }) => key === next.key)
    if (next.type !== old.type) throw conflict(`${next.key} is built in; its type cannot change`)
    if (next.is_archived) throw conflict(`${next.key} is built in and cannot be archived`)
    if (next.is_shared) throw conflict(`${next.key} is built in; only custom fields are shared`)
    if (next.unique) throw conflict(`${next.key} is built in and cannot be made unique`)
    if (fixed?.required && !next.required) throw conflict(`${next.key} is always required`)
  } else if (old && next.type !== old.type && (await holdsData(ctx, record, next.key))) {
    throw conflict(
      `${next.key} holds data, so its type cannot change from ${old.type} to ${next.type}`,
    )
  }
  if (next.default === null || next.default === undefined) return
  const wasBoth = old?.unique && old.default !== null
  if (next.unique && !wasBoth) {
    throw badField(
      `${at}.default`,
      'must be null where the field is unique: two records would have it',
    )
  }
  if (input.default === undefined && next.type === old?.type) return
  const message = await wrongDefault(ctx, record, next)
  if (message) throw badField(`${at}.default`, message)
}

async function wrongDefault(ctx: Context, record: AnyRecord, next: Definition) {
  if (!next.is_built_in) {
    const inUse = { ...next, is_archived: false }
    return problem(inUse, next.default) ?? (await absentUser(ctx, next, next.default))
  }
  // if that record is deleted later, every create would fail
  if (record.fields[next.key]?.reference) return 'a link to another record has none'
  try {
    checkBody(bodyOf(record), { [next.key]: next.default })
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

const bodies = new WeakMap<AnyRecord, JSONSchema>()

function bodyOf(record: AnyRecord): JSONSchema {
  const schema = bodies.get(record) ?? updateSchema(record)
  bodies.set(record, schema)
  return schema
}

/** Whether a record, deleted or not, has a value of a custom field. */
export async function holdsData(ctx: Context, record: AnyRecord, key: string): Promise<boolean> {
  const row = await ctx.one(sql`select 1 from ${sql.table(record.table)} t
    where ${mine(ctx)} and custom_fields ? ${key} limit 1`)
  return row !== undefined
}

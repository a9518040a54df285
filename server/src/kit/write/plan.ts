import { equal, isObject } from '../ground/object.ts'
import type { Context } from '../ground/context.ts'
import { instantIn } from '../ground/dates.ts'
import type { FieldError } from '../ground/errors.ts'
import { badFields } from '../ground/errors.ts'
import type { absentUser } from '../record/custom.ts'
import { checkRequired, mergeCustom } from '../record/custom.ts'
import { storedChoice } from '../record/option-sets.ts'
import type { AnyRecord, Field } from '../record/record.ts'
import { additionsOf, isWritable, ownField } from '../record/record.ts'
import { changedColumns, withoutSame } from './changes.ts'
import type { Resolved } from './references.ts'
import { heldLinks, isUnchangedLink, resolveReferences } from './references.ts'

// The plan of a write, before any statement is sent. One record and many are planned alike; only the
// statements that execute the plan differ.

type Row = { [field: string]: unknown }
type Body = { [key: string]: unknown }
type Columns = { [column: string]: unknown }

type How = {
  /** a value as the statement takes it */
  encode: (field: Field, value: unknown) => unknown
  /** ids of links that the caller has looked up itself */
  links?: { [field: string]: string }
  /** columns that no body can set */
  set?: Columns
  /** required fields may be missing, such as where a template or a series creates the record */
  allowMissing?: boolean
  /** look-ups shared by many records */
  resolve?: typeof resolveReferences
  absent?: typeof absentUser
}

export type InsertPlan = {
  columns: Columns
  /** the values of the body by field, links as ids */
  values: Body
  custom: Body
  /** what a read shows of the records linked to; rejected with 400 where one is not visible */
  visible: Resolved['visible'] | undefined
}

/** The columns of a new record. 400 names every wrong field. */
export async function planInsert(
  ctx: Context,
  record: AnyRecord,
  id: string,
  body: Body,
  { encode, links = {}, set = {}, allowMissing = false, resolve, absent }: How,
): Promise<InsertPlan> {
  const { values, custom, visible } = await splitBody(ctx, record, body, resolve)
  Object.assign(values, links)
  if (!allowMissing) await checkRequired(ctx, record, { ...body, ...links })
  const columns = newColumns(ctx, record, id, values, encode)
  if (!hasCustom(record))
    return { columns: Object.assign(columns, set), values, custom: {}, visible }
  const merged = await mergeCustom(ctx, record, custom, null, absent, allowMissing)
  columns.custom_fields = encode(customField, merged)
  return { columns: Object.assign(columns, set), values, custom: merged, visible }
}

/** The columns that a change sets, without those that hold their value already. */
export async function planUpdate(
  ctx: Context,
  record: AnyRecord,
  before: Row,
  body: Body,
  { encode, links = {}, set = {}, resolve, absent }: How,
): Promise<{ columns: Columns; custom: Body | undefined }> {
  const { values, custom, visible } = await splitBody(ctx, record, body, resolve, before)
  Object.assign(values, links)
  await visible
  await checkRequired(ctx, record, values, before)
  const columns: Columns = {
    ...withoutSame(record, before, set),
    ...changedColumns(record, before, values, encode),
  }
  if (!hasCustom(record) || !Object.keys(custom).length) return { columns, custom: undefined }
  const old = customOf(before)
  const merged = await mergeCustom(ctx, record, custom, old, absent)
  if (!equal(merged, old)) columns.custom_fields = encode(customField, merged)
  return { columns, custom: merged }
}

/** Whether the record stores what a body holds beside its fields. */
export function hasCustom(record: AnyRecord): boolean {
  return record.open && 'custom_fields' in record.fields
}

/** The custom fields of a row as a read gives it. */
export function customOf(row: Row): Body {
  return (row.custom_fields as Body | null | undefined) ?? {}
}

/** A value as a parameter of a statement: JSON travels as text. */
export function asParameter(field: Field, value: unknown): unknown {
  const isJson = field.kind === 'json' || field.kind === 'list'
  return isJson && value !== null ? JSON.stringify(value) : value
}

const customField = { kind: 'json' } as Field

/**
 * Sorts a body's keys by where they are stored; references become ids, read-only fields are ignored. A link that
 * names the same record as `before` is ignored too, since that record may have been deleted or moved meanwhile; so is
 * a stored link to a deleted record, which reads no longer show.
 */
async function splitBody(
  ctx: Context,
  record: AnyRecord,
  body: Body,
  resolve: typeof resolveReferences = resolveReferences,
  before?: Row,
) {
  const values: Body = {}
  const custom: Body = {}
  const links: Body = {}
  const errors: FieldError[] = []
  for (const [name, value] of Object.entries(body)) {
    const field = ownField(record, name)
    if (name === 'custom_fields' && isObject(value)) Object.assign(custom, value)
    else if (!field) {
      // members that reads add to the fields: callers who send a record back send them, too
      if (record.open && !additionsOf(record).includes(name)) custom[name] = value
    } else if (!isWritable(field) || field.expression) {
      if (field.refusal && !isRepeated(ctx, name, field, value, before)) {
        errors.push({ field: name, message: `cannot be set here: it ${field.refusal}` })
      } else if (isTooLong(field, value)) {
        errors.push({
          field: name,
          message: `must be at most ${field.schema.maxLength} characters`,
        })
      }
    } else if (field.reference) {
      if (!isUnchangedLink(field, before?.[name], value)) links[name] = value
    } else if (field.optionSet && value !== before?.[name]) {
      values[name] = await storedChoice(ctx, field, value)
    } else values[name] = normal(ctx, name, field, value)
  }
  if (errors.length) throw badFields(errors)
  if (before && resolve === resolveReferences) {
    for (const name of await heldLinks(ctx, record, before, links)) delete links[name]
  }
  if (!Object.keys(links).length) return { values, custom, visible: undefined }
  const { ids, visible } = await resolve(ctx, record, links)
  return { values: { ...values, ...ids }, custom, visible }
}

/** Whether a text is longer than a field can be that bodies do not set; within its limit it is ignored. */
function isTooLong({ schema: { maxLength } }: Field, value: unknown): boolean {
  return (
    typeof maxLength === 'number' &&
    typeof value === 'string' &&
    Array.from(value).length > maxLength
  )
}

/** Whether a body repeats of a field that it cannot set what a read shows, or will show of a new record. */
function isRepeated(
  ctx: Context,
  name: string,
  field: Field,
  value: unknown,
  before: Row | undefined,
): boolean {
  const now = before ? before[name] : (field.default ?? null)
  if (equal(now ?? null, value ?? null) || isUnchangedLink(field, now, value)) return true
  if (Array.isArray(value)) return sameIds(now, value)
  if (before) return false
  // a form sends its empty fields, and a link to oneself is often the default
  const isBlank = value === '' || (value === false && field.default === undefined)
  return isBlank || isUnchangedLink(field, ctx.actor.user_id, value)
}

/** Whether two lists of records are of the same ones, which may have changed otherwise since. */
function sameIds(now: unknown, sent: unknown[]): boolean {
  const ids = (list: unknown[]) =>
    list.map((each) => String(isObject(each) ? Object.values(each)[0] : each)).sort()
  return equal(ids(Array.isArray(now) ? now : []), ids(sent))
}

function normal(ctx: Context, name: string, field: Field, value: unknown): unknown {
  if (value === null || field.kind !== 'timestamp') return value
  return instantIn(name, String(value), ctx.organization.timezone)
}

/**
 * The columns of a new record: every writable one each time, so that there is one statement's text
 * per record and it stays prepared.
 */
function newColumns(
  ctx: Context,
  record: AnyRecord,
  id: string,
  values: Body,
  encode: How['encode'],
): Columns {
  const columns: Columns = {
    organization_id: ctx.organization.id,
    id,
    created_by: ctx.actor.user_id,
    creation_time: ctx.now().toISOString(),
    last_update_time: ctx.now().toISOString(),
  }
  for (const [name, field] of Object.entries(record.fields)) {
    if (!isWritable(field) || field.expression || name === 'custom_fields') continue
    columns[field.column ?? name] = encode(field, values[name] ?? field.default ?? null)
  }
  return columns
}

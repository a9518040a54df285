import type { Definition } from './field-types.ts'
import type { Context } from '../ground/context.ts'
import { dayOfInstant, isDay, parseInstant, startOfDay } from '../ground/dates.ts'
import type { Failure, FieldError } from '../ground/errors.ts'
import { badField, badFields } from '../ground/errors.ts'
import { optionNamed } from './option-sets.ts'
import type { AnyRecord } from './record.ts'
import { mine, sql } from '../ground/sql.ts'
import { problem } from './field-types.ts'

type Custom = { [key: string]: unknown }

/** The organization's definitions for a module, by key. */
export function definitions(ctx: Context, module: string): Promise<Map<string, Definition>> {
  return ctx.cached(`definitions ${module}`, async (committed) => {
    const rows = await committed.all<Definition>(sql`
      select key, label, type, required, is_unique as "unique", description, options,
        default_value as "default", position, field_group as "group", is_archived, is_shared, is_built_in
      from field_definitions t where ${mine(ctx)} and module = ${module} order by position, key`)
    return new Map(rows.map((row) => [row.key, row]))
  })
}

/**
 * Merges custom fields into those stored (null removes a key) and checks every value that has a
 * definition. Keys without one are stored as they are. 400 names each wrong field. `allowMissing`
 * lets required fields be missing.
 */
export async function mergeCustom(
  ctx: Context,
  record: AnyRecord,
  custom: Custom,
  stored: Custom | null,
  absent: typeof absentUser = absentUser,
  allowMissing = false,
): Promise<Custom> {
  const most = ctx.limits.customFieldsKeys
  // ahead of looking at each of them; some may be there to be removed
  if (most && Object.keys(custom).length > 2 * most) throw tooManyKeys(most)
  checkSent(ctx, custom)
  const known = await definitions(ctx, record.module)
  const merged: Custom = { ...stored }
  const errors: FieldError[] = []
  for (const [key, sent] of Object.entries(custom)) {
    const definition = known.get(key)
    const value =
      stored && stored[key] === sent ? sent : asStored(definition, sent, ctx.organization.timezone)
    // a user who has left since may stay
    const isNew = !stored || stored[key] !== value
    const message =
      definition && !definition.is_built_in
        ? (problem(definition, value) ?? (isNew ? await absent(ctx, definition, value) : undefined))
        : undefined
    if (message) errors.push({ field: `custom_fields.${key}`, message })
    if (value === null) delete merged[key]
    else
      Object.defineProperty(merged, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  for (const definition of known.values()) {
    const { key } = definition
    if (definition.is_built_in || definition.is_archived || Object.hasOwn(merged, key)) continue
    if (!stored && definition.default !== null) merged[key] = definition.default
    else if (allowMissing) continue
    else if (definition.required && (!stored || Object.hasOwn(custom, key))) {
      errors.push({ field: `custom_fields.${key}`, message: 'is required' })
    }
  }
  if (Object.keys(custom).some((key) => key.length > 255)) {
    errors.push({ field: 'custom_fields', message: 'must have keys of at most 255 characters' })
  }
  if (most && Object.keys(merged).length > most) throw tooManyKeys(most)
  if (errors.length) throw badFields(errors)
  if (Object.keys(custom).length) checkBytes(ctx, merged, stored)
  return merged
}

/**
 * What a custom field stores of a value: of options their values where labels are sent, of dates and times the
 * instant in UTC, and where a day belongs its day in the zone, which also holds for what has no offset. What does
 * not fit stays as it is, and is refused.
 */
export function asStored(
  definition: Pick<Definition, 'type' | 'options' | 'is_built_in'> | undefined,
  value: unknown,
  timezone: string,
): unknown {
  if (!definition || definition.is_built_in) return value
  const { type, options } = definition
  const one = (part: unknown) => {
    if (typeof part !== 'string') return part
    if (type === 'date') return dayOfInstant(part.trim(), timezone) ?? part
    if (type === 'datetime') return instantOf(part.trim(), timezone) ?? part
    return optionNamed(options, part) ?? part
  }
  switch (type) {
    case 'multi_select':
      // what is chosen twice is chosen
      return Array.isArray(value) ? [...new Set(value.map(one))] : one(value)
    case 'select':
    case 'date':
    case 'datetime':
      return one(value)
    default:
      return value
  }
}

/** A date and time, or the beginning of a day, as ISO 8601 UTC. */
function instantOf(text: string, timezone: string): string | undefined {
  return isDay(text) ? startOfDay(text, timezone) : parseInstant(text, timezone)
}

function tooManyKeys(most: number): Failure {
  return badField('custom_fields', `must have at most ${most} keys`)
}

/**
 * 400 for custom fields far beyond what a record may have, before each value is checked: only the
 * lengths of keys and texts are counted, which is fast.
 */
export function checkSent({ limits }: Context, custom: Custom): void {
  const most = limits.customFieldsBytes
  let least = 0
  for (const [key, value] of Object.entries(custom)) {
    least += key.length + (typeof value === 'string' ? value.length : 0)
  }
  if (!most || least <= 2 * most) return
  const message = `must take at most ${most} bytes together, as JSON in UTF-8; these take over ${2 * most}`
  throw badField('custom_fields', message)
}

/** 400 for more than a record may have, unless it had more before. */
function checkBytes({ limits }: Context, merged: Custom, stored: Custom | null): void {
  const most = limits.customFieldsBytes
  const bytes = most && bytesOf(merged)
  if (bytes <= most || (stored && bytes <= bytesOf(stored))) return
  const message = `must take at most ${most} bytes together, as JSON in UTF-8; these take ${bytes}`
  throw badField('custom_fields', message)
}

function bytesOf(custom: Custom): number {
  return Buffer.byteLength(JSON.stringify(custom))
}

/** A new record's body with the organization's defaults for the built-in fields it leaves out. */
export async function withDefaults(ctx: Context, record: AnyRecord, body: Custom) {
  const full = { ...body }
  for (const { key, default: value } of await builtInsOf(ctx, record)) {
    if (value !== null && full[key] === undefined) full[key] = value
  }
  return full
}

/**
 * 400 for built-in fields that this organization requires and the new record lacks, or that a
 * change of a record empties.
 */
export async function checkRequired(
  ctx: Context,
  record: AnyRecord,
  values: Custom,
  before?: Custom,
) {
  const isEmpty = (value: unknown) => (value ?? '') === ''
  const missing = (await builtInsOf(ctx, record)).filter(
    ({ key, required }) =>
      required &&
      isEmpty(values[key]) &&
      (!before || (Object.hasOwn(values, key) && !isEmpty(before[key]))),
  )
  if (missing.length) {
    throw badFields(missing.map(({ key }) => ({ field: key, message: 'is required' })))
  }
}

async function builtInsOf(ctx: Context, record: AnyRecord): Promise<Definition[]> {
  const known = await definitions(ctx, record.module)
  return [...known.values()].filter(
    ({ key, is_built_in }) => is_built_in && Object.hasOwn(record.fields, key),
  )
}

/** The custom fields that a copy of a record takes along: none that is archived or must be unique. */
export async function copiedCustom(
  ctx: Context,
  { module }: AnyRecord,
  custom: Custom,
): Promise<Custom> {
  const known = await definitions(ctx, module)
  const isCopied = ([key]: [string, unknown]) => {
    const definition = known.get(key)
    return !definition?.unique && !definition?.is_archived
  }
  return Object.fromEntries(Object.entries(custom).filter(isCopied))
}

/** What is wrong with the id in a field of type user; undefined when the organization has the user. */
export async function absentUser(
  ctx: Context,
  { type }: Definition,
  value: unknown,
): Promise<string | undefined> {
  if (type !== 'user' || value === null) return undefined
  const found = await ctx.one(sql`select from users t
    where ${mine(ctx)} and t.id = ${value} and t.deleted_at is null`)
  return found ? undefined : 'no such user'
}

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import type { Definition, Option } from '../../kit/record/custom.ts'
import { absentUser, fieldTypes, problem } from '../../kit/record/custom.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { Failure, badFields, badRequest, conflict } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { builtIns, labelOf, optionSetOf } from './built-in.ts'
import { optionSchema, optionSets } from './options.ts'
import { reindexUnique } from './unique.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Change } from '../../kit/ground/event.ts'

const definitionSchema: JSONSchema = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    label: { type: 'string' },
    type: { type: 'string', enum: fieldTypes },
    required: { type: 'boolean' },
    unique: { type: 'boolean' },
    description: { type: ['string', 'null'] },
    options: { type: 'array', items: optionSchema },
    default: {},
    position: { type: 'integer' },
    group: { type: ['string', 'null'] },
    is_archived: { type: 'boolean' },
    is_built_in: { type: 'boolean' },
  },
}

const givenField: JSONSchema = {
  type: 'object',
  properties: {
    key: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$' },
    label: { type: 'string', minLength: 1, maxLength: 255 },
    type: { type: 'string', enum: fieldTypes },
    required: { type: 'boolean' },
    unique: { type: 'boolean' },
    description: { type: ['string', 'null'], maxLength: 2000 },
    options: {
      type: 'array',
      maxItems: 500,
      items: {
        type: ['object', 'string'],
        properties: {
          value: { type: 'string', minLength: 1, maxLength: 255 },
          label: { type: 'string', minLength: 1, maxLength: 255 },
          color: { type: ['string', 'null'], maxLength: 40 },
          icon: { type: ['string', 'null'], maxLength: 100 },
          position: { type: 'integer', minimum: 0, maximum: 100_000 },
          is_default: { type: 'boolean' },
        },
        minLength: 1,
        maxLength: 255,
      },
    },
    default: {},
    position: { type: 'integer', minimum: 0, maximum: 100_000 },
    group: { type: ['string', 'null'], maxLength: 255 },
    is_archived: { type: 'boolean' },
  },
  required: ['key'],
}
const givenFields: JSONSchema = { type: 'array', items: givenField, maxItems: 500 }

/** The body of a field-config write: `{fields: […]}`, or the bare array. */
const bodySchema: JSONSchema = {
  if: { type: 'array' },
  then: givenFields,
  else: { type: 'object', properties: { fields: givenFields }, required: ['fields'] },
}

type GivenOption = string | (Partial<Option> & { value?: string })
type Given = Partial<Omit<Definition, 'options'>> & { key: string; options?: GivenOption[] }

/** Reading and merging the field configuration of one record. */
export function fieldConfig(record: AnyRecord): { read: Operation; update: Operation } {
  const { module, word } = record
  const output: JSONSchema = {
    type: 'object',
    properties: { module: { type: 'string' }, fields: { type: 'array', items: definitionSchema } },
    required: ['module', 'fields'],
  }
  return {
    read: {
      name: `read_${word}_field_config`,
      summary: `The fields of a ${word}, built-in and custom`,
      can: { module, action: 'read' },
      writes: false,
      input: {},
      output,
      run: async (ctx) => ({ module: word, fields: await currentFields(ctx, record) }),
    },
    update: {
      name: `update_${word}_field_config`,
      summary: `Add fields to a ${word} and merge with those there are; all or nothing`,
      can: { module, action: 'update' },
      writes: true,
      input: { body: bodySchema },
      output,
      run: async (ctx, { body }) => {
        await merge(ctx, record, Array.isArray(body) ? body : body.fields)
        return { module: word, fields: await currentFields(ctx, record) }
      },
    },
  }
}

/** Built-in fields with the organization's words on them, then its own, in their order. */
export async function currentFields(ctx: Context, record: AnyRecord): Promise<Definition[]> {
  const stored = await storedDefinitions(ctx, record)
  const sets = await setsOf(ctx, record)
  const fields = builtIns(record).map((field) => {
    const words = stored.get(field.key)
    stored.delete(field.key)
    const set = optionSetOf[record.module]?.[field.key]
    const options = set ? (sets[set] ?? []) : field.options
    return {
      ...field,
      ...words,
      type: field.type,
      default: words?.default ?? field.default,
      options,
    }
  })
  return [...fields, ...stored.values()].sort((a, b) => a.position - b.position)
}

/** Inside a write the transaction's own rows count, so what is cached will not do. */
async function setsOf(ctx: Context, record: AnyRecord) {
  return optionSets({ ...ctx, cached: (_name, load) => load(ctx) }, record.module)
}

async function storedDefinitions(
  ctx: Context,
  record: AnyRecord,
): Promise<Map<string, Definition>> {
  const rows = await ctx.all<Definition>(sql`
    select key, label, type, required, is_unique as "unique", description, options,
      default_value as "default", position, field_group as "group", is_archived, is_built_in
    from field_definitions t where ${mine(ctx)} and module = ${record.module} order by position, key`)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Merges by key: new is added, known attributes are overwritten, options merge by value. */
async function merge(ctx: Context, record: AnyRecord, given: Given[]) {
  const lock = `field config ${ctx.organization.id} ${record.module}`
  await ctx.run(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const before = new Map((await currentFields(ctx, record)).map((field) => [field.key, field]))
  checkGiven(record, before, given)
  let position = Math.max(0, ...[...before.values()].map((field) => field.position))
  const changes: Change[] = []
  for (const field of given) {
    const old = before.get(field.key)
    const next = mergeField(old, field, () => ++position)
    if (isDeepStrictEqual(old, next)) continue
    changes.push({ field: next.key, from: old ?? null, to: next })
    await checkChange(ctx, record, old, next, field)
    if (next.is_built_in) {
      const set = optionSetOf[record.module]?.[next.key]
      if (set && field.options) await saveOptions(ctx, record, set, next.options)
    }
    await save(ctx, record, next)
    if (!next.is_built_in && next.unique !== (old?.unique ?? false)) {
      await reindexUnique(ctx, record, next)
    }
  }
  if (!changes.length) return
  ctx.forget()
  ctx.emit({
    type: null,
    title: `${labelOf(record.word)} fields changed`,
    module_id: record.number,
    reference_id: null,
    changes,
    raw_description: {
      action: 'field_config',
      module: record.module,
      keys: changes.map(({ field }) => field),
    },
  })
}

function checkGiven(record: AnyRecord, before: Map<string, Definition>, given: Given[]) {
  const errors: FieldError[] = []
  const seen = new Set<string>()
  given.forEach(({ key }, i) => {
    const field = `fields.${i}.key`
    if (seen.has(key)) errors.push({ field, message: `${key} is given twice` })
    seen.add(key)
    const isTaken = Object.hasOwn(record.fields, key) && !before.has(key)
    if (isTaken) errors.push({ field, message: `${key} is a field that the service itself sets` })
  })
  const custom = [...before.values()].filter((field) => !field.is_built_in).length
  const added = given.filter(({ key }) => !before.has(key)).length
  if (custom + added > 500) errors.push({ field: 'fields', message: 'at most 500 custom fields' })
  if (errors.length) {
    throw badFields(errors)
  }
}

function mergeField(
  old: Definition | undefined,
  given: Given,
  nextPosition: () => number,
): Definition {
  const base: Definition = old ?? {
    key: given.key,
    label: labelOf(given.key),
    type: 'text',
    required: false,
    unique: false,
    description: null,
    options: [],
    default: null,
    position: given.position ?? nextPosition(),
    group: null,
    is_archived: false,
    is_built_in: false,
  }
  const { is_built_in, key } = base
  return { ...base, ...given, key, is_built_in, options: mergeOptions(base.options, given.options) }
}

function mergeOptions(old: Option[], given: GivenOption[] = []): Option[] {
  const merged = new Map(old.map((option) => [option.value, option]))
  for (const each of given) {
    const option = typeof each === 'string' ? { value: each } : each
    const value = option.value ?? option.label
    if (!value)
      throw badRequest('options: each needs a value', [
        { field: 'options', message: 'each needs a value' },
      ])
    const known = merged.get(value)
    const fresh = {
      label: labelOf(value),
      color: null,
      icon: null,
      position: merged.size,
      is_default: false,
    }
    merged.set(value, { ...fresh, ...known, ...option, value })
  }
  return [...merged.values()].sort((a, b) => a.position - b.position)
}

/** 409 for changes that stored data forbids, 400 for a default that its own type refuses. */
async function checkChange(
  ctx: Context,
  record: AnyRecord,
  old: Definition | undefined,
  next: Definition,
  given: Given,
) {
  if (old?.is_built_in) {
    const fixed = builtIns(record).find(({ key }) => key === next.key)!
    if (next.type !== old.type) throw conflict(`${next.key} is built in; its type cannot change`)
    if (next.is_archived) throw conflict(`${next.key} is built in and cannot be archived`)
    if (next.unique) throw conflict(`${next.key} is built in and cannot be made unique`)
    if (fixed.required && !next.required) throw conflict(`${next.key} is always required`)
  } else if (old && next.type !== old.type && (await holdsData(ctx, record, next.key))) {
    throw conflict(
      `${next.key} holds data, so its type cannot change from ${old.type} to ${next.type}`,
    )
  }
  const isNew = given.default !== undefined || next.type !== old?.type
  if (!isNew || next.default === null || next.default === undefined) return
  const message = await wrongDefault(ctx, record, next)
  if (message)
    throw badRequest(`default of ${next.key}: ${message}`, [{ field: 'default', message }])
}

async function wrongDefault(ctx: Context, record: AnyRecord, next: Definition) {
  if (!next.is_built_in) {
    const inUse = { ...next, is_archived: false }
    return problem(inUse, next.default) ?? (await absentUser(ctx, next, next.default))
  }
  // who is gone by then would make every create fail
  if (record.fields[next.key]!.reference) return 'a link to another record has none'
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

async function holdsData(ctx: Context, record: AnyRecord, key: string): Promise<boolean> {
  const row = await ctx.one(sql`select 1 from ${sql.table(record.table)} t
    where ${mine(ctx)} and custom_fields ? ${key} limit 1`)
  return row !== undefined
}

async function save(ctx: Context, record: AnyRecord, field: Definition) {
  // a built-in's options live in its option set
  const options = JSON.stringify(field.is_built_in ? [] : field.options)
  const fallback =
    field.default === null || field.default === undefined ? null : JSON.stringify(field.default)
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into field_definitions (organization_id, id, module, key, label, type, required, is_unique,
      description, options, default_value, position, field_group, is_archived, is_built_in,
      creation_time, last_update_time)
    values (${ctx.organization.id}, ${newId()}, ${record.module}, ${field.key}, ${field.label},
      ${field.type}, ${field.required}, ${field.unique}, ${field.description}, ${options},
      ${fallback}, ${field.position}, ${field.group}, ${field.is_archived}, ${field.is_built_in},
      ${now}, ${now})
    on conflict (organization_id, module, key) do update set label = excluded.label,
      type = excluded.type, required = excluded.required, is_unique = excluded.is_unique,
      description = excluded.description, options = excluded.options,
      default_value = excluded.default_value, position = excluded.position,
      field_group = excluded.field_group, is_archived = excluded.is_archived,
      last_update_time = excluded.last_update_time`)
}

async function saveOptions(ctx: Context, record: AnyRecord, set: string, options: Option[]) {
  const rows = options.map(
    ({
      value,
      label,
      color,
      icon,
      position,
      is_default,
    }) => sql`(${ctx.organization.id}, ${newId()},
      ${record.module}, ${set}, ${value}, ${label}, ${color}, ${icon}, ${position}, ${is_default})`,
  )
  await ctx.run(sql`
    insert into option_sets (organization_id, id, module, set_name, value, label, color, icon, position, is_default)
    values ${sql.join(rows)}
    on conflict (organization_id, module, set_name, value) do update set label = excluded.label,
      color = excluded.color, icon = excluded.icon, position = excluded.position,
      is_default = excluded.is_default, is_archived = false`)
}

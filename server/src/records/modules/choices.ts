import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isTime } from '../../kit/read/figures.ts'
import { filterRegistry } from '../../kit/read/filter-registry.ts'
import { hopOf, isSummable } from '../../kit/read/groups.ts'
import { shownDefinitions } from '../../kit/record/audience.ts'
import type { Option } from '../../kit/record/field-types.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { ownField } from '../../kit/record/record.ts'
import { fieldTypeOf } from '../field-config/built-in.ts'
import { labelOf } from '../field-config/labels.ts'
import { optionSets } from '../../kit/record/option-sets.ts'
import { languageName } from '../../model/languages/language.ts'
import { pipelinesOf } from '../../model/projects/pipelines/cached.ts'
import { statusesOf } from '../../model/statuses/status.ts'

/** One choice of a field; not every kind of choice has a colour or an icon. */
export type Choice = Pick<Option, 'label'> &
  Partial<Omit<Option, 'value'>> & {
    value: string | number
    /** its context, if several choices have the same name: the pipeline of a stage */
    of?: string
  }

/**
 * The choices of a built-in field: an option set, statuses, stages, pipelines, roles, the labels of
 * numbers or the values of an enumeration. Empty if the field is free text.
 */
export async function choicesOf(
  ctx: Context,
  { module }: Pick<AnyRecord, 'module'>,
  name: string,
  { reference, schema, readSchema, optionSet, choices }: Choosable,
): Promise<Choice[]> {
  if (choices) return choices().map(({ value, label }) => ({ value, label: labelOf(label) }))
  if (optionSet) return (await optionSets(ctx, optionSet.module))[optionSet.name] ?? []
  if (name === 'stage_id') return stages(ctx)
  if (name === 'pipeline_id') {
    return (await pipelinesOf(ctx)).map(({ pipeline_id: value, pipeline_name: label }) => ({
      value,
      label,
    }))
  }
  if (reference?.table === 'statuses') return statuses(ctx, module)
  if (reference?.table === 'roles') return roles(ctx, 'id')
  if (name === 'role' && module === 'users') return roles(ctx, 'role_name')
  const words = (readSchema ?? schema).enum
  if (name !== 'language') return wordsOf(words)
  return wordsOf(words).map((each) => ({ ...each, label: languageName(String(each.value)) }))
}

type Choosable = Pick<Field, 'reference' | 'schema' | 'readSchema' | 'optionSet' | 'choices'>

/**
 * The choices of a field in conditions; `name` may also be a part of a field: `status.category`,
 * `stage_name`. `words` are the values of an enumeration.
 */
export async function choicesNamedBy(
  ctx: Context,
  record: AnyRecord,
  name: string,
  words: string[] = [],
): Promise<Choice[]> {
  const [head = '', part] = name.split('.')
  const field = ownField(record, head)
  if (field && part === undefined) return choicesOf(ctx, record, name, field)
  if (part?.startsWith('stage_name') || name === 'stage_name') return oncePerName(await stages(ctx))
  if (part === undefined) return wordsOf(words)
  if (field?.reference?.table === 'statuses') {
    const each = await statuses(ctx, record.module)
    if (part === 'status_key') return each
    if (part === 'status_name') return each.map((one) => ({ ...one, value: one.label }))
    if (part === 'id' || part === 'status_id') {
      return each.map(({ id, ...one }) => ({ ...one, value: id }))
    }
  }
  return wordsOf(field?.reference?.shows?.[part]?.schema?.enum ?? words)
}

function wordsOf(words: unknown): Choice[] {
  if (!Array.isArray(words)) return []
  return (words as unknown[]).map((word) => ({ value: String(word), label: labelOf(String(word)) }))
}

async function statuses(ctx: Context, module: string) {
  const its = module === 'tasks' || module === 'milestones' ? module : 'projects'
  return (await statusesOf(ctx, its)).map(({ id, status_key, status_name, color, icon }) => ({
    id,
    value: status_key,
    label: status_name,
    color,
    icon,
  }))
}

async function stages(ctx: Context): Promise<Choice[]> {
  return (await pipelinesOf(ctx)).flatMap(({ pipeline_name: of, stages: each }) =>
    each.map(({ stage_id: value, stage_name: label, color, icon }) => ({
      value,
      label,
      color,
      icon,
      of,
    })),
  )
}

/** Stages by their names, which several pipelines may use. */
function oncePerName(all: Choice[]): Choice[] {
  const byName = new Map(all.map(({ of: _of, ...each }) => [each.label, each]))
  return [...byName.values()].map((each) => ({ ...each, value: each.label }))
}

/** The organization's roles, by the column that the field contains. */
async function roles(ctx: Context, by: 'id' | 'role_name'): Promise<Choice[]> {
  const all = await ctx.cached('names of roles', (committed) =>
    committed.all<{ id: string; role_name: string }>(sql`select t.id, t.role_name
      from ${sql.table('roles')} t where ${mine(ctx)} and t.deleted_at is null
      order by t.is_system_role desc, t.id`),
  )
  return all.map((role) => ({ value: role[by], label: labelOf(role.role_name) }))
}

const stageFields = ['stage_id', 'pipeline_id']

/** Whether a list can be grouped by a built-in field. */
export function isGroupable(name: string, field: Field): boolean {
  if (!field.filterable || field.kind === 'list' || field.access === 'key') return false
  if (field.reference || stageFields.includes(name) || field.optionSet) return true
  if (field.readSchema?.enum) return true
  return ['select', 'boolean'].includes(fieldTypeOf(name, field))
}

/** The types of custom fields by which a list can be grouped. */
export const groupableTypes = ['select', 'boolean', 'user']

/** The fields by which a list can be grouped: the record's, as far as the caller sees them, and custom ones. */
export function groupableFields(ctx: Context, record: AnyRecord): Promise<string[]> {
  return fieldsWhere(ctx, record, isGroupable, groupableTypes)
}

/** The days and instants by which a list can be grouped in lengths of time, custom ones too. */
export function datedFields(ctx: Context, record: AnyRecord): Promise<string[]> {
  const isDated = (_: string, { filterable, kind }: Field) => Boolean(filterable) && isTime(kind)
  return fieldsWhere(ctx, record, isDated, ['date', 'datetime'])
}

/** The fields of linked records by which a list can be grouped, such as `account_id.segment`. */
export async function hopFields(ctx: Context, record: AnyRecord): Promise<string[]> {
  if (ctx.actor.is_confined) return []
  const registry = await filterRegistry(ctx, record)
  return Object.entries(record.fields).flatMap(([link, { reference }]) =>
    Object.entries(reference?.to?.().fields ?? {})
      .filter(
        ([name, field]) => isGroupable(name, field) || (field.filterable && isTime(field.kind)),
      )
      .map(([name]) => `${link}.${name}`)
      .filter((name) => registry.has(name)),
  )
}

/** The numbers by whose ranges a list can be grouped, custom ones too. */
export function rangedFields(ctx: Context, record: AnyRecord): Promise<string[]> {
  const isRanged = (_: string, field: Field) => Boolean(field.filterable) && isSummable(field)
  return fieldsWhere(ctx, record, isRanged, summableTypes)
}

/** The types of custom fields that hold numbers, which can be added up. */
export const summableTypes: readonly string[] = ['number', 'currency', 'percent', 'rating']

/** The names of the own fields that are so, and of the custom ones of these types. */
async function fieldsWhere(
  ctx: Context,
  record: AnyRecord,
  isOne: (name: string, field: Field) => boolean,
  types: readonly string[],
): Promise<string[]> {
  const own = Object.entries(record.fields).filter(([name, field]) => isOne(name, field))
  const names = own.map(([name]) => name)
  if (!('custom_fields' in record.fields)) return names
  for (const module of record.find.filteredAs ?? [record.module]) {
    for (const { key, type, is_built_in } of (await shownDefinitions(ctx, module)).values()) {
      if (!is_built_in && types.includes(type)) names.push(`custom_fields.${key}`)
    }
  }
  return names
}

/** The choices of any field by which a list can be grouped, including custom ones and those of linked records. */
export async function choicesNamed(
  ctx: Context,
  record: AnyRecord,
  name: string,
): Promise<Choice[]> {
  const hop = hopOf(record, name)
  if (hop) return choicesOf(ctx, hop.record, hop.name, hop.field)
  const field = ownField(record, name)
  if (field) return choicesOf(ctx, record, name, field)
  for (const module of record.find.filteredAs ?? [record.module]) {
    const found = (await shownDefinitions(ctx, module)).get(name.slice('custom_fields.'.length))
    if (found) return found.options
  }
  return []
}

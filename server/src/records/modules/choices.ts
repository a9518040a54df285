import type { Context } from '../../kit/ground/context.ts'
import { shownDefinitions } from '../../kit/record/audience.ts'
import type { Option } from '../../kit/record/custom.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { fieldTypeOf, optionSetOf } from '../field-config/built-in.ts'
import { labelOf } from '../field-config/labels.ts'
import { optionSets } from '../field-config/options.ts'
import { pipelinesOf } from '../projects/pipelines/cached.ts'
import { statusesOf } from '../statuses/status.ts'

/** One choice of a field; not every kind of choice has a colour or an icon. */
export type Choice = Pick<Option, 'value' | 'label'> & Partial<Option>

/** Fields whose values come from a set that is not their own module's or not a plain text's. */
const sets: { [module: string]: { [field: string]: [module: string, set: string] } } = {
  tasks: { priority: ['tasks', 'priorities'] },
}
for (const module of ['projects', 'deals']) {
  sets[module] = {
    lost_reason: ['projects', 'lost_reasons'],
    billing_model: ['projects', 'billing_models'],
    billing_frequency: ['projects', 'billing_frequencies'],
    currency_unit: ['projects', 'currencies'],
  }
}

/** The choices of a built-in field: an option set, statuses, stages, pipelines, or the words of an enumeration. */
export async function choicesOf(
  ctx: Context,
  { module }: Pick<AnyRecord, 'module'>,
  name: string,
  { reference, schema, readSchema }: Field,
): Promise<Choice[]> {
  const own = optionSetOf[module]?.[name]
  const [of, set] = sets[module]?.[name] ?? [module, own]
  if (set !== undefined) return (await optionSets(ctx, of))[set] ?? []
  if (name === 'stage_id') return stages(ctx)
  if (name === 'pipeline_id') {
    return (await pipelinesOf(ctx)).map(({ pipeline_id: value, pipeline_name: label }) => ({
      value,
      label,
    }))
  }
  if (reference?.table === 'statuses') {
    const its = module === 'tasks' || module === 'milestones' ? module : 'projects'
    return (await statusesOf(ctx, its)).map(({ status_key, status_name, color, icon }) => ({
      value: status_key,
      label: status_name,
      color,
      icon,
    }))
  }
  const words = ((readSchema ?? schema).enum as unknown[] | undefined) ?? []
  return words.map((word) => ({ value: String(word), label: labelOf(String(word)) }))
}

async function stages(ctx: Context): Promise<Choice[]> {
  const each = (await pipelinesOf(ctx)).flatMap((pipeline) => pipeline.stages)
  return each.map(({ stage_id: value, stage_name: label, color, icon }) => ({
    value,
    label,
    color,
    icon,
  }))
}

const stageFields = ['stage_id', 'pipeline_id']

/** Whether a list can be divided by a built-in field. */
export function isGroupable(record: AnyRecord, name: string, field: Field): boolean {
  if (!field.filterable || field.kind === 'list' || field.access === 'key') return false
  if (field.reference || stageFields.includes(name) || sets[record.module]?.[name]) return true
  if (field.readSchema?.enum) return true
  return ['select', 'boolean'].includes(fieldTypeOf(record, name, field))
}

/** The types of an organization's own fields by which a list can be divided. */
export const groupableTypes = ['select', 'boolean', 'user']

/** The fields by which a list can be divided: the record's, as the caller knows it, and custom ones. */
export async function groupableFields(ctx: Context, record: AnyRecord): Promise<string[]> {
  const own = Object.entries(record.fields).filter(([name, field]) =>
    isGroupable(record, name, field),
  )
  const names = own.map(([name]) => name)
  if (!('custom_fields' in record.fields)) return names
  for (const module of record.filteredAs ?? [record.module]) {
    for (const { key, type, is_built_in } of (await shownDefinitions(ctx, module)).values()) {
      if (!is_built_in && groupableTypes.includes(type)) names.push(`custom_fields.${key}`)
    }
  }
  return names
}

/** The choices of any field that a list can be divided by, custom ones included. */
export async function choicesNamed(ctx: Context, record: AnyRecord, name: string) {
  const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
  if (field) return choicesOf(ctx, record, name, field)
  for (const module of record.filteredAs ?? [record.module]) {
    const found = (await shownDefinitions(ctx, module)).get(name.slice('custom_fields.'.length))
    if (found) return found.options
  }
  return []
}

import type { Context } from '../../../kit/ground/context.ts'
import { badField, badFields } from '../../../kit/ground/errors.ts'
import { isObject } from '../../../kit/ground/object.ts'
import { definitions } from '../../../kit/record/custom.ts'
import { isWritable } from '../../../kit/record/record.ts'
import type { Pipeline, Stage } from '../../../model/projects/pipelines/cached.ts'
import { Deal } from '../../../model/projects/project.ts'
import { fieldLabelOf } from '../../field-config/labels.ts'

type Place = { pipeline: Pipeline; stage: Stage }

const custom = 'custom_fields.'

/** 400 for a requirement that is no field which people fill in, except those `before`: their fields may be gone since. */
export async function checkRequired(
  ctx: Context,
  stages: { required_fields?: string[] }[],
  before: Pick<Stage, 'required_fields'>[],
): Promise<void> {
  const known = new Set(before.flatMap(({ required_fields }) => required_fields))
  if (!stages.some(({ required_fields: names = [] }) => names.some((name) => !known.has(name))))
    return
  const labels = await labelsOf(ctx)
  for (const [i, { required_fields: names = [] }] of stages.entries()) {
    for (const [at, name] of names.entries()) {
      if (!known.has(name) && !labels.has(name)) {
        throw badField(`stages.${i}.required_fields.${at}`, 'is no field of deals that can be set')
      }
    }
  }
}

/** 400 `stage_requires`, naming the fields that a deal, as it is read after the write, lacks for a stage. */
export async function checkMet(
  ctx: Context,
  { stage_name, required_fields: required }: Pick<Stage, 'stage_name' | 'required_fields'>,
  whole: () => Promise<string>,
): Promise<void> {
  if (!required.length) return
  const deal = JSON.parse(await whole()) as { [field: string]: unknown }
  const missing = required.filter((name) => isMissing(valueIn(deal, name)))
  if (!missing.length) return
  // a field that was removed since is required of nobody
  const labels = await labelsOf(ctx)
  const errors = missing.flatMap((field) => {
    const label = labels.get(field)
    return label ? { field, message: `${label} is required to go on to ${stage_name}` } : []
  })
  if (errors.length) throw badFields(errors, 'stage_requires')
}

/** Whether a deal goes on to its place from a stage: a step back, such as an undo, needs nothing. */
export function isOnward({ pipeline, stage }: Place, from: string | null): boolean {
  const left = pipeline.stages.find(({ stage_id }) => stage_id === from)
  return !left || left.position < stage.position
}

/** The labels of the fields of deals that can be set, by their names. */
async function labelsOf(ctx: Context): Promise<Map<string, string>> {
  const known = await definitions(ctx, Deal.module)
  const own = Object.entries(Deal.fields)
    .filter(([name, field]) => isWritable(field) && name !== 'custom_fields')
    .map(([name, field]): [string, string] => [
      name,
      known.get(name)?.label ?? fieldLabelOf(name, field, Deal),
    ])
  const added = [...known.values()]
    .filter((each) => !each.is_built_in && !each.is_archived)
    .map(({ key, label }): [string, string] => [`${custom}${key}`, label])
  return new Map([...own, ...added])
}

function valueIn(deal: { [field: string]: unknown }, name: string): unknown {
  if (!name.startsWith(custom)) return deal[name]
  const values = deal.custom_fields
  return isObject(values) ? values[name.slice(custom.length)] : undefined
}

function isMissing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === 'string' && !value.trim()) ||
    (Array.isArray(value) && !value.length)
  )
}

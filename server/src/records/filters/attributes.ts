import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import type { Filterable } from '../../kit/read/filter-fields.ts'
import { filterRegistry } from '../../kit/read/filter-registry.ts'
import { operatorsOf } from '../../kit/read/filter.ts'
import type { Definition } from '../../kit/record/custom.ts'
import { definitions } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { optionSetOf } from '../field-config/built-in.ts'
import { labelOf } from '../field-config/labels.ts'
import { optionSets } from '../field-config/options.ts'
import { pipelinesOf } from '../projects/pipelines/cached.ts'
import { pipelinesNamed, stagesNamed } from '../projects/pipelines/named.ts'
import { statusesOf } from '../statuses/status.ts'

const choice = Type.Object(
  { value: Type.Unknown(), label: Type.String() },
  { title: 'FilterChoice' },
)

const kinds = [
  ...(['text', 'integer', 'number', 'boolean', 'timestamp', 'date', 'json', 'list'] as const),
  'reference',
] as const

/** A field that conditions may name. */
export const filterAttribute = Type.Object(
  {
    module: Type.String(),
    field: Type.String({ description: 'its name in conditions' }),
    label: Type.String(),
    type: enumeration<Filterable['kind']>(kinds, { title: 'FilterAttributeType' }),
    operators: Type.Array(Type.String()),
    options: Type.Array(choice),
  },
  { title: 'FilterAttribute' },
)

type Attribute = Static<typeof filterAttribute>
type Choice = Static<typeof choice>

/** The fields of a record, and of those one hop away, that conditions may name. */
export async function attributesOf(ctx: Context, record: AnyRecord): Promise<Attribute[]> {
  const registry = await filterRegistry(ctx, record)
  const byModule = new Map<string, Labels>()
  const attributes: Attribute[] = []
  for (const [field, entry] of registry) {
    const [hop, name] = hopOf(record, field)
    const { module } = hop ?? record
    const labels = byModule.get(module) ?? (await labelsOf(ctx, module))
    byModule.set(module, labels)
    const key = name.replace(/^custom_fields\./, '')
    const [head = ''] = field.split('.')
    const over = name === field ? '' : `${labelOf(head)}: `
    attributes.push({
      module: record.module,
      field,
      label: over + (labels.definitions.get(key)?.label ?? labelOf(key)),
      type: entry.kind,
      operators: operatorsOf(entry.kind),
      options:
        (await choicesOf(ctx, hop ?? record, name)) ??
        choices(entry, labels.sets[optionSetOf[module]?.[name] ?? '']),
    })
  }
  return attributes
}

/** What the organization's own pipelines, stages and statuses offer; undefined for other fields. */
async function choicesOf(ctx: Context, record: AnyRecord, name: string) {
  const field = Object.hasOwn(record.fields, name) ? record.fields[name] : undefined
  if (field?.idsOf === pipelinesNamed) {
    const pipelines = await pipelinesOf(ctx)
    return pipelines.map((each) => ({ value: each.pipeline_id, label: each.pipeline_name }))
  }
  if (field?.idsOf === stagesNamed) {
    const pipelines = await pipelinesOf(ctx)
    return pipelines.flatMap(({ pipeline_name, stages }) =>
      stages.map((each) => ({
        value: each.stage_id,
        label: `${pipeline_name}: ${each.stage_name}`,
      })),
    )
  }
  if (field?.reference?.table !== 'statuses') return undefined
  const statuses = await statusesOf(ctx, statusModule(record))
  return statuses.map((each) => ({ value: each.status_key, label: each.status_name }))
}

/** Deals have the statuses of projects. */
function statusModule({ table }: AnyRecord): 'projects' | 'milestones' | 'tasks' {
  return table === 'tasks' || table === 'milestones' ? table : 'projects'
}

/** What an organization calls the fields of a module and their options. */
type Labels = {
  definitions: Map<string, Definition>
  sets: { [set: string]: { value: string; label: string }[] }
}

async function labelsOf(ctx: Context, module: string): Promise<Labels> {
  const [known, sets] = await Promise.all([definitions(ctx, module), optionSets(ctx, module)])
  return { definitions: known, sets }
}

/** The linked record, where a field is reached over a link to one, and the field's name there. */
function hopOf(record: AnyRecord, field: string): [hop: AnyRecord | undefined, name: string] {
  const [head = '', ...rest] = field.split('.')
  const link = Object.hasOwn(record.fields, head) ? record.fields[head]?.reference : undefined
  return link && rest.length ? [link.to?.(), rest.join('.')] : [undefined, field]
}

function choices({ words, options }: Filterable, set: Choice[] = []): Choice[] {
  if (words) return words.map((value) => ({ value, label: labelOf(value) }))
  const own = options?.map(({ value, label }) => ({ value, label: label ?? String(value) }))
  return own ?? set.map(({ value, label }) => ({ value, label }))
}

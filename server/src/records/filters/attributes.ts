import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import type { Filterable } from '../../kit/read/filter-fields.ts'
import { filterRegistry } from '../../kit/read/filter-registry.ts'
import { operatorsOf } from '../../kit/read/filter.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { definitions } from '../../kit/record/custom.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { labelOf } from '../field-config/labels.ts'
import { choicesNamedBy } from '../modules/choices.ts'

const choice = Type.Object(
  { value: Type.Unknown(), label: Type.String() },
  { title: 'FilterChoice' },
)

const kinds = [
  ...(['text', 'integer', 'number', 'boolean', 'timestamp', 'date', 'json', 'list'] as const),
  'reference',
] as const

/** A field that conditions may use. */
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

/** The fields of a record and of linked records that conditions may use. */
export async function attributesOf(ctx: Context, record: AnyRecord): Promise<Attribute[]> {
  const registry = await filterRegistry(ctx, record)
  const byModule = new Map<string, Map<string, Definition>>()
  const attributes: Attribute[] = []
  for (const [field, entry] of registry) {
    const [hop, name] = hopOf(record, field)
    const { module } = hop ?? record
    const known = byModule.get(module) ?? (await definitions(ctx, module))
    byModule.set(module, known)
    const key = name.replace(/^custom_fields\./, '')
    const [head = ''] = field.split('.')
    const over = name === field ? '' : `${labelOf(head)}: `
    attributes.push({
      module: record.module,
      field,
      label: over + (known.get(key)?.label ?? labelOf(key)),
      type: entry.kind,
      operators: operatorsOf(entry.kind),
      options: await optionsOf(ctx, hop ?? record, name, entry),
    })
  }
  return attributes
}

/** The possible values: the options of custom fields, else the choices of the module. */
async function optionsOf(
  ctx: Context,
  record: AnyRecord,
  name: string,
  { words, options, chosen }: Filterable,
): Promise<Choice[]> {
  if (options && !chosen) {
    return options.map(({ value, label }) => ({ value, label: label ?? String(value) }))
  }
  const choices = await choicesNamedBy(ctx, record, name, words)
  return choices.map(({ value, label, of }) => ({ value, label: of ? `${of}: ${label}` : label }))
}

/** The linked record, if the field is one of a linked record, and the field's name there. */
function hopOf(record: AnyRecord, field: string): [hop: AnyRecord | undefined, name: string] {
  const [head = '', ...rest] = field.split('.')
  const link = Object.hasOwn(record.fields, head) ? record.fields[head]?.reference : undefined
  const hop = rest.length ? link?.to?.() : undefined
  return hop ? [hop, rest.join('.')] : [undefined, field]
}

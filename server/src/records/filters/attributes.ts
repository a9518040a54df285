import type { Context } from '../../kit/ground/context.ts'
import type { Definition } from '../../kit/record/custom.ts'
import { definitions } from '../../kit/record/custom.ts'
import { operatorsOf } from '../../kit/read/filter.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { recordsByModule } from '../by-module.ts'
import { labelOf, optionSetOf } from '../field-config/built-in.ts'
import { optionSets } from '../field-config/options.ts'
import { readableModule } from './operations.ts'
import { filterRegistry } from '../../kit/read/filter-registry.ts'
import type { Filterable } from '../../kit/read/filter-fields.ts'

type Choice = { value: unknown; label: string }
type Attribute = {
  module: string
  field: string
  label: string
  type: string
  operators: string[]
  options: Choice[]
}

/** What conditions may name, from the very registry that they are checked with. */
export const filterAttributes: Operation = {
  name: 'list_filter_attributes',
  summary: 'List what can be filtered: each field with its type, operators and options',
  can: { module: 'filters', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        module: {
          type: 'string',
          minLength: 1,
          maxLength: 40,
          description: 'a module or its number; all that you may read when absent',
        },
      },
    },
  },
  output: arrayOf({
    title: 'FilterAttribute',
    type: 'object',
    properties: {
      module: { type: 'string' },
      field: { type: 'string', description: 'its name in conditions' },
      label: { type: 'string' },
      type: { type: 'string' },
      operators: { type: 'array', items: { type: 'string' } },
      options: {
        type: 'array',
        items: {
          type: 'object',
          properties: { value: {}, label: { type: 'string' } },
          required: ['value', 'label'],
        },
      },
    },
    required: ['module', 'field', 'label', 'type', 'operators', 'options'],
  }),
  async run(ctx: Context, { query }: Input) {
    const isReadable = (module: string) => levelOf(ctx.actor, module, 'read') !== 'none'
    const modules =
      query.module === undefined
        ? Object.keys(recordsByModule).filter(isReadable)
        : [readableModule(ctx, query.module)]
    return (await Promise.all(modules.map((module) => attributesOf(ctx, module)))).flat()
  },
}

async function attributesOf(ctx: Context, module: string): Promise<Attribute[]> {
  const record = recordsByModule[module]!
  const registry = await filterRegistry(ctx, record)
  const words = new Map<string, Words>()
  const attributes: Attribute[] = []
  for (const [field, entry] of registry) {
    const [hop, name] = hopOf(record, field)
    const { module } = hop ?? record
    // what the process remembers of each module is asked for once
    if (!words.has(module)) words.set(module, await wordsOf(ctx, module))
    const { known, sets } = words.get(module)!
    const key = name.replace(/^custom_fields\./, '')
    const over = name === field ? '' : `${labelOf(field.split('.')[0]!)}: `
    attributes.push({
      module: record.module,
      field,
      label: over + (known.get(key)?.label ?? labelOf(key)),
      type: entry.kind,
      operators: operatorsOf(entry.kind),
      options: choices(entry, sets[optionSetOf[module]?.[name] ?? '']),
    })
  }
  return attributes
}

type Words = {
  known: Map<string, Definition>
  sets: { [set: string]: { value: string; label: string }[] }
}

async function wordsOf(ctx: Context, module: string): Promise<Words> {
  const [known, sets] = await Promise.all([definitions(ctx, module), optionSets(ctx, module)])
  return { known, sets }
}

/** Over a link the linked record, where it is one of ours, and the field's name there. */
function hopOf(record: AnyRecord, field: string): [hop: AnyRecord | undefined, name: string] {
  const [head = '', ...rest] = field.split('.')
  const link = Object.hasOwn(record.fields, head) ? record.fields[head]!.reference : undefined
  return link && rest.length ? [link.to?.(), rest.join('.')] : [undefined, field]
}

function choices({ words, options }: Filterable, set: Choice[] = []): Choice[] {
  if (words) return words.map((value) => ({ value, label: labelOf(value) }))
  const given = options?.map(({ value, label }) => ({ value, label: label ?? String(value) }))
  return given ?? set.map(({ value, label }) => ({ value, label }))
}

import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { extend, orNull } from '../../kit/ground/json-schema.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { exampleOf } from '../../model/words/example.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { isWritable, ownField } from '../../kit/record/record.ts'
import { descriptionOf } from '../../model/words/words.ts'
import { fieldTypeOf } from './built-in.ts'
import { cataloguedType, currentFields, definitionSchema } from './field-config.ts'
import { labelOf } from './labels.ts'

/** A field as forms need it: its meaning, what it links to, and an example value. */
const catalogued = extend(definitionSchema, {
  type: cataloguedType,
  references: orNull(Type.String({ description: 'the module of the records that it links to' })),
  is_writable: Type.Boolean({ description: 'whether a body may set it' }),
  example: Type.Unknown({ description: 'a value that it could have' }),
})

/** The fields of a record, built-in and custom, for forms. */
export const catalogueSchema = Type.Object(
  {
    module: Type.String(),
    fields: Type.Array({ ...catalogued, title: 'CatalogueField' } as typeof catalogued),
  },
  { title: 'FieldCatalogue' },
)

type Entry = Definition & { references: string | null; is_writable: boolean; example: unknown }

/** The computed attributes of a built-in field, which are not stored: sent back, they change nothing. */
export function shownOf(record: AnyRecord, key: string): { type?: string; description?: string } {
  const field = ownField(record, key)
  if (!field) return {}
  return { type: typeIn(key, field), description: meaningOf(record, key, field) }
}

/** What a field means, as the API document says it. */
function meaningOf({ word }: AnyRecord, key: string, field?: Field): string | undefined {
  const own = field?.reference ? field.description : field?.schema.description
  return descriptionOf(key, capital(word)) ?? (typeof own === 'string' ? own : undefined)
}

function typeIn(key: string, field: Field): string {
  return field.schema.title === 'Address' ? 'address' : fieldTypeOf(key, field)
}

/** A property of bodies besides the fields of a record: a link to a module, or a plain value of a type. */
export type Extras = { [key: string]: { references?: string; type?: string } }

/** The catalogue of a record's fields; `extras` are further properties that its create accepts. */
export async function catalogueOf(
  ctx: Context,
  record: AnyRecord,
  extras: Extras = {},
): Promise<{ module: string; fields: Entry[] }> {
  const known = await currentFields(ctx, record)
  const fields = known.map((definition): Entry => {
    const field = ownField(record, definition.key)
    const description = definition.description ?? meaningOf(record, definition.key, field) ?? null
    if (!definition.is_built_in || !field) {
      const example = customExample(definition.type, definition.options)
      return { ...definition, description, references: null, is_writable: true, example }
    }
    const type = typeIn(definition.key, field)
    const references = type === 'reference' ? (field.reference?.to?.().module ?? null) : null
    const [option] = definition.options
    const example =
      option?.value ??
      linkExample(type, references) ??
      exampleOf(field.schema, {}, definition.key, capital(record.word))
    return {
      ...definition,
      type,
      description,
      references,
      is_writable: isWritable(field),
      example,
    }
  })
  const last = Math.max(0, ...known.map(({ position }) => position))
  const added = Object.entries(extras).map(([key, { references = null, type }], at): Entry => ({
    key,
    label: labelOf(key.replace(/_id$/, '')),
    type: type ?? 'reference',
    required: false,
    unique: false,
    description: descriptionOf(key) ?? null,
    options: [],
    default: null,
    position: last + at + 1,
    group: null,
    is_archived: false,
    is_shared: false,
    is_built_in: true,
    references,
    is_writable: true,
    example:
      linkExample(type ?? 'reference', references) ??
      exampleOf({ type: type === 'boolean' ? 'boolean' : 'string' }, {}, key, capital(record.word)),
  }))
  return { module: record.word, fields: [...fields, ...added] }
}

/** The key by which bodies name a record: people and contacts by e-mail, companies by domain, others by id. */
function linkExample(type: string, references: string | null): string | undefined {
  if (type === 'user' || references === 'contacts') return 'ada@northwind.example'
  if (type !== 'reference') return undefined
  return references === 'companies' ? 'northwind.example' : '03h9vqz0k4m2x7c5t8b1n6r3d'
}

function customExample(type: string, options: { value: string }[]): unknown {
  const [first] = options
  switch (type) {
    case 'select':
      return first?.value ?? null
    case 'multi_select':
      return first ? [first.value] : []
    case 'number':
    case 'currency':
    case 'percent':
    case 'rating':
      return 5
    case 'boolean':
      return true
    case 'json':
      return {}
    case 'date':
    case 'datetime':
      return exampleOf({ type: 'string', format: type === 'date' ? 'date' : 'date-time' }, {})
    default:
      return exampleOf({ type: 'string', format: type === 'url' ? 'web-address' : type }, {}, type)
  }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

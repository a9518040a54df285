import type { JSONSchema } from '../../kit/ground/json-schema.ts'

/** A maximum from which on it is not mentioned. */
const longText = 100

/**
 * A property for models: its description and possible values, and exactly one type. Limits and patterns are left to
 * the operation, which checks every call; for a model they would cost more than they help. Model APIs refuse whole
 * requests for lists of types, for null, and for other formats than that of an instant.
 */
export function forModels(schema: JSONSchema): JSONSchema {
  const { description, enum: words, format, items, type, maximum, minimum } = simplest(schema)
  const shown: JSONSchema = { type }
  const day = format === 'date' && 'as YYYY-MM-DD'
  const said = [schema.description, description, day].filter(Boolean)
  if (said.length) shown.description = [...new Set(said)].join('; ')
  if (words) shown.enum = (words as unknown[]).filter((word) => word !== null)
  if (format === 'date-time') shown.format = format
  if (typeof maximum === 'number' && maximum <= longText) Object.assign(shown, { minimum, maximum })
  if (type === 'array') shown.items = forModels((items ?? { type: 'object' }) as JSONSchema)
  return shown
}

/** The types in the order in which models handle them best: records are named by text, amounts by numbers. */
const preferred = ['number', 'integer', 'boolean', 'string', 'object', 'array']

/** Of several schemas or types the one for models; the operation takes the others too. */
function simplest(schema: JSONSchema): JSONSchema & { type: string } {
  const { anyOf, type, enum: words } = schema
  if (Array.isArray(anyOf)) {
    const parts = (anyOf as JSONSchema[]).filter((part) => part.type !== 'null').map(simplest)
    return best(parts)
  }
  const isText = type === undefined && Array.isArray(words)
  const types = isText ? ['string'] : [type ?? 'object'].flat()
  return best(
    types.filter((each) => each !== 'null').map((each) => ({ ...schema, type: String(each) })),
  )
}

function best<S extends { type: string }>(parts: S[]): S {
  const [first] = parts.toSorted((a, b) => preferred.indexOf(a.type) - preferred.indexOf(b.type))
  if (!first) throw new Error('a schema for models has a type besides null')
  return first
}

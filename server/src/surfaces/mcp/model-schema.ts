import type { JSONSchema } from '../../kit/ground/json-schema.ts'

/** A maximum length from which on it is not mentioned. */
const longText = 100

/**
 * A property for models: its description and possible values. Limits and patterns are left to
 * the operation, which checks every call; for a model they would cost more than they help.
 */
export function forModels(schema: JSONSchema): JSONSchema {
  const { anyOf, description, enum: words, format, items, type, maximum, minimum } = schema
  if (Array.isArray(anyOf)) return choice(anyOf as JSONSchema[], description)
  const shown: JSONSchema = {}
  if (type !== undefined) shown.type = type
  if (description) shown.description = description
  if (words) shown.enum = words
  if (format === 'date' || format === 'date-time' || format === 'email') shown.format = format
  if (typeof maximum === 'number' && maximum <= longText) Object.assign(shown, { minimum, maximum })
  if (items) shown.items = forModels(items as JSONSchema)
  return shown
}

/** One of several schemas: their types together, since the operation checks what is inside. */
function choice(parts: JSONSchema[], description: unknown): JSONSchema {
  const shown = parts.map(forModels)
  const texts = [description, ...shown.map((part) => part.description)]
  const said = [...new Set(texts.filter(Boolean))].join('; ')
  const words = shown.flatMap((part) => (part.enum as unknown[] | undefined) ?? [])
  const types = [...new Set(shown.flatMap(({ type = [] }) => type as string | string[]))]
  const format = shown.find((part) => part.format)?.format
  const isClosed = words.length > 0 && shown.every((part) => part.enum ?? part.type === 'null')
  const inner = shown.find(({ items }) => items)?.items
  return {
    ...(types.length ? { type: types.length === 1 ? types[0] : types } : {}),
    ...(said ? { description: said } : {}),
    ...(isClosed ? { enum: types.includes('null') ? [...words, null] : words } : {}),
    ...(format ? { format } : {}),
    ...(inner ? { items: inner } : {}),
  }
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import { badField } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'

const kind = enumeration(['signature', 'initials', 'date', 'text'], { title: 'SignatureFieldKind' })
const part = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

const place = {
  kind,
  page: Type.Integer({ minimum: 1, maximum: 5000, description: 'counted from 1' }),
  x: part('of its left edge, as a part of the width of the page'),
  y: part('of its upper edge, as a part of the height of the page'),
}

/** A field that a recipient fills in on a page of the document, as a request places it. */
export const placedField = Type.Object(
  {
    ...place,
    width: Type.Optional(part('as a part of the width of the page (0.25)')),
    height: Type.Optional(part('as a part of the height of the page (0.04)')),
    label: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    required: Type.Optional(Type.Boolean({ description: 'of texts (true)' })),
  },
  { title: 'PlacedField' },
)

/** The same as stored and read, with its value once the recipient has signed. */
export const storedField = Type.Object(
  {
    ...place,
    width: Type.Number(),
    height: Type.Number(),
    label: orNull(Type.String()),
    required: Type.Boolean(),
    value: orNull(Type.String()),
  },
  { title: 'SignatureField' },
)
export type StoredField = Static<typeof storedField>

/** The maximum number of fields per recipient. */
export const mostFields = 100

/** The fields of a body with defaults added. */
export function storedFields(fields: Static<typeof placedField>[]): StoredField[] {
  return fields.map(({ width = 0.25, height = 0.04, label = null, required = true, ...rest }) => ({
    ...rest,
    width,
    height,
    label: label?.trim() || null,
    required,
    value: null,
  }))
}

/** What a recipient filled in, by the position of the field: texts and initials. */
export type FilledIn = { [position: string]: string }

/**
 * The fields with their values when somebody signs: the name as the signature, the day of signing, and
 * what they filled in. 400 naming `fields.<position>` for a required text that is empty.
 */
export function filledFields(
  fields: StoredField[],
  filled: FilledIn,
  { name, day }: { name: string; day: string },
): StoredField[] {
  return fields.map((field, i) => {
    const text = (filled[i] ?? '').trim().slice(0, 500)
    switch (field.kind) {
      case 'signature':
        return { ...field, value: name }
      case 'date':
        return { ...field, value: day }
      case 'initials':
        return { ...field, value: text.slice(0, 10) || initialsOf(name) }
      default:
        if (field.required && !text) throw badField(`fields.${i}`, 'is required')
        return { ...field, value: text || null }
    }
  })
}

/** `Ada King Lovelace` → `AKL`. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => Array.from(word).slice(0, 1))
  return letters.join('').toUpperCase().slice(0, 10)
}

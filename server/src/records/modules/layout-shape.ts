import { Type } from 'typebox'
import type { Static } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'

const names = (most: number, description: string) =>
  orNull(Type.Array(Type.String({ minLength: 1, maxLength: 120 }), { maxItems: most, description }))

/** Where an organization has placed fields; null is as it is declared. */
export const layoutSchema = Type.Object(
  {
    strip: names(6, 'fields of the strip, in their order'),
    rail: names(8, 'fields of the rail, in their order'),
    hidden: names(500, 'fields that only "All fields" has'),
  },
  { title: 'ModuleLayout', additionalProperties: false },
)
export type Layout = Static<typeof layoutSchema>

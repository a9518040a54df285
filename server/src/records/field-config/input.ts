import type { Static } from 'typebox'
import { Type } from 'typebox'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import type { Option } from '../../kit/record/field-types.ts'
import { cataloguedType } from './field-config.ts'

const position = Type.Integer({ minimum: 0, maximum: 100_000 })

/** An option as an object, or as its label alone. */
export type OptionInput = string | Partial<Option>

const optionInput = schema<OptionInput>({
  type: ['object', 'string'],
  properties: {
    value: { type: 'string', minLength: 1, maxLength: 255 },
    label: { type: 'string', minLength: 1, maxLength: 255 },
    color: { type: ['string', 'null'], maxLength: 40 },
    icon: { type: ['string', 'null'], maxLength: 100 },
    position,
    is_default: { type: 'boolean' },
  },
  minLength: 1,
  maxLength: 255,
})

/** One field of such a write. */
export const fieldInput = Type.Object({
  key: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$' }),
  label: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  type: Type.Optional(cataloguedType),
  required: Type.Optional(Type.Boolean()),
  unique: Type.Optional(Type.Boolean()),
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  options: Type.Optional(Type.Array(optionInput, { maxItems: 500 })),
  default: Type.Optional(Type.Unknown()),
  position: Type.Optional(position),
  group: Type.Optional(orNull(Type.String({ maxLength: 255 }))),
  is_archived: Type.Optional(Type.Boolean()),
  is_shared: Type.Optional(
    Type.Boolean({ description: 'customers and partners are shown its values (false)' }),
  ),
})

/** A field to add, or the changes of one. */
export type FieldInput = Static<typeof fieldInput>

const fieldInputs = Type.Array(fieldInput, { maxItems: 500 })

/** The body of a field-config write: `{fields: […]}`, or the bare array. */
export const fieldConfigBody = schema<FieldInput[] | { fields: FieldInput[] }>({
  if: { type: 'array' },
  then: fieldInputs,
  else: { type: 'object', properties: { fields: fieldInputs }, required: ['fields'] },
})

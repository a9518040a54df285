import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'

/** One choice of a field. */
export const optionSchema = Type.Object(
  {
    value: Type.String(),
    label: Type.String(),
    color: orNull(Type.String()),
    icon: orNull(Type.String()),
    position: Type.Integer(),
    is_default: Type.Boolean(),
  },
  { title: 'FieldOption' },
)

import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { inputNames } from './inputs.ts'

/** The three bands of health. */
export const bands = [
  { band: 'healthy', minimum: 70, maximum: 100 },
  { band: 'at_risk', minimum: 40, maximum: 69 },
  { band: 'critical', minimum: 0, maximum: 39 },
] as const

export const healthBand = enumeration(
  bands.map(({ band }) => band),
  { title: 'HealthBand' },
)

export const inputName = enumeration(inputNames, { title: 'HealthInputName' })

/** A record by its type, id and name. */
export const namedRecord = Type.Object(
  { type: Type.String(), id: Type.String(), name: Type.String() },
  { title: 'NamedRecord' },
)

/** One input of an account's health: its value, its points, since when, and the records behind it. */
export const healthInput = Type.Object(
  {
    input: inputName,
    value: orNull(
      Type.Number({ description: 'The measure itself, in `unit`; null where nothing is known.' }),
    ),
    unit: Type.String({ description: 'what the value counts' }),
    weight: Type.Integer({
      description: 'The maximum points of the input, from 0 to 100.',
    }),
    points: Type.Integer({ description: 'The points of the input now.' }),
    since: orNull(Type.String({ format: 'date-time' })),
    links: Type.Array(namedRecord, { description: 'at most five records that it comes from' }),
  },
  { title: 'HealthInput' },
)

import { schema } from '../ground/json-schema.ts'

const nested = { type: 'object', additionalProperties: true }

/** One node of the filter grammar: a comparison, or other nodes joined; see `visitFilter`. */
export const condition = schema<{ [key: string]: unknown }>({
  title: 'FilterCondition',
  type: 'object',
  description: 'field, operator and value; or other conditions under and, or, not',
  example: { field: 'creation_time', operator: 'is_not_empty' },
  properties: {
    field: { type: 'string' },
    operator: { type: 'string' },
    value: {},
    and: { type: 'array', items: nested },
    or: { type: 'array', items: nested },
    not: nested,
  },
})

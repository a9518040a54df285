import type { JSONSchema } from '../../../kit/ground/json-schema.ts'
import type { Method } from '../../route.ts'

/** An identity endpoint as the API document describes it. */
export type IdentityEndpoint = {
  /** unique, snake_case, verb first, like those of operations */
  name: string
  method: Method
  path: string
  summary: string
  description?: string
  /** query parameters */
  parameters: { name: string; required: boolean; description: string; schema: JSONSchema }[]
  /** a form; JSON of the same properties is accepted too */
  form?: JSONSchema
  responses: { [status: number]: { description: string; schema?: JSONSchema } }
}

/** The body of an error. */
export const error: JSONSchema = {
  title: 'IdentityError',
  type: 'object',
  properties: {
    error: { type: 'string', description: 'a code of RFC 6749' },
    error_description: { type: 'string' },
    message: { type: 'string' },
    code: { type: 'string', description: 'stable, for programs' },
    request_id: { type: 'string' },
  },
  required: ['error', 'message', 'code', 'request_id'],
}

export const text: JSONSchema = { type: 'string' }

/** A text parameter of the query. */
export function query(name: string, description: string, required = true) {
  return { name, required, description, schema: text }
}

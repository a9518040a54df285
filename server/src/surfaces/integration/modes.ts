import { badField } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Query = { [name: string]: string | undefined }

/** One shape of a read: the query parameter that requests it, and the operation that answers it. */
export type Mode = {
  parameter: string
  isRequested: (query: Query) => boolean
  operation: Operation
}

/**
 * One GET with several shapes. The first mode that is requested runs; otherwise `list` does. All of
 * them read the same module.
 */
export function modes(name: string, summary: string, ways: Mode[], list: Operation): Operation {
  const properties: { [name: string]: JSONSchema } = { ...(list.input.query!.properties as object) }
  for (const { parameter, operation } of ways) {
    properties[parameter] = { type: 'string', maxLength: 500, description: operation.summary }
  }
  return {
    ...list,
    name,
    summary,
    input: { query: { type: 'object', properties } },
    output: { anyOf: [...ways.map(({ operation }) => operation.output), list.output] },
    run(ctx, input) {
      const way = ways.find(({ isRequested }) => isRequested(queryOf(input)))
      return (way?.operation ?? list).run(ctx, input)
    },
  }
}

/** The mode of a parameter with an id: that single record. */
export function one(parameter: string, read: Operation): Mode {
  const operation: Operation = {
    ...read,
    run: (ctx, input) => read.run(ctx, { ...input, params: { id: queryOf(input)[parameter] } }),
  }
  return { parameter, isRequested: (query) => Boolean(query[parameter]), operation }
}

/** The mode of an on/off parameter; see `isTruthy`. */
export function when(parameter: string, operation: Operation): Mode {
  const isRequested = (query: Query) => isTruthy(parameter, query[parameter])
  return { parameter, isRequested, operation }
}

/** An operation whose path names the record by `parameter` instead of `id`. */
export function byItsOwnId(parameter: string, operation: Operation): Operation {
  const params = {
    type: 'object',
    properties: { [parameter]: { type: 'string' } },
    required: [parameter],
  }
  return {
    ...operation,
    input: { ...operation.input, params },
    run(ctx, input) {
      const { [parameter]: id } = input.params as { [name: string]: string }
      return operation.run(ctx, { ...input, params: { id } })
    },
  }
}

function queryOf({ query }: Input): Query {
  return query as Query
}

const yes = ['true', '1', 'yes', 'on', 'options', 'field_config']
const no = ['', 'false', '0', 'no', 'off', 'none', 'null']

/** Whether a switch is on: `true`, `1`, `yes` or `options`; 400 for words that mean neither. */
export function isTruthy(parameter: string, value: string | undefined): boolean {
  const word = (value ?? '').trim().toLowerCase()
  if (yes.includes(word)) return true
  if (no.includes(word)) return false
  throw badField(parameter, `must be one of true, 1, yes, options, or false`)
}

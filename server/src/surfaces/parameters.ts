import { badRequest } from '../kit/ground/errors.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'
import { hintFor } from '../kit/ground/nearest.ts'
import { checkTexts } from '../kit/record/validate.ts'
import type { Route } from './route.ts'

/** Parameters that callers and intermediaries may append to any address: cache busters and campaign tags. */
const passedOver = /^(_|utm_\w+)$/

/** Query parameters by name, with the schema of each. */
export type Parameters = { readonly [name: string]: JSONSchema }

/**
 * Checks the names in the query of a route: those of its operation and `also`. 400
 * `unknown_parameter` for others, with the nearest known name: a filter by a misspelled name would
 * answer with everything. 400 for values of `also` that do not fit, even if the operation has no use for them.
 */
export function queryCheck({ operation }: Route, also: Parameters = {}): (query: unknown) => void {
  const own = Object.keys((operation.input.query?.properties ?? {}) as object)
  const known = new Set([...own, ...Object.keys(also)])
  const others = Object.entries(also).filter(([name]) => !own.includes(name))
  const properties = Object.fromEntries(others)
  const schema: JSONSchema = { type: 'object', properties }
  return (query) => {
    for (const name in query as object) {
      if (known.has(name) || passedOver.test(name)) continue
      const message = `is not a query parameter of this operation; ${hintFor(name, own)}`
      const shown = name.slice(0, 100)
      throw badRequest(`${shown}: ${message}`, [{ field: shown, message }], 'unknown_parameter')
    }
    const isAsked = others.some(([name]) => Object.hasOwn(query as object, name))
    if (isAsked) checkTexts(schema, { ...(query as object) })
  }
}

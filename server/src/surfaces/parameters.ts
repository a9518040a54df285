import { badRequest } from '../kit/ground/errors.ts'
import { hintFor } from '../kit/ground/nearest.ts'
import type { Route } from './route.ts'

/** What callers and those between may append to any address: cache busters and campaign marks. */
const passedOver = /^(_|utm_\w+)$/

/**
 * The names that the query of a route may hold: those of its operation and `also`. 400
 * `unknown_parameter` for others, with the nearest known name: a filter by a misspelled name would
 * answer with everything.
 */
export function queryCheck(
  { operation }: Route,
  also: readonly string[] = [],
): (query: unknown) => void {
  const own = Object.keys((operation.input.query?.properties ?? {}) as object)
  const known = new Set([...own, ...also])
  return (query) => {
    for (const name in query as object) {
      if (known.has(name) || passedOver.test(name)) continue
      const message = `is not a query parameter of this operation; ${hintFor(name, own)}`
      const shown = name.slice(0, 100)
      throw badRequest(`${shown}: ${message}`, [{ field: shown, message }], 'unknown_parameter')
    }
  }
}

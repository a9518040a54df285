import type { TSchema } from 'typebox'
import { Type } from 'typebox'

/** Query parameters of a list that stand for an equality: the field of each. */
export type Equalities = { [parameter: string]: string }

/** The schemas of these parameters. */
export function equalityParameters(equals: Equalities): { [parameter: string]: TSchema } {
  const parameters: { [parameter: string]: TSchema } = {}
  for (const [name, field] of Object.entries(equals)) {
    const description = `only records whose ${field} is this, in any case`
    parameters[name] = Type.Optional(Type.String({ maxLength: 320, description }))
  }
  return parameters
}

/** The query with its equalities as conditions of the filter; an empty parameter is none. */
export function filteredBy<Q extends { filter?: unknown }>(query: Q, equals: Equalities): Q {
  const values = query as { [parameter: string]: unknown }
  const added = Object.entries(equals).flatMap(([parameter, field]) => {
    const value = String(values[parameter] ?? '').trim()
    return value ? [{ field, operator: 'eq', value }] : []
  })
  if (!added.length) return query
  let sent: unknown
  try {
    sent = JSON.parse(String(query.filter || '[]'))
  } catch {
    // the list refuses it by its name
    return query
  }
  return Array.isArray(sent) ? { ...query, filter: [...(sent as unknown[]), ...added] } : query
}

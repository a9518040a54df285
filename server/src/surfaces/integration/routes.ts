import { invalidateConnection, testConnection } from '../../records/apps/connection.ts'
import { scopeOf } from '../../records/apps/scopes.ts'
import type { Route } from '../route.ts'
import { del, get } from '../route.ts'

/**
 * The whole integration surface, a line an operation. `segment` is the automation platform's name
 * in the paths.
 */
export function integrationRoutes(segment: string): Route[] {
  const routes = [
    get(`/${segment}/test`, testConnection),
    del(`/${segment}/invalidate`, invalidateConnection, { status: 200 }),
  ]
  // an operation whose scope nobody decided stops the start
  for (const { operation } of routes) scopeOf(operation)
  return routes
}

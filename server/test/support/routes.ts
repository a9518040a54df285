import type { Route } from '../../src/surfaces/route.ts'
import { cases } from './cases.ts'
import type { Reply } from './service.ts'
import { rows, sql } from './service.ts'
import type { Case, Door, Made, World } from './world.ts'

/** Every route there is, with its door. */
export function everyRoute(world: World): { door: Door; route: Route; title: string }[] {
  return world.doors.flatMap((door) =>
    door.routes.map((route) => ({ door, route, title: `${route.method} ${route.path}` })),
  )
}

/** The case of a route's operation; a route without one fails. */
export function caseOf({ operation }: Route): Case {
  const found = cases[operation.name]
  if (!found) throw new Error(`test/support/cases.ts has no case for ${operation.name}`)
  return found
}

/** Sends a made request through its door. `as` replaces the credentials, `raw` the body's text. */
export async function send(
  world: World,
  door: Door,
  route: Route,
  made: Made,
  change: {
    as?: { [name: string]: string }
    headers?: { [name: string]: string }
    raw?: string
  } = {},
): Promise<Reply> {
  const headers = { ...(change.as ?? made.headers ?? door.admin()), ...change.headers }
  const body = change.raw ?? made.body
  return world.service.call(route.method, pathOf(route, made), { headers, body })
}

/** The path of a request, its parameters filled in. */
export function pathOf({ path }: Route, { params = {}, query = {} }: Made): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? params.id!),
  )
  const search = new URLSearchParams(query).toString()
  return search ? `${filled}?${search}` : filled
}

/** The log rows of the organization, oldest first. */
export function logOf({ service, org }: World) {
  return rows(service, sql`select * from events t where organization_id = ${org.id} order by id`)
}

import type { Route } from '../../src/surfaces/route.ts'
import { cases } from './cases.ts'
import type { Reply } from './service.ts'
import { rows, sql } from './service.ts'
import type { Case, Surface, Made, World } from './world.ts'

/** Every route, with its surface. */
export function everyRoute(world: World): { surface: Surface; route: Route; title: string }[] {
  return world.surfaces.flatMap((surface) =>
    surface.routes.map((route) => ({ surface, route, title: `${route.method} ${route.path}` })),
  )
}

/** The case of a route's operation; a route without one fails. */
export function caseOf({ operation }: Route): Case {
  const found = cases[operation.name]
  if (!found) throw new Error(`test/support/cases.ts has no case for ${operation.name}`)
  return found
}

/**
 * One valid request for all tests of a route whose requests are refused: that leaves what it needs, and
 * what it would write, as it was. Making one takes up to ten requests.
 */
export function refusable(route: Route): (world: World) => Promise<Made> {
  const made = new Map<World, Promise<Made>>()
  return (world) => {
    const known = made.get(world) ?? Promise.resolve(caseOf(route).request(world))
    made.set(world, known)
    return known
  }
}

/** The read of the record that a route writes; what gives a file shows nothing of a record. */
export function readingOf(surface: Surface, { path }: Route): Route | undefined {
  return surface.routes.find(
    ({ method, operation, ...each }) =>
      method === 'GET' && each.path === path && path.includes('{') && !operation.gives,
  )
}

/** Sends a made request through its surface. `as` replaces the credentials, `raw` the body's text. */
export async function send(
  world: World,
  surface: Surface,
  route: Route,
  made: Made,
  change: {
    as?: { [name: string]: string }
    headers?: { [name: string]: string }
    raw?: string
  } = {},
): Promise<Reply> {
  const headers = { ...(change.as ?? made.headers ?? surface.admin()), ...change.headers }
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

/** What an organization's log holds, in so few words that two may be compared after every request. */
export type LogState = {
  entries: number
  latest: string | null
  /** the last transaction that inserted or updated an entry, counted from the first of the server */
  transaction: number | null
}

/** The state of the organization's log: equal only while no entry is added, changed or deleted. */
export async function logOf({ service, org }: World): Promise<LogState> {
  const [state] = await rows<LogState>(
    service,
    // thousands of entries are read after each of thousands of requests: ages are compared as they are
    sql`select count(*) as entries, max(id) as latest,
        age('3'::xid) - min(age(xmin)) as transaction
      from events where organization_id = ${org.id}`,
  )
  return state!
}

/** The entries that were added to the log since then, oldest first. */
export function addedTo({ service, org }: World, since: LogState) {
  return rows(
    service,
    sql`select * from events t
      where organization_id = ${org.id} and id > ${since.latest ?? ''} order by id`,
  )
}

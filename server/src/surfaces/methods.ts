import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import type { Method, Route } from './route.ts'
import { routerPath } from './route.ts'

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A path with the methods that it has. */
type Path = { url: string; segments: string[]; known: Set<Method>; allow: string }

type PathAndMethod = Pick<Route, 'path' | 'method'>

/** 405 with `Allow` for the methods that a path does not have, and an answer to OPTIONS. */
export function refuseOtherMethods(app: FastifyInstance, routes: PathAndMethod[]) {
  for (const path of pathsOf(routes)) {
    const others = methods.filter((method) => !path.known.has(method))
    refuse(app, path, [...others, 'TRACE', 'OPTIONS'])
  }
}

/**
 * The same for a whole table, whose first segments no other table has: one route below each of them answers
 * for all paths. A route for each method of each path would take three times as long to register
 * as the table itself.
 */
export function refuseOtherMethodsOfTable(app: FastifyInstance, routes: PathAndMethod[]) {
  const paths = pathsOf(routes)
  for (const path of paths) {
    // `/contact/{id}/` would answer what `/contact/bulk/` refuses
    const others = paths.filter((other) => other !== path && isAt(other, path.segments))
    const taken = new Set(others.flatMap(({ known }) => [...known])).difference(path.known)
    if (taken.size) refuse(app, path, [...taken])
  }
  for (const first of new Set(paths.map(({ segments: [first = ''] }) => first))) {
    app.route<{ Params: { '*': string } }>({
      method: [...methods, 'TRACE', 'OPTIONS'],
      url: `/${first}/*`,
      onRequest: async (request, reply) => {
        const rest = request.params['*'].replace(/\/$/, '').split('/')
        const path = paths.find((each) => isAt(each, [first, ...rest]))
        return path ? sayMethods(path, request, reply) : reply.callNotFound()
      },
      handler: async () => undefined,
    })
  }
}

/** Refuses methods of a path, before the body is read, since it cannot change the answer. */
function refuse(app: FastifyInstance, path: Path, refused: string[]) {
  app.route({
    method: refused,
    url: path.url,
    onRequest: async (request, reply) => sayMethods(path, request, reply),
    handler: async () => undefined,
  })
}

/** Answers OPTIONS, and throws 405 for any other method. */
function sayMethods({ allow }: Path, { method }: FastifyRequest, reply: FastifyReply) {
  reply.header('allow', allow)
  if (method === 'OPTIONS') return reply.code(204).send()
  throw new Failure(405, 'method_not_allowed', `${method} is not possible here; ${allow} are`)
}

/** The paths of a table, fixed segments before parameters, as the router prefers them. */
function pathsOf(routes: PathAndMethod[]): Path[] {
  // two tables may name a path's parameter differently; for the router they are one path
  const byUrl = Map.groupBy(routes, ({ path }) => routerPath(path))
  const paths = [...byUrl].map(([url, own]) => {
    const known = new Set(own.map(({ method }) => method))
    const allow = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    return { url, segments: url.split('/').filter(Boolean), known, allow }
  })
  const rank = ({ url }: Path) => url.replaceAll(':', '~')
  return paths.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Whether the router finds a path at these segments of an address. */
function isAt({ segments: own }: Path, segments: string[]): boolean {
  return (
    own.length === segments.length &&
    own.every((segment, at) =>
      segment.startsWith(':') ? segments[at] !== '' : segment === segments[at],
    )
  )
}

import type { FastifyInstance } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import type { Method, Route } from './route.ts'
import { routerPath } from './route.ts'

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** 405 with `Allow` for the methods that a path does not have. */
export function refuseOtherMethods(app: FastifyInstance, routes: Pick<Route, 'path' | 'method'>[]) {
  const byPath = new Map<string, Set<Method>>()
  for (const { path, method } of routes) {
    // two tables may name a path's parameter differently; for the router they are one path
    const url = routerPath(path)
    byPath.set(url, (byPath.get(url) ?? new Set()).add(method))
  }
  for (const [url, known] of byPath) {
    const allow = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    app.route({
      method: [...methods.filter((method) => !known.has(method)), 'TRACE'],
      url,
      // before the body is read, since it cannot change the answer
      onRequest: async (request, reply) => {
        reply.header('allow', allow)
        throw new Failure(
          405,
          'method_not_allowed',
          `${request.method} is not possible here; ${allow} are`,
        )
      },
      handler: async () => undefined,
    })
    app.options(url, async (_request, reply) => reply.code(204).header('allow', allow).send())
  }
}

import type { FastifyInstance } from 'fastify'

/**
 * Lets pages of any origin call the routes of a scope, and read every header of the answers. Callers
 * send their credentials in a header, which a page of another origin only has if the caller provided it.
 */
export function allowOtherOrigins(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', '*')
    // the route of a path answers every other OPTIONS request, with `Allow`
    if (request.method === 'OPTIONS') {
      const wanted = request.headers['access-control-request-headers']
      reply.header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      reply.header('vary', 'Access-Control-Request-Headers')
      if (wanted !== undefined) reply.header('access-control-allow-headers', wanted)
    }
    done()
  })
}

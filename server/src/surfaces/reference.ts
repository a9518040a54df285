import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { serveDocs } from './docs/plugin.ts'
import { pack, sendPacked, shared } from './prepared-content.ts'
import { refuseOtherMethods } from './methods.ts'
import type { OpenApi } from './openapi.ts'
import { reachedAt } from './openapi.ts'

/**
 * The API document at `/openapi.json`, guides and reference at `/docs`. Everything that they need is served here,
 * and their content policy allows nothing else.
 */
export function serveReference(
  app: FastifyInstance,
  { publicUrl, automationSegment }: Pick<Config, 'publicUrl' | 'automationSegment'>,
  made: () => Promise<OpenApi>,
) {
  const document = shared(async () => reachedAt(await made(), publicUrl))
  // the same bytes for every reader, however many there are
  const file = shared(async () => pack(JSON.stringify(await document())))
  app.get('/openapi.json', async (request, reply) => {
    // it changes with the version of the service
    reply.header('cache-control', 'public, max-age=300')
    // tools that show or try an API run in pages of their own
    reply.header('access-control-allow-origin', '*')
    reply.header('content-type', 'application/json; charset=utf-8')
    return sendPacked(request, reply, await file())
  })
  refuseOtherMethods(app, [{ path: '/openapi.json', method: 'GET' }])
  serveDocs(app, automationSegment, document)
}

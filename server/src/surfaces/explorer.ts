import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import fastify from 'fastify'

const script = '/docs/explorer/js/scalar.js'

/**
 * The page that tries operations, at `/docs/explorer/`. Its library is loaded when somebody first opens the
 * page: it is the largest of all, and few processes ever show it.
 */
export function serveExplorer(app: FastifyInstance, publicUrl: string) {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentPolicy(nonce, publicUrl)
  let library: Promise<FastifyInstance> | undefined
  const send = async (reply: FastifyReply, url: string) => {
    library ??= load(nonce)
    // a failure to load is not final
    library.catch(() => (library = undefined))
    const answer = await (await library).inject({ method: 'GET', url })
    return reply
      .code(answer.statusCode)
      .header('content-type', answer.headers['content-type'])
      .header('content-security-policy', policy)
      .send(answer.rawPayload)
  }
  app.get('/docs/explorer/', (_request, reply) => send(reply, '/docs/explorer/'))
  app.get(script, (_request, reply) => send(reply, script))
}

/** The library is a plugin, which a server takes only before it is ready: it gets one of its own. */
async function load(nonce: string): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const own = fastify()
  await own.register(scalar, {
    routePrefix: '/docs/explorer',
    configuration: {
      url: '/openapi.json',
      cdn: script,
      nonce,
      pageTitle: 'Perennial API',
      // fonts, suggestions and statistics would come from or go to somebody else's servers
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      documentDownloadType: 'json',
      persistAuth: false,
    },
  })
  return own
}

function contentPolicy(nonce: string, server: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    // trying an operation calls the service as its callers do
    `connect-src 'self' ${new URL(server).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

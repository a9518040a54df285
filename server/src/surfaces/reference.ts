import { createHash, randomBytes } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { compression } from './compression.ts'
import { serveDocs } from './docs/plugin.ts'
import { refuseOtherMethods } from './methods.ts'
import type { OpenApi } from './openapi.ts'
import { reachedAt } from './openapi.ts'

/**
 * The API document at `/openapi.json`, guides and reference at `/docs`, and at `/docs/explorer/` a page that
 * tries operations. Everything that they need comes from here, and their content policy lets nothing else in.
 */
export async function serveReference(app: FastifyInstance, publicUrl: string, made: () => OpenApi) {
  let reached: OpenApi | undefined
  const document = () => (reached ??= reachedAt(made(), publicUrl))
  // the same bytes for every reader, however many there are
  let file: { bytes: Buffer; tag: string } | undefined
  app.get('/openapi.json', { compress: compression }, async (request, reply) => {
    const { bytes, tag } = (file ??= fileOf(document()))
    // weak, as compressed bytes are others; it changes with the version of the service
    reply.header('etag', `W/"${tag}"`).header('cache-control', 'public, max-age=300')
    // tools that show or try an API run in pages of their own
    reply.header('access-control-allow-origin', '*')
    const known = String(request.headers['if-none-match'] ?? '').split(',')
    if (known.some((each) => each.includes(`"${tag}"`))) return reply.code(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
  })
  refuseOtherMethods(app, [
    { path: '/openapi.json', method: 'GET' },
    { path: '/docs/explorer/', method: 'GET' },
  ])
  serveDocs(app, document)
  const nonce = randomBytes(16).toString('base64')
  const policy = contentPolicy(nonce, publicUrl)
  await app.register(scalar, {
    routePrefix: '/docs/explorer',
    configuration: {
      url: '/openapi.json',
      cdn: '/docs/explorer/js/scalar.js',
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
    hooks: {
      onRequest(request, reply, done) {
        // the page would redirect from the path without its slash; here both are the same
        const { url } = request.raw
        if (url && !url.startsWith('/docs/explorer/')) {
          request.raw.url = url.replace(/^\/docs\/explorer/, '/docs/explorer/')
        }
        reply.header('content-security-policy', policy)
        done()
      },
    },
  })
}

function fileOf(document: OpenApi) {
  const bytes = Buffer.from(JSON.stringify(document))
  return { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27) }
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

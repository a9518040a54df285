import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
import type { Made } from './made.ts'
import { isKnown, madeOf } from './made.ts'

const page = '/docs/explorer/'
const script = `${page}js/scalar.js`

/** The page and its script, of 3.8 MB, as they are sent: compressed once, and by threads. */
type Explorer = { html: Buffer; plain: Made; br: Buffer; gzip: Buffer }

/**
 * The page that tries operations, at `/docs/explorer/`. Its library is loaded when somebody first opens the
 * page: it is the largest of all, and few processes ever show it.
 */
export function serveExplorer(app: FastifyInstance, publicUrl: string) {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentPolicy(nonce, publicUrl)
  let loading: Promise<Explorer> | undefined
  const explorer = () => {
    loading ??= load(nonce)
    // a failure to load is not final
    loading.catch(() => (loading = undefined))
    return loading
  }
  app.get(page, async (_request, reply) => {
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return reply.send((await explorer()).html)
  })
  app.get(script, async (request, reply) => sendScript(request, reply, await explorer()))
}

function sendScript(request: FastifyRequest, reply: FastifyReply, explorer: Explorer) {
  reply.header('cache-control', 'public, max-age=86400')
  reply.header('vary', 'accept-encoding').type('text/javascript; charset=utf-8')
  if (isKnown(request, reply, explorer.plain)) return reply.code(304).send()
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each))
  if (!encoding) return reply.send(explorer.plain.bytes)
  return reply.header('content-encoding', encoding).send(explorer[encoding])
}

/** The library is a plugin, which a server takes only before it is ready: it gets one of its own. */
async function load(nonce: string): Promise<Explorer> {
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
  const [html, plain] = await Promise.all(
    [page, script].map(async (url) => (await own.inject({ method: 'GET', url })).rawPayload),
  )
  await own.close()
  if (!html?.length || !plain?.length) throw new Error('the library gave no page')
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    html,
    plain: madeOf(plain),
    br: await promisify(brotliCompress)(plain, quality),
    gzip: await promisify(gzip)(plain, { level: 9 }),
  }
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

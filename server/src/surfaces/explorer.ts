import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import type { Packed } from './prepared-content.ts'
import { pack, sendPacked, shrink } from './prepared-content.ts'

const page = '/docs/explorer/'
const script = `${page}js/scalar.js`

/** The page and its script, of 3.8 MB. */
type Explorer = { html: string; script: Packed }

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
    // after a failure, the next request loads again
    loading.catch(() => (loading = undefined))
    return loading
  }
  app.get(page, async (_request, reply) => {
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8')
    return reply.send((await explorer()).html)
  })
  app.get(script, async (request, reply) => {
    reply.header('cache-control', 'public, max-age=86400')
    reply.type('text/javascript; charset=utf-8')
    return sendPacked(request, reply, (await explorer()).script)
  })
}

/** The library is a plugin, which can only be registered before a server is ready, so it gets a separate server. */
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
      // fonts, suggestions and statistics would use third-party servers
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      documentDownloadType: 'json',
      persistAuth: false,
      // the library's colors have too little contrast
      customCss: `.light-mode { --scalar-color-2: #555; --scalar-color-3: #5c5c5c; --scalar-color-green: #046b3f;
          --scalar-color-red: #b3101e; --scalar-color-blue: #0a5aa8; --scalar-color-orange: #94450a;
          --scalar-color-yellow: #775a00; --scalar-color-purple: #5f3bb8 }
        .dark-mode { --scalar-color-2: #bbb; --scalar-color-3: #aaa }`,
    },
  })
  const [html, plain] = await Promise.all(
    [page, script].map(async (url) => (await own.inject({ method: 'GET', url })).rawPayload),
  )
  await own.close()
  if (!html?.length || !plain?.length) throw new Error('the library gave no page')
  const packed = await pack(plain)
  // in the background: the first request does not wait for it
  shrink(packed).catch(() => {})
  return { html: inEnglish(html), script: packed }
}

/** The page with the name of its language, which screen readers need. */
function inEnglish(html: Buffer): string {
  return html.toString().replace('<html>', '<html lang="en">')
}

function contentPolicy(nonce: string, server: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    // the page calls the service like any other client
    `connect-src 'self' ${new URL(server).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

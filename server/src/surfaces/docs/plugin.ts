import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../kit/ground/errors.ts'
import { compression } from '../compression.ts'
import { sendFailure } from '../errors.ts'
import type { Prepared } from '../prepared-content.ts'
import { isKnown, prepare, shared } from '../prepared-content.ts'
import { refuseOtherMethods } from '../methods.ts'
import type { OpenApi } from '../openapi.ts'
import type { Contents, DocsPage } from './layout.ts'
import { docsLayout } from './layout.ts'
import { referencePages } from './operations.ts'
import { missingPage, overview, pageAt, resultsPage } from './pages.ts'
import { docsScript } from './script.ts'
import { entriesOf, found, mostLetters } from './search.ts'
import { docsCss } from './style.ts'

/** The content security policy: everything is loaded from this service. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const compressed = { ...compression, customTypes: /^(text\/|application\/json)/ }
const css = assetOf('style', 'css', docsCss)
const script = assetOf('script', 'js', docsScript)

/**
 * The guides, the reference and a search over both at `/docs`; `segment` begins the paths of the integration
 * surface. Pages are made when first asked for.
 */
export function serveDocs(app: FastifyInstance, segment: string, document: () => Promise<OpenApi>) {
  const contents = shared(async (): Promise<Contents> => {
    // loads the library that parses Markdown
    const { readGuides } = await import('./guides.ts')
    return { groups: readGuides(segment), pages: referencePages(await document()) }
  })
  const entries = shared(async () => {
    const { groups, pages } = await contents()
    return entriesOf(groups, pages)
  })
  const search = async (question: string) => found(await entries(), question)
  const prepared = new Map<string, Prepared>()
  const pageOf = async (path: string) => {
    const known = prepared.get(path)
    if (known) return known
    const all = await contents()
    const page = path === '/docs' ? overview(all) : pageAt(await document(), all, path)
    const fresh = page && prepare(render(all, page))
    // unknown addresses are not cached, because anyone can make them up
    if (fresh) prepared.set(path, fresh)
    return fresh
  }
  const render = (all: Contents, page: DocsPage) =>
    docsLayout(all, page, { css: css.path, script: script.path })

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    const page = await pageOf(path.replace(/\/+$/, ''))
    if (!page && request.headers.accept?.includes('text/html')) {
      const missing = prepare(render(await contents(), missingPage(path)))
      return sendMade(request, reply.code(404), missing, 'text/html; charset=utf-8', 'no-store')
    }
    if (!page) return sendFailure(reply, notFound(`${request.method} ${path}`))
    return sendMade(request, reply, page, 'text/html; charset=utf-8', 'no-cache')
  }
  const options = { compress: compressed }
  for (const path of ['/docs', '/docs/*']) {
    app.get(path, options, send)
  }
  for (const { path, type, content } of [css, script]) {
    app.get(path, options, async (request, reply) =>
      sendMade(request, reply, content, type, 'public, max-age=31536000, immutable'),
    )
  }
  app.get('/docs/search', options, async (request, reply) => {
    const question = questionOf(request)
    const page = prepare(render(await contents(), resultsPage(question, await search(question))))
    return sendMade(request, reply, page, 'text/html; charset=utf-8', 'no-cache')
  })
  app.get('/docs/search.json', options, async (request, reply) => {
    const hits = await search(questionOf(request))
    const results = hits.map(({ title, about, url }) => ({
      title,
      about,
      url,
    }))
    const answer = prepare(JSON.stringify({ results }))
    return sendMade(request, reply, answer, 'application/json; charset=utf-8', 'no-cache')
  })
  refuseOtherMethods(
    app,
    [
      '/docs',
      '/docs/guide/{name}',
      '/docs/reference/{name}',
      '/docs/search',
      '/docs/search.json',
    ].map((path) => ({ path, method: 'GET' as const })),
  )
}

function assetOf(name: string, ending: string, text: string) {
  const content = prepare(text)
  const type = ending === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
  return { path: `/docs/${name}.${content.tag.slice(0, 8)}.${ending}`, type, content }
}

function questionOf({ query }: FastifyRequest): string {
  const { q } = query as { q?: unknown }
  return typeof q === 'string' ? q.slice(0, mostLetters) : ''
}

/** Sends the page, or 304 to a caller that has it. */
function sendMade(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  type: string,
  cache: string,
): FastifyReply {
  reply
    .header('cache-control', cache)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
  if (isKnown(request, reply, prepared)) return reply.code(304).send()
  return reply.header('content-type', type).send(prepared.bytes)
}

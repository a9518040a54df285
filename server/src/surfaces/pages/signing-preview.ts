import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import { languages } from '../../model/languages/language.ts'
import { download } from '../../records/documents/download.ts'
import { imageOf } from '../../records/documents/images.ts'
import type { Previewed } from '../../records/documents/requests/preview.ts'
import { previewed, readSigningPreview } from '../../records/documents/requests/preview.ts'
import { sanitized } from '../../records/documents/sanitized.ts'
import { textDownload } from '../../records/documents/text-pdf.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { sendDownload } from '../download.ts'
import { findOrganization } from '../organization.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Look, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'
import { isDrawn, signPage, textOf } from './signing-views.ts'

type Keyed = { Params: { key: string } }
type Opened = { ctx: Context; signing: Previewed; look: Look; token: string }
type Closed = { status: number; page: Page }

/** The page on which a recipient would sign, for whoever prepares it: the same code, and nothing is stored. */
export function signingPreviews(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Keyed>('/sign/preview/:key', async (request, reply) => {
    const opened = await open(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    return sendPage(reply, 200, await shown(opened))
  })

  scope.post<Keyed>('/sign/preview/:key', async (request, reply) => {
    const opened = await open(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const form = formOf(request)
    if (form.act === 'language') return sendPage(reply, 200, await shown(opened, form))
    const { look } = opened
    const { say } = look.voice
    const page = messagePage(say('signing.preview'), say('signing.preview_text'))
    return sendPage(reply, 200, { look, ...page })
  })

  scope.post<Keyed>('/sign/preview/:key/viewed', async (request, reply) => {
    const opened = await open(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    return reply.code(204).send()
  })

  scope.get<Keyed>('/sign/preview/:key/file', async (request, reply) => {
    const opened = await open(runtime, request)
    if ('page' in opened) return sendPage(reply, opened.status, opened.page)
    const { ctx, signing } = opened
    const { document } = signing
    const { file } = isDrawn(signing)
      ? await textDownload(ctx, { ...document, is_reusable: true }, true)
      : download(ctx, document, true)
    return sendDownload(request, reply, file, async () => {})
  })

  scope.get<{ Params: { key: string; image: string } }>(
    '/sign/preview/:key/images/:image/',
    async (request, reply) => {
      const opened = await open(runtime, request)
      if ('page' in opened) return sendPage(reply, opened.status, opened.page)
      const { ctx, signing } = opened
      const { file } = await imageOf(ctx, signing.document, request.params.image)
      return sendDownload(request, reply, file, async () => {})
    },
  )
}

async function shown({ ctx, signing, look, token }: Opened, form: { [name: string]: string } = {}) {
  const safe = await sanitized(ctx, textOf(signing))
  const text = safe.replaceAll(
    /(<img src=")\/api\/documents\/\w+(\/images\/\w+\/")/g,
    `$1/sign/${token}$2`,
  )
  const { fileLimit } = signing
  const note = `${look.voice.say('signing.preview')} ${look.voice.say('signing.preview_text')}`
  return signPage(look, signing, token, { text, others: [], files: {}, fileLimit, note }, form)
}

/** What a key shows, with the rights that whoever made it has now. */
async function open(runtime: Runtime, request: FastifyRequest<Keyed>): Promise<Opened | Closed> {
  const visitor = visitorContext(runtime, request)
  const { key } = request.params
  const unknown: Closed = { status: 404, page: unknownLink(request) }
  const preview = readSigningPreview(visitor.secrets, key)
  const organization = preview && (await findOrganization(visitor.lookup, preview.organization))
  if (!preview || !organization) return unknown
  const { lang } = { ...(request.query as { lang?: unknown }), ...formOf(request) }
  const language = languages.find((each) => each === lang)
  const { reads } = visitor.actAs({ organization, actor: system })
  const look = await lookOf(reads, request, { language })
  if (new Date(preview.expires) <= visitor.now()) {
    const { say } = look.voice
    const page = messagePage(say('link.expired'), say('link.expired_text'))
    return { status: 410, page: { look, ...page } }
  }
  const loaded = await loadActor(reads, preview.organization, preview.user)
  if (!loaded?.is_active) return unknown
  const ctx = visitor.actAs({ organization, actor: loaded.actor }).reads
  try {
    const signing = await previewed(ctx, preview)
    return signing ? { ctx, signing, look, token: `preview/${key}` } : unknown
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return unknown
    throw error
  }
}

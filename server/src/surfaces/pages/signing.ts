import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kit/ground/context.ts'
import { cut } from '../../kit/ground/cut.ts'
import { badField, Failure, notFound } from '../../kit/ground/errors.ts'
import { anywhere, mine, sql } from '../../kit/ground/sql.ts'
import { notNumber } from '../../model/documents/requests/placed-fields.ts'
import type { FileOfDocument } from '../../records/documents/download.ts'
import { download, fileOf } from '../../records/documents/download.ts'
import { storeFile } from '../../records/documents/file.ts'
import { imageOf } from '../../records/documents/images.ts'
import { refuseLocked } from '../../records/documents/locked.ts'
import { textDownload } from '../../records/documents/text-pdf.ts'
import { sanitized } from '../../records/documents/sanitized.ts'
import type { Recipient } from '../../records/documents/requests/request.ts'
import {
  attachedBy,
  attachedFileOf,
  attachFile,
  attachmentLimit,
  detachFile,
} from '../../records/documents/signing/attach.ts'
import {
  asksCode,
  confirmCode,
  isPass,
  passFor,
  sendCode,
} from '../../records/documents/signing/code.ts'
import { decline } from '../../records/documents/signing/decline.ts'
import { delegate } from '../../records/documents/signing/delegate.ts'
import { sign } from '../../records/documents/signing/sign.ts'
import type { Signing } from '../../records/documents/signing/signing.ts'
import {
  checkLink,
  filledByOthers,
  readSigning,
  viewSigning,
} from '../../records/documents/signing/signing.ts'
import type { Client } from '../../records/documents/signing/step.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { cookieName, ownCookie } from '../cookies.ts'
import { sendDownload } from '../download.ts'
import { isForm, receive, refuseLength, refuseUpload, takeUploads } from '../upload.ts'
import { findOrganization } from '../organization.ts'
import { callerAddress } from '../address.ts'
import type { Language, MessageKey } from '../../model/languages/language.ts'
import { languages } from '../../model/languages/language.ts'
import type { Look } from './page.ts'
import { fileRefusal } from './file-refusal.ts'
import { failureText, lookOf, unknownLink } from './look.ts'
import { sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'
import type { Refused, ShownDocument } from './signing-views.ts'
import { closedPage, codePage, handedOverPage, isDrawn, signPage, textOf } from './signing-views.ts'

type Linked = { Params: { token: string } }

/**
 * The page on which a recipient signs a document, without an account: the token of the link
 * identifies them. It shows the document, takes a name and what is placed on the pages, a reason to decline, or
 * whoever signs instead, and works without a script; with that of `web/src/signing`, pages are drawn, with their fields on them, and the
 * name can be drawn, written or taken from a picture.
 */
export async function signingPages(outer: FastifyInstance, runtime: Runtime): Promise<void> {
  // other pages take no files
  await outer.register(async (scope) => {
    takeUploads(scope)
    addSigning(scope, runtime)
  })
}

function addSigning(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Linked>('/sign/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { recipient, signing, look, isConfirmed } = opened
    const { token } = request.params
    if (!isConfirmed) return sendPage(reply, 200, codePage(look, signing, token))
    const closed = closedPage(look, signing, token)
    if (closed) return sendPage(reply, closed.status, closed.page)
    const shown = await shownOf(recipient.reads, signing, token)
    return sendPage(reply, 200, await signPage(look, signing, token, shown))
  })

  // sent by the page's script: programs that only follow links have not seen anything
  scope.post<Linked>('/sign/:token/viewed', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { recipient, signing, isConfirmed } = opened
    const { id } = signing.recipient
    if (!isConfirmed)
      return sendPage(reply, 403, codePage(opened.look, signing, request.params.token))
    if (signing.state === 'open' || signing.state === 'reading') {
      await recipient.write((ctx) => viewSigning(ctx, id, clientOf(request)))
    }
    return reply.code(204).send()
  })

  scope.post<Linked>('/sign/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { signing, look, isConfirmed } = opened
    const { token } = request.params
    if (!isConfirmed) {
      const form = formOf(request)
      return confirm(runtime, reply, { opened, token, form, client: clientOf(request) })
    }
    const closed = closedPage(look, signing, token)
    if (closed) return sendPage(reply, closed.status, closed.page)
    const received = await receivedForm(runtime, request, opened)
    try {
      return await fillIn(runtime, request, reply, { ...opened, ...received })
    } finally {
      await received.discard()
    }
  })

  // what the recipient has attached
  scope.get<{ Params: { token: string; file: string } }>(
    '/sign/:token/attachments/:file',
    async (request, reply) => {
      const opened = await open(runtime, request)
      if (!opened) return sendPage(reply, 404, unknownLink(request))
      const { recipient, signing, look, isConfirmed } = opened
      const { token, file } = request.params
      if (!isConfirmed) return sendPage(reply, 403, codePage(look, signing, token))
      const closed = closedPage(look, signing, token)
      if (closed && closed.status !== 200) return sendPage(reply, closed.status, closed.page)
      const row = await attachedFileOf(recipient.reads, signing.recipient.id, file)
      if (!row) throw notFound('File')
      return sendDownload(
        request,
        reply,
        download(recipient.reads, row, false).file,
        async () => {},
      )
    },
  )

  scope.get<Linked>('/sign/:token/file', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { recipient, signing, look, isConfirmed } = opened
    if (!isConfirmed) return sendPage(reply, 403, codePage(look, signing, request.params.token))
    if (!['open', 'reading', 'not_yet', 'done', 'complete'].includes(signing.state)) {
      const closed = closedPage(look, signing, request.params.token)
      return sendPage(reply, 410, closed?.page ?? unknownLink(request))
    }
    const ctx = recipient.reads
    const signed = await ctx.one<FileOfDocument>(sql`select ${fileOf} from documents t
      where ${mine(ctx)} and t.parent_attach_id = ${signing.document.id} and t.is_signed_version
        and t.deleted_at is null order by t.id limit 1`)
    const shown = signing.state === 'complete' && signed ? signed : signing.document
    const { file } =
      shown.storage_key || !isDrawn(signing)
        ? download(ctx, shown, true)
        : await textDownload(ctx, signing.document, true)
    return sendDownload(request, reply, file, async () => {})
  })

  // the pictures of a text
  scope.get<{ Params: { token: string; image: string } }>(
    '/sign/:token/images/:image/',
    async (request, reply) => {
      const opened = await open(runtime, request)
      if (!opened) return sendPage(reply, 404, unknownLink(request))
      const { recipient, signing, look, isConfirmed } = opened
      const { token } = request.params
      if (!isConfirmed) return sendPage(reply, 403, codePage(look, signing, token))
      const closed = closedPage(look, signing, token)
      if (closed) return sendPage(reply, closed.status, closed.page)
      const { file } = await imageOf(recipient.reads, signing.document, request.params.image)
      return sendDownload(request, reply, file, async () => {})
    },
  )
}

type Opened = NonNullable<Awaited<ReturnType<typeof open>>>

/** A form with files, received: the look in the language that it names, and why it could not be received. */
type Received = { look: Look; discard: () => Promise<void>; refused?: Refused }

/** The files of a form as those of other pages: as large, and only where there is a field for one. */
async function receivedForm(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  opened: Opened,
): Promise<Received> {
  const { signing, recipient } = opened
  const discard = async () => {}
  if (!isForm(request)) return { look: opened.look, discard }
  const names = signing.recipient.fields.flatMap(({ kind }, at) =>
    kind === 'attachment' ? [`file.${at}`] : [],
  )
  if (!names.length) refuseUpload(request)
  const { dataDir, bounds } = runtime.config
  const limit = await attachmentLimit(recipient.reads, signing.recipient)
  const most = { limit, mostFiles: names.length }
  try {
    refuseLength(request, { limit: most.limit * most.mostFiles })
    const folder = join(dataDir, 'uploads')
    const discard = await receive(request, { ...most, names }, {}, { folder, bounds })
    const chosen = languageChosen(request)
    const isSame = !chosen || chosen === opened.look.voice.language
    return { look: isSame ? opened.look : await lookIn(request, recipient.reads, signing), discard }
  } catch (error) {
    const { text } = fileRefusal(error, opened.look.voice, most)
    return { look: opened.look, discard, refused: { failure: text, field: '' } }
  }
}

/**
 * Does what a form says. Files are stored first, before the other things are looked at, so that none has to be chosen twice.
 */
async function fillIn(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  reply: FastifyReply,
  { recipient, signing, look, ...received }: Opened & Received,
) {
  const { token } = request.params
  const { id } = signing.recipient
  const client = clientOf(request)
  const form = formOf(request)
  const { name = '', signature = '', reason = '', act = 'sign' } = form
  const other = { name: form.delegate_name ?? '', email: form.delegate_email ?? '' }
  const again = async (status: number, refused?: Refused) => {
    const shown = await shownOf(recipient.reads, signing, token)
    return sendPage(reply, status, await signPage(look, signing, token, shown, form, refused))
  }
  const refused =
    received.refused ?? (await attachAll(runtime, request, { recipient, signing, look }))
  if (refused) return again(400, refused)
  // with all that is filled in
  if (act === 'language' || act === 'attach') return again(200)
  const detached = /^detach\.(\d{1,3})$/.exec(act)?.[1]
  try {
    await recipient.write(async (ctx) => {
      if (detached) return detachFile(ctx, id, Number(detached))
      if (act === 'decline') return decline(ctx, id, reason, client)
      if (act === 'delegate') return delegate(ctx, id, other, client)
      if (form.agree !== 'yes') throw badField('agree', 'must be ticked')
      const mark = { name, filled: filledIn(form), ...(signature ? { path: signature } : {}) }
      return sign(ctx, id, mark, client)
    })
  } catch (error) {
    if (!(error instanceof Failure) || ![400, 409].includes(error.status)) throw error
    return again(error.status, inWords(look, signing, error))
  }
  if (detached) return again(200)
  // the link has ended
  if (act === 'delegate') return sendPage(reply, 200, handedOverPage(look, signing, other.name))
  // a redirect, so that a reload does not submit again
  const lang = languageChosen(request)
  return reply.redirect(`/sign/${token}${lang ? `?lang=${lang}` : ''}`, 303)
}

/** Puts the files of a form at their fields; why the first was refused that was. */
async function attachAll(
  runtime: Runtime,
  request: FastifyRequest<Linked>,
  { recipient, signing, look }: Pick<Opened, 'recipient' | 'signing' | 'look'>,
): Promise<Refused | undefined> {
  let refused: Refused | undefined
  // a field in which nothing was chosen is sent as a file without a name
  for (const upload of (request.uploads ?? []).filter(
    ({ size, name }) => size || name !== 'file',
  )) {
    const position = Number(upload.part?.slice('file.'.length))
    try {
      if (!upload.size) throw badField('file', 'is empty')
      await refuseLocked(recipient.reads, { file: upload })
      await storeFile(recipient.reads, { file: upload }, 'signature-files')
      await recipient.write((ctx) => attachFile(ctx, signing.recipient.id, position, upload))
    } catch (error) {
      if (upload.storedKey) await runtime.files.remove(upload.storedKey)
      const noRoom = 'signing.file_no_room'
      const { text } = fileRefusal(error, look.voice, { limit: 0, mostFiles: 1, upload, noRoom })
      refused ??= { failure: text, field: `fields.${position}` }
    }
  }
  return refused
}

type Confirming = {
  opened: Opened
  token: string
  form: { [name: string]: string }
  client: Client
}

/** Mails a code, or takes one: a right one opens the page in this browser. Without scripts, too. */
async function confirm(
  runtime: Runtime,
  reply: FastifyReply,
  { opened, token, form, client }: Confirming,
) {
  const { recipient, signing, look } = opened
  const { id } = signing.recipient
  const again = (status: number, more: Parameters<typeof codePage>[3]) =>
    sendPage(reply, status, codePage(look, signing, token, more))
  if (form.act === 'send_code') {
    try {
      await recipient.write((ctx) => sendCode(ctx, id))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 429) throw error
      return again(429, { failure: look.voice.say('signing.code_wait') })
    }
    return again(200, { isSent: true })
  }
  const isRight = await recipient.write((ctx) => confirmCode(ctx, id, form.code ?? '', client))
  if (!isRight) return again(400, { isSent: true, failure: look.voice.say('signing.code_wrong') })
  const pass = passFor(recipient.reads, signing.recipient)
  reply.header('set-cookie', ownCookie(runtime.config.publicUrl, passName(id), pass))
  return reply.redirect(`/sign/${token}`, 303)
}

/** The cookie of a browser that has entered the code of a recipient. */
function passName(id: string): string {
  return `perennial_sign_${id}`
}

function hasPass(
  runtime: Runtime,
  ctx: Context,
  request: FastifyRequest,
  recipient: Recipient,
): boolean {
  const name = `${cookieName(runtime.config.publicUrl, passName(recipient.id))}=`
  const all = (request.headers.cookie ?? '').split(';').map((each) => each.trim())
  const value = all.find((each) => each.startsWith(name))?.slice(name.length)
  return value !== undefined && isPass(ctx, recipient, value)
}

/** The document's own text, made safe, and what others have filled in on its pages. */
async function shownOf(ctx: Context, signing: Signing, token: string): Promise<ShownDocument> {
  const safe = await sanitized(ctx, textOf(signing))
  // whoever has the link has no session
  const text = safe.replaceAll(
    /(<img src=")\/api\/documents\/\w+(\/images\/\w+\/")/g,
    `$1/sign/${token}$2`,
  )
  const others = await filledByOthers(ctx, signing)
  const { recipient } = signing
  const fileLimit = await attachmentLimit(ctx, recipient)
  return { text, others, files: await attachedBy(ctx, recipient), fileLimit }
}

/** What a link shows, and the contexts in which its recipient acts; undefined for an unknown token. */
async function open(runtime: Runtime, request: FastifyRequest<Linked>) {
  const { token } = request.params
  if (!/^[\w-]{20,100}$/.test(token)) return undefined
  const ctx = visitorContext(runtime, request)
  const hash = ctx.secrets.hash(token)
  const found = await ctx.lookup.one<{ organization_id: string; id: string }>(
    sql`select organization_id, id from signature_recipients t
      where ${anywhere('t')} and token_hash = ${hash}`,
  )
  const organization = found && (await findOrganization(ctx.lookup, found.organization_id))
  if (!organization) return undefined
  const signing = await readSigning(ctx.actAs({ organization, actor: system }).reads, found.id)
  if (!signing) return undefined
  const actor = { ...system, full_name: signing.recipient.name }
  const { reads, write } = ctx.actAs({ organization, actor })
  const recipient = {
    reads,
    write: <T>(run: (ctx: Context) => Promise<T>) =>
      write(async (ctx) => {
        // a correction that was waited for has given another link
        await checkLink(ctx, found.id, hash)
        return run(ctx)
      }),
  }
  const look = await lookIn(request, recipient.reads, signing)
  const isConfirmed =
    !asksCode(signing) || hasPass(runtime, recipient.reads, request, signing.recipient)
  return { recipient, signing, look, isConfirmed }
}

/** The look of the page in the language that was chosen, else in the recipient's. */
function lookIn(request: FastifyRequest<Linked>, ctx: Context, { recipient }: Signing) {
  return lookOf(ctx, request, { address: recipient.email, language: languageChosen(request) })
}

function clientOf(request: FastifyRequest): Client {
  const user_agent = cut(String(request.headers['user-agent'] ?? '').toWellFormed(), 500)
  return { address: callerAddress(request), user_agent }
}

/** What was filled in on the pages, by the position of the field. */
function filledIn(form: { [name: string]: string }): { [position: string]: string } {
  const fields = Object.entries(form).filter(([name]) => /^field\.\d{1,3}$/.test(name))
  return Object.fromEntries(fields.map(([name, value]) => [name.slice('field.'.length), value]))
}

const failures: { [field: string]: MessageKey } = {
  name: 'signing.enter_name',
  reason: 'signing.enter_reason',
  signature: 'signing.draw_again',
  agree: 'signing.tick',
  delegate_name: 'signing.enter_other_name',
  delegate_email: 'signing.enter_other_email',
}

function inWords({ voice }: Look, signing: Signing, { errors, message }: Failure): Refused {
  const field = errors?.[0]?.field ?? ''
  if (field.startsWith('fields.')) {
    const { kind } = signing.recipient.fields[Number(field.slice('fields.'.length))] ?? {}
    if (kind === 'attachment') return { field, failure: voice.say('portal.no_file') }
    const isNumber = errors?.[0]?.message === notNumber
    return { field, failure: voice.say(isNumber ? 'signing.enter_number' : 'signing.fill_all') }
  }
  const key = failures[field]
  return { field, failure: key ? voice.say(key) : failureText(voice, message, 'signing.closed') }
}

/** The language that somebody has chosen on the page, in its form or its address. */
function languageChosen(request: FastifyRequest<Linked>): Language | undefined {
  const { lang } = { ...(request.query as { lang?: unknown }), ...formOf(request) }
  return languages.find((each) => each === lang)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, raw } from 'hono/html'
import { Failure } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkStorable } from '../../kit/record/validate.ts'
import type { StoredDocument } from '../../records/documents/document.ts'
import type { FileOfDocument } from '../../records/documents/download.ts'
import { download, fileOf } from '../../records/documents/download.ts'
import { acts } from '../../records/documents/requests/request.ts'
import { safeHtml } from '../../records/documents/safe-html.ts'
import { decline } from '../../records/documents/signing/decline.ts'
import { sign } from '../../records/documents/signing/sign.ts'
import type { Signing } from '../../records/documents/signing/signing.ts'
import { readSigning, viewSigning } from '../../records/documents/signing/signing.ts'
import type { Client } from '../../records/documents/signing/step.ts'
import type { Caller, Organization, Runtime } from '../../runtime.ts'
import { inTransaction, readingContext, system } from '../../runtime.ts'
import { sendDownload } from '../download.ts'
import { blocksAsHtml } from './editor-blocks.ts'
import type { Html, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { formOf } from './plugin.ts'
import { signingScript, signingStyle } from './signing-look.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

type Asked = { Params: { token: string } }

const unknown = messagePage('This link is not known', 'Look whether it was copied as a whole.')

/**
 * The page on which somebody who was asked signs a document, without an account: the token of the
 * link is who they are. It shows the document, takes a typed or drawn name or a reason to decline,
 * and works without a script; with one, the name can be drawn.
 */
export function signingPages(scope: FastifyInstance, runtime: Runtime) {
  scope.get<Asked>('/sign/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknown)
    const { caller, signing } = opened
    const closed = closedPage(signing, request.params.token)
    if (closed) return sendPage(reply, closed.status, closed.page)
    if (request.method === 'GET') {
      const { id } = signing.recipient
      await inTransaction(runtime, caller, (ctx) => viewSigning(ctx, id, clientOf(request)))
    }
    return sendPage(reply, 200, signPage(signing, request.params.token))
  })

  scope.post<Asked>('/sign/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknown)
    const { caller, signing } = opened
    const { token } = request.params
    const closed = closedPage(signing, token)
    if (closed) return sendPage(reply, closed.status, closed.page)
    const form = formOf(request)
    checkStorable(form)
    const { name = '', signature = '', reason = '', act = 'sign' } = form
    const client = clientOf(request)
    const { id } = signing.recipient
    try {
      await inTransaction(runtime, caller, async (ctx) => {
        if (act === 'decline') return decline(ctx, id, reason, client)
        if (form.agree !== 'yes') throw new Failure(400, 'invalid_input', 'Tick that you agree')
        return sign(ctx, id, signature ? { name, path: signature } : { name }, client)
      })
    } catch (error) {
      if (!(error instanceof Failure) || ![400, 409].includes(error.status)) throw error
      return sendPage(reply, error.status, signPage(signing, token, form, inWords(error)))
    }
    // asked for anew, so that a reload sends nothing twice
    return reply.redirect(`/sign/${token}`, 303)
  })

  scope.get<Asked>('/sign/:token/file', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknown)
    const { caller, signing } = opened
    if (!['open', 'reading', 'not_yet', 'done', 'complete'].includes(signing.state)) {
      return sendPage(reply, 410, closedPage(signing, request.params.token)!.page)
    }
    const ctx = readingContext(runtime, caller)
    const signed = await ctx.one<FileOfDocument>(sql`select ${fileOf} from documents t
      where ${mine(ctx)} and t.parent_attach_id = ${signing.document.id} and t.is_signed_version
        and t.deleted_at is null order by t.id limit 1`)
    const shown = signing.state === 'complete' && signed ? signed : signing.document
    const { file } = download(ctx, shown, true)
    return sendDownload(request, reply, file, async () => {})
  })
}

/** The recipient of a link, as the caller on whose behalf things happen. */
async function open(
  runtime: Runtime,
  request: FastifyRequest<Asked>,
): Promise<{ caller: Caller; signing: Signing } | undefined> {
  const { token } = request.params
  if (!/^[\w-]{20,100}$/.test(token)) return undefined
  const found = await runtime.database
    .reads(allOrganizations)
    .one<{ organization_id: string; id: string }>(
      sql`select organization_id, id from signature_recipients
      where token_hash = ${runtime.secrets.hash(token)}`,
    )
  if (!found) return undefined
  const queries = runtime.database.reads(found.organization_id)
  const organization = await queries.one<Organization>(sql`
    select organization_id as id, name, timezone from organizations
    where organization_id = ${found.organization_id}`)
  if (!organization) return undefined
  const caller = { organization, actor: system, source: 'application', request_id: newId() }
  const signing = await readSigning(readingContext(runtime, caller), found.id)
  if (!signing) return undefined
  const actor = { ...system, full_name: signing.recipient.name }
  return { caller: { ...caller, actor }, signing }
}

function clientOf(request: FastifyRequest): Client {
  const user_agent = String(request.headers['user-agent'] ?? '')
    .toWellFormed()
    .slice(0, 500)
  return { address: request.ip, user_agent }
}

/** What is shown where there is nothing to sign or read any more. */
function closedPage(
  { state, recipient, document, request }: Signing,
  token: string,
): { status: number; page: Page } | undefined {
  const name = document.document_name
  switch (state) {
    case 'withdrawn':
      return {
        status: 410,
        page: messagePage(
          'There is nothing to sign',
          `The request to sign “${name}” was taken back.`,
        ),
      }
    case 'expired':
      return {
        status: 410,
        page: messagePage(
          'The time to sign is over',
          `“${name}” cannot be signed any more. Ask for a new link.`,
        ),
      }
    case 'declined':
      return {
        status: recipient.status === 'declined' ? 200 : 410,
        page:
          recipient.status === 'declined'
            ? messagePage('You declined', `Whoever asked you to sign “${name}” was told.`)
            : messagePage('There is nothing to sign', `Somebody declined to sign “${name}”.`),
      }
    case 'not_yet':
      return {
        status: 200,
        page: messagePage(
          'It is not your turn yet',
          `Others sign “${name}” before you. You get a mail when it is your turn.`,
        ),
      }
    case 'done':
      return {
        status: 200,
        page: donePage(
          `You ${recipient.status} “${name}”`,
          'You get a mail when everybody has.',
          document,
          token,
        ),
      }
    case 'complete':
      return {
        status: 200,
        page: donePage(
          'Signed by everybody',
          `“${name}” is signed since ${shownDay(document.signed_at ?? request.creation_time)}.`,
          document,
          token,
          true,
        ),
      }
    default:
      return undefined
  }
}

function donePage(
  title: string,
  message: string,
  document: StoredDocument,
  token: string,
  isSigned = false,
): Page {
  const hasFile = isSigned || document.storage_key
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${message}</p>
      ${hasFile ? html`<p><a href="/sign/${token}/file" target="_blank" rel="noopener">Open the document</a></p>` : ''}`,
  }
}

function signPage(
  signing: Signing,
  token: string,
  form: { [name: string]: string } = {},
  failure?: string,
): Page {
  const { recipient, document, request } = signing
  const verb = recipient.role === 'approver' ? 'Approve' : acts(recipient) ? 'Sign' : 'Read'
  const name = document.document_name
  return {
    title: failure ? `Error: ${failure}` : `${verb} ${name}`,
    style: signingStyle,
    script: acts(recipient) ? signingScript : undefined,
    embeds: true,
    main: html`<h1>${name}</h1>
      <p class="quiet">For <strong>${recipient.name}</strong> (${recipient.email})</p>
      ${request.message ? html`<p class="who">${request.message}</p>` : ''}
      ${content(document, token)}
      ${acts(recipient) ? signForm(signing, token, verb, form, failure) : ''}`,
  }
}

function signForm(
  { recipient }: Signing,
  token: string,
  verb: string,
  { name = recipient.name, reason = '', signature = '' }: { [name: string]: string },
  failure?: string,
): Html {
  return html`<form method="post" action="/sign/${token}">
      <h2>${verb === 'Approve' ? 'Approve the document' : 'Sign the document'}</h2>
      ${failure ? html`<p class="wrong" id="wrong" role="alert">${failure}</p>` : ''}
      <label for="name">Your full name</label>
      <input id="name" name="name" autocomplete="name" maxlength="255" required value="${name}" />
      <div class="draw" hidden>
        <p class="label" id="draw-label">Draw your signature, if you like</p>
        <svg viewBox="0 0 600 200" role="img" aria-labelledby="draw-label">
          <path d="${/^[ML\d ]*$/.test(signature) ? signature : ''}" />
        </svg>
        <button type="button" class="link" id="clear">Clear</button>
      </div>
      <input type="hidden" name="signature" id="signature" value="${signature}" />
      <label class="agree"
        ><input type="checkbox" name="agree" value="yes" required /> I agree to sign electronically.
        My name, the time and my network address are kept with the document.</label
      >
      <div class="actions">
        <button class="main" name="act" value="sign">${verb}</button>
      </div>
    </form>
    <details ${reason ? 'open' : ''}>
      <summary>I do not want to</summary>
      <form method="post" action="/sign/${token}">
        <label for="reason">Why do you decline?</label>
        <textarea id="reason" name="reason" rows="3" maxlength="2000" required>${reason}</textarea>
        <div class="actions"><button name="act" value="decline">Decline</button></div>
      </form>
    </details>`
}

/** The document itself: a PDF or picture in the page, a text as it is, others to be opened. */
function content(document: StoredDocument, token: string): Html {
  const { storage_key, file_type, file_name, editor_html_content, editorjs_content } = document
  const text = editor_html_content ?? (editorjs_content ? blocksAsHtml(editorjs_content) : '')
  const at = `/sign/${token}/file`
  const name = document.document_name
  const shown = /^image\/(png|jpeg|gif|webp)$/.test(file_type ?? '')
    ? html`<img class="sheet" src="${at}" alt="${name}" />`
    : file_type === 'application/pdf'
      ? html`<iframe class="sheet" src="${at}" title="${name}"></iframe>`
      : ''
  return html`${document.description ? html`<p>${document.description}</p>` : ''}
  ${
    storage_key
      ? html`${shown}
          <p><a href="${at}" target="_blank" rel="noopener">Open ${file_name}</a></p>`
      : ''
  }
  ${text ? html`<article class="sheet" tabindex="0" aria-label="${name}">${raw(safeHtml(text))}</article>` : ''}
  ${
    document.external_file_url
      ? html`<p>
          <a href="${document.external_file_url}" target="_blank" rel="noopener noreferrer"
            >Open the document</a
          >
        </p>`
      : ''
  }`
}

function inWords(error: Failure): string {
  const first = error.errors?.[0]
  if (first?.field === 'name') return 'Enter your full name'
  if (first?.field === 'reason') return 'Say why you decline'
  if (first?.field === 'signature') return 'Draw your signature again, or leave it out'
  return error.message
}

function shownDay(at: string): string {
  return new Date(at).toISOString().slice(0, 10)
}

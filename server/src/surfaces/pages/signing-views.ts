import { html, raw } from 'hono/html'
import { webAddress } from '../../kit/ground/web-address.ts'
import { acts } from '../../records/documents/requests/request.ts'
import type { Signing } from '../../records/documents/signing/signing.ts'
import { blocksAsHtml } from './editor-blocks.ts'
import type { Html, Page } from './page.ts'
import { messagePage } from './page.ts'
import { signingScript, signingStyle } from './signing-look.ts'

/** The page shown where there is nothing to sign or read any more; undefined where there is. */
export function closedPage(
  signing: Signing,
  token: string,
): { status: number; page: Page } | undefined {
  const { state, recipient, request } = signing
  const document = documentOf(signing)
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
            ? messagePage('You declined', `The sender of “${name}” has been notified.`)
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
  document: SignedDocument,
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

/** The document's own text as HTML, which is not safe yet. */
export function textOf(signing: Signing): string {
  const { editor_html_content, editorjs_content } = documentOf(signing)
  return editor_html_content ?? (editorjs_content ? blocksAsHtml(editorjs_content) : '')
}

/** The document with the form to sign it; `text` is its own text as safe HTML. */
export function signPage(
  signing: Signing,
  token: string,
  text: string,
  form: { [name: string]: string } = {},
  failure?: string,
): Page {
  const { recipient, request } = signing
  const document = documentOf(signing)
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
      ${content(document, token, text)}
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
        My name, the time and my network address are stored with the document.</label
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
function content(document: SignedDocument, token: string, text: string): Html {
  const { storage_key, file_type, file_name } = document
  const at = `/sign/${token}/file`
  const name = document.document_name
  const elsewhere = webAddress(document.external_file_url ?? '')
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
  ${text ? html`<article class="sheet" tabindex="0" aria-label="${name}">${raw(text)}</article>` : ''}
  ${
    elsewhere
      ? html`<p>
          <a href="${elsewhere.href}" target="_blank" rel="noopener noreferrer"
            >Open the document</a
          >
        </p>`
      : ''
  }`
}

/** What the pages show of a document. */
type SignedDocument = {
  document_name: string
  description: string | null
  signed_at: string | null
  storage_key: string | null
  file_type: string | null
  file_name: string | null
  editor_html_content: string | null
  editorjs_content: { [field: string]: unknown } | null
  external_file_url: string | null
}

function documentOf({ document }: Signing): SignedDocument {
  return document as SignedDocument
}

function shownDay(at: string): string {
  return new Date(at).toISOString().slice(0, 10)
}

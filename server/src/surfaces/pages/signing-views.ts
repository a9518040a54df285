import { html, raw } from '../../kit/ground/html-template.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { StoredField } from '../../model/documents/requests/placed-fields.ts'
import { initialsOf } from '../../model/documents/requests/placed-fields.ts'
import { roleWords } from '../../records/documents/requests/mails.ts'
import { acts } from '../../records/documents/requests/request.ts'
import type { Signing } from '../../records/documents/signing/signing.ts'
import { blocksAsHtml } from './editor-blocks.ts'
import type { Look } from './page.ts'
import type { Page } from './page.ts'
import type { Html } from '../../kit/ground/html-template.ts'
import { errorTitle, messagePage } from './page.ts'
import { signingScript, signingStyle, viewedScript } from './signing-look.ts'

/** The page if there is no longer anything to sign or read; undefined otherwise. */
export function closedPage(
  look: Look,
  signing: Signing,
  token: string,
): { status: number; page: Page } | undefined {
  const { say, instant } = look.voice
  const { state, recipient, request } = signing
  const { document_name, signed_at, storage_key } = documentOf(signing)
  const said = { document: document_name }
  const closed = (status: number, title: string, text: string) => ({
    status,
    page: { look, ...messagePage(title, text) },
  })
  const done = (title: string, text: string, hasFile: boolean) => ({
    status: 200,
    page: donePage(look, title, text, hasFile ? `/sign/${token}/file` : undefined),
  })
  switch (state) {
    case 'withdrawn':
      return closed(410, say('signing.nothing'), say('signing.withdrawn', said))
    case 'expired':
      return closed(410, say('signing.expired'), say('signing.expired_text', said))
    case 'declined':
      return recipient.status === 'declined'
        ? closed(200, say('signing.declined'), say('signing.declined_text', said))
        : closed(410, say('signing.nothing'), say('signing.declined_other', said))
    case 'not_yet':
      return closed(200, say('signing.not_yet'), say('signing.not_yet_text', said))
    case 'done': {
      const what = recipient.status === 'approved' ? 'signing.approved' : 'signing.signed'
      return done(say(what, said), say('signing.done_text'), storage_key !== null)
    }
    case 'complete': {
      const date = instant(signed_at ?? request.creation_time)
      return done(say('signing.complete'), say('signing.complete_text', { ...said, date }), true)
    }
    default:
      return undefined
  }
}

function donePage(look: Look, title: string, message: string, file: string | undefined): Page {
  return {
    look,
    title,
    main: html`<h1>${title}</h1>
      <p>${message}</p>
      ${file ? html`<p><a href="${file}" target="_blank" rel="noopener">${look.voice.say('sign.open')}</a></p>` : ''}`,
  }
}

/** The document's own text as HTML, which is not safe yet. */
export function textOf(signing: Signing): string {
  const { editor_html_content, editorjs_content } = documentOf(signing)
  return editor_html_content ?? (editorjs_content ? blocksAsHtml(editorjs_content) : '')
}

/** The document with the form to sign it; `text` is its own text as safe HTML. */
export function signPage(
  look: Look,
  signing: Signing,
  token: string,
  text: string,
  form: { [name: string]: string } = {},
  failure?: string,
): Page {
  const { say, instant } = look.voice
  const { recipient, request, requester } = signing
  const document = documentOf(signing)
  const verb = verbOf(look, recipient)
  const name = document.document_name
  const organization = look.brand.name
  return {
    look,
    title: errorTitle(look.voice, `${verb}: ${name}`, failure),
    style: signingStyle,
    script: viewedScript + (acts(recipient) ? signingScript : ''),
    embeds: true,
    asks: true,
    main: html`<h1>${name}</h1>
      <p class="quiet">
        ${say('signing.for', { name: recipient.name, email: recipient.email })}
        ${requester ? html`<br />${say(`sign.${roleWords[recipient.role]}.text`, { person: requester, organization, document: name })}` : ''}
        ${request.expires_at ? html`<br />${say('page.until', { date: instant(request.expires_at) })}` : ''}
      </p>
      ${request.message ? html`<p class="who words">${request.message}</p>` : ''}
      ${content(look, document, token, text)}
      ${acts(recipient) ? signForm(look, signing, token, form, failure) : ''}`,
  }
}

function verbOf({ voice: { say } }: Look, recipient: Signing['recipient']): string {
  if (recipient.role === 'approver') return say('signing.approve')
  return say(acts(recipient) ? 'signing.sign' : 'signing.read')
}

function signForm(
  look: Look,
  { recipient }: Signing,
  token: string,
  form: { [name: string]: string },
  failure?: string,
): Html {
  const { say } = look.voice
  const { name = recipient.name, reason = '', signature = '' } = form
  const isApproving = recipient.role === 'approver'
  return html`<form method="post" action="/sign/${token}">
      <h2>${say(isApproving ? 'signing.approve_title' : 'signing.sign_title')}</h2>
      ${failure ? html`<p class="wrong" id="wrong" role="alert">${failure}</p>` : ''}
      <label for="name">${say('signing.name')}</label>
      <input id="name" name="name" autocomplete="name" maxlength="255" required value="${name}" />
      ${placedFields(look, recipient, form)}
      <div class="draw" hidden>
        <p class="label" id="draw-label">${say('signing.draw')}</p>
        <svg viewBox="0 0 600 200" role="img" aria-labelledby="draw-label">
          <path d="${/^[ML\d ]*$/.test(signature) ? signature : ''}" />
        </svg>
        <button type="button" class="link" id="clear">${say('signing.clear')}</button>
      </div>
      <input type="hidden" name="signature" id="signature" value="${signature}" />
      <label class="choice agree"
        ><input type="checkbox" name="agree" value="yes" required />
        <span>${say('signing.agree')}</span></label
      >
      <div class="actions">
        <button class="main" name="act" value="sign">${verbOf(look, recipient)}</button>
      </div>
    </form>
    <details ${reason ? 'open' : ''}>
      <summary>${say('signing.unwilling')}</summary>
      <form method="post" action="/sign/${token}">
        <label for="reason">${say('signing.why')}</label>
        <textarea id="reason" name="reason" rows="3" maxlength="2000" required>${reason}</textarea>
        <div class="actions">
          <button name="act" value="decline">${say('signing.decline')}</button>
        </div>
      </form>
    </details>`
}

/** The fields to fill in on the document's pages; signatures and dates are filled in automatically. */
function placedFields(
  { voice: { say } }: Look,
  { fields, name }: Signing['recipient'],
  form: { [name: string]: string },
): Html {
  if (!fields.length) return html``
  const labelOf = ({ kind, label, page }: StoredField) =>
    say('signing.field_at', { label: label ?? say(`signing.field.${kind}`), page })
  const isTyped = ({ kind }: StoredField) => kind === 'text' || kind === 'initials'
  const others = fields.filter((field) => !isTyped(field))
  return html`<fieldset class="placed">
    <legend>${say('signing.fields')}</legend>
    ${fields.map((field, i) =>
      isTyped(field)
        ? html`<label for="field-${i}">${labelOf(field)}</label>
            <input
              id="field-${i}"
              name="field.${i}"
              maxlength="${field.kind === 'initials' ? 10 : 500}"
              value="${form[`field.${i}`] ?? (field.kind === 'initials' ? initialsOf(name) : '')}"
              ${field.required ? html`required` : ''}
            />`
        : '',
    )}
    ${others.length ? html`<p class="note">${others.map(labelOf).join(' · ')}</p>` : ''}
  </fieldset>`
}

/** The document itself: a PDF or picture embedded in the page, a text as it is, others as a link. */
function content(
  { voice: { say } }: Look,
  document: SignedDocument,
  token: string,
  text: string,
): Html {
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
          <p>
            <a href="${at}" target="_blank" rel="noopener"
              >${say('signing.open', { file: file_name ?? '' })}</a
            >
          </p>`
      : ''
  }
  ${text ? html`<article class="sheet" tabindex="0" aria-label="${name}">${raw(text)}</article>` : ''}
  ${
    elsewhere
      ? html`<p>
          <a href="${elsewhere.href}" target="_blank" rel="noopener noreferrer"
            >${say('sign.open')}</a
          >
        </p>`
      : ''
  }`
}

/** The parts of a document that the pages show. */
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

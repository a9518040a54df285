import { html, raw } from '../../kit/ground/html-template.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { AttachedFiles } from '../../model/documents/requests/placed-fields.ts'
import { byThemselves, initialsOf } from '../../model/documents/requests/placed-fields.ts'
import { roleWords } from '../../records/documents/requests/mails.ts'
import { acts } from '../../records/documents/requests/request.ts'
import { takesFiles } from '../../records/documents/signing/attach.ts'
import { mayDelegate } from '../../records/documents/signing/delegate.ts'
import type { FilledByOther, Signing } from '../../records/documents/signing/signing.ts'
import { blocksAsHtml } from '../../kit/ground/editor-blocks.ts'
import type { Look } from './page.ts'
import type { Page } from './page.ts'
import type { Html } from '../../kit/ground/html-template.ts'
import { mebibytes } from './file-refusal.ts'
import { errorTitle, head, messagePage } from './page.ts'
import { languages } from '../../model/languages/language.ts'
import { builtFile } from '../../workspace/manifest.ts'
import { forgetScript, signingStyle, viewedScript } from './signing-look.ts'
import type { Step } from './signing-steps.ts'
import { stepsOf } from './signing-steps.ts'

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
  const forgetting = (page: Page) => forgettingOf(page, recipient)
  const closed = (status: number, title: string, text: string) => ({
    status,
    page: forgetting({ look, ...messagePage(title, text) }),
  })
  const done = (title: string, text: string, hasFile: boolean) => ({
    status: 200,
    page: forgetting(donePage(look, title, text, hasFile ? `/sign/${token}/file` : undefined)),
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

/** The page on which a recipient asks for a mailed code and enters it, before anything of the document is shown. */
export function codePage(
  look: Look,
  signing: Signing,
  token: string,
  { isSent = false, failure }: { isSent?: boolean; failure?: string } = {},
): Page {
  const { say } = look.voice
  const email = masked(signing.recipient.email)
  const said = { document: documentOf(signing).document_name, organization: look.brand.name, email }
  const title = say('signing.code_title')
  return {
    look,
    title: errorTitle(look.voice, title, failure),
    main: html`<h1>${title}</h1>
      <p>${isSent ? say('signing.code_sent', said) : say('signing.code_text', said)}</p>
      ${failure ? html`<p class="wrong" role="alert" id="failure">${failure}</p>` : ''}
      <form method="post" action="/sign/${token}">
        ${
          isSent
            ? html`<label for="code">${say('signing.code')}</label>
                <input
                  id="code"
                  name="code"
                  inputmode="numeric"
                  autocomplete="one-time-code"
                  maxlength="12"
                  required
                  autofocus
                  ${failure ? html`aria-invalid="true" aria-describedby="failure"` : ''}
                />
                <p>
                  <button name="act" value="confirm_code">${say('signing.code_confirm')}</button>
                </p>`
            : ''
        }
        <p>
          <button name="act" value="send_code" formnovalidate ${isSent ? html`class="quiet"` : ''}>
            ${isSent ? say('signing.code_again') : say('signing.code_send')}
          </button>
        </p>
      </form>`,
  }
}

/** An address of which a stranger learns little: `a•••@example.com`. */
function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${String.fromCodePoint(email.codePointAt(0) ?? 0x2022)}•••${email.slice(at)}`
}

/** The page after a place was handed over to somebody else; its link has ended. */
export function handedOverPage(look: Look, { recipient }: Signing, name: string): Page {
  const { say } = look.voice
  const said = { name: name.trim() }
  const page = messagePage(say('signing.handed_over', said), say('signing.handed_over_text', said))
  return forgettingOf({ look, ...page }, recipient)
}

/** A page that forgets what the device keeps of the form. */
function forgettingOf(page: Page, { id }: Pick<Signing['recipient'], 'id'>): Page {
  return {
    ...page,
    main: html`${page.main}
      <div hidden data-kept="${id}"></div>`,
    script: forgetScript,
  }
}

function donePage(look: Look, title: string, message: string, file: string | undefined): Page {
  return {
    look,
    title,
    main: html`<h1>${title}</h1>
      <p>${message}</p>
      ${file ? html`<p><a href="${file}" download>${look.voice.say('signing.download')}</a></p>` : ''}`,
  }
}

/** The document's own text as HTML, which is not safe yet. */
export function textOf(signing: Signing): string {
  const { editor_html_content, editorjs_content } = documentOf(signing)
  return editor_html_content ?? (editorjs_content ? blocksAsHtml(editorjs_content) : '')
}

/** Whether a text is shown as its pages, because something is filled in on them. */
export function isDrawn(signing: Signing): boolean {
  return (
    !signing.document.storage_key && signing.recipient.fields.length > 0 && textOf(signing) !== ''
  )
}

/** What was sent, and why it was refused: in words, and in which field of the form. */
export type Refused = { failure: string; field: string }

/** The document's own text as safe HTML, and what other recipients have filled in on its pages. */
export type ShownDocument = {
  text: string
  others: FilledByOther[]
  /** what the recipient has attached so far, and how many bytes a file may have */
  files: AttachedFiles
  fileLimit: number
  /** that it is a preview, which takes no files: said above all */
  note?: string
}

/** The document with the form to sign it. */
export async function signPage(
  look: Look,
  signing: Signing,
  token: string,
  { text, others, files, fileLimit, note }: ShownDocument,
  form: { [name: string]: string } = {},
  refused?: Refused,
): Promise<Page> {
  const { say, instant } = look.voice
  const { recipient, request, requester } = signing
  const document = documentOf(signing)
  const verb = verbOf(look, recipient)
  const name = document.document_name
  const organization = look.brand.name
  const module = await builtFile('src/signing/sign.ts')
  const drawing = module && (await builtFile('src/documents/view/pdf.ts'))
  const isAsked = acts(recipient)
  return {
    look,
    title: errorTitle(look.voice, `${verb}: ${name}`, refused?.failure),
    style: signingStyle,
    script: viewedScript,
    module,
    embeds: true,
    asks: true,
    bar: bar(look, signing, token),
    main: html`<section class="stage" tabindex="0" aria-label="${name}">
        ${content(look, document, token, text)}
      </section>
      <div class="panel" id="panel" tabindex="-1">
        ${note ? html`<p class="note" role="status">${note}</p>` : ''}
        <p class="quiet">
          ${say('signing.for', { name: recipient.name, email: recipient.email })}
          ${requester ? html`<br />${say(`sign.${roleWords[recipient.role]}.text`, { person: requester, organization, document: name })}` : ''}
          ${request.expires_at ? html`<br />${say('page.until', { date: instant(request.expires_at) })}` : ''}
        </p>
        ${request.message ? html`<p class="who words">${request.message}</p>` : ''}
        ${isAsked ? signForm(look, signing, token, { form, files, fileLimit, refused, isPreview: note !== undefined }) : ''}
      </div>
      <div
        id="about"
        hidden
        data-about="${JSON.stringify(aboutOf(look, signing, token, { drawing, others, fileLimit }))}"
      ></div>`,
  }
}

/** What stands above: whose page it is, the document's name, and tools that the script uses. */
function bar(look: Look, signing: Signing, token: string): Html {
  const { say, language } = look.voice
  const { recipient } = signing
  const options = languages.map((each) => {
    const name = new Intl.DisplayNames(each, { type: 'language' }).of(each)
    return html`<option value="${each}" lang="${each}" ${each === language ? html`selected` : ''}>
      ${name}
    </option>`
  })
  const isAsked = acts(recipient)
  const choose = html`<label class="hidden-text" for="lang">${say('signing.language')}</label>
    <select id="lang" name="lang" ${isAsked ? html`form="sign"` : ''}>
      ${options}
    </select>`
  return html`<a class="skip" href="#panel">${say('signing.to_fields')}</a>
    ${isAsked ? entered : ''}
    <div class="tool">${head(look)}</div>
    <h1>${documentOf(signing).document_name}</h1>
    <span class="tool" id="count" hidden></span>
    <div class="tool" id="zoom" hidden>
      <button type="button" data-zoom="-1" aria-label="${say('signing.zoom_out')}">−</button>
      <output aria-live="polite"
        >${new Intl.NumberFormat(language, { style: 'percent' }).format(1)}</output
      >
      <button type="button" data-zoom="1" aria-label="${say('signing.zoom_in')}">+</button>
    </div>
    ${documentOf(signing).storage_key ? html`<div class="tool download"><a href="/sign/${token}/file" download>${say('signing.download')}</a></div>` : ''}
    ${
      isAsked
        ? html`<div class="tool">
            ${choose}<button
              id="change-language"
              form="sign"
              name="act"
              value="language"
              formnovalidate
            >
              ${say('signing.change')}
            </button>
          </div>`
        : html`<form method="get" action="/sign/${token}">
            ${choose}<button>${say('signing.change')}</button>
          </form>`
    }`
}

/** What the Enter key presses: browsers take the first button of the form, which would be that of the language. */
const entered = html`<button
  class="hidden-text"
  form="sign"
  name="act"
  value="sign"
  tabindex="-1"
  aria-hidden="true"
></button>`

/** What the script needs to know: where the document is, where its fields are, and the words that it says. */
function aboutOf(
  look: Look,
  signing: Signing,
  token: string,
  {
    drawing,
    others,
    fileLimit,
  }: { drawing: string | undefined; others: FilledByOther[]; fileLimit: number },
) {
  const { recipient, day } = signing
  const { voice } = look
  const isPdf = documentOf(signing).file_type === 'application/pdf' || isDrawn(signing)
  const { say } = voice
  const words = {
    ...Object.fromEntries(scriptWords.map((name) => [name, say(`signing.${name}`)])),
    no_file: say('portal.no_file'),
    file_large: say('portal.file_large', { limit: mebibytes(voice, fileLimit) }),
    file_removed: say('portal.file_removed'),
  }
  // one signature is drawn once, at however many fields it stands
  const drawn = [...new Set(others.flatMap(({ path }) => path ?? []))]
  return {
    key: recipient.id,
    pdf: isPdf && drawing ? { file: `/sign/${token}/file`, drawing } : null,
    fields: recipient.fields.map(({ page, x, y, width, height, kind, key, show_if }) => ({
      page,
      x,
      y,
      width,
      height,
      kind,
      key,
      show_if,
    })),
    others: others.map(({ page, x, y, width, height, kind, value, name, path }) => ({
      page,
      x,
      y,
      width,
      height,
      kind,
      value,
      name,
      drawn: path === null ? null : drawn.indexOf(path),
    })),
    drawn,
    day,
    email: recipient.email,
    words,
  }
}

const scriptWords = [
  ...([
    'step',
    'next',
    'back',
    'skip',
    'how',
    'way_draw',
    'way_type',
    'way_upload',
    'hand',
  ] as const),
  ...(['pad', 'undo', 'clear', 'picture', 'picture_bad', 'draw_first', 'upload_first'] as const),
  ...(['page', 'page_failed', 'required', 'enter_name', 'enter_number', 'tick'] as const),
  ...(['sending', 'attached', 'not_sent'] as const),
]

function verbOf({ voice: { say } }: Look, recipient: Signing['recipient']): string {
  if (recipient.role === 'approver') return say('signing.approve')
  return say(acts(recipient) ? 'signing.sign' : 'signing.read')
}

/** What is filled in so far: texts, files, and why it was refused. */
type Filling = {
  form: { [name: string]: string }
  files: AttachedFiles
  fileLimit: number
  refused: Refused | undefined
  isPreview: boolean
}

/** The form: a part for each thing that is asked, in the order of the pages, and the last look at all of them. */
function signForm(
  look: Look,
  { recipient, request }: Signing,
  token: string,
  filling: Filling,
): Html {
  const { say } = look.voice
  const { form, refused, isPreview } = filling
  const { reason = '', signature = '', way = '' } = form
  const isUpload = !isPreview && takesFiles(recipient)
  const isApproving = recipient.role === 'approver'
  return html`<form
      method="post"
      action="/sign/${token}${isUpload ? `?lang=${look.voice.language}` : ''}"
      id="sign"
      ${isUpload ? html`enctype="multipart/form-data"` : ''}
    >
      ${refused ? html`<p class="wrong" id="wrong" role="alert">${refused.failure}</p>` : ''}
      <p class="note" id="back-again" role="status" hidden>${say('signing.continued')}</p>
      <input type="hidden" name="signature" id="signature" value="${signature}" />
      <input type="hidden" name="way" id="way" value="${way}" />
      ${stepsOf(recipient.fields).map((step) => asked(look, recipient, step, { ...filling, token }))}
      <fieldset class="step" data-kind="check">
        <legend>
          <h2>${say(isApproving ? 'signing.approve_title' : 'signing.sign_title')}</h2>
        </legend>
        <dl id="summary"></dl>
        <label class="choice"
          ><input
            type="checkbox"
            name="agree"
            id="agree"
            value="yes"
            required
            ${invalid(refused, 'agree')}
          />
          <span>${say('signing.agree')}</span></label
        >
        <div class="actions">
          <button class="main" name="act" value="sign">${verbOf(look, recipient)}</button>
        </div>
      </fieldset>
      <div id="moves" hidden></div>
      <label class="choice" id="keeping" hidden
        ><input type="checkbox" id="keep" /> <span>${say('signing.keep')}</span></label
      >
      <ol id="steps" hidden></ol>
    </form>
    <details ${reason || refused?.field === 'reason' ? html`open` : ''}>
      <summary>${say('signing.unwilling')}</summary>
      <form method="post" action="/sign/${token}">
        <input type="hidden" name="lang" value="${look.voice.language}" />
        <label for="reason">${say('signing.why')}</label>
        <textarea
          id="reason"
          name="reason"
          rows="3"
          maxlength="2000"
          required
          ${invalid(refused, 'reason')}
        >
${reason}</textarea>
        <div class="actions">
          <button name="act" value="decline">${say('signing.decline')}</button>
        </div>
      </form>
    </details>
    ${mayDelegate(request, recipient) ? handOver(look, token, form, refused) : ''}`
}

/** Who is to sign instead. */
function handOver(
  look: Look,
  token: string,
  { delegate_name = '', delegate_email = '' }: { [name: string]: string },
  refused?: Refused,
): Html {
  const { say, language } = look.voice
  return html`<details ${refused?.field.startsWith('delegate_') ? html`open` : ''}>
    <summary>${say('signing.other')}</summary>
    <form method="post" action="/sign/${token}">
      <input type="hidden" name="lang" value="${language}" />
      <p class="note">${say('signing.other_text')}</p>
      <label for="delegate_name">${say('signing.other_name')}</label>
      <input
        id="delegate_name"
        name="delegate_name"
        maxlength="255"
        required
        value="${delegate_name}"
        ${invalid(refused, 'delegate_name')}
      />
      <label for="delegate_email">${say('signing.other_email')}</label>
      <input
        id="delegate_email"
        name="delegate_email"
        type="email"
        maxlength="320"
        required
        value="${delegate_email}"
        ${invalid(refused, 'delegate_email')}
      />
      <div class="actions">
        <button name="act" value="delegate">${say('signing.hand_over')}</button>
      </div>
    </form>
  </details>`
}

const invalid = (refused: Refused | undefined, field: string) =>
  refused?.field === field ? html`aria-invalid="true" aria-describedby="wrong"` : ''

/** One thing that is asked, at all its places. */
function asked(
  look: Look,
  recipient: Signing['recipient'],
  { kind, label, pages, positions, isOptional, condition }: Step,
  filling: Filling & { token: string },
): Html {
  const { form, refused } = filling
  const { say } = look.voice
  const title = titleOf(look, kind, label)
  const where = pages.length
    ? say('signing.pages', { count: pages.length, pages: listed(pages) })
    : ''
  const notes = [
    where,
    isOptional && say('signing.optional'),
    condition && conditionWords(look, condition),
    byThemselves.has(kind) && say('signing.by_itself'),
  ]
  return html`<fieldset
    class="step"
    data-kind="${kind}"
    data-fields="${positions.join()}"
    ${isOptional ? html`data-optional` : ''}
  >
    <legend>
      <h2>${title}</h2>
      <small>${notes.filter(Boolean).join(', ')}</small>
    </legend>
    ${
      kind === 'signature'
        ? html`<label for="name">${say('signing.name')}</label>
            <input
              id="name"
              name="name"
              autocomplete="name"
              maxlength="255"
              required
              value="${form.name ?? recipient.name}"
              ${invalid(refused, 'name')}
            />
            <div id="ways" tabindex="-1" hidden></div>`
        : ''
    }
    ${kind !== 'signature' && !byThemselves.has(kind) ? positions.map((position) => input(look, recipient, position, filling)) : ''}
  </fieldset>`
}

function titleOf({ voice: { say } }: Look, kind: Step['kind'], label: string | null): string {
  if (label !== null) return label
  return kind === 'signature' ? say('signing.your_signature') : say(`signing.field.${kind}`)
}

/** On what a thing depends, for those whose page does not hide it. */
function conditionWords(look: Look, { of, operator, value }: NonNullable<Step['condition']>) {
  const { say } = look.voice
  const label = titleOf(look, of.kind, of.label)
  if (of.kind === 'checkbox') {
    const isTicked = operator === 'filled' || operator === (value === 'yes' ? 'equals' : 'differs')
    return say(isTicked ? 'signing.if_ticked' : 'signing.if_not_ticked', { label })
  }
  return say(`signing.if_${operator}`, { label, value })
}

function input(
  { voice }: Look,
  { fields, name }: Signing['recipient'],
  position: number,
  { form, files, fileLimit, refused, token }: Filling & { token: string },
): Html {
  const { say } = voice
  const field = fields[position]
  if (!field) return html``
  const { kind, label, page, show_if } = field
  // a browser without scripts does not know whether what depends on another is needed
  const isRequired = field.required && !show_if
  const isInitials = kind === 'initials'
  // a form that was sent says by what it lacks that a box is not ticked
  const before = Object.keys(form).length ? '' : (field.prefill?.trim() ?? '')
  const value = form[`field.${position}`] ?? (isInitials ? initialsOf(name) : before)
  const words = say('signing.field_at', { label: label ?? say(`signing.field.${kind}`), page })
  const id = `field-${position}`
  const named = html`id="${id}" name="field.${position}"
  ${isRequired && !isInitials ? html`required` : ''} ${invalid(refused, `fields.${position}`)}`
  if (kind === 'attachment') {
    const file = files[position]
    return html`<div class="asked" data-attach="${file?.name ?? ''}">
        <label for="${id}">${words}</label>
        ${
          file
            ? html`<p class="file">
                <a href="/sign/${token}/attachments/${file.id}" download dir="auto">${file.name}</a>
                <button class="quiet" name="act" value="detach.${position}" formnovalidate>
                  ${say('portal.remove')}<span class="hidden-text"> ${file.name}</span>
                </button>
              </p>`
            : ''
        }
        <input
          id="${id}"
          name="file.${position}"
          type="file"
          data-most="${fileLimit}"
          ${isRequired && !file ? html`required` : ''}
          ${refused?.field === `fields.${position}` ? invalid(refused, refused.field) : html`aria-describedby="${id}-note"`}
        />
        <p class="note" id="${id}-note">
          ${say('signing.file_note', { limit: mebibytes(voice, fileLimit) })}
        </p>
        <button class="upload" name="act" value="attach" formnovalidate>
          ${say('portal.upload')}
        </button>
      </div>
      <p class="note" role="status"></p>`
  }
  if (kind === 'checkbox') {
    return html`<div class="asked">
      <label class="choice"
        ><input type="checkbox" value="yes" ${value ? html`checked` : ''} ${named} />
        <span>${words}</span></label
      >
    </div>`
  }
  if (kind === 'choice') {
    const options = (field.options ?? []).map(
      (each) => html`<option ${each === value ? html`selected` : ''}>${each}</option>`,
    )
    return html`<div class="asked">
      <label for="${id}">${words}</label>
      <select ${named}>
        <option value="">${say('signing.choose')}</option>
        ${options}
      </select>
    </div>`
  }
  return html`<div class="asked">
    <label for="${id}">${words}</label>
    <input
      ${named}
      maxlength="${isInitials ? 10 : 500}"
      value="${value}"
      ${isInitials ? html`data-initials="${value}"` : ''}
      ${kind === 'number' ? html`inputmode="decimal"` : ''}
      ${kind === 'company' ? html`autocomplete="organization"` : ''}
    />
  </div>`
}

/** Pages as people write them: `1–3, 7`. */
function listed(pages: number[]): string {
  const runs: [number, number][] = []
  for (const page of pages) {
    const run = runs.at(-1)
    if (run && page === run[1] + 1) run[1] = page
    else runs.push([page, page])
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ')
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
    ? html`<img src="${at}" alt="${name}" />`
    : file_type === 'application/pdf'
      ? html`<iframe src="${at}" title="${name}"></iframe>`
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
  ${text ? html`<article>${raw(text)}</article>` : ''}
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

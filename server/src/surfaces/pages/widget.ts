import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import { Failure, notFound } from '../../kit/ground/errors.ts'
import type { Voice } from '../../model/languages/language.ts'
import { hexColour, mix, readableOn, textOn } from '../../records/mail/colour.ts'
import type { Widget, WidgetField } from '../../records/widget/widget.ts'
import { initialTheme, storeResponse, widgetOf } from '../../records/widget/widget.ts'
import type { Runtime } from '../../runtime.ts'
import { visitorOf } from '../application/widget.ts'
import type { Look } from './page.ts'
import { lookOf } from './look.ts'
import type { Page } from './page.ts'
import type { Html } from '../../kit/ground/html-template.ts'
import { errorTitle, messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'
import { scaleStyle } from './style.ts'

type Keyed = { Params: { key: string } }

/**
 * The feedback form as a page that other sites show in a frame, and the script with which they do:
 * `<script src="…/widget.js" data-key="…" async></script>`.
 */
export function widgetPages(scope: FastifyInstance, runtime: Runtime): void {
  scope.get('/widget.js', async (_request, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      // pages of other sites must be able to load it, even with cross-origin isolation
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  )

  scope.get<Keyed>('/widget/:key', async (request, reply) => {
    const { widget, look } = await opened(runtime, request)
    return sendPage(reply, 200, formPage(look, widget))
  })

  scope.post<Keyed>('/widget/:key', async (request, reply) => {
    const { visitor, widget, look } = await opened(runtime, request)
    const answers = formOf(request)
    if (!widget.is_active) return sendPage(reply, 200, formPage(look, widget))
    try {
      await visitor.write((own) => storeResponse(own, widget, answers))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 400) throw error
      const failures = (error.errors ?? []).map(({ field, message }) => {
        const its = widget.form.fields.find(({ name }) => name === field)
        return [field, sentence(look.voice, message, its)]
      })
      const page = formPage(look, widget, answers, Object.fromEntries(failures))
      return sendPage(reply, 400, page)
    }
    return sendPage(reply, 200, saying(look, widget, widget.form.thanks))
  })
}

/** The form of a public key, its look, and the contexts in which its visitor acts; 404 for an unknown key. */
async function opened(runtime: Runtime, request: FastifyRequest<Keyed>) {
  const ctx = visitorContext(runtime, request)
  const visitor = ctx.actAs(await visitorOf(ctx, request.params.key))
  const [widget, look] = await Promise.all([
    widgetOf(visitor.reads),
    lookOf(visitor.reads, request),
  ])
  if (!widget) throw notFound('Widget')
  return { visitor, widget, look }
}

/** The error in an answer: specific in English, in other languages by the type of the field. */
function sentence({ say, language }: Voice, message: string, field?: WidgetField): string {
  if (language === 'en') return `This ${message}.`
  if (message.endsWith('is required')) return say('survey.missing')
  return say(field?.type === 'email' ? 'fix.email' : 'fix.other')
}

/** A page with only a message, in the colours of the form. */
function saying(look: Look, { theme }: Widget, title: string, text = ''): Page {
  return { ...messagePage(title, text), look, style: styleOf(theme), isFramed: true }
}

function formPage(
  look: Look,
  widget: Widget,
  answers: { [name: string]: string } = {},
  failures: { [name: string]: string } = {},
): Page {
  const { key, form, is_active, theme } = widget
  const { voice } = look
  if (!is_active) return saying(look, widget, form.title, voice.say('survey.closed'))
  const [failure] = Object.values(failures)
  return {
    look,
    title: errorTitle(voice, form.title, failure),
    main: html`<h1>${form.title}</h1>
      <form method="post" action="/widget/${key}" novalidate>
        ${form.fields.map((field) => control(voice, field, answers[field.name] ?? '', failures[field.name]))}
        <div class="actions"><button class="main">${form.submit_label}</button></div>
      </form>`,
    style: styleOf(theme),
    isFramed: true,
  }
}

function control(
  { say }: Voice,
  { name, label, type, required }: WidgetField,
  value: string,
  failure?: string,
): Html {
  const id = `w-${name}`
  const wrong = failure ? html`<p class="wrong" id="${id}-wrong">${failure}</p>` : ''
  const invalid = failure ? html`aria-invalid="true" aria-describedby="${id}-wrong"` : ''
  const star = required ? html` <span class="quiet">${say('page.required')}</span>` : ''
  if (type === 'rating') {
    return html`<fieldset ${invalid}>
      <legend>${label}${star}</legend>
      ${wrong}
      <div class="scale">
        ${['1', '2', '3', '4', '5'].map(
          (each) =>
            html`<label class="choice">
              <input
                type="radio"
                name="${name}"
                value="${each}"
                ${each === value ? html`checked` : ''}
              />
              <span>${each}</span>
            </label>`,
        )}
      </div>
    </fieldset>`
  }
  const common = html`id="${id}" name="${name}" ${invalid} ${required ? html`required` : ''}`
  return html`<label for="${id}">${label}${star}</label> ${wrong}
    ${
      type === 'long-text'
        ? html`<textarea ${common} rows="4" maxlength="10000">${value}</textarea>`
        : html`<input type="${type}" ${common} maxlength="320" value="${value}" />`
    }`
}

/**
 * A feedback form is small and embedded in another site's page. It has the organization's look, light or
 * dark, unless the organization has chosen colours for the form, which then apply in both schemes.
 */
function styleOf(theme: Widget['theme']): string {
  const chosen = (name: keyof Widget['theme']) =>
    theme[name] === initialTheme[name] ? undefined : hexColour(theme[name])
  const isOwn = chosen('background_color') ?? chosen('text_color')
  const [ground, ink] = [hexColour(theme.background_color), hexColour(theme.text_color)]
  const action = chosen('primary_color')
  return [
    'body { padding: 0; justify-content: flex-start; align-items: stretch; gap: 0; background: var(--card); }',
    'body > header { justify-content: flex-start; padding: 20px 20px 0; font-size: 14px; color: var(--quiet); }',
    'body > header img { height: 28px; max-width: 160px; }',
    'main { max-width: none; border: 0; border-radius: 0; padding: 12px 20px 20px; box-shadow: none; }',
    'h1 { font-size: 20px; }',
    '.wrong { margin: 0 0 8px; }',
    'fieldset { margin: 16px 0 0; padding: 0; border: 0; min-width: 0; }',
    'legend { padding: 0; margin: 0 0 6px; font-weight: 600; font-size: 15px; }',
    '.scale { display: grid; grid-template-columns: repeat(5, 1fr); gap: 8px; }',
    scaleStyle,
    isOwn && ground && ink
      ? `:root { color-scheme: light; --card: ${ground}; --ground: ${ground}; --field: ${ground}; --ink: ${ink}; --quiet: ${ink}; --edge: ${mix(ink, ground, 0.4)}; --line: ${mix(ink, ground, 0.8)}; --tint: ${mix(ground, ink, 0.08)}; --accent: ${readableOn(action ?? ink, ground)}; }`
      : '',
    action
      ? `:root { --action: ${action}; --action-down: ${mix(action, '#000000', 0.15)}; --on-action: ${textOn(action)}; --action-edge: ${action}; }`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}

/** Puts a button on the page that opens the form in a frame; Escape closes it again. */
const script = `(() => {
  const own = document.currentScript
  const key = own.dataset.key
  if (!key) return console.error('The feedback script needs a data-key')
  const base = new URL(own.src).origin
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = own.dataset.label || 'Feedback'
  button.setAttribute('aria-expanded', 'false')
  button.style.cssText = 'position:fixed;right:20px;bottom:20px;z-index:2147483000;padding:12px 18px;border:0;border-radius:24px;background:' + (own.dataset.color || '#14704c') + ';color:' + (own.dataset.textColor || '#fff') + ';font:600 15px system-ui,sans-serif;cursor:pointer'
  const frame = document.createElement('iframe')
  frame.title = 'Feedback'
  frame.hidden = true
  frame.style.cssText = 'position:fixed;right:20px;bottom:80px;z-index:2147483000;width:min(360px,calc(100vw - 40px));height:min(560px,calc(100vh - 120px));border:1px solid rgb(127 127 127 / 35%);border-radius:14px;background:transparent;box-shadow:0 8px 32px rgb(0 0 0 / 20%)'
  const show = (open) => {
    if (open && !frame.src) frame.src = base + '/widget/' + encodeURIComponent(key)
    frame.hidden = !open
    button.setAttribute('aria-expanded', String(open))
  }
  button.addEventListener('click', () => show(frame.hidden))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !frame.hidden) {
      show(false)
      button.focus()
    }
  })
  document.body.append(button, frame)
})()
`

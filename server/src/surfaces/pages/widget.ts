import type { FastifyInstance } from 'fastify'
import { html } from 'hono/html'
import type { PublicContext } from '../../kit/ground/context.ts'
import { Failure, notFound } from '../../kit/ground/errors.ts'
import type { Widget, WidgetField } from '../../records/widget/widget.ts'
import { storeResponse, widgetOf } from '../../records/widget/widget.ts'
import type { Runtime } from '../../runtime.ts'
import { visitorOf } from '../application/widget.ts'
import type { Html, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'

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
      // a page elsewhere loads it, whatever it isolates itself with
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(script),
  )

  scope.get<Keyed>('/widget/:key', async (request, reply) => {
    const { widget } = await opened(visitorContext(runtime, request), request.params.key)
    return sendPage(reply, 200, formPage(widget))
  })

  scope.post<Keyed>('/widget/:key', async (request, reply) => {
    const ctx = visitorContext(runtime, request)
    const { visitor, widget } = await opened(ctx, request.params.key)
    const answers = formOf(request)
    if (!widget.is_active) return sendPage(reply, 200, formPage(widget))
    try {
      await visitor.write((own) => storeResponse(own, widget, answers))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 400) throw error
      const failures = Object.fromEntries(
        (error.errors ?? []).map(({ field, message }) => [field, `This ${message}.`]),
      )
      return sendPage(reply, 400, formPage(widget, answers, failures))
    }
    return sendPage(reply, 200, { ...messagePage(widget.form.thanks, ''), isFramed: true })
  })
}

/** The form of a public key, and the contexts in which its visitor acts; 404 for an unknown key. */
async function opened(ctx: PublicContext, key: string) {
  const visitor = ctx.actAs(await visitorOf(ctx, key))
  const widget = await widgetOf(visitor.reads)
  if (!widget) throw notFound('Widget')
  return { visitor, widget }
}

function formPage(
  { key, form, is_active, theme }: Widget,
  answers: { [name: string]: string } = {},
  failures: { [name: string]: string } = {},
): Page {
  if (!is_active) {
    return { ...messagePage(form.title, 'No feedback is taken at the moment.'), isFramed: true }
  }
  const isWrong = Object.keys(failures).length > 0
  return {
    title: isWrong ? `Error: ${form.title}` : form.title,
    main: html`<h1>${form.title}</h1>
      <form method="post" action="/widget/${key}" novalidate>
        ${form.fields.map((field) => control(field, answers[field.name] ?? '', failures[field.name]))}
        <div class="actions"><button class="main">${form.submit_label}</button></div>
      </form>`,
    style: styleOf(theme),
    isFramed: true,
  }
}

function control(
  { name, label, type, required }: WidgetField,
  value: string,
  failure?: string,
): Html {
  const id = `w-${name}`
  const wrong = failure ? html`<p class="wrong" id="${id}-wrong">${failure}</p>` : ''
  const invalid = failure ? html`aria-invalid="true" aria-describedby="${id}-wrong"` : ''
  const star = required ? html` <span class="quiet">(required)</span>` : ''
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

/** A feedback form is small and stands on somebody else's page; colors are hex or nothing. */
function styleOf(theme: Widget['theme']): string {
  const hex = (name: keyof typeof theme) =>
    /^#[0-9a-f]{6}$/i.test(theme[name] ?? '') ? theme[name] : undefined
  const [ground, ink] = [hex('background_color'), hex('text_color')]
  const accent = hex('primary_color')
  return [
    'body { padding: 0; min-height: 0; justify-content: flex-start; gap: 0; }',
    'body > header { display: none; }',
    'main { max-width: none; min-height: 100vh; border: 0; border-radius: 0; padding: 20px; box-shadow: none; }',
    'fieldset { margin: 16px 0 0; padding: 0; border: 0; }',
    'legend { padding: 0; margin: 0 0 6px; font-weight: 600; font-size: 15px; }',
    '.scale { display: flex; gap: 8px; }',
    'label.choice { display: flex; flex-direction: column; align-items: center; gap: 4px; margin: 0; min-width: 40px; padding: 6px; font-weight: 400; }',
    'label.choice input { width: 22px; min-height: 22px; height: 22px; margin: 0; }',
    ...(ground && ink
      ? [
          `:root { color-scheme: light; --card: ${ground}; --ground: ${ground}; --field: ${ground}; --ink: ${ink}; --quiet: ${ink}; }`,
        ]
      : []),
    ...(accent
      ? [
          `:root { --accent: ${accent}; --accent-down: ${accent}; --on-accent: ${inkUpon(accent)}; }`,
        ]
      : []),
  ].join('\n')
}

/** Black or white, whichever stands out more: above this luminance it is black (WCAG 2.2). */
function inkUpon(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
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
  button.style.cssText = 'position:fixed;right:20px;bottom:20px;z-index:2147483000;padding:12px 18px;border:0;border-radius:24px;background:#14704c;color:#fff;font:600 15px system-ui,sans-serif;cursor:pointer'
  const frame = document.createElement('iframe')
  frame.title = 'Feedback'
  frame.hidden = true
  frame.style.cssText = 'position:fixed;right:20px;bottom:80px;z-index:2147483000;width:min(360px,calc(100vw - 40px));height:min(560px,calc(100vh - 120px));border:1px solid #d3dcd7;border-radius:14px;background:#fff;box-shadow:0 8px 32px rgb(0 0 0 / 20%)'
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

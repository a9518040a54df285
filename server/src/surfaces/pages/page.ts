import type { Brand } from '../../records/mail/brand.ts'
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Html } from '../../kit/ground/html-template.ts'
import { html, raw } from '../../kit/ground/html-template.ts'
import type { Voice } from '../../model/languages/language.ts'
import { policySource, webAddress } from '../../kit/ground/web-address.ts'
import { builtFile } from '../../workspace/manifest.ts'
import { brandStyle } from './brand-style.ts'
import { retryScript, retrying } from './retry.ts'
import { css } from './style.ts'

/** The brand and language of a page. */
export type Look = { voice: Voice; brand: Brand }

/** A page for people: its title, and the main part below the brand. */
export type Page = {
  title: string
  main: Html
  /** its brand and language; by default the product's, in English */
  look?: Look
  /** only its language, if it belongs to no organization */
  voice?: Voice
  /** the style of this page, added to the common one */
  style?: string
  /** the only script that it runs; the page also works without it */
  script?: string
  /** the address of a script of the build that it loads, which may load others; the page also works without it */
  module?: string | undefined
  /** seconds after which it is loaded again, later each time; takes the place of `script` */
  retryAfter?: number
  /** the address of the background picture in its style */
  background?: string | null
  /** whether other sites, or pages of this service alone, may show it in a frame */
  isFramed?: boolean | 'here'
  /** the hosts whose pages may, if not all */
  framedBy?: string[]
  /** shows pictures and documents of this service inside the page */
  embeds?: boolean
  /** what stands at the top, in place of the brand alone */
  bar?: Html
  /** its script sends requests to this service */
  asks?: boolean
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const styleHash = hashOf(css)
// exactly the hashed bytes, whatever the formatter does to templates
const style = raw(`<style>${css}</style>`)
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%23197a55'%3E%3Cpath d='M12 22V12C7 12 4 9 4 3c5 0 8 3 8 8 0-4 3-7 8-7 0 5-3 8-7 8v10z'/%3E%3C/svg%3E"

/**
 * Sends a page. It runs only its own script, loads nothing else, is shown in no frame unless
 * it allows that, and sends no referrer to other sites. `submitsTo` are the places besides this
 * service to which the response to a form may redirect. No Cross-Origin-Opener-Policy: connectors
 * open these pages in a popup and need to be notified when it comes back to them.
 */
export async function sendPage(
  reply: FastifyReply,
  status: number,
  page: Page,
  submitsTo: string[] = [],
): Promise<FastifyReply> {
  const { headers, body } = await render(page, submitsTo)
  return reply.code(status).headers(headers).send(body)
}

/** The font of the screens; text that stands before it is there keeps its own, so that nothing moves. */
function fontStyle(address: string): string {
  return `@font-face { font-family: Inter; font-weight: 100 900; font-display: optional; src: url('${address}') format('woff2'); }\n`
}

/** A page as it is sent: its headers, and its text. */
export type Rendered = { headers: { [name: string]: string }; body: string }

/** A page with its headers, for an answer that passes no framework. */
export async function render(page: Page, submitsTo: string[] = []): Promise<Rendered> {
  const font = await builtFile('/inter-latin-wght-normal.woff2')
  const own = `${font ? fontStyle(font) : ''}${brandStyle(page.look?.brand)}${page.style ?? ''}`
  const script = page.retryAfter === undefined ? page.script : retryScript
  const pictures = [page.look?.brand.logo, page.background].flatMap(sourceOf)
  const policy = [
    "default-src 'none'",
    `style-src ${[styleHash, ...(own ? [hashOf(own)] : [])].join(' ')}`,
    ...(font ? ["font-src 'self'"] : []),
    ...(script || page.module
      ? [
          `script-src ${[script && hashOf(script), page.module && "'self'"].filter(Boolean).join(' ')}`,
        ]
      : []),
    ...(page.module ? ["worker-src 'self'"] : []),
    `img-src ${['data:', ...(page.module ? ['blob:'] : []), ...(page.embeds ? ["'self'"] : []), ...pictures].join(' ')}`,
    ...(page.embeds ? ["frame-src 'self'"] : []),
    ...(page.asks ? ["connect-src 'self'"] : []),
    `form-action ${["'self'", ...submitsTo].join(' ')}`,
    `frame-ancestors ${framersOf(page)}`,
    "base-uri 'none'",
  ]
  const headers = {
    ...(page.isFramed === true ? {} : { 'x-frame-options': page.isFramed ? 'SAMEORIGIN' : 'DENY' }),
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    // with no-referrer, browsers would send our own forms with `Origin: null`
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
  return { headers, body: layout(page, { own, script, font }).toString() }
}

/** Who may show a page in a frame, as the policy says it. */
function framersOf({ isFramed, framedBy = [] }: Page): string {
  if (isFramed === 'here') return "'self'"
  if (!isFramed) return "'none'"
  return framedBy.length ? framedBy.join(' ') : '*'
}

/** The title of a page; it begins with errors, because it is read out first. */
export function errorTitle({ say }: Voice, title: string, failure?: string): string {
  return failure ? say('page.error', { message: failure }) : title
}

/** A page with only a message, and where to go on from there. */
export function messagePage(title: string, message: string, next?: Next): Page {
  return {
    title,
    main: html`<h1>${title}</h1>
      ${message ? html`<p class="words">${message}</p>` : ''}
      ${next ? html`<p><a ${placeOf(next)}>${next.label}</a></p>` : ''}`,
  }
}

function placeOf({ href, target }: Next): Html {
  return target ? html`href="${href}" target="${target}"` : html`href="${href}"`
}

/** A link that leads on from a page, and the frame in which it opens if not its own. */
export type Next = { label: string; href: string; target?: '_top' | '_blank' | undefined }

/** The origin of a picture for the policy; none if it has no web address. */
function sourceOf(address: string | null | undefined): string[] {
  const url = webAddress(address ?? '')
  const source = url && policySource(url)
  return source ? [source] : []
}

function layout(
  { title, main, retryAfter, look, voice, bar, module }: Page,
  { own, script, font }: { own: string; script: string | undefined; font: string | undefined },
): Html {
  const name = look?.brand.name ?? 'Perennial'
  return html`<!doctype html>
    <html lang="${(look?.voice ?? voice)?.language ?? 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${name}</title>
        <link rel="icon" href="${raw(icon)}" />
        ${font ? html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin />` : ''}
        ${style} ${own ? raw(`<style>${own}</style>`) : ''}
        ${retryAfter ? retrying(retryAfter) : ''}
      </head>
      <body>
        <header>${bar ?? head(look)}</header>
        <main>${main}</main>
        ${script ? raw(`<script>${script}</script>`) : ''}
        ${module ? html`<script type="module" src="${module}"></script>` : ''}
      </body>
    </html>`
}

/** The organization's logo or name; the product's if the page belongs to no organization. */
export function head(look: Look | undefined): Html {
  if (look?.brand.logo) {
    return html`<img src="${look.brand.logo}" alt="${look.brand.name}" height="40" />`
  }
  if (look) return html`<span>${look.brand.name}</span>`
  return html`<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d="M12 22V12C7 12 4 9 4 3c5 0 8 3 8 8 0-4 3-7 8-7 0 5-3 8-7 8v10z" />
    </svg>
    <span>Perennial</span>`
}

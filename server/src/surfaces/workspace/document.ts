import { readFile, stat } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import type { Language } from '../../model/languages/language.ts'
import type { Demo } from '../../demo/credentials.ts'

/** The data in the document about its reader; as in `GET /api/session/`, if somebody is signed in. */
export type Reader = {
  session: {
    user: { language: Language }
    preferences: { [name: string]: unknown }
  } | null
  /** the module of the document's path, as in `GET /api/modules/{module}/` */
  module: unknown
  /** addresses of scripts that the page at this path needs besides the first one */
  code: string[]
  /** the language of the texts: the reader's, and of somebody who is not signed in the browser's */
  language: Language
  /** the address of the texts in that language; none for English, which the screens are written in */
  texts: string | undefined
  /** the sign-in of the demonstration, if there is one that only this machine reaches */
  demo: DemoSignIn | null
}

/** The sign-in of a demonstration that the start prints for people, without its app. */
export type DemoSignIn = Pick<Demo, 'name' | 'email' | 'password' | 'people'> & {
  /** where the first organization of one's own is made, until there is one */
  setup: string | null
}

type Template = { path: string; modified: number; text: string }
let template: Template | undefined

/** The document of the screens as it was built, read again when a build has replaced it. */
export async function readTemplate(path: string): Promise<string> {
  const { mtimeMs: modified } = await stat(path)
  if (template?.path !== path || template.modified !== modified) {
    template = { path, modified, text: await readFile(path, 'utf8') }
  }
  return template.text
}

/**
 * Fills the document in: who is signed in, and their display preferences (`data-theme`,
 * `data-density`), so that the first screen needs no request for them.
 */
export function fillDocument(text: string, reader: Reader): string {
  const { session, module, code, language, texts, demo } = reader
  const { theme, density } = session?.preferences ?? {}
  const attributes = [
    `lang="${language}"`,
    `data-theme="${wordOf(theme) ?? 'system'}"`,
    `data-density="${wordOf(density) ?? 'regular'}"`,
  ]
  const data = [
    // scripts of modules run in their order: the texts before the screens that say them
    ...(texts ? [`<script type="module" crossorigin src="${texts}"></script>`] : []),
    ...code.map((address) => `<link rel="modulepreload" crossorigin href="${address}">`),
    dataBlock('session', session),
    ...(module ? [dataBlock('module', module)] : []),
    ...(demo ? [dataBlock('demo', demo)] : []),
  ]
  return text
    .replace(/<html\b[^>]*>/, () => `<html ${attributes.join(' ')}>`)
    .replace(/<script type="application\/json" id="session">[^<]*<\/script>/, () => data.join(''))
}

/** Programs may store anything as preferences, so only a plain word becomes an attribute. */
function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9-]{0,30}$/.test(value) ? value : undefined
}

/** JSON that is safe inside a script element. */
function dataBlock(id: string, value: unknown): string {
  const json = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<script type="application/json" id="${id}">${json}</script>`
}

/** What the document of the screens may load: only what this server serves, and nothing inline. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The features that Chromium knows, since it warns about others. The clipboard is allowed, for copying. */
const features = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
]
const nothingAllowed = features.map((feature) => `${feature}=()`).join(', ')

/** The headers of the document; `nosniff` and HSTS are on every answer. */
export function documentHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('referrer-policy', 'same-origin')
    .header('permissions-policy', nothingAllowed)
}

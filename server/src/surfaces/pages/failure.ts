import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import { html } from '../../kit/ground/html-template.ts'
import type { Config } from '../../config.ts'
import type { Failure } from '../../kit/ground/errors.ts'
import { failureText, visitorVoice } from './look.ts'
import type { Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'

/** A request as far as the page for its failure depends on it. */
type Asked = { method?: string | undefined; url?: string | undefined; headers: IncomingHttpHeaders }

/** Longer than this nobody looks at a page that waits, in seconds. */
const longestWait = 120

/** The paths of probes and of whoever collects metrics. */
const probes = ['/livez', '/readyz', '/metrics']

/** The beginnings of the paths of programs, which get JSON whatever they accept. */
export function apiPaths({ automationSegment }: Pick<Config, 'automationSegment'>): string[] {
  return [
    '/api',
    `/${automationSegment}`,
    '/webhook',
    '/mcp',
    '/.well-known',
    '/openapi.json',
    ...probes,
  ]
}

/**
 * Whether a person in a browser waits for a page: HTML is accepted, by a form only with an `Origin`, which all
 * browsers send with one. Requests to the API, whose paths begin with one of `api`, are none: Java's own client
 * accepts HTML before everything else.
 */
export function isPageLoad({ method, url = '', headers }: Asked, api: readonly string[]): boolean {
  if (!headers.accept?.includes('text/html')) return false
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead && !(method === 'POST' && headers.origin !== undefined)) return false
  const [path = ''] = url.split('?')
  return !api.some((each) => path === each || path.startsWith(`${each}/`))
}

/**
 * The page for a failure. One that passes is tried again by the page itself, unless a form was sent, which would
 * be sent again; in languages other than English other failures only say that something failed.
 */
export function failurePage(
  { method, headers }: Asked,
  { status, message, retryAfter = Infinity }: Pick<Failure, 'status' | 'message' | 'retryAfter'>,
): Page {
  const voice = visitorVoice({ headers })
  const { say } = voice
  const passes = (status === 503 || status === 429) && retryAfter <= longestWait
  if (!passes || method === 'POST') {
    return { voice, ...messagePage(say('page.failed'), failureText(voice, message)) }
  }
  return {
    voice,
    title: say('page.busy'),
    main: html`<h1>${say('page.busy')}</h1>
      <p role="status">${say('page.busy_text')}</p>
      <p><a href="">${say('page.try_again')}</a></p>`,
    retryAfter: Math.max(1, retryAfter),
    // a page that another site shows in a frame, such as a feedback form
    isFramed: headers['sec-fetch-dest'] === 'iframe',
  }
}

/** Answers the load of a page with a failure. */
export function sendFailurePage(
  reply: FastifyReply,
  request: FastifyRequest,
  failure: Failure,
): Promise<FastifyReply> {
  request.failureCode = failure.code
  if (failure.retryAfter !== undefined) reply.header('retry-after', String(failure.retryAfter))
  return sendPage(reply, failure.status, failurePage(request, failure))
}

import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import type { CalendarProvider } from '../../src/kit/ground/services.ts'
import { atEnd } from './finally.ts'

/** An event as its person sees it: days of whole days, else instants; the clock is that of a series. */
export type Simple = {
  title: string
  start: string
  end: string
  all_day: boolean
  zone: string
  rrule: string | null
}

/** A provider whose calendars are connected by OAuth, with a program of its person that writes to them directly. */
export type FakeCalendars = {
  provider: CalendarProvider
  account: string
  /** gives access at an authorization address, or refuses: where the browser is sent back to */
  consent(authorization_url: string, isRefused?: boolean): Promise<URL>
  /** the requests to its calendars, such as `POST /events 200` */
  requests: string[]
  /** how many of these have changed something */
  changes(): number
  /** what comes next instead of an answer: seconds to wait, or a refusal of too many requests without these */
  throttle: { after: number | null } | null
  /** the access tokens end, the refresh tokens go on */
  expireTokens(): void
  /** the person takes the access away there */
  revokeTokens(): void
  /** what the service has given up */
  revoked: string[]
  /** it no longer knows what it has listed before */
  forget(): void
  events(): Map<string, Simple>
  /** every date of everything, as `title | start | end` */
  lines(): string[]
  create(event: Simple): string
  change(id: string, event: Partial<Simple>): void
  remove(id: string): void
  /** one date of a series, by when it was planned, at another time and under another name, or left out */
  moveDate(id: string, planned: string, event: Pick<Simple, 'title' | 'start' | 'end'>): void
  dropDate(id: string, planned: string): void
  /** an event whose times are none */
  garble(id: string): void
  /** the address of the call of an event */
  callOf(id: string): string | undefined
  /** whether it makes no calls */
  hasNoCalls: boolean
}

export type Sent = { method: string; url: URL; headers: IncomingMessage['headers']; body: any }
export type Given = { status: number; body?: object; headers?: { [name: string]: string } }
/** What the interface of a provider answers; undefined for an address that it does not have. */
export type Interface = (sent: Sent) => Given | undefined

type Common = Pick<
  FakeCalendars,
  'provider' | 'account' | 'consent' | 'requests' | 'changes' | 'throttle' | 'revoked'
> & { expireTokens(): void; revokeTokens(): void; url: string }

type Begun = { challenge: string; redirect_uri: string; scope: string }

/** The sign-in and tokens of a provider (RFC 6749 and 7636) with its interface behind them, on a free port. */
export async function startProvider(
  answerTo: Interface,
  tooMany: (after: number | null) => Given,
): Promise<Common> {
  const codes = new Map<string, Begun>()
  const refresh = new Set<string>()
  let access = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', common.url)
    const answer = ({ status, body, headers = {} }: Given) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body === undefined ? '' : JSON.stringify(body))
    }
    const { clientId, clientSecret } = common.provider
    if (url.pathname === '/authorize') {
      const query = Object.fromEntries(url.searchParams)
      const isRight =
        query.client_id === clientId &&
        query.response_type === 'code' &&
        query.code_challenge_method === 'S256'
      if (!isRight || !query.redirect_uri) return answer({ status: 400, body: {} })
      const back = new URL(query.redirect_uri)
      back.searchParams.set('state', query.state ?? '')
      if (query.refused) back.searchParams.set('error', 'access_denied')
      else {
        const code = randomBytes(16).toString('hex')
        codes.set(code, {
          challenge: query.code_challenge ?? '',
          redirect_uri: query.redirect_uri,
          scope: query.scope ?? '',
        })
        back.searchParams.set('code', code)
      }
      return answer({ status: 302, headers: { location: back.href } })
    }
    if (url.pathname === '/token' || url.pathname === '/revoke') {
      const form = new URLSearchParams(text)
      if (url.pathname === '/revoke') {
        const token = form.get('token') ?? ''
        common.revoked.push(token)
        return answer(refresh.delete(token) ? { status: 200, body: {} } : { status: 400, body: {} })
      }
      const isClient =
        form.get('client_id') === clientId && form.get('client_secret') === clientSecret
      if (!isClient) return answer({ status: 401, body: { error: 'invalid_client' } })
      const given = () => {
        const access_token = randomBytes(16).toString('hex')
        access.add(access_token)
        return { access_token, token_type: 'Bearer', expires_in: 3600 }
      }
      if (form.get('grant_type') === 'refresh_token') {
        return refresh.has(form.get('refresh_token') ?? '')
          ? answer({ status: 200, body: given() })
          : answer({ status: 400, body: { error: 'invalid_grant' } })
      }
      const code = form.get('code') ?? ''
      const begun = codes.get(code)
      codes.delete(code)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const isRight =
        begun?.challenge === challenge && begun.redirect_uri === form.get('redirect_uri')
      if (!isRight) return answer({ status: 400, body: { error: 'invalid_grant' } })
      const refresh_token = randomBytes(16).toString('hex')
      refresh.add(refresh_token)
      return answer({ status: 200, body: { ...given(), refresh_token, scope: begun.scope } })
    }
    const { method = 'GET', headers } = request
    const done = (given: Given) => {
      common.requests.push(`${method} ${url.pathname} ${given.status}`)
      answer(given)
    }
    if (common.throttle) return done(tooMany(common.throttle.after))
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!access.has(token)) return done({ status: 401, body: { error: { code: 401 } } })
    const body = text ? (JSON.parse(text) as unknown) : undefined
    done(
      answerTo({ method, url, headers, body }) ?? { status: 404, body: { error: { code: 404 } } },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const common: Common = {
    url,
    account: `anna-${randomBytes(4).toString('hex')}@example.com`,
    provider: {
      clientId: 'perennial-at-home',
      clientSecret: randomBytes(16).toString('hex'),
      authorizeUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      revokeUrl: `${url}/revoke`,
      apiUrl: url,
    },
    requests: [],
    revoked: [],
    throttle: null,
    changes: () =>
      common.requests.filter((each) => /^(POST|PUT|PATCH|DELETE) .* 2\d\d$/.test(each)).length,
    async consent(authorization_url, isRefused = false) {
      const where = authorization_url + (isRefused ? '&refused=1' : '')
      const reply = await fetch(where, { redirect: 'manual' })
      return new URL(reply.headers.get('location') ?? `${url}/nowhere`)
    },
    expireTokens: () => (access = new Set()),
    revokeTokens() {
      access = new Set()
      refresh.clear()
    },
  }
  return common
}

/** When an event with a rule takes place, at most a hundred times. */
export function datesOf({ start, all_day, zone, rrule }: Omit<Simple, 'title' | 'end'>): string[] {
  if (!rrule) return [start]
  const timeZone = all_day ? 'UTC' : zone
  const first = all_day
    ? Temporal.PlainDate.from(start).toZonedDateTime('UTC')
    : Temporal.Instant.from(start).toZonedDateTimeISO(timeZone)
  const stamp = `DTSTART;TZID=${timeZone}:${first.toPlainDateTime().toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}`
  const rule = new RRuleTemporal({ rruleString: `${stamp}\nRRULE:${rrule}` })
  return rule
    .all((_, i) => i < 100)
    .map((each) =>
      all_day ? each.toPlainDate().toString() : new Date(each.epochMilliseconds).toISOString(),
    )
}

/** A date of an event as a line; `start` is when that is. */
export function lineOf({ title, start, end, all_day }: Simple, at = start): string {
  const length = Date.parse(end) - Date.parse(start)
  const to = new Date(Date.parse(at) + length).toISOString()
  return `${title} | ${at} | ${all_day ? to.slice(0, 10) : to}`
}

/** A JSON merge patch (RFC 7396). */
export function mergePatch(target: any, patch: any): any {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const next: { [name: string]: unknown } =
    typeof target === 'object' && target && !Array.isArray(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch as object)) {
    if (value === null) delete next[name]
    else next[name] = mergePatch(next[name], value)
  }
  return next
}

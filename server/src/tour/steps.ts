import { randomBytes } from 'node:crypto'
import {
  type Access,
  Mismatch,
  type Reply,
  authorize,
  exchange,
  expectStatus,
  present,
  request,
  signIn,
  signedHeaders,
} from './connector.ts'
import { type Arrived, type Receiver, openReceiver, verifyWebhook } from './receiver.ts'

/** The state that steps of the tour share. */
export type Tour = {
  access: Access
  receiver: { port: number; url: string | undefined }
  /** the session of the person who approves */
  bearer: string
  code: string
  tokens: { access_token: string; refresh_token: string }
  listening?: Receiver
  subscription?: { id: string; secret: string }
  /** ids of the companies created, to be deleted at the end */
  companies: string[]
  mark: string
}

/** A step: its name and its function, whose returned sentence is printed. */
export type Step = { name: string; run(tour: Tour): Promise<string> }

/** The maximum time of a webhook, in milliseconds. */
const webhookPatience = 15_000

/** The actions of an automation platform from connecting to disconnecting, in order. */
export const steps: Step[] = [
  {
    name: 'The server is ready',
    async run({ access }) {
      expectStatus(await request(access, 'GET', '/readyz'), 200)
      return access.url
    },
  },
  {
    name: 'Sign in',
    async run(tour) {
      tour.bearer = await signIn(tour.access)
      return tour.access.email
    },
  },
  {
    name: 'Authorize, signed',
    async run(tour) {
      tour.code = await authorize(tour.access, tour.bearer)
      return 'sent back with code and state'
    },
  },
  {
    name: 'Exchange the code for tokens',
    async run(tour) {
      const { access_token, refresh_token, token_type, expires_in } = await exchange(
        tour.access,
        tour.code,
      )
      if (token_type !== 'Bearer') throw new Mismatch('token_type Bearer', String(token_type))
      tour.tokens = { access_token, refresh_token }
      return `good for ${expires_in} s`
    },
  },
  {
    name: 'Signed call: test',
    async run(tour) {
      const { body } = expectStatus(await signed(tour, 'GET', '/test'), 200)
      if (body.status !== 'success') throw new Mismatch('status success', JSON.stringify(body))
      return `linked to ${present(body.organisation, 'an organisation')}`
    },
  },
  {
    name: 'A wrong signature is refused',
    async run(tour) {
      const headers = {
        ...signedHeaders(tour.access, tour.tokens.access_token),
        'x-oauth-signature': '0'.repeat(64),
      }
      const path = `/${tour.access.segment}/test`
      const { body } = expectStatus(await request(tour.access, 'GET', path, { headers }), 401)
      return `401 ${present(body.error, 'an error')}`
    },
  },
  {
    name: 'Signed call: list companies',
    async run(tour) {
      const first = expectStatus(await signed(tour, 'GET', '/company?limit=5'), 200).body
      if (!Array.isArray(first.results)) throw new Mismatch('a list of results', typeof first)
      if (!first.next_cursor) return `${first.results.length} in all`
      const cursor = encodeURIComponent(first.next_cursor)
      const path = `/company?limit=5&next_cursor=${cursor}`
      const { results = [] } = expectStatus(await signed(tour, 'GET', path), 200).body
      const known = new Set(first.results.map(({ company_id }) => company_id))
      const again = results.find(({ company_id }) => known.has(company_id))
      if (again) throw new Mismatch('other companies on the second page', String(again.company_id))
      return `${first.results.length} and, by cursor, ${results.length} more`
    },
  },
  {
    name: 'Signed call: field configuration',
    async run(tour) {
      const { body } = expectStatus(await signed(tour, 'GET', '/company?field_config=true'), 200)
      if (!Array.isArray(body.fields)) throw new Mismatch('a list of fields', JSON.stringify(body))
      return `${body.fields.length} fields`
    },
  },
  {
    name: 'Subscribe to company_created',
    async run(tour) {
      tour.listening = await openReceiver(tour.receiver.port)
      const url = tour.receiver.url ?? `http://127.0.0.1:${tour.listening.port}/hook/${tour.mark}`
      const reply = await request(tour.access, 'POST', '/webhook/subscribe', {
        headers: signedHeaders(tour.access, tour.tokens.access_token),
        json: { events: "['company_created']", url },
      })
      if (reply.status === 400 && !tour.receiver.url) {
        throw new Mismatch(
          'webhooks to this machine to be allowed (on the server WEBHOOK_ALLOW_HTTP=true and WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8, or give --receiver-url)',
          `400 ${reply.body.message}`,
        )
      }
      const { body } = expectStatus(reply, 200, 201)
      const id = present(body.subscriptionId ?? body.id, 'a subscription id')
      tour.subscription = { id, secret: present(body.secret, 'a secret') }
      return url
    },
  },
  {
    name: 'Make a company, integration surface',
    async run(tour) {
      const json = { company_name: `Tour One ${tour.mark}`, domain: `one-${tour.mark}.example` }
      const { body } = expectStatus(await signed(tour, 'POST', '/company', json), 200, 201)
      const id = present(body.data?.company_id, 'data.company_id')
      tour.companies.push(id)
      return id
    },
  },
  {
    name: 'Its webhook arrives, and the signature is right',
    run: (tour) => webhookFor(tour, 0),
  },
  {
    name: 'Make a company, application surface',
    async run(tour) {
      const json = { company_name: `Tour Two ${tour.mark}`, domain: `two-${tour.mark}.example` }
      const sent = { bearer: tour.bearer, json }
      const reply = expectStatus(await request(tour.access, 'POST', '/api/company/', sent), 200)
      const id = present(reply.headers.get('x-record-id') ?? undefined, 'X-Record-Id')
      tour.companies.push(id)
      return id
    },
  },
  {
    name: 'Its webhook arrives too',
    run: (tour) => webhookFor(tour, 1),
  },
  {
    name: 'Refresh the tokens',
    async run(tour) {
      const form = { grant_type: 'refresh_token', token: tour.tokens.refresh_token }
      const reply = await request(tour.access, 'POST', '/auth_refresh/', { form })
      const { body } = expectStatus(reply, 200)
      tour.tokens = {
        access_token: present(body.access_token, 'an access_token'),
        refresh_token: present(body.refresh, 'a new refresh token under refresh'),
      }
      expectStatus(await signed(tour, 'GET', '/test'), 200)
      return 'the new access token works'
    },
  },
  {
    name: 'Unsubscribe',
    async run(tour) {
      const { id } = subscriptionOf(tour)
      const remove = () =>
        request(tour.access, 'DELETE', `/webhook/unsubscribe?subscriptionId=${id}`, {
          headers: signedHeaders(tour.access, tour.tokens.access_token),
        })
      expectStatus(await remove(), 200)
      tour.subscription = undefined
      expectStatus(await remove(), 404)
      return 'a second time there is none'
    },
  },
  {
    name: 'Clean up',
    async run(tour) {
      const count = tour.companies.length
      await cleanUp(tour)
      return `${count} companies deleted, signed out`
    },
  },
]

/** Removes what the tour created, as far as possible. */
export async function cleanUp(tour: Tour): Promise<void> {
  const { access, bearer } = tour
  if (!bearer) return
  for (const id of tour.companies.splice(0)) {
    expectStatus(await request(access, 'DELETE', `/api/company/${id}/`, { bearer }), 204)
  }
  if (tour.subscription) {
    const path = `/webhook/unsubscribe?subscriptionId=${tour.subscription.id}`
    const headers = signedHeaders(access, tour.tokens.access_token)
    await request(access, 'DELETE', path, { headers })
  }
  expectStatus(await request(access, 'POST', '/api/logout/', { bearer }), 200)
  tour.bearer = ''
}

function signed(tour: Tour, method: string, path: string, json?: unknown): Promise<Reply> {
  const headers = signedHeaders(tour.access, tour.tokens.access_token)
  return request(tour.access, method, `/${tour.access.segment}${path}`, { headers, json })
}

async function webhookFor(tour: Tour, which: number): Promise<string> {
  const id = tour.companies[which]
  const isOurs = ({ body }: Arrived) =>
    body.type === 'company_created' && body.data?.company_id === id
  const what = `a company_created webhook for ${id}`
  if (!tour.listening) throw new Error('the receiver is opened by an earlier step')
  const arrived = await tour.listening.wait(isOurs, what, webhookPatience)
  verifyWebhook(arrived, subscriptionOf(tour).secret)
  const { 'webhook-id': webhook_id } = arrived.headers
  if (webhook_id !== arrived.body.id) {
    throw new Mismatch('webhook-id and id to be the same', String(webhook_id))
  }
  return `${arrived.body.type} ${webhook_id}`
}

function subscriptionOf({ subscription }: Tour) {
  if (!subscription) throw new Error('the subscription is created by an earlier step')
  return subscription
}

/** A random word that marks what this tour creates. */
export function newMark(): string {
  return randomBytes(4).toString('hex')
}

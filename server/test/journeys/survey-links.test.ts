import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../support/integration.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { patient } from '../support/until.ts'

const fields = [{ id: 'name', type: 'short-text', label: 'Your name', required: true }]
const form_structure = [{ id: 'p1', title: '', fields }]
const form = (n: number) => ({ page: '0', 'a.name': `Ada ${n}`, go: 'next' })
const twenty = Array.from({ length: 20 }, (_, n) => n)

/** The answer that is no 503: a machine that is busy with other tests may give one only when asked again. */
async function accepted<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  const patience = patient()
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
    patience()
  }
}

const submit = (service: TestService, path: string, fields: { [name: string]: string }) =>
  accepted(() => postForm(service, path, fields))

/** A published survey of an organization with a link to it. */
async function published(service: TestService, org: TestOrganization, link: object = {}) {
  const { token } = org.users.admin
  const body = { name: 'How are we?', form_structure, status: 'published' }
  const made = await service.call('POST', '/api/surveys/', { token, body })
  const id = made.body.survey_id as string
  const ticket = await service.call('POST', `/api/surveys/${id}/link/`, { token, body: link })
  const { url, encrypted_token } = ticket.body as { url: string; encrypted_token: string }
  return { id, path: new URL(url).pathname, encrypted_token }
}

const stored = (service: TestService, id: string) =>
  rows(service, sql`select answers, finished from survey_responses where survey_id = ${id}`)

function count(statuses: number[]) {
  const times: { [status: number]: number } = {}
  for (const status of statuses) times[status] = (times[status] ?? 0) + 1
  return times
}

describe('a link to a survey', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('of somebody’s own takes one answer, however many come at once', async () => {
    const { id, path } = await published(service, org, { email: 'ada@acme.test' })
    const replies = await Promise.all(twenty.map((n) => submit(service, path, form(n))))
    const responses = await stored(service, id)
    assert.equal(responses.length, 1)
    assert.equal(responses[0].finished, true)
    const refused = replies.filter(({ status }) => status !== 303)
    assert.equal(refused.length, 19)
    // one that comes when the first is stored sees the page that thanks
    for (const { text } of refused) assert.match(text, /already answered|Thank you/)
    const [survey] = await rows(service, sql`select response_count from surveys where id = ${id}`)
    assert.equal(survey.response_count, 1)
  })

  test('takes one answer through the API, too', async () => {
    const link = await published(service, org, { email: 'Eve@acme.test' })
    const path = `/api/surveys/public/${link.encrypted_token}/`
    const { token } = org.users.member
    const body = { answers: { name: 'Eve' } }
    const replies = await Promise.all(
      twenty.map(() => accepted(() => service.call('POST', path, { token, body }))),
    )
    assert.deepEqual(count(replies.map(({ status }) => status)), { 201: 1, 409: 19 })
    for (const { status, body } of replies) if (status === 409) assert.equal(body.code, 'answered')
    assert.equal((await submit(service, link.path, form(1))).status, 200)
    assert.equal((await stored(service, link.id)).length, 1)
  })

  test('for everybody takes one answer of a form that was opened once', async () => {
    const { id, path } = await published(service, org)
    const { start } = hiddenIn((await service.call('GET', path)).text)
    assert.ok(start)
    const sent = await Promise.all(twenty.map((n) => submit(service, path, { ...form(n), start })))
    assert.deepEqual(count(sent.map(({ status }) => status)), { 303: 1, 409: 19 })
    assert.equal((await stored(service, id)).length, 1)
    // other people open it for themselves
    for (const n of [1, 2]) {
      const another = hiddenIn((await service.call('GET', path)).text)
      assert.equal((await submit(service, path, { ...form(n), ...another })).status, 303)
    }
    assert.equal((await stored(service, id)).length, 3)
  })
})

describe('submissions to public pages', () => {
  const header = (address: string) => ({ 'x-forwarded-for': address })

  test('are limited by address, all of them together, with the widget of the API', async () => {
    const service = await startService({
      rateLimits: { public: { count: 6, seconds: 60 } },
      trustProxy: 1,
    })
    const org = await makeOrganization(service)
    const { path } = await published(service, org)
    const [{ widget_key }] = await rows(
      service,
      sql`select widget_key from widget_settings where organization_id = ${org.id}`,
    )
    const pages = [path, '/sign/abcdefghijklmnopqrstuvwxyz', '/invite/x', '/reset/x', '/reset']
    for (const page of pages) {
      const { status } = await postForm(service, page, form(1), header('198.51.100.7'))
      assert.ok(status < 429, `${page}: ${status}`)
    }
    const body = { rating: 5 }
    const submit = (address: string) =>
      service.call('POST', `/api/widget-submit?key=${widget_key}`, {
        body,
        headers: header(address),
      })
    assert.equal((await submit('198.51.100.7')).status, 200)
    const over = await submit('198.51.100.7')
    assert.equal(over.status, 429)
    assert.ok(Number(over.headers.get('retry-after')) > 0)
    for (const page of [...pages, `/widget/${widget_key}`]) {
      const reply = await postForm(service, page, form(1), header('198.51.100.7'))
      assert.equal(reply.status, 429, page)
      assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.match(reply.text, /Too many submissions/)
    }
    // others are not stopped, and a network of IPv6 is one caller
    assert.equal((await submit('198.51.100.8')).status, 200)
    const replies: number[] = []
    for (const n of twenty.slice(0, 7)) replies.push((await submit(`2001:db8:1:2::${n}`)).status)
    assert.deepEqual(count(replies), { 200: 6, 429: 1 })
    assert.equal((await submit('2001:db8:1:3::1')).status, 200)
    // opening is counted apart, and reading what is not counted goes on
    assert.equal((await service.call('GET', path, { headers: header('198.51.100.7') })).status, 200)
    for (const _ of twenty.slice(0, 5)) {
      await service.call('GET', path, { headers: header('198.51.100.7') })
    }
    const viewed = await service.call('GET', path, { headers: header('198.51.100.7') })
    assert.equal(viewed.status, 429)
    const feed = await service.call('GET', '/widget.js', { headers: header('198.51.100.7') })
    assert.equal(feed.status, 200)
  })
})

/** The hidden fields of a form that have a value. */
function hiddenIn(html: string): { [name: string]: string } {
  const all = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
  return Object.fromEntries([...all].map(([, name, value]) => [name, value]))
}

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { password } from '../support/organization.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// What an administrator sees as a customer is what that customer sees, and nothing is done by looking.

describe('the preview of the portal', () => {
  let service: TestService
  let org: TestOrganization
  let task: string

  before(async () => {
    service = await startService({})
    org = await makeOrganization(service)
    const { user_id: owner } = org.users.customer
    const body = { title: 'Send the list of sites', owner, is_shared: true }
    const made = await service.call('POST', '/api/tasks/', { token: org.users.admin.token, body })
    task = made.body.item_id
  })

  const cookieIn = (headers: Headers) =>
    (headers.get('set-cookie') ?? '').split(';').slice(0, 1).join('')

  /** The cookie of somebody's browser. */
  async function session({ email }: Member) {
    const body = { email, password }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const entered = await service.call('POST', '/api/session/', { body, headers })
    assert.equal(entered.status, 200, entered.text)
    return cookieIn(entered.headers)
  }

  const open = (path: string, cookie: string) =>
    fetch(service.url + path, { headers: { cookie }, redirect: 'manual' })
  const send = (path: string, cookie: string, body: { [name: string]: string }) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(body),
      redirect: 'manual',
    })

  test('shows each page as the customer’s own session does', async () => {
    const theirs = await session(org.users.customer)
    const mine = await session(org.users.admin)
    const chosen = await open('/portal/preview', mine)
    assert.ok((await chosen.text()).includes(`/portal/preview/${org.users.customer.user_id}`))
    const started = await open(`/portal/preview/${org.users.customer.user_id}`, mine)
    assert.deepEqual([started.status, started.headers.get('location')], [303, '/portal'])
    const looking = `${mine}; ${cookieIn(started.headers)}`
    for (const path of ['/portal', `/portal/tasks/${task}`, '/portal/tasks/nothing']) {
      const own = await open(path, theirs)
      const seen = await open(path, looking)
      assert.equal(seen.status, own.status, path)
      const text = await seen.text()
      assert.match(text, /Nothing you click is done/)
      const without = text.replace(/<div class="preview"[^]*?<\/div>/, '')
      const flat = (page: string) => page.replaceAll(/\s+/g, ' ')
      assert.equal(flat(without), flat(await own.text()), path)
    }
    const headers = { 'x-view-as': org.users.customer.user_id }
    const { token } = org.users.admin
    const seen = await service.call('GET', '/api/portal/', { token, headers })
    const own = await service.call('GET', '/api/portal/', { token: org.users.customer.token })
    assert.deepEqual(seen.body, own.body)
    assert.equal(own.body.next[0].title, 'Send the list of sites')
  })

  test('does nothing, and ends when it is closed', async () => {
    const mine = await session(org.users.admin)
    const started = await open(`/portal/preview/${org.users.customer.user_id}`, mine)
    const looking = `${mine}; ${cookieIn(started.headers)}`
    for (const path of [`/portal/tasks/${task}`, '/portal/me', '/portal/sign-out']) {
      const answer = await send(path, looking, { act: 'done', language: 'de' })
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/portal'], path)
      assert.equal(answer.headers.get('set-cookie'), null)
    }
    const { token } = org.users.admin
    const read = await service.call('GET', `/api/tasks/${task}/`, { token })
    assert.equal(read.body.is_completed, false)
    const ended = await send('/portal/preview/end', looking, {})
    assert.match(ended.headers.get('set-cookie') ?? '', /Max-Age=0/)
    const page = await (await open('/portal', mine)).text()
    assert.doesNotMatch(page, /Nothing you click is done/)
  })

  test('is for administrators, of people of their own organization', async () => {
    const member = await session(org.users.member)
    assert.equal((await open('/portal/preview', member)).status, 403)
    assert.equal((await open(`/portal/preview/${org.users.customer.user_id}`, member)).status, 403)
    const forged = await open(
      '/portal',
      `${member}; perennial_preview=${org.users.customer.user_id}`,
    )
    assert.doesNotMatch(await forged.text(), /Send the list of sites/)
    const other = await makeOrganization(service)
    const mine = await session(org.users.admin)
    assert.equal((await open(`/portal/preview/${other.users.customer.user_id}`, mine)).status, 404)
    for (const path of ['/portal/preview?project=%00', '/portal/preview?project=a&project=b']) {
      assert.equal((await open(path, mine)).status, 200, path)
    }
    assert.equal((await open('/portal/preview/%00', mine)).status, 404)
    const chosen = await (await open('/portal/preview', mine)).text()
    assert.ok(!chosen.includes(other.users.customer.user_id))
  })
})

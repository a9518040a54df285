import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('users on the integration surface', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  const list = (query: { [name: string]: string | number } = {}) =>
    app.call('GET', '/automation/users', { query })

  test('all of them come in one envelope, as the application surface shows them', async () => {
    const { status, body } = await list()
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['count', 'next', 'previous', 'next_cursor', 'results'])
    assert.deepEqual([body.count, body.next, body.previous], [6, null, null])
    assert.equal(body.results.length, 6)
    const { user_id, token } = org.users.member
    const one = await service.call('GET', `/api/users/profile/${user_id}/`, { token })
    const found = body.results.find((each: { user_id: string }) => each.user_id === user_id)
    const { can: _, ...shown } = one.body
    assert.deepEqual(found, shown)
    assert.equal((await app.call('GET', '/automation/users/')).body.count, 6)
  })

  test('an e-mail finds whole addresses only, in any case', async () => {
    const { email, user_id } = org.users.manager
    for (const input of [email, email.toUpperCase(), ` ${email} `]) {
      const { body } = await list({ email: input })
      assert.equal(body.count, 1)
      assert.equal(body.results[0].user_id, user_id)
    }
    for (const input of [email.slice(1), email.split('@')[0]!, `%${email.slice(1)}`, 'x@x.test']) {
      const { status, body } = await list({ email: input })
      assert.equal(status, 200)
      assert.deepEqual([body.count, body.results], [0, []])
    }
    assert.equal((await list({ email: '' })).body.count, 6)
  })

  test('pages link to each other by absolute URLs without the function key', async () => {
    const ask = { items_per_page: 4, sort: 'email', code: app.function_key }
    const first = (await list(ask)).body
    assert.equal(first.previous, null)
    const next = new URL(first.next)
    assert.equal(next.origin, service.runtime.config.publicUrl)
    assert.deepEqual(Object.fromEntries(next.searchParams), {
      items_per_page: '4',
      sort: 'email',
      page: '2',
    })
    const second = (await app.call('GET', next.pathname + next.search)).body
    assert.deepEqual([second.results.length, second.next], [2, null])
    assert.equal(new URL(second.previous).searchParams.get('page'), '1')
    const emails = [...first.results, ...second.results].map((each) => each.email)
    assert.deepEqual(emails, emails.toSorted())
    const past = (await list({ page: 9 })).body
    assert.deepEqual([past.count, past.results, past.next], [6, [], null])
    for (const wrong of [{ items_per_page: 501 }, { page: 0 }, { sort: 'password_hash' }]) {
      assert.equal((await list(wrong as { page: number })).status, 400)
    }
  })

  test('it needs user.read, and a user who may read users', async () => {
    const without = await connectApp(service, org, { scopes: ['company.read', 'user.write'] })
    assert.equal((await without.call('GET', '/automation/users')).status, 403)
    const confined = await connectApp(service, org, { as: 'customer' })
    const { body } = await confined.call('GET', '/automation/users')
    assert.equal(body.count, 1)
    assert.equal(body.results[0].user_id, org.users.customer.user_id)
  })

  test('it ends at once for users who are deactivated or removed', async () => {
    const { token } = org.users.admin
    const path = (kind: 'observer' | 'partner') => `/api/users/profile/${org.users[kind].user_id}/`
    const observers = await connectApp(service, org, { as: 'observer' })
    const partners = await connectApp(service, org, { as: 'partner' })
    assert.equal((await observers.call('GET', '/automation/users')).status, 200)
    assert.equal((await partners.call('GET', '/automation/users')).status, 200)
    await service.call('PUT', path('observer'), { token, body: { is_active: false } })
    await service.call('DELETE', path('partner'), { token })
    assert.equal((await observers.call('GET', '/automation/users')).status, 401)
    assert.equal((await partners.call('GET', '/automation/users')).status, 401)
    await service.call('PUT', path('observer'), { token, body: { is_active: true } })
    assert.equal((await observers.call('GET', '/automation/users')).status, 401)
    const { results } = (await list()).body
    const states = Object.fromEntries(
      results.map((each: { role: string; is_active: boolean }) => [each.role, each.is_active]),
    )
    assert.deepEqual([states.observer, states.partner], [true, undefined])
  })
})

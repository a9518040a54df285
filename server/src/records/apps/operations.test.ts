import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { makeApp, signature } from '../../../test/support/integration.ts'

describe('apps by session', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (
    method: string,
    path: string,
    body?: unknown,
    as: keyof TestOrganization['users'] = 'admin',
  ) => service.call(method, `/api/apps/${path}`, { body, token: org.users[as].token })
  const create = async (name: string, as: keyof TestOrganization['users'] = 'admin') => {
    const body = { name, scopes: ['company.read'], redirect_uris: ['https://a.test/cb'] }
    const reply = await call('POST', '', body, as)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  /** Whether consent of the app begins: its client id and secret are good. */
  const opens = async (client_id: string, secret: string) => {
    const signed = signature(client_id, secret, service.runtime.now())
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: 'https://a.test/cb',
      state: 'x',
      timestamp: signed['x-oauth-timestamp']!,
      signature: signed['x-oauth-signature']!,
    })
    const { token } = org.users.admin
    const reply = await service.call('GET', `/oauth/authorize?${query}`, { token })
    return reply.status
  }

  test('secrets are in the answer that makes them, and in no other', async () => {
    const made = await create('One')
    assert.match(made.client_secret, /^psk_/)
    assert.match(made.function_key, /^pfk_/)
    const texts = [
      (await call('GET', '')).text,
      (await call('GET', `${made.app_id}/`)).text,
      (await call('PUT', `${made.app_id}/`, { description: 'x' })).text,
      JSON.stringify(
        await rows(service, sql`select * from events where reference_id = ${made.app_id}`),
      ),
    ]
    for (const text of texts) {
      assert.ok(!text.includes(made.client_secret) && !text.includes(made.function_key))
    }
    assert.equal(await opens(made.client_id, made.client_secret), 302)
  })

  test('a rotated secret ends at once; one that is not requested stays', async () => {
    const made = await create('Two')
    const reply = await call('POST', `${made.app_id}/rotate/`, { function_key: false })
    assert.equal(reply.body.function_key, null)
    assert.notEqual(reply.body.client_secret, made.client_secret)
    assert.equal(await opens(made.client_id, made.client_secret), 401)
    assert.equal(await opens(made.client_id, reply.body.client_secret), 302)
    const none = { function_key: false, client_secret: false }
    refusedField(await call('POST', `${made.app_id}/rotate/`, none), ['client_secret'])
  })

  test('bad values name their field, a name is taken once', async () => {
    refusedField(await call('POST', '', { name: 'Three', scopes: ['all'] }), ['scopes.0'])
    const bad = { name: 'Three', redirect_uris: ['javascript:alert(1)'] }
    refusedField(await call('POST', '', bad), ['redirect_uris'])
    const { app_id } = await create('Three')
    const again = await call('POST', '', { name: ' Three ' })
    refused(again, 409)
    assert.equal(again.body.data.app_id, app_id)
    const other = await create('Four')
    refused(await call('PUT', `${other.app_id}/`, { name: 'Three' }), 409)
  })

  test('a scope that is taken away no longer holds in a connection, which ends with the app', async () => {
    const issued = await makeApp(service, org)
    assert.equal((await call('PUT', `${issued.id}/`, { scopes: ['contact.read'] })).status, 200)
    assert.deepEqual((await call('GET', `${issued.id}/`)).body.scopes, ['contact.read'])
    assert.equal((await call('DELETE', `${issued.id}/`)).status, 204)
    refused(await call('GET', `${issued.id}/`), 404)
    assert.equal(await opens(issued.client_id, issued.client_secret), 401)
  })

  test('who may delete their own or their team’s deletes no one else’s', async () => {
    const [theirs, own] = [await create('Five'), await create('Six', 'manager')]
    refused(await call('DELETE', `${theirs.app_id}/`, undefined, 'manager'), 404)
    assert.equal((await call('DELETE', `${own.app_id}/`, undefined, 'manager')).status, 204)
    refused(await call('GET', '', undefined, 'member'), 403)
  })
})

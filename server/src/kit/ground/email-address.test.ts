import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { signed } from '../../../test/support/world.ts'

test('an address that mail programs would decode into another one is none, wherever one is taken', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const headers = signed(await connectApp(service, org))
  const email = '=?utf-8?q?a?=@x.test'
  const contact = { full_name: 'A', primary_email: email }
  refusedField(await service.call('POST', '/api/contact/', { token, body: contact }), [
    'primary_email',
  ])
  refusedField(await service.call('POST', '/automation/contact', { headers, body: contact }), [
    'primary_email',
  ])
  const fields = [{ key: 'private_mail', type: 'email' }]
  const path = '/api/organization/settings/fields/contacts/'
  assert.equal((await service.call('PUT', path, { token, body: fields })).status, 200)
  const body = { full_name: 'A', custom_fields: { private_mail: email } }
  refusedField(await service.call('POST', '/api/contact/', { token, body }), [
    'custom_fields.private_mail',
  ])
  const plain = { full_name: 'A', primary_email: 'a=b?c@x.test' }
  assert.equal((await service.call('POST', '/api/contact/', { token, body: plain })).status, 200)
})

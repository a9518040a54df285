import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('companies', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  test('a company is created, read, changed, listed, deleted and restored', async () => {
    const made = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Acme', domain: 'https://www.acme.test/', tier: 'gold' },
    })
    assert.equal(made.status, 200, made.text)
    assert.equal(made.text, '')
    const id = made.headers.get('x-record-id')!
    assert.equal(made.headers.get('location'), `/api/company/${id}/`)

    const read = await service.call('GET', `/api/company/${id}`, { token })
    assert.equal(read.status, 200, read.text)
    assert.equal(read.body.domain, 'acme.test')
    assert.deepEqual(read.body.custom_fields, { tier: 'gold' })
    assert.equal(read.headers.get('etag'), '"1"')

    const changed = await service.call('PUT', `/api/company/${id}/`, {
      token,
      body: { company_owner: { email: org.users.member.email }, tags: ['a', 'b'] },
    })
    assert.equal(changed.status, 200, changed.text)
    const again = await service.call('GET', `/api/company/${id}/`, { token })
    assert.equal(again.body.company_owner.user_id, org.users.member.user_id)

    const list = await service.call(
      'GET',
      '/api/company/?page=1&items_per_page=10&include_count=true',
      { token },
    )
    assert.equal(list.status, 200, list.text)
    assert.equal(list.body.length, 1)
    assert.equal(list.headers.get('x-total-count'), '1')

    const taken = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Other', domain: 'acme.test' },
    })
    assert.equal(taken.status, 409)
    assert.equal(taken.body.data.company_id, id)

    assert.equal((await service.call('DELETE', `/api/company/${id}/`, { token })).status, 204)
    assert.equal((await service.call('GET', `/api/company/${id}/`, { token })).status, 404)
    const back = await service.call('POST', `/api/company/${id}/restore/`, { token })
    assert.equal(back.status, 200, back.text)
  })
})

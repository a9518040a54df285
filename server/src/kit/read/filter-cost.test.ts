import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Sent, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

const plain = (i: number) => ({ field: 'lead_status', operator: 'eq', value: `status ${i}` })
const within = (i: number) => ({ field: 'job_title', operator: 'contains', value: `title ${i}` })
const hop = (i: number) => ({ field: 'company.industry', operator: 'eq', value: `industry ${i}` })
const custom = (i: number) => ({ field: 'custom_fields.tier', operator: 'eq', value: `tier ${i}` })
const times = (n: number, make: (i: number) => object) =>
  Array.from({ length: n }, (_, i) => make(i))

describe('what a filter may cost', () => {
  let service: TestService
  let org: TestOrganization
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, sent: Sent = {}) =>
    service.call(method, path, { token: org.users.admin.token, ...sent })
  const list = (filter: unknown, more = '') =>
    call(
      'GET',
      `/api/contact/?page=1&items_per_page=5&filter=${encodeURIComponent(JSON.stringify(filter))}${more}`,
    )

  test('the largest filters of people pass', async () => {
    for (const filter of [
      times(50, plain),
      [{ or: times(50, within) }],
      times(20, hop),
      [...times(10, hop), ...times(20, plain), { or: times(15, custom) }],
      [
        {
          field: 'lead_status',
          operator: 'in',
          value: times(500, (i) => ({ i })).map((_, i) => `s${i}`),
        },
      ],
    ]) {
      const reply = await list(filter, '&include_count=true')
      assert.equal(reply.status, 200, reply.text)
    }
  })

  test('one that costs more is 400 and says what costs', async () => {
    const reply = await list([{ or: times(30, hop) }, ...times(4, plain)])
    assert.equal(reply.status, 400)
    assert.equal(reply.body.code, 'filter_too_expensive')
    const message =
      'costs 154 of at most 100: 30 conditions on fields of linked records (150), ' +
      '4 conditions on fields of the record (4); use fewer of the most expensive'
    assert.deepEqual(reply.body.errors, [{ field: 'filter', message }])
  })

  test('a saved filter is checked when it is saved, and adds to the filter of a list', async () => {
    const body = { name: 'Expensive', module: 'contacts', conditions: times(30, hop) }
    const refused = await call('POST', '/api/filters/filter/', { body })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.code, 'filter_too_expensive')
    assert.equal(refused.body.errors[0].field, 'conditions')
    const saved = await call('POST', '/api/filters/filter/', {
      body: { ...body, conditions: times(15, hop) },
    })
    assert.equal(saved.status, 201, saved.text)
    const also = `&filter_id=${saved.body.filter_id}`
    assert.equal((await list(times(5, hop), also)).status, 200)
    assert.equal((await list(times(6, hop), also)).body.code, 'filter_too_expensive')
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
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

  test('a change to the name or domain of another is refused and says whose it is', async () => {
    const [first, second] = [await make({ domain: 'first.test' }), await make({})]
    const body = { domain: 'www.First.test' }
    const refused = await service.call('PUT', `/api/company/${second}/`, { token, body })
    assert.equal(refused.status, 409, refused.text)
    assert.deepEqual(refused.body.data, { company_id: first })
    const missing = await service.call('PUT', `/api/company/missing/`, { token, body })
    assert.equal(missing.status, 404, missing.text)
  })

  test('a number that JSON cannot give back is refused by name', async () => {
    for (const [field, raw] of [
      ['estimated_arr', '{"company_name":"Big","estimated_arr":1e400}'],
      ['custom_fields.size', '{"company_name":"Big","custom_fields":{"size":-1e400}}'],
    ]) {
      const answer = await fetch(`${service.url}/api/company/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: raw,
      })
      const { errors } = (await answer.json()) as { errors: { field: string }[] }
      assert.equal(answer.status, 400)
      assert.equal(errors[0]!.field, field)
    }
  })

  test('switches in a query are read in the words that people and libraries write', async () => {
    const ids = [await make({ category: 'switch' }), await make({ category: 'switch' })]
    const only = JSON.stringify([{ field: 'category', operator: 'eq', value: 'switch' }])
    const sorted = async (reverse: string) => {
      const query = new URLSearchParams({
        page: '1',
        items_per_page: '5',
        sort: 'id',
        filter: only,
      })
      query.set('reverse', reverse)
      const list = await service.call('GET', `/api/company/?${query}`, { token })
      return list.status === 200 ? list.body.map((each: { id: string }) => each.id) : list.status
    }
    for (const yes of ['true', 'True', '1', 'yes'])
      assert.deepEqual(await sorted(yes), ids.toReversed())
    for (const no of ['false', 'False', '0', 'no']) assert.deepEqual(await sorted(no), ids)
    assert.equal(await sorted('perhaps'), 400)
  })

  test('custom fields without a definition can be filtered too', async () => {
    const low = await make({ custom_fields: { plan: 'Free', seats: 3, since: '2020-01-05' } })
    const high = await make({ custom_fields: { plan: 'Pro', seats: 30, vip: true, on: ['a'] } })
    const found = async (field: string, operator: unknown, value?: unknown) => {
      const filter = JSON.stringify([
        { field: 'company_id', operator: 'in', value: [low, high] },
        { field, operator, value },
      ])
      const query = new URLSearchParams({ page: '1', items_per_page: '5', filter })
      const list = await service.call('GET', `/api/company/?${query}`, { token })
      return list.status === 200 ? list.body.map((each: { id: string }) => each.id) : list.status
    }
    assert.deepEqual(await found('custom_fields.plan', 'eq', 'pro'), [high])
    assert.deepEqual(await found('custom_fields.plan', 'starts_with', 'f'), [low])
    assert.deepEqual(await found('custom_fields.seats', 'between', [1, 10]), [low])
    assert.deepEqual(await found('custom_fields.vip', 'neq', true), [low])
    assert.deepEqual(await found('custom_fields.on', 'contains_any', ['A']), [high])
    assert.deepEqual(await found('custom_fields.on', 'is_empty'), [low])
    assert.deepEqual(await found('custom_fields.since', 'last_year'), 400)
    assert.deepEqual(await found('custom_fields.since', 'last_x_days', 36_500), [low])
    assert.deepEqual(await found("custom_fields.it's $1", 'eq', 'x'), [])
    for (const key of ['', 'a\0', 'x'.repeat(101)])
      assert.deepEqual(await found(`custom_fields.${key}`, 'eq', 'x'), 400)
    for (const operator of [{ toString: 1 }, '', 'zork', 'over'])
      assert.deepEqual(await found('custom_fields.plan', operator, 'x'), 400)
  })

  test('a company is never above itself', async () => {
    const top = await make({})
    const middle = await make({ parent_company: top })
    const bottom = await make({ parent_company: middle, domain: 'bottom.test' })
    const put = (id: string, parent_company: unknown) =>
      service.call('PUT', `/api/company/${id}/`, { token, body: { parent_company } })
    for (const parent of [top, middle, bottom, { domain: 'bottom.test' }]) {
      refusedField(await put(top, parent), ['parent_company'])
    }
    const upsert = await service.call('POST', '/api/company/?on_duplicate=update', {
      token,
      body: { company_name: 'Bottom', domain: 'bottom.test', parent_company: bottom },
    })
    refusedField(upsert, ['parent_company'])
    const read = await service.call('GET', `/api/company/${top}/`, { token })
    assert.deepEqual([read.body.parent_company, read.headers.get('etag')], [null, '"1"'])
    assert.equal((await put(bottom, top)).status, 200)
    // two at once, each fine alone
    const [one, two] = [await make({}), await make({})]
    const both = await Promise.all([put(one, two), put(two, one)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  })

  test('blanks around a name are not stored, nor do they make another one', async () => {
    const id = await make({ company_name: '  Blank Ltd\t' })
    const read = await service.call('GET', `/api/company/${id}/`, { token })
    assert.equal(read.body.company_name, 'Blank Ltd')
    for (const body of [{ company_name: ' blank ltd ' }, { name: 'Blank Ltd  ' }]) {
      const taken = await service.call('POST', '/api/company/', { token, body })
      assert.deepEqual([taken.status, taken.body.data], [409, { company_id: id }])
    }
    refusedField(
      await service.call('PUT', `/api/company/${id}/`, { token, body: { name: '  ' } }),
      ['name'],
    )
  })

  let made = 0
  async function make(body: object): Promise<string> {
    const company_name = `Made ${made++}`
    const answer = await service.call('POST', '/api/company/', {
      token,
      body: { company_name, ...body },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.headers.get('x-record-id')!
  }
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('companies and contacts on the integration surface', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  test('a company is created, read alone, updated and found in the list', async () => {
    const made = await app.call('POST', '/automation/company', {
      body: {
        company_name: 'Northwind',
        domain: 'northwind.test',
        tier: 'gold',
        address: { city: 'Oslo' },
      },
    })
    assert.equal(made.status, 201, made.text)
    const id = made.body.data.company_id
    assert.equal(made.body.data.custom_fields.tier, 'gold')

    const read = await app.call('GET', '/automation/company/', { query: { company_id: id } })
    assert.equal(read.status, 200, read.text)
    assert.deepEqual(read.body, made.body.data)

    const changed = await app.call('PUT', `/automation/company/${id}`, {
      body: { address: { country: 'Norway' }, industry: 'Retail' },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.body.data.address, { city: 'Oslo', country: 'Norway' })

    const list = await app.call('GET', '/automation/company', {
      query: {
        filter: JSON.stringify([{ field: 'industry', operator: 'eq', value: 'retail' }]),
        include_count: true,
      },
    })
    assert.equal(list.status, 200, list.text)
    assert.deepEqual(
      list.body.results.map((each: any) => each.company_id),
      [id],
    )
    assert.equal(list.body.count, 1)
    assert.equal(list.body.next_cursor, null)
  })

  test('a body that is no object is an invalid request body', async () => {
    for (const body of ['[]', '"x"', '5', 'null']) {
      const reply = await app.call('POST', '/automation/company', { body })
      assert.equal(reply.status, 400, body)
      assert.equal(reply.body.message, 'Invalid request body: must be an object')
      assert.deepEqual(reply.body.errors, [{ field: 'body', message: 'must be an object' }])
    }
    const cut = await app.call('POST', '/automation/company', { body: '{"company_name":' })
    assert.equal(cut.body.message, 'Invalid request body')
  })

  test('a duplicate is 409 with the id of the existing one, or updates it if requested', async () => {
    const first = await app.call('POST', '/automation/contact', {
      body: { full_name: 'Ada', primary_email: 'Ada@x.test' },
    })
    assert.equal(first.status, 201, first.text)
    const second = await app.call('POST', '/automation/contact', {
      body: { full_name: 'Ada B', primary_email: 'ada@X.test' },
    })
    assert.equal(second.status, 409)
    assert.equal(second.body.status, 'error')
    assert.equal(second.body.data.contact_id, first.body.data.contact_id)
    const upsert = await app.call('POST', '/automation/contact', {
      query: { on_duplicate: 'update' },
      body: { first_name: 'Ada', last_name: 'Byron', primary_email: 'ada@X.test' },
    })
    assert.equal(upsert.status, 200, upsert.text)
    assert.equal(upsert.body.data.full_name, 'Ada Byron')
    const another = await app.call('POST', '/automation/contact', {
      query: { allow_duplicate: true },
      body: { full_name: 'Ada C', primary_email: 'ada@X.test' },
    })
    assert.equal(another.status, 201, another.text)
  })

  test('pages by cursor see every record once while others are inserted', async () => {
    const mine = await connectApp(service, await makeOrganization(service))
    const names = Array.from({ length: 25 }, (_, i) => `Contact ${i}`)
    for (const full_name of names)
      await mine.call('POST', '/automation/contact', { body: { full_name } })
    const seen: string[] = []
    let next_cursor: string | null = null
    do {
      const query: { [name: string]: string } = { limit: '4', sort: '-full_name' }
      if (next_cursor) query.next_cursor = next_cursor
      const page = await mine.call('GET', '/automation/contact', { query })
      assert.equal(page.status, 200, page.text)
      seen.push(...page.body.results.map((each: any) => each.full_name))
      next_cursor = page.body.next_cursor
      await mine.call('POST', '/automation/contact', { body: { full_name: `ZZ ${seen.length}` } })
    } while (next_cursor)
    assert.deepEqual(seen.toSorted(), names.toSorted())
    const other = await mine.call('GET', '/automation/contact', {
      query: { limit: '4', sort: 'full_name' },
    })
    const misused = await mine.call('GET', '/automation/contact', {
      query: { limit: '4', sort: '-full_name', next_cursor: other.body.next_cursor },
    })
    assert.equal(misused.status, 400)
  })

  test('options and field configuration are modes of the same read, and the id goes first', async () => {
    const options = await app.call('GET', '/automation/company', { query: { options: 'options' } })
    assert.equal(options.status, 200, options.text)
    assert.deepEqual(Object.keys(options.body), [
      'types',
      'segments',
      'industries',
      'revenue_ranges',
      'employee_ranges',
    ])
    const config = await app.call('GET', '/automation/contact', { query: { field_config: 'true' } })
    assert.equal(config.status, 200, config.text)
    assert.equal(config.body.module, 'contact')
    assert.ok(
      config.body.fields.some(
        (field: any) => field.key === 'lead_source' && field.options.length > 3,
      ),
    )
    const unknown = await app.call('GET', '/automation/company', {
      query: { company_id: 'nobody', options: 'options' },
    })
    assert.equal(unknown.status, 404)
    const neither = await app.call('GET', '/automation/company', { query: { options: 'perhaps' } })
    assert.equal(neither.status, 400)
  })

  test('a field configuration merges by key and its fields are then checked', async () => {
    const org2 = await makeOrganization(service)
    const mine = await connectApp(service, org2)
    const put = (fields: unknown) =>
      mine.call('PUT', '/automation/company/field-config', { body: { fields } })
    const made = await put([
      {
        key: 'tier',
        label: 'Tier',
        type: 'select',
        options: ['gold', { value: 'silver', label: 'Silver' }],
      },
      { key: 'code', label: 'Code', type: 'text', unique: true },
      { key: 'industry', options: [{ value: 'space', label: 'Space' }] },
    ])
    assert.equal(made.status, 200, made.text)
    assert.equal(made.body.data.module, 'company')
    const nameless = await put([{ label: 'Nameless' }])
    assert.equal(nameless.body.message, 'fields.0.key: is required')
    const company = (body: object) => mine.call('POST', '/automation/company', { body })
    const wrong = await company({ company_name: 'A', tier: 'bronze' })
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.errors[0].field, 'custom_fields.tier')
    const right = await company({
      company_name: 'A',
      tier: 'silver',
      custom_fields: { code: 'X1' },
    })
    assert.equal(right.status, 201, right.text)
    assert.equal((await company({ company_name: 'B', code: 'x1' })).status, 409)

    // a deleted record frees what it held, and cannot come back once another holds it
    const token = org2.users.admin.token
    const path = `/api/company/${right.body.data.company_id}/`
    assert.equal((await service.call('DELETE', path, { token })).status, 204)
    assert.equal((await company({ company_name: 'B', code: 'x1' })).status, 201)
    assert.equal((await service.call('POST', `${path}restore/`, { token })).status, 409)

    const more = await put([
      { key: 'tier', options: [{ value: 'gold', label: 'Golden' }, { value: 'bronze' }] },
    ])
    const tier = more.body.data.fields.find((field: any) => field.key === 'tier')
    assert.deepEqual(
      tier.options.map((option: any) => [option.value, option.label]),
      [
        ['gold', 'Golden'],
        ['silver', 'Silver'],
        ['bronze', 'Bronze'],
      ],
    )
    assert.equal((await put([{ key: 'tier', type: 'number' }])).status, 409)
    assert.equal((await put([{ key: 'industry', type: 'number' }])).status, 409)
    assert.equal((await put([{ key: 'contacts_count', type: 'number' }])).status, 400)
    const archived = await put([{ key: 'tier', is_archived: true }])
    assert.equal(archived.status, 200)
    assert.equal((await company({ company_name: 'C', tier: 'gold' })).status, 400)
    const options = await mine.call('GET', '/automation/company', { query: { options: 'true' } })
    assert.ok(options.body.industries.some((option: any) => option.value === 'space'))
    const filtered = await mine.call('GET', '/automation/company', {
      query: {
        filter: JSON.stringify([{ field: 'custom_fields.code', operator: 'eq', value: 'x1' }]),
      },
    })
    assert.equal(filtered.body.results.length, 1, filtered.text)
  })

  test('a built-in field can be required and have a default', async () => {
    const mine = await connectApp(service, await makeOrganization(service))
    const put = (field: object) =>
      mine.call('PUT', '/automation/company/field-config', { body: { fields: [field] } })
    const make = (body: object) => mine.call('POST', '/automation/company', { body })
    const bare = await make({ company_name: 'Bare' })
    assert.equal((await put({ key: 'category', required: true })).status, 200)
    const refused = await make({ company_name: 'A' })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.errors[0].field, 'category')
    const made = await make({ company_name: 'A', category: 'hotel' })
    assert.equal(made.status, 201, made.text)
    for (const category of [null, '']) {
      const path = `/automation/company/${made.body.data.company_id}`
      const emptied = await mine.call('PUT', path, { body: { category } })
      assert.equal(emptied.status, 400, emptied.text)
      assert.equal(emptied.body.errors[0].field, 'category')
    }
    // what lacked it before may be sent back as it was read
    const path = `/automation/company/${bare.body.data.company_id}`
    assert.equal((await mine.call('PUT', path, { body: bare.body.data })).status, 200)

    assert.equal((await put({ key: 'category', default: 5 })).status, 400)
    assert.equal(
      (await put({ key: 'company_owner', default: org.users.admin.user_id })).status,
      400,
    )
    assert.equal((await put({ key: 'category', default: 'shop' })).status, 200)
    const filled = await make({ company_name: 'B' })
    assert.equal(filled.body.data.category, 'shop', filled.text)

    const code = { key: 'code', type: 'text', required: true, default: 'x' }
    assert.equal((await put(code)).status, 200)
    assert.equal((await make({ company_name: 'C', code: '' })).status, 400)
    assert.equal((await put({ key: 'stock', type: 'text', default: 'none' })).status, 200)
    assert.equal((await put({ key: 'stock', type: 'number' })).status, 400)
    assert.equal((await put({ key: 'stock', type: 'number', default: 0 })).status, 200)
  })

  test('a custom field of type user holds users of the organization only', async () => {
    const home = await makeOrganization(service)
    const mine = await connectApp(service, home)
    const put = (field: object) =>
      mine.call('PUT', '/automation/company/field-config', { body: { fields: [field] } })
    assert.equal((await put({ key: 'buddy', label: 'Buddy', type: 'user' })).status, 200)
    for (const buddy of ['nobody', org.users.member.user_id]) {
      const refused = await mine.call('POST', '/automation/company', {
        body: { company_name: 'A', buddy },
      })
      assert.equal(refused.status, 400, refused.text)
      assert.equal(refused.body.errors[0].field, 'custom_fields.buddy')
      assert.equal((await put({ key: 'buddy', default: buddy })).status, 400)
    }
    const buddy = home.users.member.user_id
    const made = await mine.call('POST', '/automation/company', {
      body: { company_name: 'A', buddy },
    })
    assert.equal(made.body.data.custom_fields.buddy, buddy, made.text)

    // who has left may stay on the records that name them
    const left = await service.call('DELETE', `/api/users/profile/${buddy}/`, {
      token: home.users.admin.token,
    })
    assert.equal(left.status, 204, left.text)
    const path = `/automation/company/${made.body.data.company_id}`
    const same = await mine.call('PUT', path, { body: { description: 'again', buddy } })
    assert.equal(same.status, 200, same.text)
    const other = await mine.call('POST', '/automation/company', {
      body: { company_name: 'B', buddy },
    })
    assert.equal(other.status, 400, other.text)
  })

  test('a read scope does not write', async () => {
    const reader = await connectApp(service, org, { scopes: ['company.read'] })
    assert.equal((await reader.call('GET', '/automation/company')).status, 200)
    const refused = await reader.call('POST', '/automation/company', {
      body: { company_name: 'No' },
    })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.status, 'error')
    assert.equal((await reader.call('GET', '/automation/contact')).status, 403)
  })
})

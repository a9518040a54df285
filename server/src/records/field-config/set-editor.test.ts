import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { signed } from '../../../test/support/world.ts'

describe('option sets', () => {
  let service: TestService
  let org: TestOrganization
  let token: string
  let headers: { [name: string]: string }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
    headers = signed(await connectApp(service, org))
  })

  test('are listed with the field that they are for, of one module or of all', async () => {
    const companies = await service.call('GET', '/api/option-sets/?module=companies', { token })
    assert.equal(companies.status, 200, companies.text)
    assert.deepEqual(
      companies.body.map((each: any) => [each.module, each.set, each.field]),
      [
        ['companies', 'types', 'company_type'],
        ['companies', 'segments', 'customer_segment'],
        ['companies', 'industries', 'industry'],
        ['companies', 'revenue_ranges', 'revenue_range'],
        ['companies', 'employee_ranges', 'employee_range'],
      ],
    )
    const [first] = companies.body[0].options
    assert.deepEqual(first, {
      value: 'prospect',
      label: 'Prospect',
      color: null,
      icon: null,
      position: 0,
      is_default: true,
      is_archived: false,
    })
    const all = await service.call('GET', '/api/option-sets/', { token })
    const modules = new Set(all.body.map((each: any) => each.module))
    assert.ok(modules.has('companies') && modules.has('contacts'))
    const byNumber = await service.call('GET', '/api/option-sets/?module=4', { token })
    assert.deepEqual(byNumber.body, companies.body)
    refusedField(await service.call('GET', '/api/option-sets/?module=nope', { token }), ['module'])
  })

  test('of internal fields are for nobody who is not shown those', async () => {
    const names = async (kind: 'customer' | 'partner' | 'observer') => {
      const reply = await service.call('GET', '/api/option-sets/', { token: org.users[kind].token })
      assert.equal(reply.status, 200, reply.text)
      return reply.body.map(({ set }: { set: string }) => set)
    }
    const internal = ['lost_reasons', 'buying_roles', 'lead_statuses', 'lead_sources']
    const seen = await names('observer')
    for (const set of internal) assert.ok(seen.includes(set), set)
    for (const kind of ['customer', 'partner'] as const) {
      const shown = await names(kind)
      assert.deepEqual(
        shown.filter((set: string) => internal.includes(set)),
        [],
        kind,
      )
      assert.ok(shown.includes('priorities'), kind)
    }
  })

  test('an edit merges by value, orders by position, and is read everywhere at once', async () => {
    const edited = await put('companies/types', [
      { value: 'partner', label: 'Ally', color: '#00ff00', icon: 'ti-heart' },
      { value: 'reseller', label: 'Reseller', position: 0, is_default: true },
      'Broker',
      { value: 'vendor', is_archived: true },
    ])
    assert.equal(edited.status, 200, edited.text)
    const labels = edited.body.options.map((each: any) => each.label)
    assert.deepEqual(labels.slice(0, 2).sort(), ['Prospect', 'Reseller'])
    assert.equal(labels.at(-1), 'Broker')
    const found = (value: string) => edited.body.options.find((each: any) => each.value === value)
    assert.deepEqual(
      [found('partner').label, found('partner').color, found('partner').position],
      ['Ally', '#00ff00', 2],
    )
    assert.deepEqual([found('prospect').is_default, found('reseller').is_default], [false, true])
    assert.equal(found('vendor').is_archived, true)
    assert.ok(found('broker'))

    const options = await service.call('GET', '/automation/company?options=options', { headers })
    const offered = options.body.types.map((each: any) => each.value)
    assert.ok(offered.includes('reseller') && !offered.includes('vendor'))
    const config = await service.call('GET', '/automation/company?field_config=true', { headers })
    const field = config.body.fields.find((each: any) => each.key === 'company_type')
    assert.deepEqual(field.options, options.body.types)
  })

  test('field configuration edits the same data, and restores an archived option', async () => {
    await put('contacts/languages', [{ value: 'hindi', is_archived: true }])
    const body = { fields: [{ key: 'language', options: [{ value: 'hindi', label: 'Hindī' }] }] }
    const config = await service.call('PUT', '/automation/contact/field-config', { headers, body })
    assert.equal(config.status, 200, config.text)
    const sets = await service.call('GET', '/api/option-sets/?module=contacts', { token })
    const { options } = sets.body.find((each: any) => each.set === 'languages')
    const hindi = options.find((each: any) => each.value === 'hindi')
    assert.deepEqual([hindi.label, hindi.is_archived], ['Hindī', false])
  })

  test('an option is deleted for good, and records keep the value', async () => {
    const made = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Keeper', industry: 'energy' },
    })
    const id = made.headers.get('x-record-id')!
    const path = '/api/option-sets/companies/industries/energy/'
    assert.equal((await service.call('DELETE', path, { token })).status, 204)
    refused(await service.call('DELETE', path, { token }), 404)
    const options = await service.call('GET', '/automation/company?options=1', { headers })
    assert.ok(!options.body.industries.some((each: any) => each.value === 'energy'))
    assert.equal(
      (await service.call('GET', `/api/company/${id}/`, { token })).body.industry,
      'energy',
    )
  })

  test('a set without options is still a set', async () => {
    const empty = await makeOrganization(service)
    const as = { token: empty.users.admin.token }
    const [before] = (await service.call('GET', '/api/option-sets/?module=companies', as)).body
    for (const { value } of before.options) {
      await service.call(
        'DELETE',
        `/api/option-sets/companies/types/${encodeURIComponent(value)}/`,
        as,
      )
    }
    const [after] = (await service.call('GET', '/api/option-sets/?module=companies', as)).body
    assert.deepEqual([after.set, after.options], ['types', []])
    const body = { options: ['First'] }
    const again = await service.call('PUT', '/api/option-sets/companies/types/', { ...as, body })
    assert.deepEqual([again.body.options[0].value, again.body.options[0].position], ['first', 0])
  })

  test('what changed is logged with its difference', async () => {
    await put('companies/segments', [{ value: 'startup', label: 'Young' }])
    const [entry] = await rows(
      service,
      sql`select * from events where organization_id = ${org.id} order by id desc limit 1`,
    )
    assert.equal(entry.title, 'Options of segments changed')
    const [{ field, from, to }] = entry.changes
    assert.deepEqual([field, from.label, to.label], ['segments.startup', 'Startup', 'Young'])
  })

  test('wrong options are named, and nothing is changed', async () => {
    const before = await service.call('GET', '/api/option-sets/?module=companies', { token })
    for (const wrong of [
      [{}],
      [{ value: 'a' }, { value: 'a' }],
      [
        { value: 'a', is_default: true },
        { value: 'b', is_default: true },
      ],
      [{ value: 'a', label: 5 }],
      [{ value: 'a', position: -1 }],
      [{ value: ' ' }],
      [5],
    ]) {
      refusedField(await put('companies/types', wrong), ['options'], JSON.stringify(wrong))
    }
    const many = Array.from({ length: 500 }, (_, i) => `option ${i}`)
    refusedField(await put('companies/types', many), ['options'])
    const after = await service.call('GET', '/api/option-sets/?module=companies', { token })
    assert.deepEqual(after.body, before.body)
  })

  test('the right to the module decides', async () => {
    const { observer } = org.users
    const list = await service.call('GET', '/api/option-sets/?module=companies', {
      token: observer.token,
    })
    assert.equal(list.status, 200, list.text)
    const body = { options: [{ value: 'prospect', label: 'Mine' }] }
    const path = '/api/option-sets/companies/types/'
    refused(await service.call('PUT', path, { token: observer.token, body }), 403)
    refused(await service.call('DELETE', `${path}prospect/`, { token: observer.token }), 403)
    // they are everybody's: what a member may do to the team's companies is not enough
    const { member } = org.users
    refused(await service.call('PUT', path, { token: member.token, body }), 403)
    refused(await service.call('DELETE', `${path}prospect/`, { token: member.token }), 403)
    const role = await service.call('POST', '/api/users/role/', {
      token,
      body: { role_name: 'contacts only', permission: { contacts: { read: true } } },
    })
    await service.call('PUT', `/api/users/profile/${org.users.member.user_id}/`, {
      token,
      body: { role_id: role.body.role_id },
    })
    const as = { token: org.users.member.token }
    refused(await service.call('GET', '/api/option-sets/?module=companies', as), 403)
    const all = await service.call('GET', '/api/option-sets/', as)
    assert.deepEqual([...new Set(all.body.map((each: any) => each.module))], ['contacts'])
  })

  function put(set: string, options: unknown[]) {
    return service.call('PUT', `/api/option-sets/${set}/`, { token, body: { options } })
  }
})

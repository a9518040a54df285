import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { listPaths } from '../../surfaces/application/modules.ts'
import { recordsByModule } from '../../model/by-module.ts'

type Described = { name: string; [key: string]: any }

describe('modules', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const get = (path: string, as: keyof TestOrganization['users'] = 'admin') =>
    service.call('GET', path, { token: org.users[as].token })
  const fieldsOf = async (module: string) => {
    const reply = await get(`/api/modules/${module}/`)
    assert.equal(reply.status, 200, reply.text)
    const fields = reply.body.fields as Described[]
    return new Map(fields.map((field) => [field.name, field]))
  }

  test('are those that the caller may read, with its rights', async () => {
    const { body } = await get('/api/modules/')
    assert.deepEqual(
      body.map(({ module }: { module: string }) => module),
      Object.keys(recordsByModule),
    )
    const contacts = body.find(({ module }: { module: string }) => module === 'contacts')
    assert.deepEqual(contacts.can, { create: 'all', read: 'all', update: 'all', delete: 'all' })
    assert.deepEqual(contacts.word, { one: 'contact', many: 'contacts' })
    assert.equal(contacts.title_field, 'full_name')
    for (const kind of ['customer', 'observer', 'member'] as const) {
      const mine = (await get('/api/modules/', kind)).body
      for (const { module, can } of mine) assert.notEqual(can.read, 'none', `${kind} ${module}`)
      const hidden = Object.keys(recordsByModule).filter(
        (module) => !mine.some((each: { module: string }) => each.module === module),
      )
      for (const module of hidden) {
        assert.equal((await get(`/api/modules/${module}/`, kind)).status, 404)
      }
    }
  })

  test('are in the language of their reader, but for what the organization has named', async () => {
    const { token, user_id } = org.users.manager
    const put = (path: string, body: object, as: 'admin' | 'manager' = 'manager') =>
      service.call('PUT', path, { token: org.users[as].token, body })
    const profile = `/api/users/profile/${user_id}/`
    assert.equal((await put(profile, { language: 'de' })).status, 200)
    const named = { fields: [{ key: 'estimate_minutes', label: 'Effort' }] }
    const saved = await put('/api/organization/settings/fields/tasks/', named, 'admin')
    assert.equal(saved.status, 200, saved.text)
    const { body } = await service.call('GET', '/api/modules/tasks/', { token })
    const fields = body.fields as Described[]
    const labelOf = (name: string) => fields.find((field) => field.name === name)?.label as string
    assert.deepEqual(body.word, { one: 'Aufgabe', many: 'Aufgaben' })
    assert.equal(labelOf('due_date'), 'Fällig am')
    assert.equal(labelOf('estimate_minutes'), 'Effort')
    assert.equal((await fieldsOf('tasks')).get('due_date')?.label, 'Due date')
    await put('/api/organization/settings/fields/tasks/', { fields: [] }, 'admin')
    await put(profile, { language: null })
  })

  test('give every field one place on a page, the declared ones in their order', async () => {
    for (const [module, { page, fields: declared }] of Object.entries(recordsByModule)) {
      const all = [...(await fieldsOf(module)).values()]
      const at = (place: string) =>
        all
          .filter((field) => field.place === place)
          .sort((one, other) => one.place_position - other.place_position)
          .map(({ name }) => name)
      assert.deepEqual(at('strip'), page.strip, module)
      assert.deepEqual(at('rail').slice(0, page.rail.length), page.rail, module)
      assert.ok(page.strip.length <= 6 && at('rail').length <= 8, module)
      const system = new Set(at('system'))
      for (const name of [...page.strip, ...page.rail]) {
        const { is_shown } = all.find((field) => field.name === name)!
        assert.ok(is_shown && !declared[name]!.isSystem, `${module}.${name}`)
      }
      for (const name of [
        'creation_time',
        'last_update_time',
        'created_by',
        recordsByModule[module]!.key,
      ]) {
        if (declared[name]?.isSystem || name === recordsByModule[module]!.key) {
          assert.ok(system.has(name), `${module}.${name}`)
        }
      }
    }
  })

  test('have custom fields in the rail while there is room, and then with all fields', async () => {
    const { token } = (await makeOrganization(service)).users.admin
    const keys = ['one', 'two', 'three']
    const fields = keys.map((key) => ({ key, label: key, type: 'text' }))
    const path = '/api/organization/settings/fields/companies/'
    assert.equal((await service.call('PUT', path, { token, body: { fields } })).status, 200)
    const { body } = await service.call('GET', '/api/modules/companies/', { token })
    const placeOf = (key: string) =>
      (body.fields as Described[]).find(({ name }) => name === `custom_fields.${key}`)?.place
    assert.deepEqual(keys.map(placeOf), ['rail', 'rail', 'more'])
  })

  test('have lists at the paths that they name, whose records have the key and every field', async () => {
    for (const [module, path] of Object.entries(listPaths)) {
      assert.ok(recordsByModule[module], `${module} has no list of its own`)
      const list = service.routes.find((route) => route.method === 'GET' && route.path === path)
      assert.ok(list, `${path} is no list`)
      const listed = (list.operation.output as any).items
      // a list of what can be restored adds to the record when it was deleted
      const items = (listed.allOf?.[0] ?? listed).properties
      const { body } = await get(`/api/modules/${module}/`)
      assert.equal(body.path, path)
      assert.ok(items[body.key], `${module}: ${body.key}`)
      assert.ok(items[body.title_field], `${module}: ${body.title_field}`)
      for (const { name } of body.fields) assert.ok(items[name], `${module}: ${name}`)
    }
  })

  test('say of a field how it is edited, sorted, filtered and linked', async () => {
    const contacts = await fieldsOf('contacts')
    const name = contacts.get('full_name')!
    assert.deepEqual(
      [name.type, name.is_required, name.is_writable, name.is_sortable, name.label],
      ['text', true, true, true, 'Full name'],
    )
    assert.ok(name.operators.includes('contains'))
    const status = contacts.get('lead_status')!
    assert.equal(status.type, 'select')
    assert.ok(status.options.some(({ value }: { value: string }) => value === 'qualified'))
    assert.equal(contacts.get('primary_email')!.type, 'email')
    assert.equal(contacts.get('contact_owner')!.type, 'user')
    const company = contacts.get('company')!
    assert.equal(company.type, 'reference')
    assert.deepEqual(company.reference, {
      module: 'companies',
      key: (await get('/api/modules/companies/')).body.key,
      title_field: 'company_name',
      path: '/api/company/',
    })
    assert.equal(contacts.get('creation_time')!.is_writable, false)
    assert.deepEqual(
      ['full_name', 'lead_score', 'buying_role'].map((field) => contacts.get(field)!.is_internal),
      [false, true, true],
    )
    const tasks = await fieldsOf('tasks')
    assert.deepEqual(
      ['status', 'is_completed', 'owner', 'creation_time'].map(
        (name) => tasks.get(name)!.is_writable,
      ),
      [true, true, true, false],
    )
    const deals = await fieldsOf('deals')
    assert.deepEqual(
      ['expected_deal_value', 'contract_duration'].map((name) => deals.get(name)!.type),
      ['currency', 'number'],
    )
    assert.equal(deals.get('expected_deal_value')!.is_summable, true)
    assert.deepEqual(
      ['stage_id', 'status', 'project_owner', 'tags', 'forecasted_date', 'time_spent', 'rank'].map(
        (name) => deals.get(name)!.look,
      ),
      ['status', 'status', 'owner', 'tags', 'due', 'duration', null],
    )
    const shown = [
      'expected_deal_value',
      'rank',
      'formatted_deal_value',
      'project_team',
      'pipeline',
    ]
    assert.deepEqual(
      shown.filter((name) => deals.get(name)?.is_shown),
      ['expected_deal_value', 'project_team'],
    )
    const keys = tasks.get('status')!.options.map(({ value }: { value: string }) => value)
    assert.ok(keys.includes('in_progress'))
  })

  test('name fields as people do, and list what may be chosen', async () => {
    const labels = async (module: string, ...names: string[]) => {
      const fields = await fieldsOf(module)
      return names.map((name) => fields.get(name)!.label)
    }
    assert.deepEqual(await labels('companies', 'hq_location', 'linkedin_url', 'is_draft'), [
      'HQ location',
      'LinkedIn URL',
      'Draft',
    ])
    assert.deepEqual(
      await labels('contacts', 'whatsapp_number', 'primary_email', 'creation_time'),
      ['WhatsApp number', 'Email', 'Created'],
    )
    assert.deepEqual(await labels('deals', 'stage_id', 'account_id'), ['Stage', 'Account'])
    const chosen: { [module: string]: string[] } = {
      tasks: ['status', 'priority'],
      projects: ['status', 'billing_model', 'billing_frequency', 'currency_unit'],
      deals: ['pipeline_id', 'stage_id', 'billing_model', 'billing_frequency', 'currency_unit'],
    }
    for (const [module, names] of Object.entries(chosen)) {
      const fields = await fieldsOf(module)
      for (const name of names) {
        const { options, type } = fields.get(name)!
        assert.ok(options.length > 0, `${module}.${name} has no options`)
        assert.equal(type, 'select', `${module}.${name}`)
      }
    }
  })

  test('show the organization’s own fields and words, and another version after a change', async () => {
    const app = await connectApp(service, org)
    const before = await get('/api/modules/companies/')
    const body = {
      fields: [
        { key: 'fleet', label: 'Fleet size', type: 'number' },
        { key: 'seats', label: 'Seats', type: 'number', is_shared: true },
        { key: 'company_name', label: 'Firm' },
        {
          key: 'plan',
          label: 'Plan',
          type: 'select',
          options: [{ value: 'gold', label: 'Gold', color: '#ffcc00' }],
        },
      ],
    }
    const changed = await app.call('PUT', '/automation/company/field-config', { body })
    assert.equal(changed.status, 200, changed.text)
    const after = await get('/api/modules/companies/')
    assert.notEqual(after.body.version, before.body.version)
    assert.equal(after.headers.get('etag'), `"${after.body.version}"`)
    const companies = await fieldsOf('companies')
    assert.equal(companies.get('company_name')!.label, 'Firm')
    const fleet = companies.get('custom_fields.fleet')!
    assert.deepEqual(
      [fleet.label, fleet.type, fleet.is_custom, fleet.is_summable, fleet.is_filterable],
      ['Fleet size', 'number', true, true, true],
    )
    assert.equal(fleet.is_internal, true)
    assert.equal(companies.get('custom_fields.seats')!.is_internal, false)
    assert.deepEqual(companies.get('custom_fields.plan')!.options, [
      { value: 'gold', label: 'Gold', color: '#ffcc00', icon: null },
    ])
  })

  test('have their fields where whoever may update all of them puts these, for everybody, until it is taken back', async () => {
    const path = '/api/modules/tags/layout/'
    const put = (body: object, as: keyof TestOrganization['users'] = 'admin', at = path) =>
      service.call('PUT', at, { token: org.users[as].token, body })
    const none = { strip: null, rail: null, hidden: null }
    const before = (await get('/api/modules/tags/')).body
    assert.equal(before.layout, null)
    const names = (described: { fields: Described[] }, place: string) =>
      described.fields
        .filter((field) => field.place === place)
        .toSorted((one, other) => one.place_position - other.place_position)
        .map(({ name }) => name)
    const free = names(before, 'more')
    const [declared] = names(before, 'rail')
    assert.ok(free[0] && declared)
    const placed = await put({ strip: [free[0]], rail: null, hidden: [declared] })
    assert.equal(placed.status, 200, placed.text)
    const after = (await get('/api/modules/tags/', 'member')).body
    assert.deepEqual(names(after, 'strip'), [free[0]])
    assert.deepEqual(
      names(after, 'rail'),
      names(before, 'rail').filter((name) => name !== declared),
    )
    assert.ok(names(after, 'more').includes(declared))
    assert.deepEqual(after.layout, { strip: [free[0]], rail: null, hidden: [declared] })
    // what was declared in the head goes to the rail where it is named there alone
    const moved = await put({
      strip: null,
      rail: [...names(before, 'strip'), declared],
      hidden: null,
    })
    assert.deepEqual(
      [names(moved.body, 'strip'), names(moved.body, 'rail')],
      [[], [...names(before, 'strip'), declared]],
    )
    const [system] = names(before, 'system')
    for (const [body, field] of [
      [{ ...none, strip: ['nothing'] }, 'strip.0'],
      [{ ...none, rail: [declared, system] }, 'rail.1'],
      [{ ...none, rail: [declared], hidden: [declared] }, 'hidden.0'],
    ] as const) {
      const refused = await put(body)
      assert.deepEqual([refused.status, refused.body.errors[0].field], [400, field], refused.text)
    }
    assert.equal((await put({ ...none, strip: Array(7).fill(declared) })).status, 400)
    assert.equal((await put(none, 'observer')).status, 403)
    assert.equal((await put(none, 'admin', '/api/modules/nothing/layout/')).status, 404)
    const other = await makeOrganization(service)
    const foreign = await service.call('GET', '/api/modules/tags/', {
      token: other.users.admin.token,
    })
    assert.equal(foreign.body.layout, null)
    const back = await put(none)
    assert.deepEqual([back.body.layout, back.body.fields], [null, before.fields])
  })

  test('are not sent again to who has them', async () => {
    const { headers, body } = await get('/api/modules/contacts/')
    const ask = (etag: string) =>
      service.call('GET', '/api/modules/contacts/', {
        token: org.users.admin.token,
        headers: { 'if-none-match': etag },
      })
    for (const known of [headers.get('etag')!, `W/"${body.version}", "other"`]) {
      const reply = await ask(known)
      assert.deepEqual([reply.status, reply.text], [304, ''])
      assert.equal(reply.headers.get('etag'), `"${body.version}"`)
    }
    assert.equal((await ask('"other"')).status, 200)
  })

  test('are found by word or number, and nothing else', async () => {
    const { body } = await get('/api/modules/contacts/')
    assert.equal((await get(`/api/modules/${body.module_id}/`)).body.module, 'contacts')
    assert.equal((await get('/api/modules/Contacts/')).status, 404)
    assert.equal((await get('/api/modules/constructor/')).status, 404)
    assert.equal((await get('/api/modules/nothing/')).status, 404)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Group = {
  value: string | boolean | null
  label: string | null
  color: string | null
  count: number
  sums: { field: string; currency_unit: string | null; value: number }[]
  records: { [field: string]: unknown }[]
}

describe('lists in groups', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function make(path: string, body: object): Promise<string> {
    return (await ask('POST', path, body)).headers.get('x-record-id')!
  }

  const groups = async (path: string, query: object, as = token) => {
    const search = new URLSearchParams(query as { [name: string]: string })
    const { body } = await ask('GET', `${path}groups/?${search}`, undefined, as)
    return body as { groups: Group[]; total: number }
  }

  const wrong = async (path: string, query: object, field: string, as = token) => {
    const search = new URLSearchParams(query as { [name: string]: string })
    refusedField(await service.call('GET', `${path}groups/?${search}`, { token: as }), [field])
  }

  const counts = ({ groups: each }: { groups: Group[] }) =>
    Object.fromEntries(each.map(({ label, count }) => [String(label), count]))

  const deals = '/api/project/info/'

  test('of deals by stage come in the order of the stages, with sums in each currency', async () => {
    const pipeline = (await ask('GET', '/api/pipelines/')).body[0]
    const [first, second] = pipeline.stages as { stage_id: string; stage_name: string }[]
    const account = { account_name: 'Abroad', currency_unit: 'EUR' }
    const { account_id } = (await ask('POST', '/api/account/info/', account)).body
    const deal = (
      project_name: string,
      stage_id: string,
      expected_deal_value: number | null,
      more: object = {},
    ) => make(deals, { project_name, project_type: 'deal', stage_id, expected_deal_value, ...more })
    await deal('B', second!.stage_id, 5)
    await deal('Abroad', first!.stage_id, 70, { account_id })
    await deal('A', first!.stage_id, 100.5)
    await deal('Nothing yet', first!.stage_id, null)
    const query = {
      project_type: 'deal',
      by: 'stage_id',
      sum: 'expected_deal_value,contract_duration',
      items: '2',
      sort: 'project_name',
      fields: 'project_name,version,can',
    }
    const found = await groups(deals, query)
    assert.equal(found.total, 4)
    assert.deepEqual(
      found.groups.map(({ value, label, count }) => [value, label, count]),
      [
        [first!.stage_id, first!.stage_name, 3],
        [second!.stage_id, second!.stage_name, 1],
      ],
    )
    const [one] = found.groups
    assert.deepEqual(one!.sums, [
      { field: 'expected_deal_value', currency_unit: 'EUR', value: 70 },
      { field: 'expected_deal_value', currency_unit: 'USD', value: 100.5 },
    ])
    assert.deepEqual(
      one!.records.map(({ project_name }) => project_name),
      ['A', 'Abroad'],
    )
    const [record] = one!.records
    assert.deepEqual(record!.can, { update: true, delete: true, restore: true })
    assert.deepEqual(Object.keys(record!).sort(), ['can', 'project_id', 'project_name', 'version'])

    const filtered = await groups(deals, {
      ...query,
      filter: JSON.stringify([{ field: 'expected_deal_value', operator: 'gt', value: 6 }]),
    })
    assert.equal(filtered.total, 2)
    assert.equal((await groups(deals, { ...query, q: 'Abroad' })).total, 1)
    assert.equal((await groups(deals, { by: 'stage_id', project_type: 'project' })).total, 0)
  })

  test('by links, statuses, choices, booleans and people have their words', async () => {
    const company = await make('/api/company/', { company_name: 'Northwind' })
    const contact = (full_name: string, more: object) =>
      make('/api/contact/', { full_name, ...more })
    await contact('Ann', { company_id: company, company, lead_status: 'qualified' })
    await contact('Ben', { company, contact_owner: org.users.member.user_id })
    await contact('Cy', {})
    const byCompany = await groups('/api/contact/', { by: 'company', items: '1' })
    const northwind = byCompany.groups.find(({ label }) => label === 'Northwind')
    assert.equal(northwind!.value, company)
    assert.equal(northwind!.count, 2)
    assert.equal(northwind!.records.length, 1)
    assert.equal(byCompany.groups.at(-1)!.value, null)
    assert.equal(counts(await groups('/api/contact/', { by: 'lead_status' })).Qualified, 1)
    const byOwner = await groups('/api/contact/', { by: 'contact_owner' })
    assert.ok(byOwner.groups.some(({ value }) => value === org.users.member.user_id))
    const byDraft = await groups('/api/contact/', { by: 'is_draft' })
    assert.deepEqual(
      byDraft.groups.map(({ value }) => value),
      [false],
    )
    await ask('POST', '/api/tasks/', { title: 'One', priority: 'high' })
    await ask('POST', '/api/tasks/', { title: 'Two', status: 'in_progress' })
    const byStatus = await groups('/api/tasks/', { by: 'status' })
    assert.deepEqual(
      byStatus.groups.map(({ value }) => value),
      ['not_started', 'in_progress'],
    )
    assert.ok(byStatus.groups.every(({ color }) => String(color).startsWith('#')))
    const byPriority = await groups('/api/tasks/', { by: 'priority' })
    assert.deepEqual(
      byPriority.groups.map(({ value, label, count }) => [value, label, count]),
      [
        ['high', 'High', 1],
        [null, null, 1],
      ],
    )
  })

  test('by and over the organization’s own fields', async () => {
    const fields = [
      {
        key: 'plan',
        label: 'Plan',
        type: 'select',
        options: [
          { value: 'z', label: 'First', color: '#00ff00' },
          { value: 'a', label: 'Second' },
        ],
      },
      { key: 'seats', label: 'Seats', type: 'number' },
    ]
    await ask('PUT', '/api/organization/settings/fields/companies/', { fields })
    for (const [plan, seats] of [
      ['a', 3],
      ['z', 4],
      ['a', 5],
    ]) {
      await make('/api/company/', {
        company_name: `Own ${plan} ${seats}`,
        custom_fields: { plan, seats },
      })
    }
    const found = await groups('/api/company/', {
      by: 'custom_fields.plan',
      sum: 'custom_fields.seats',
      q: 'Own',
    })
    assert.deepEqual(
      found.groups.map(({ value, label, color, sums }) => [value, label, color, sums[0]?.value]),
      [
        ['z', 'First', '#00ff00', 4],
        ['a', 'Second', null, 8],
      ],
    )
  })

  test('show what the caller’s list shows, and know no internal field for a customer', async () => {
    const member = org.users.member.token
    const list = await ask('GET', '/api/company/?page=1&items_per_page=500', undefined, member)
    const grouped = await groups('/api/company/', { by: 'is_draft' }, member)
    assert.equal(grouped.total, list.body.length)
    await wrong(deals, { by: 'stage_id' }, 'by', org.users.customer.token)
    await wrong(deals, { by: 'status', sum: 'revenue' }, 'sum', org.users.customer.token)
    assert.equal(
      (await groups(deals, { by: 'status' }, org.users.customer.token)).total,
      (await ask('GET', `${deals}?page=1&items_per_page=9`, undefined, org.users.customer.token))
        .body.length,
    )
  })

  test('refuse what they do not know', async () => {
    await wrong('/api/company/', {}, 'by')
    await wrong('/api/company/', { by: 'description' }, 'by')
    await wrong('/api/company/', { by: 'custom_fields.nothing' }, 'by')
    await wrong('/api/company/', { by: 'constructor' }, 'by')
    await wrong('/api/company/', { by: 'industry', sum: 'company_name' }, 'sum')
    await wrong('/api/company/', { by: 'industry', items: '51' }, 'items')
    await wrong('/api/company/', { by: 'industry', order: 'size' }, 'order')
    await wrong('/api/company/', { by: 'industry', page: '2' }, 'page')
    await wrong('/api/company/', { by: 'industry', sort: 'nothing' }, 'sort')
  })

  test('have texts together that conditions hold for equal, by the usual spelling', async () => {
    const { token: own } = (await makeOrganization(service)).users.admin
    const path = '/api/account/info/'
    const regions = ['East', 'east', 'EAST', 'east', 'Süd', 'SÜD', '']
    for (const [at, region] of regions.entries())
      await ask('POST', path, { account_name: `Account ${at}`, region }, own)
    const found = await groups(path, { by: 'region', items: '9' }, own)
    assert.deepEqual(
      found.groups.map(({ value, count, records }) => [value, count, records.length]),
      [
        ['east', 4, 4],
        ['SÜD', 2, 2],
        [null, 1, 1],
      ],
    )
    const filter = encodeURIComponent('[{"field": "region", "operator": "eq", "value": "east"}]')
    const { body } = await ask('GET', `${path}?filter=${filter}`, undefined, own)
    assert.equal(body.length, 4)
  })

  test('are at most a hundred, the largest, and count the others too', async () => {
    const many = await makeOrganization(service)
    const own = many.users.admin.token
    for (let at = 0; at < 130; at += 26) {
      const numbers = Array.from({ length: 26 }, (_, i) => at + i)
      await Promise.all(
        numbers.map((n) => {
          const body = { company_name: `Many ${n}`, industry: `industry ${n % 120}` }
          return ask('POST', '/api/company/', body, own)
        }),
      )
    }
    const found = await groups('/api/company/', { by: 'industry', items: '50' }, own)
    assert.equal(found.groups.length, 100)
    assert.equal(found.total, 130)
    assert.equal(found.groups[0]!.count, 2)
    assert.equal(found.groups[0]!.records.length, 2)
  })
})

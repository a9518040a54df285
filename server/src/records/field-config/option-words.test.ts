import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { signed } from '../../../test/support/world.ts'
import { recordsByModule } from '../../model/by-module.ts'
import { optionSets } from '../../model/organizations/option-sets.ts'

describe('options by their labels', () => {
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

  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply
  }
  const create = async (path: string, body: object) => idOf(await call('POST', path, body))
  const read = async (path: string, id: string) => (await call('GET', `${path}${id}/`)).body
  let n = 0

  const places: [module: string, path: string, name: string][] = [
    ['companies', '/api/company/', 'company_name'],
    ['contacts', '/api/contact/', 'full_name'],
    ['deals', '/api/project/info/', 'project_name'],
  ]
  for (const [module, path, name] of places) {
    test(`are stored by value in every such field of ${module}`, async () => {
      const record = recordsByModule[module]
      assert.ok(record)
      const type = module === 'deals' ? { project_type: 'deal' } : {}
      const chosen = Object.entries(record.fields).flatMap(([field, declared]) => {
        const set = declared.optionSet
        if (!set || set.isOpen || declared.access === 'readOnly') return []
        const label = optionSets[set.module]?.[set.name]?.find((each) => /[A-Z]/.test(each))
        return label && field !== 'currency_unit' ? [{ field, label }] : []
      })
      assert.ok(chosen.length >= 2, 'fields with sets')
      for (const word of [
        (label: string) => label,
        (label: string) => ` ${label.toUpperCase()} `,
      ]) {
        const body = Object.fromEntries(chosen.map(({ field, label }) => [field, word(label)]))
        const made = await create(path, { ...type, [name]: `Made ${++n}`, ...body })
        const empty = await create(path, { ...type, [name]: `Made ${++n}` })
        await call('PUT', `${path}${empty}/`, body)
        for (const id of [made, empty]) {
          const row = await read(path, id)
          for (const { field, label } of chosen) {
            assert.equal(row[field], valueOf(label), `${field} by ${word(label)}`)
          }
        }
      }
    })
  }

  test('in bodies of the integration surface, and in an upsert', async () => {
    const body = { company_name: 'Upserted', industry: 'financial services' }
    const made = await service.call('POST', '/automation/company', { headers, body })
    assert.equal(made.status, 201, made.text)
    const id = made.body.data.company_id
    assert.equal((await read('/api/company/', id)).industry, 'financial_services')
    const again = await service.call('POST', '/automation/company?on_duplicate=update', {
      headers,
      body: { ...body, industry: 'Non-profit' },
    })
    assert.equal(again.status, 200, again.text)
    assert.equal((await read('/api/company/', id)).industry, 'non_profit')
  })

  test('a word that no option has stays as it is', async () => {
    const id = await create('/api/company/', { company_name: 'Odd', industry: 'Space Mining' })
    assert.equal((await read('/api/company/', id)).industry, 'Space Mining')
  })

  test('renamed and archived options go by their present label', async () => {
    const set = '/api/option-sets/companies/industries/'
    const options = [
      { value: 'media', label: 'Press & Film' },
      { value: 'logistics', is_archived: true },
    ]
    await call('PUT', set, { options })
    const id = await create('/api/company/', { company_name: 'Paper', industry: 'press & film' })
    assert.equal((await read('/api/company/', id)).industry, 'media')
    const old = await create('/api/company/', { company_name: 'Trucks', industry: 'Logistics' })
    assert.equal((await read('/api/company/', old)).industry, 'logistics')
  })

  test('the reason for which a deal was lost', async () => {
    const { body: pipelines } = await call('GET', '/api/pipelines/')
    const lost = pipelines[0].stages.find((stage: any) => stage.category === 'lost')
    const path = '/api/project/info/'
    const id = await create(path, { project_name: 'Gone', project_type: 'deal' })
    await call('PUT', `${path}${id}/`, { stage_id: lost.stage_id, lost_reason: 'No budget' })
    assert.equal((await read(path, id)).lost_reason, 'no_budget')
    await call('PUT', `${path}${id}/`, { lost_reason: 'missing feature' })
    assert.equal((await read(path, id)).lost_reason, 'missing_feature')
  })

  test('in conditions, one hop away too', async () => {
    const company = { company_name: 'Bank', industry: 'financial_services' }
    const id = await create('/api/company/', company)
    await create('/api/contact/', { full_name: 'Teller', company_id: id, buying_role: 'champion' })
    const found = async (path: string, condition: object, key: string) => {
      const filter = encodeURIComponent(JSON.stringify([condition]))
      const { body } = await call('GET', `${path}?filter=${filter}&page=1&items_per_page=50`)
      return body.map((row: any) => row[key])
    }
    const by = (operator: string, value: unknown, field = 'industry') => ({
      field,
      operator,
      value,
    })
    for (const value of ['Financial services', 'financial services', 'FINANCIAL_SERVICES']) {
      assert.ok((await found('/api/company/', by('eq', value), 'company_name')).includes('Bank'))
      const not = await found('/api/company/', by('neq', value), 'company_name')
      assert.ok(!not.includes('Bank') && not.includes('Odd'))
      const many = await found('/api/company/', by('in', [value, 'Media']), 'company_name')
      assert.ok(many.includes('Bank') && many.includes('Paper'))
      const over = by('eq', value, 'company.industry')
      assert.deepEqual(await found('/api/contact/', over, 'full_name'), ['Teller'])
    }
  })

  test('of custom fields, in bodies, defaults and conditions', async () => {
    const options = [
      { value: 'a', label: 'First Class' },
      { value: 'b', label: 'Second Class' },
    ]
    const fields = [
      { key: 'tier', type: 'select', options, default: 'second class' },
      { key: 'tiers', type: 'multi_select', options },
    ]
    const config = await service.call('PUT', '/automation/company/field-config', {
      headers,
      body: { fields },
    })
    assert.equal(config.status, 200, config.text)
    const id = await create('/api/company/', {
      company_name: 'Classes',
      custom_fields: { tiers: ['second class', 'a'] },
    })
    assert.deepEqual((await read('/api/company/', id)).custom_fields, {
      tier: 'b',
      tiers: ['b', 'a'],
    })
    await call('PUT', `/api/company/${id}/`, { tier: 'First Class' })
    assert.equal((await read('/api/company/', id)).custom_fields.tier, 'a')
    const body = { custom_fields: { tier: 'Third' } }
    refusedField(await service.call('PUT', `/api/company/${id}/`, { token, body }), [
      'custom_fields.tier',
    ])
    const conditions = [
      { field: 'custom_fields.tier', operator: 'eq', value: 'First class' },
      { field: 'custom_fields.tiers', operator: 'contains', value: 'Second class' },
      { field: 'custom_fields.tiers', operator: 'contains_any', value: ['second CLASS'] },
    ]
    for (const condition of conditions) {
      const filter = encodeURIComponent(JSON.stringify([condition]))
      const { body: list } = await call(
        'GET',
        `/api/company/?filter=${filter}&page=1&items_per_page=9`,
      )
      assert.deepEqual(
        list.map((row: any) => row.company_id),
        [id],
        JSON.stringify(condition),
      )
    }
  })

  /** As a fresh organization stores a label; written out here to be independent of it. */
  function valueOf(label: string): string {
    return label.toLowerCase().replaceAll(/[ -]+/g, '_')
  }
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Field = { [member: string]: any }

describe('the catalogue of fields', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  async function fieldsOf(path: string, query: { [name: string]: string } = {}) {
    const all = { field_config: 'true', ...query }
    const reply = await app.call('GET', `/automation/${path}`, { query: all })
    assert.equal(reply.status, 200, reply.text)
    return new Map<string, Field>(reply.body.fields.map((each: Field) => [each.key, each]))
  }

  test('says of each field what a form needs', async () => {
    const lists: [path: string, query?: { [name: string]: string }][] = [
      ['company'],
      ['contact'],
      ['project'],
      ['project', { project_type: 'deal' }],
      ['task'],
    ]
    for (const [path, query] of lists) {
      const fields = await fieldsOf(path, query)
      assert.ok(fields.size > 10, path)
      for (const { key, label, description, example, is_writable } of fields.values()) {
        assert.ok(description, `${path}: ${key} has no description`)
        assert.doesNotMatch(label, /_|\b(Url|Icp|Arr|Hq)\b/, key)
        assert.equal(is_writable, true, key)
        assert.ok(example !== undefined, key)
      }
    }
  })

  test('has types for lists, addresses and links', async () => {
    const company = await fieldsOf('company')
    const labels = ['linkedin_url', 'icp_fit', 'estimated_arr'].map(
      (key) => company.get(key)!.label,
    )
    assert.deepEqual(labels, ['LinkedIn URL', 'ICP fit', 'Estimated ARR'])
    const typed = (key: string) => [company.get(key)!.type, company.get(key)!.references]
    assert.deepEqual(typed('address'), ['address', null])
    assert.deepEqual(typed('operating_regions'), ['list', null])
    assert.deepEqual(typed('parent_company'), ['reference', 'companies'])
    assert.deepEqual(typed('company_owner'), ['user', null])
    const contact = await fieldsOf('contact')
    assert.equal(contact.get('company')!.references, 'companies')
    const deal = await fieldsOf('project', { project_type: 'deal' })
    for (const key of ['pipeline_id', 'stage_id', 'org_temp_id'])
      assert.equal(deal.get(key)!.type, 'reference', key)
    assert.equal((await fieldsOf('task')).get('project_id')!.references, 'projects')
  })

  test('has examples that a write accepts', async () => {
    const company = await fieldsOf('company')
    const contact = await fieldsOf('contact')
    const exampleOf = (fields: Map<string, Field>, key: string) => fields.get(key)!.example
    assert.equal(exampleOf(company, 'parent_company'), 'northwind.example')
    assert.equal(exampleOf(company, 'company_owner'), 'ada@northwind.example')
    const isLink = ({ type }: Field) => type === 'user' || type === 'reference'
    const write = async (path: string, name: object, fields: Map<string, Field>) => {
      const plain = [...fields.values()].filter((field) => !isLink(field))
      const values = Object.fromEntries(plain.map(({ key, example }) => [key, example]))
      const reply = await app.call('POST', `/automation/${path}`, { body: { ...values, ...name } })
      assert.equal(reply.status, 201, reply.text)
      return reply.body.data
    }
    await write('company', { company_name: 'Of examples' }, company)
    await write('contact', { full_name: 'Of Examples' }, contact)
    const projects = await fieldsOf('project')
    projects.delete('holidays_id')
    const { status, project_id } = await write('project', { project_name: 'Examples' }, projects)
    assert.equal(status.status_key, 'in_progress')
    const tasks = await fieldsOf('task')
    tasks.delete('users')
    const task = await write('task', { title: 'Examples', project_id }, tasks)
    assert.equal(task.status.status_key, 'in_progress')
  })

  test('changes nothing when it is sent back', async () => {
    const { body } = await app.call('GET', '/automation/company', { query: { field_config: 1 } })
    const back = await app.call('PUT', '/automation/company/field-config', { body })
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(back.body.data, body)
    const own = await app.call('PUT', '/automation/company/field-config', {
      body: { fields: [{ key: 'sizes', type: 'list' }] },
    })
    refusedField(own, ['fields.0.type'])
  })

  test('shows an own field with what the organization says of it', async () => {
    const field = { key: 'tier', type: 'select', options: ['gold'], description: 'the contract' }
    await app.call('PUT', '/automation/contact/field-config', { body: { fields: [field] } })
    const { description, example, type, is_built_in } = (await fieldsOf('contact')).get('tier')!
    assert.deepEqual(
      [description, example, type, is_built_in],
      ['the contract', 'gold', 'select', false],
    )
  })

  test('needs the scope of what it describes', async () => {
    const deals = await connectApp(service, org, { scopes: ['deal.read'] })
    const get = (project_type: string) =>
      deals.call('GET', '/automation/project', { query: { project_type, field_config: 'true' } })
    assert.equal((await get('deal')).status, 200)
    refused(await get('project'), 403)
  })
})

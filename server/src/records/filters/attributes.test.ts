import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Attribute = {
  module: string
  field: string
  options: { value: unknown; label: string }[]
}

describe('options of filter attributes', () => {
  let service: TestService
  let org: TestOrganization
  let token: string
  let all: Attribute[]

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
    all = (await service.call('GET', '/api/filters/filter/attributes/', { token })).body
  })

  const valuesOf = (module: string, field: string) => {
    const found = all.find((each) => each.module === module && each.field === field)
    assert.ok(found, `${module} ${field}`)
    return found.options.map(({ value }) => value)
  }

  const expected: [module: string, field: string, ...some: unknown[]][] = [
    ['companies', 'industry', 'financial_services'],
    ['contacts', 'company.industry', 'financial_services'],
    ['contacts', 'do_not_contact', 'yes', 'no'],
    ['accounts', 'segment', 'enterprise'],
    ['accounts', 'vertical', 'finance'],
    ['accounts', 'currency_unit', 'EUR'],
    ['projects', 'status', 'in_progress'],
    ['projects', 'status.status_key', 'in_progress'],
    ['projects', 'status.status_name', 'In progress'],
    ['projects', 'status.category', 'in_progress', 'completed'],
    ['projects', 'account_id.segment', 'enterprise'],
    ['deals', 'status.category', 'in_progress'],
    ['deals', 'stage_category', 'open', 'won', 'lost'],
    ['deals', 'current_pipe_stage.category', 'open', 'won', 'lost'],
    ['deals', 'lost_reason', 'no_budget'],
    ['deals', 'billing_model', 'fixed_price'],
    ['deals', 'billing_frequency', 'monthly'],
    ['deals', 'currency_unit', 'EUR'],
    ['deals', 'project_type', 'deal'],
    ['tasks', 'status.status_name', 'In progress'],
    ['tasks', 'priority', 'high'],
    ['tasks', 'item_type', 1, 4],
    ['tasks', 'recurrence_status', 'active'],
    ['surveys', 'status', 'draft', 'published', 'closed'],
    ['surveys', 'item_type', 'survey', 'form'],
    ['tags', 'tag_type', 1, 12],
    ['users', 'role', 'admin', 'customer'],
    ['documents', 'document_status', 'draft'],
    ['documents', 'signature_status', 'none', 'signed'],
    ['templates', 'template_type', 'project'],
  ]
  for (const [module, field, ...some] of expected) {
    test(`are listed for ${field} of ${module}`, () => {
      const values = valuesOf(module, field)
      for (const value of some) assert.ok(values.includes(value), `${value} in ${values}`)
    })
  }

  test('are listed for stages, pipelines and roles, by id or name as conditions take them', async () => {
    for (const field of [
      'stage_id',
      'pipeline_id',
      'stage_name',
      'current_pipe_stage.stage_name',
    ]) {
      assert.ok(valuesOf('deals', field).length, field)
    }
    assert.deepEqual(valuesOf('users', 'role_id').toSorted(), Object.values(org.roles).toSorted())
  })

  test('are all accepted by a condition of their field', async () => {
    const lists: { [module: string]: string } = {
      companies: '/api/company/?page=1&items_per_page=1&',
      contacts: '/api/contact/?page=1&items_per_page=1&',
      accounts: '/api/account/info/?',
      projects: '/api/project/info/?page=1&items_per_page=1&',
      deals: '/api/project/info/?project_type=deal&page=1&items_per_page=1&',
      tasks: '/api/tasks/?',
      surveys: '/api/surveys/?',
      users: '/api/users/profile/?page=1&items_per_page=1&',
      tags: '/api/tags/info/?',
    }
    for (const { module, field, options } of all) {
      const path = lists[module]
      const value = options.at(-1)?.value
      if (!path || value === undefined || field.includes('.')) continue
      const list = (all.find((each) => each.module === module && each.field === field) as any).type
      const operator = list === 'list' ? 'contains' : 'eq'
      const filter = encodeURIComponent(JSON.stringify([{ field, operator, value }]))
      const reply = await service.call('GET', `${path}filter=${filter}`, { token })
      assert.equal(reply.status, 200, `${module} ${field} ${value}: ${reply.text}`)
    }
  })

  test('an unknown word of a closed set is 400 with the nearest one', async () => {
    const cases: [path: string, field: string, value: string, near: RegExp][] = [
      ['/api/surveys/', 'status', 'publishd', /published/],
      ['/api/documents/', 'document_status', 'drft', /draft/],
      ['/api/tasks/', 'status', 'in_progres', /in_progress/],
      ['/api/project/info/', 'status', 'complet', /completed/],
      ['/api/project/info/', 'status.category', 'compleeted', /completed/],
      ['/api/project/info/', 'stage_category', 'wonn', /won/],
    ]
    for (const [path, field, value, near] of cases) {
      for (const condition of [
        { field, operator: 'eq', value },
        { field, operator: 'in', value: [value] },
      ]) {
        const filter = encodeURIComponent(JSON.stringify([condition]))
        const reply = await service.call(
          'GET',
          `${path}?page=1&items_per_page=1&filter=${filter}`,
          { token },
        )
        refusedField(reply, ['filter'])
        assert.match(reply.body.message, near)
      }
    }
  })

  test('statuses are named by key, name or id', async () => {
    const { body } = await service.call('POST', '/api/tasks/', {
      token,
      body: { title: 'Half done', status: 'in_progress' },
    })
    for (const value of ['in_progress', 'In Progress', 'IN_PROGRESS', body.status.id]) {
      const filter = encodeURIComponent(
        JSON.stringify([{ field: 'status', operator: 'eq', value }]),
      )
      const list = await service.call('GET', `/api/tasks/?filter=${filter}`, { token })
      assert.equal(list.status, 200, list.text)
      assert.deepEqual(
        list.body.map((task: { title: string }) => task.title),
        ['Half done'],
        value,
      )
    }
  })
})

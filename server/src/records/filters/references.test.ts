import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { fresh } from '../../../test/support/world.ts'

describe('conditions name records as bodies do', () => {
  let service: TestService
  let org: TestOrganization
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users.admin.token, body })
  const make = async (path: string, body: object) => idOf(await call('POST', path, body))
  const ask = (path: string, conditions: unknown) => {
    const filter = encodeURIComponent(JSON.stringify(conditions))
    return call('GET', `${path}?page=1&items_per_page=100&filter=${filter}`)
  }
  async function ids(path: string, key: string, conditions: unknown): Promise<string[]> {
    const { status, body, text } = await ask(path, conditions)
    assert.equal(status, 200, text)
    return body.map((each: { [name: string]: string }) => each[key]).toSorted()
  }
  const deals = (field: string, operator: string, value: unknown) =>
    ids('/api/project/info/', 'project_id', [{ field, operator, value }])

  test('stages, pipelines and owners of deals', async () => {
    const { member } = org.users
    const account_name = fresh('Account')
    const account_id = await make('/api/account/info/', { account_name })
    const deal = (body: object) =>
      make('/api/project/info/', { project_name: fresh(), project_type: 'deal', ...body })
    const first = await deal({ project_owner: member.user_id, account_id })
    const second = await deal({ stage_id: 'proposal' })
    const won = await deal({ stage_id: 'closed_won' })
    const all = [first, second, won].toSorted()
    for (const word of ['proposal', 'Proposal', 'PROPOSAL'])
      assert.deepEqual(await deals('stage_id', 'eq', word), [second])
    assert.deepEqual(
      await deals('stage_id', 'in', ['closed_won', 'Proposal']),
      [second, won].toSorted(),
    )
    assert.deepEqual(await deals('stage_id', 'neq', 'proposal'), [first, won].toSorted())
    assert.deepEqual(await deals('pipeline_id', 'eq', 'sales'), all)
    assert.deepEqual(await deals('stage_name', 'contains', 'qualif'), [first])
    assert.deepEqual(await deals('stage_category', 'eq', 'won'), [won])
    assert.deepEqual(
      await deals('current_pipe_stage.category', 'eq', 'open'),
      [first, second].toSorted(),
    )
    for (const word of [member.user_id, member.email, member.email.toUpperCase()])
      assert.deepEqual(await deals('project_owner', 'eq', word), [first], word)
    assert.deepEqual(await deals('owner', 'eq', member.email), [first])
    assert.deepEqual(await deals('account_id', 'eq', account_name), [first])

    // a stage of the same name in another pipeline is meant too
    const pipeline = await make('/api/pipelines/', {
      pipeline_name: 'Renewals',
      stages: [
        { stage_key: 'proposal', stage_name: 'Proposal', category: 'open' },
        { stage_key: 'renewed', stage_name: 'Renewed', category: 'won' },
      ],
    })
    const renewal = await deal({ pipeline_id: pipeline, stage_id: 'proposal' })
    assert.deepEqual(await deals('stage_id', 'eq', 'proposal'), [second, renewal].toSorted())
    assert.deepEqual(await deals('stage_id', 'neq', 'proposal'), [first, won].toSorted())
    const both = [
      { field: 'stage_id', operator: 'eq', value: 'proposal' },
      { or: [{ field: 'pipeline_id', operator: 'eq', value: 'Renewals' }] },
    ]
    assert.deepEqual(await ids('/api/project/info/', 'project_id', both), [renewal])
  })

  test('companies of contacts and accounts', async () => {
    const domain = `${fresh('co')}.test`
    const company_name = fresh('Company')
    const company_id = await make('/api/company/', {
      company_name,
      domain,
      company_owner: org.users.manager.user_id,
    })
    const contact = await make('/api/contact/', { full_name: fresh(), company_id })
    for (const value of [company_id, domain, company_name, company_name.toUpperCase()]) {
      const condition = [{ field: 'company', operator: 'eq', value }]
      assert.deepEqual(await ids('/api/contact/', 'contact_id', condition), [contact], value)
    }
    const { email } = org.users.manager
    const hop = [{ field: 'company.company_owner', operator: 'eq', value: email }]
    assert.deepEqual(await ids('/api/contact/', 'contact_id', hop), [contact])
    const of = [{ field: 'company_owner', operator: 'eq', value: email }]
    assert.deepEqual(await ids('/api/company/', 'company_id', of), [company_id])
  })

  test('and what names nothing is 400', async () => {
    const wrong: [path: string, field: string, value: unknown][] = [
      ['/api/project/info/', 'stage_id', 'nowhere'],
      ['/api/project/info/', 'pipeline_id', 'nothing'],
      ['/api/project/info/', 'project_owner', 'nobody@x.test'],
      ['/api/project/info/', 'account_id', 'No Account'],
      ['/api/contact/', 'company', 'no-company.test'],
      ['/api/company/', 'company_owner', 'Nobody'],
    ]
    for (const [path, field, value] of wrong) {
      for (const [operator, sent] of [
        ['eq', value],
        ['not_in', [value]],
      ]) {
        const reply = await ask(path, [{ not: { field, operator, value: sent } }])
        assert.equal(reply.status, 400, `${field} ${reply.text}`)
        assert.equal(reply.body.errors[0].field, 'filter')
        assert.match(reply.body.message, new RegExp(`${field}: nothing is named`))
      }
    }
    const category = await ask('/api/project/info/', [
      { field: 'stage_category', operator: 'eq', value: 'closed' },
    ])
    assert.match(category.body.message, /one of open, won, lost/)
  })

  test('attributes list the options of stages, pipelines, statuses and categories', async () => {
    const { body } = await call('GET', '/api/filters/filter/attributes/?module=deals')
    const options = (name: string) =>
      body
        .find(({ field }: { field: string }) => field === name)
        .options.map(({ label }: { label: string }) => label)
    assert.ok(options('stage_id').includes('Sales: Closed won'))
    assert.ok(options('pipeline_id').includes('Sales'))
    assert.equal(options('stage_category').length, 3)
    assert.ok(options('status').length > 2)
  })
})

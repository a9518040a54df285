import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

describe('exports for apps', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  const make = async (path: string, body: object) =>
    idOf(await service.call('POST', path, { token: org.users.admin.token, body }))
  const lines = async (module: string, query: { [name: string]: string } = {}, by = app) => {
    const reply = await by.call('GET', `/automation/exports/${module}`, { query })
    assert.equal(reply.status, 200, reply.text)
    return reply.text.trim().split('\r\n')
  }

  test('a list is one file, with what the list takes', async () => {
    for (const industry of ['Retail', 'Retail', 'Space'])
      await make('/api/company/', { company_name: `${industry} ${Math.random()}`, industry })
    const filter = JSON.stringify([{ field: 'industry', operator: 'eq', value: 'retail' }])
    const reply = await app.call('GET', '/automation/exports/companies', { query: { filter } })
    assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/)
    const [header = '', ...rows] = await lines('companies', { filter, fields: 'company_name' })
    assert.equal(header, 'company_name')
    assert.equal(rows.length, 2)
    const workbook = await app.call('GET', '/automation/exports/companies', {
      query: { format: 'xlsx' },
    })
    assert.equal(workbook.status, 200)
    assert.match(workbook.headers.get('content-type') ?? '', /spreadsheetml/)
    const wrong = await app.call('GET', '/automation/exports/companies', {
      query: { fields: 'nothing' },
    })
    assert.equal(wrong.body.errors[0].field, 'fields', wrong.text)
  })

  test('every kind is exported by the scopes of its list, tasks of the kinds that are open', async () => {
    const account_id = await make('/api/account/info/', { account_name: 'Closed account' })
    const project_id = await make('/api/project/info/', { project_name: 'Open', account_id })
    const deal = await make('/api/project/info/', { project_name: 'D', project_type: 'deal' })
    await make('/api/tasks/', { project_id, title: 'Of the project' })
    await make('/api/tasks/', { project_id: deal, title: 'Of the deal' })
    const some = await connectApp(service, org, { scopes: ['project.read'] })
    const tasks = (await lines('tasks', {}, some)).join()
    assert.match(tasks, /Of the project/)
    assert.doesNotMatch(tasks, /Of the deal/)
    const projects = (await lines('projects', {}, some)).join()
    assert.match(projects, /Open/)
    assert.doesNotMatch(projects, /Closed account/)
    for (const module of ['companies', 'contacts', 'accounts', 'deals', 'meetings']) {
      const refused = await some.call('GET', `/automation/exports/${module}`)
      assert.equal(refused.body.code, 'missing_scope', `${module} ${refused.text}`)
      assert.ok((await lines(module)).length > 0)
    }
  })

  test('and by the rights of its user', async () => {
    const member = await connectApp(service, org, { as: 'member' })
    await make('/api/project/info/', { project_name: 'Private plan', is_private: true })
    assert.doesNotMatch((await lines('projects', {}, member)).join(), /Private plan/)
    assert.match((await lines('projects')).join(), /Private plan/)
    const elsewhere = await connectApp(service, await makeOrganization(service))
    assert.equal((await lines('projects', {}, elsewhere)).length, 1)
  })

  test('the answers to a survey are one file', async () => {
    const survey = await make('/api/surveys/', { name: 'Asked', form_structure: [] })
    const path = `/automation/survey/${survey}/response/export`
    const reply = await app.call('GET', path)
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.text, /^response_id,/)
    const some = await connectApp(service, org, { scopes: ['project.read'] })
    assert.equal((await some.call('GET', path)).status, 403)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { may } from '../../kit/record/scope.ts'
import { loadActor } from '../../records/users/actor.ts'
import { roleKinds } from '../../model/users/roles/permissions.ts'
import { callTool, clientWith, connectMcp } from '../../../test/support/mcp.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { tools } from './routes.ts'
import { toolsOf } from './tool.ts'

type Ids = { [name: string]: string }
type Arguments = (ids: Ids) => { [name: string]: unknown }

const hour = { start: '2040-03-01T09:00:00.000Z', end: '2040-03-01T10:00:00.000Z' }

/** A valid call of every tool, on records that an admin made; a tool without one fails. */
const calls: { [tool: string]: Arguments } = {
  whoami: () => ({}),
  search: () => ({ q: 'matrix' }),
  find_records: () => ({ module: 'companies' }),
  get_record: ({ company_id }) => ({ module: 'companies', id: company_id }),
  count_records: () => ({ module: 'companies' }),
  get_timeline: ({ company_id }) => ({ module: 'companies', id: company_id }),
  create_company: () => ({ company_name: `Matrix ${Math.random()}` }),
  update_company: ({ company_id }) => ({ company_id, industry: 'Logistics' }),
  create_contact: () => ({ full_name: 'Matrix Person' }),
  update_contact: ({ contact_id }) => ({ contact_id, job_title: 'Chief' }),
  create_account: () => ({ account_name: 'Matrix account' }),
  update_account: ({ account_id }) => ({ account_id, region: 'North' }),
  create_deal: () => ({ project_name: 'Matrix deal' }),
  update_deal: ({ deal_id }) => ({ project_id: deal_id, description: 'Changed' }),
  convert_deal: ({ deal_id }) => ({ deal_id }),
  create_project: () => ({ project_name: 'Matrix project' }),
  update_project: ({ project_id }) => ({ project_id, description: 'Changed' }),
  create_task: ({ project_id }) => ({ project_id, title: 'Matrix task' }),
  update_task: ({ task_id }) => ({ task_id, description: 'Changed' }),
  list_due_tasks: () => ({ due: 'overdue', owner: 'any' }),
  create_meeting: () => ({ title: 'Matrix meeting', ...hour }),
  update_meeting: ({ calendar_id }) => ({ calendar_id, location: 'Room 1' }),
  create_document: () => ({ document_name: 'Matrix offer', editor_html_content: '<p>Dear</p>' }),
  update_document: ({ attach_id }) => ({ attach_id, description: 'Changed' }),
  log_note: ({ company_id }) => ({ module: 'companies', record_id: company_id, content: 'Seen' }),
  survey_results: ({ survey_id }) => ({ survey_id }),
  list_answers: ({ survey_id }) => ({ survey_id }),
  read_figures: () => ({ widget_type: 'tasks_by_status' }),
  get_fields: () => ({ module: 'companies' }),
}

/** The same by the application surface, which is what a role may do. */
const byApplication: { [tool: string]: (ids: Ids) => [string, string, object?] } = {
  create_company: () => ['POST', '/api/company/', { company_name: `Other ${Math.random()}` }],
  update_company: ({ company_id }) => [
    'PUT',
    `/api/company/${company_id}/`,
    { industry: 'Retail' },
  ],
  create_contact: () => ['POST', '/api/contact/', { full_name: 'Other Person' }],
  update_contact: ({ contact_id }) => ['PUT', `/api/contact/${contact_id}/`, { job_title: 'Head' }],
  create_account: () => ['POST', '/api/account/info/', { account_name: 'Other account' }],
  update_account: ({ account_id }) => ['PUT', `/api/account/info/${account_id}/`, { region: 'E' }],
  create_meeting: () => ['POST', '/api/calendar/info/', { title: 'Other', ...hour }],
  update_meeting: ({ calendar_id }) => [
    'PUT',
    `/api/calendar/info/${calendar_id}/`,
    { location: 'Room 2' },
  ],
  create_document: () => ['POST', '/api/documents/', { document_name: 'Other' }],
  update_document: ({ attach_id }) => ['PUT', `/api/documents/${attach_id}/`, { description: 'x' }],
  create_deal: () => ['POST', '/api/project/info/', { project_name: 'D', project_type: 'deal' }],
  update_deal: ({ deal_id }) => ['PUT', `/api/project/info/${deal_id}/`, { description: 'x' }],
  create_project: () => ['POST', '/api/project/info/', { project_name: 'P' }],
  update_project: ({ project_id }) => [
    'PUT',
    `/api/project/info/${project_id}/`,
    { description: 'x' },
  ],
  create_task: ({ project_id }) => ['POST', '/api/tasks/', { project_id, title: 'T' }],
  update_task: ({ task_id }) => ['PUT', `/api/tasks/${task_id}/`, { description: 'x' }],
  log_note: ({ company_id }) => [
    'POST',
    '/api/interactions/info/',
    { module_name: 'companies', reference_id: company_id, content: 'Seen too' },
  ],
  survey_results: ({ survey_id }) => ['GET', `/api/surveys/${survey_id}/insights/`],
}

describe('rights over the tools', () => {
  let service: TestService
  let org: TestOrganization
  let other: TestOrganization
  let ids: Ids

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    other = await makeOrganization(service)
    ids = await recordsOf(org)
  })

  async function recordsOf({ users }: TestOrganization): Promise<Ids> {
    const { token } = users.admin
    const post = async (path: string, body: object) =>
      idOf(await service.call('POST', path, { token, body }))
    const company_id = await post('/api/company/', { company_name: 'Matrix Ltd' })
    const contact_id = await post('/api/contact/', { full_name: 'Matrix Ada' })
    const project_id = await post('/api/project/info/', { project_name: 'Matrix project' })
    const deal_id = await post('/api/project/info/', {
      project_name: 'Matrix deal',
      project_type: 'deal',
    })
    const task_id = await post('/api/tasks/', { project_id, title: 'Matrix task' })
    const survey_id = await post('/api/surveys/', { name: 'Matrix survey', form_structure: [] })
    const account_id = await post('/api/account/info/', { account_name: 'Matrix account' })
    const calendar_id = await post('/api/calendar/info/', { title: 'Matrix meeting', ...hour })
    const attach_id = await post('/api/documents/', { document_name: 'Matrix offer' })
    const others = { account_id, calendar_id, attach_id }
    return { company_id, contact_id, project_id, deal_id, task_id, survey_id, ...others }
  }

  test('every tool has a call', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.keys(calls),
    )
  })

  for (const role of roleKinds) {
    test(`${role}: tools are listed by the role, and refuse what the application refuses`, async () => {
      const { user_id, token } = org.users[role]
      const { access_token } = await connectMcp(service, org, { as: role })
      const client = await clientWith(service, access_token)
      const listed = (await client.listTools()).tools.map(({ name }) => name)
      const reads = service.runtime.database.reads(org.id)
      const loaded = await loadActor(reads, org.id, user_id)
      assert.ok(loaded)
      const expected = tools.filter((named) =>
        toolsOf(named).some(({ operation }) => may(loaded.actor, operation.can)),
      )
      assert.deepEqual(
        listed,
        expected.map(({ name }) => name),
      )
      for (const { name } of tools) {
        const called = await callTool(service, access_token, name, calls[name]?.(ids))
        if (!listed.includes(name)) assert.match(called.text, /^Your role may not /)
        const request = byApplication[name]?.(ids)
        if (!request) continue
        const [method, path, body] = request
        const reply = await service.call(method, path, { token, body })
        const isRefused = reply.status >= 400
        assert.equal(called.isError, isRefused, `${name} ${called.text} but ${reply.status}`)
      }
    })
  }

  test('nothing of another organization is read or changed', async () => {
    const { access_token } = await connectMcp(service, other)
    for (const named of tools) {
      const { name } = named
      const takesRecord =
        toolsOf(named).some(({ id }) => id !== undefined) ||
        ['create_task', 'log_note', 'get_timeline'].includes(name)
      const called = await callTool(service, access_token, name, calls[name]?.(ids))
      if (takesRecord) assert.equal(called.isError, true, name)
      assert.ok(!called.text.includes('Matrix Ltd'), `${name}: ${called.text}`)
      for (const each of Object.values(ids)) {
        assert.ok(!called.text.includes(`"${each}"`), `${name}: ${called.text}`)
      }
    }
  })

  test('a tool is for its own type of record, and a task for the scopes of its project', async () => {
    const { access_token } = await connectMcp(service, org)
    const { deal_id, project_id, task_id } = ids
    for (const [name, id] of [
      ['update_project', deal_id],
      ['update_deal', project_id],
    ] as const) {
      const called = await callTool(service, access_token, name, { project_id: id })
      assert.match(called.text, /not found/, name)
    }
    for (const [module, id] of [
      ['projects', deal_id],
      ['deals', project_id],
    ] as const) {
      const called = await callTool(service, access_token, 'get_record', { module, id })
      assert.match(called.text, /not found/, module)
    }
    const deals = await connectMcp(service, org, { scopes: ['deal.read', 'deal.write'] })
    const token = deals.access_token
    assert.match(
      (await callTool(service, token, 'get_record', { module: 'tasks', id: task_id })).text,
      /scope project.read/,
    )
    const written = await callTool(service, token, 'update_task', { task_id, title: 'x' })
    assert.match(written.text, /scope project.write/)
    const found = await callTool(service, token, 'find_records', { module: 'tasks' })
    assert.ok(!JSON.stringify(found.value).includes(task_id ?? ''))
    const note = { module: 'tasks', record_id: task_id, content: 'x' }
    assert.match((await callTool(service, token, 'log_note', note)).text, /scope project.write/)
    const searched = await callTool(service, token, 'search', { q: 'matrix' })
    const modules = new Set(searched.value.results.map((row: any) => row.module))
    assert.deepEqual([...modules], ['deals'])
  })
})

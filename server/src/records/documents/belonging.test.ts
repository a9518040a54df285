import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Role = keyof TestOrganization['users']

describe('What a document is attached to', () => {
  let service: TestService
  let org: TestOrganization
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (path: string, body: object = {}) => {
    const names = { title: 'T', project_name: 'P', account_name: 'A', name: 'M', ...body }
    const reply = await call('POST', path, names)
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const paper = async (body: object) => {
    const made = { document_name: 'x', is_shared: true, document_status: 'published', ...body }
    const reply = await call('POST', '/api/documents/', made)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const statusFor = async (role: Role, id: string) =>
    (await call('GET', `/api/documents/${id}/`, undefined, role)).status
  const place = ({ project_id, account_id }: { [name: string]: string }) => [project_id, account_id]
  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('is named anew by its id alone, and by one module', async () => {
    const [first, second] = [await make('/api/tasks/'), await make('/api/tasks/')]
    const { attach_id } = await paper({ module_name: 'tasks', reference_id: first })
    const at = `/api/documents/${attach_id}/`
    const moved = await call('PUT', at, { reference_id: second })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual([moved.body.module_id, moved.body.reference_id], [1, second])
    const odd = await call('PUT', at, { module_id: 5, module_name: 'tasks', reference_id: first })
    assert.deepEqual([odd.status, odd.body.errors[0].field], [400, 'module_name'])
    assert.equal((await call('PUT', at, { reference_id: null })).body.module_id, null)
  })

  test('determines its project and account, which change with it', async () => {
    const [account, other] = [await make('/api/account/info/'), await make('/api/account/info/')]
    const customer = `/api/users/profile/${org.users.customer.user_id}/`
    assert.equal((await call('PUT', customer, { account_id: account })).status, 200)
    const shared = { is_shared: true }
    const project = await make('/api/project/info/', { ...shared, account_id: account })
    const second = await make('/api/project/info/', { ...shared, account_id: other })
    const task = await make('/api/tasks/', { project_id: project })
    const milestone = await make(`/api/project/info/${project}/milestones/`)
    const ofTask = await paper({ module_id: 1, reference_id: task })
    const ofMilestone = await paper({ module_id: 10, reference_id: milestone })
    for (const each of [ofTask, ofMilestone]) {
      assert.deepEqual(place(each), [project, account])
      assert.equal(await statusFor('customer', each.attach_id), 200)
    }
    const at = `/api/documents/${ofTask.attach_id}/`
    await call('PUT', `/api/tasks/${task}/`, { project_id: second })
    assert.deepEqual(place((await call('GET', at)).body), [second, other])
    assert.equal(await statusFor('customer', ofTask.attach_id), 404)
    const put = async (body: object) => place((await call('PUT', at, body)).body)
    assert.deepEqual(await put({ module_id: 10, reference_id: milestone }), [project, account])
    assert.deepEqual(await put({ project_id: second }), [second, other])
    // what was chosen stays
    const chosen = { module_id: 1, reference_id: task, account_id: account }
    assert.deepEqual(await put(chosen), [second, account])
    await call('PUT', `/api/tasks/${task}/`, { project_id: project })
    assert.deepEqual(place((await call('GET', at)).body), [project, account])
  })

  test('hides it where it is private, or of a hidden project', async () => {
    const project_id = await make('/api/project/info/', { visible_to_all: false })
    const times = { start: '2026-03-02T09:00:00Z', end: '2026-03-02T10:00:00Z' }
    const [tasks, meetings] = ['/api/tasks/', '/api/calendar/info/']
    const about: [module: number, id: string][] = [
      [1, await make(tasks, { project_id })],
      [1, await make(tasks, { is_private: true })],
      [1, await make(tasks)],
      [11, await make(meetings, { ...times, is_private: true })],
      [11, await make(meetings, times)],
    ]
    const statuses = []
    for (const [module_id, reference_id] of about) {
      const { attach_id } = await paper({ module_id, reference_id })
      statuses.push(await statusFor('member', attach_id))
    }
    assert.deepEqual(statuses, [404, 404, 200, 404, 200])
  })

  test('takes it to another account together with its project', async () => {
    const company_id = await make('/api/company/', { company_name: 'Acme' })
    const project = await make('/api/project/info/', { company_id })
    const own = await make('/api/account/info/')
    const task = await make('/api/tasks/', { project_id: project })
    const elsewhere = await make('/api/tasks/', { project_id: project, account_id: own })
    const ofTask = await paper({ module_id: 1, reference_id: task })
    const ofProject = await paper({ module_id: 2, reference_id: project })
    const accounts = async () => {
      const paths = [ofTask, ofProject].map(({ attach_id }) => `documents/${attach_id}`)
      const all = [...paths, `tasks/${task}`, `tasks/${elsewhere}`]
      const replies = await Promise.all(all.map((path) => call('GET', `/api/${path}/`)))
      return replies.map(({ body }) => body.account_id)
    }
    assert.deepEqual(await accounts(), [null, null, null, own])
    // the company's first account becomes that of its projects
    const first = await make('/api/account/info/', { company_id })
    assert.deepEqual(await accounts(), [first, first, first, own])
    const before = (await call('GET', `/api/tasks/${task}/`)).headers.get('etag')
    const chosen = await make('/api/account/info/')
    await call('PUT', `/api/project/info/${project}/`, { account_id: chosen })
    assert.deepEqual(await accounts(), [chosen, chosen, chosen, own])
    const after = (await call('GET', `/api/tasks/${task}/`)).headers.get('etag')
    assert.notEqual(after, before)
  })
})

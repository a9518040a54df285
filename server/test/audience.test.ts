import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { RoleKind } from '../src/model/users/roles/permissions.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

type Body = { [key: string]: unknown }

// What people of an account see: shared records, and those they take part in; observers see everything.
describe('internal or shared', () => {
  let service: TestService
  let org: TestOrganization
  let account: string
  let project: string

  const call = async (kind: RoleKind, method: string, path: string, body?: Body) =>
    service.call(method, path, { token: org.users[kind].token, body })
  const made = async (path: string, body: Body, kind: RoleKind = 'admin') => {
    const reply = await call(kind, 'POST', path, body)
    assert.equal(reply.status, 201, reply.text)
    return { id: reply.headers.get('x-record-id'), ...(reply.body as Body) } as Body
  }
  const makeProject = async (more: Body = {}) =>
    String(
      (await made('/api/project/info/', { project_name: 'p', account_id: account, ...more })).id,
    )
  const status = async (kind: RoleKind, path: string) => (await call(kind, 'GET', path)).status

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    account = String(
      (await made('/api/account/info/', { account_name: 'Customer Ltd' })).account_id,
    )
    for (const kind of ['customer', 'partner', 'observer'] as const) {
      const reply = await call('admin', 'PUT', `/api/users/profile/${org.users[kind].user_id}/`, {
        account_id: account,
      })
      assert.equal(reply.status, 200, reply.text)
    }
    project = await makeProject({ is_shared: true })
  })

  const paths: { [what: string]: (more: Body) => Promise<string> } = {
    project: async (more) => `/api/project/info/${await makeProject(more)}/`,
    milestone: async (more) => {
      const { milestone_id } = await made(`/api/project/info/${project}/milestones/`, {
        name: 'm',
        ...more,
      })
      return `/api/project/info/${project}/milestones/${milestone_id}/`
    },
    task: async (more) => {
      const body = { title: 't', project_id: project, ...more }
      return `/api/tasks/${(await made('/api/tasks/', body)).item_id}/`
    },
    document: async (more) => {
      const body = { document_name: 'd', project_id: project, ...more }
      return `/api/documents/${(await made('/api/documents/', body)).attach_id}/`
    },
    meeting: async (more) => {
      const times = { start: '2027-01-04T10:00:00Z', end: '2027-01-04T11:00:00Z' }
      const body = { title: 'c', ...times, project, ...more }
      return `/api/calendar/info/${(await made('/api/calendar/info/', body)).calendar_id}/`
    },
    comment: async (more) => {
      const body = { content: 'x', module_name: 'projects', reference_id: project, ...more }
      return `/api/interactions/info/${(await made('/api/interactions/info/', body)).interaction_id}/`
    },
  }

  for (const [what, make] of Object.entries(paths)) {
    test(`a ${what} is internal unless it is shared, and private ones stay private`, async () => {
      const [internal, shared, hidden] = await Promise.all([
        make({}),
        make({ is_shared: true }),
        make({ is_shared: true, is_private: true }),
      ])
      assert.equal((await call('admin', 'GET', internal)).body.is_shared, false)
      assert.equal((await call('admin', 'GET', shared)).body.is_shared, true)
      for (const kind of ['customer', 'partner'] as const) {
        assert.equal(await status(kind, internal), 404, kind)
        assert.equal(await status(kind, shared), 200, kind)
        assert.equal(await status(kind, hidden), 404, kind)
      }
      assert.equal(await status('observer', internal), 200)
      assert.equal(await status('observer', hidden), 404)
      const reply = await call('admin', 'PUT', internal, { is_shared: true })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(await status('customer', internal), 200)
      await call('admin', 'PUT', internal, { is_shared: false })
      assert.equal(await status('customer', internal), 404)
    })
  }

  test('who takes part sees it though it is internal', async () => {
    const me = org.users.customer.user_id
    const task = await paths.task?.({ owner: me })
    const meeting = await paths.meeting?.({ attendees: [{ type: 'user', id: me }] })
    const team = await paths.project?.({ project_team: [me] })
    const comment = await paths.comment?.({ mentions: [me] })
    for (const path of [task, meeting, team, comment]) {
      assert.equal(await status('customer', String(path)), 200, path)
      assert.equal(await status('partner', String(path)), 404, path)
    }
  })

  test('a thread of a customer is shared, and a reply in it unless it is meant for the team', async () => {
    const start = { module_name: 'projects', reference_id: project }
    const first = await made('/api/interactions/info/', { content: 'when?', ...start }, 'customer')
    assert.equal(first.is_shared, true)
    const parent_interaction_id = first.interaction_id
    const answer = await made('/api/interactions/info/', { content: 'soon', parent_interaction_id })
    assert.equal(answer.is_shared, true)
    const aside = await made('/api/interactions/info/', {
      content: 'not for them',
      parent_interaction_id,
      is_shared: false,
    })
    assert.equal(await status('customer', `/api/interactions/info/${answer.interaction_id}/`), 200)
    assert.equal(await status('customer', `/api/interactions/info/${aside.interaction_id}/`), 404)
    const thread = await call('customer', 'GET', `/api/interactions/info/${parent_interaction_id}/`)
    assert.equal(thread.body.reply_count, 1)
    assert.ok(!thread.text.includes('not for them'))
    const notices = await call(
      'customer',
      'GET',
      '/api/notifyhub/notify-info/?page=1&items_per_page=50',
    )
    assert.ok(notices.text.includes('soon') && !notices.text.includes('not for them'), notices.text)
    const below = await call('admin', 'POST', '/api/interactions/info/', {
      content: 'y',
      parent_interaction_id: aside.interaction_id,
      is_shared: true,
    })
    assert.equal(below.status, 400, below.text)
    await call('admin', 'PUT', `/api/interactions/info/${parent_interaction_id}/`, {
      is_shared: false,
    })
    assert.equal(await status('partner', `/api/interactions/info/${answer.interaction_id}/`), 404)
  })

  test('one call shares a project with its milestones and tasks, but for private ones', async () => {
    const id = await makeProject()
    const milestone = await made(`/api/project/info/${id}/milestones/`, { name: 'm' })
    const task = await made('/api/tasks/', { title: 't', project_id: id })
    const hidden = await made('/api/tasks/', { title: 'h', project_id: id, is_private: true })
    const all = [
      `/api/project/info/${id}/`,
      `/api/project/info/${id}/milestones/${milestone.milestone_id}/`,
      `/api/tasks/${task.item_id}/`,
    ]
    const put = (share_all: boolean) =>
      call('admin', 'PUT', `/api/project/info/${id}/`, { share_all })
    assert.equal((await put(true)).body.is_shared, true)
    for (const path of all) assert.equal(await status('customer', path), 200, path)
    assert.equal(
      (await call('admin', 'GET', `/api/tasks/${hidden.item_id}/`)).body.is_shared,
      false,
    )
    const log = await call('admin', 'GET', `/api/activity/log/1/${task.item_id}/`)
    assert.ok(log.text.includes('is_shared'), log.text)
    assert.equal((await put(false)).body.is_shared, false)
    for (const path of all) assert.equal(await status('customer', path), 404, path)
  })

  test('many tasks are shared by one bulk action', async () => {
    const tasks = await Promise.all(
      [1, 2].map(() => made('/api/tasks/', { title: 't', project_id: project })),
    )
    const item_ids = tasks.map((task) => task.item_id)
    const body = { item_ids, action: 'update', is_shared: true }
    assert.equal((await call('admin', 'POST', '/api/tasks/bulk_actions/', body)).body.updated, 2)
    for (const id of item_ids) assert.equal(await status('customer', `/api/tasks/${id}/`), 200)
  })

  test('a template says which of its milestones and tasks are shared, and a copy keeps it', async () => {
    const tasks = [{ title: 'open', is_shared: true }, { title: 'inner' }]
    const stages = [{ name: 'one', is_shared: true, tasks }, { name: 'two' }]
    const template = await made('/api/templates/template/', {
      template_name: 'Rollout',
      template_type: 'project',
      template_config: { stages },
    })
    const id = await makeProject({ is_shared: true, org_temp_id: template.template_id })
    const copy = await made(`/api/project/info/${id}/duplicate/`, {})
    for (const project_id of [id, copy.id]) {
      const filter = JSON.stringify([{ field: 'project_id', operator: 'eq', value: project_id }])
      const list = await call(
        'customer',
        'GET',
        `/api/tasks/?page=1&items_per_page=50&filter=${encodeURIComponent(filter)}`,
      )
      assert.deepEqual(
        list.body.map((task: Body) => task.title),
        ['open'],
        list.text,
      )
      const milestones = await call(
        'customer',
        'GET',
        `/api/project/info/${project_id}/milestones/`,
      )
      assert.deepEqual(
        milestones.body.map((milestone: Body) => milestone.name),
        ['one'],
      )
    }
  })

  test('deals are hidden from customers and partners, unless their role allows them', async () => {
    const deal = String(
      (
        await made('/api/project/info/', {
          project_name: 'd',
          project_type: 'deal',
          account_id: account,
          is_shared: true,
        })
      ).id,
    )
    for (const kind of ['customer', 'partner'] as const) {
      assert.equal(await status(kind, `/api/project/info/${deal}/`), 404, kind)
    }
    assert.equal(await status('observer', `/api/project/info/${deal}/`), 200)
    const grant = (read: string) =>
      call('admin', 'PUT', `/api/users/role/${org.roles.partner}/`, {
        permission: { deals: { read } },
      })
    assert.equal((await grant('all')).status, 200)
    assert.equal(await status('partner', `/api/project/info/${deal}/`), 200)
    await grant('none')
    assert.equal(await status('partner', `/api/project/info/${deal}/`), 404)
  })
})

import assert from 'node:assert/strict'
import type { TestOrganization, TestService } from './service.ts'

/** The people of a test who make a plan and move it, over HTTP; the administrator where nobody else is named. */
export function planStory(service: TestService, org: TestOrganization) {
  const admin = org.users.admin.token
  const call = (method: string, path: string, body?: unknown, as = admin) =>
    service.call(method, path, { token: as, body })

  async function ask(method: string, path: string, body?: unknown, as = admin) {
    const reply = await call(method, path, body, as)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply.body
  }

  async function make(path: string, body: object): Promise<string> {
    const reply = await call('POST', path, body)
    assert.equal(reply.status, 201, reply.text)
    return String(reply.headers.get('x-record-id'))
  }

  const link = (id: string, predecessor_id: string) =>
    ask('POST', `/api/tasks/${id}/dependencies/`, { predecessor_id })

  /** Export, import after it, check after that with a week to spare, and a pinned visit after the import. */
  async function makePlan() {
    const project = await make('/api/project/info/', {
      project_name: 'Clairval',
      start_date: '2030-11-04',
      due_date: '2030-11-22',
    })
    const milestone_id = await make(`/api/project/info/${project}/milestones/`, {
      name: 'Data',
      start_date: '2030-11-04',
      due_date: '2030-11-15',
    })
    const task = (title: string, start_date: string, due_date: string, more: object = {}) =>
      make('/api/tasks/', { title, milestone_id, start_date, due_date, ...more })
    const owner = org.users.member.user_id
    const first = await task('Export', '2030-11-04', '2030-11-08')
    const second = await task('Import', '2030-11-11', '2030-11-15', { owner })
    const third = await make('/api/tasks/', {
      title: 'Check',
      project_id: project,
      start_date: '2030-11-20',
      due_date: '2030-11-21',
    })
    const visit = await task('Visit', '2030-11-15', '2030-11-15', { is_pinned: true })
    await link(second, first)
    await link(third, second)
    await link(visit, first)
    const changes = `/api/project/info/${project}/plan/changes/`
    return { project, milestone_id, first, second, third, visit, changes }
  }

  const state = async (project: string) => {
    const { tasks, milestones, dependencies } = await ask(
      'GET',
      `/api/project/info/${project}/plan/`,
    )
    const shown = (row: { [name: string]: unknown }) => [
      row.title ?? row.name,
      row.start_date,
      row.due_date,
      row.is_pinned,
    ]
    return { tasks: tasks.map(shown), milestones: milestones.map(shown), dependencies }
  }

  /** Gives a role other levels on a module. */
  const allow = (kind: keyof TestOrganization['roles'], permission: object) =>
    ask('PUT', `/api/users/role/${org.roles[kind]}/`, { permission })

  return { call, ask, make, link, makePlan, state, allow }
}

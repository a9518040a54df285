import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { makeOrganization, startService } from './support/service.ts'

test('a role confined to an account changes nothing that is everybody’s, whatever its levels', async () => {
  const service = await startService()
  const { users } = await makeOrganization(service)
  const call = (method: string, path: string, body?: object, user = users.admin) =>
    service.call(method, path, { token: user.token, body })
  const levels = { create: 'all', read: 'all', update: 'all', delete: 'all' }
  const permission = Object.fromEntries(permissionModules().map((module) => [module, levels]))
  const account = await call('POST', '/api/account/info/', { name: 'Theirs', vertical: 'energy' })
  const pipeline = await call('POST', '/api/pipelines/', { pipeline_name: 'Second' })
  const filter = { name: 'Ours', module: 'tasks', conditions: [], visibility: 'public' }
  const { filter_id } = (await call('POST', '/api/filters/filter/', filter)).body
  const verticals = '/api/option-sets/accounts/verticals/'
  const kept = await call('PUT', verticals, { options: ['energy'] })
  assert.equal(kept.status, 200, kept.text)
  const pipelinePath = `/api/pipelines/${pipeline.body.pipeline_id}/`

  for (const kind of ['customer', 'partner', 'observer'] as const) {
    const role = { role_name: `Every right of a ${kind}`, kind, permission }
    const { role_id } = (await call('POST', '/api/users/role/', role)).body
    const user = users[kind]
    const profile = `/api/users/profile/${user.user_id}/`
    assert.equal((await call('PUT', profile, { role_id })).status, 200)
    for (const [method, path, body] of [
      ['PUT', verticals, { options: ['changed'] }],
      ['DELETE', `${verticals}energy/`, undefined],
      ['POST', '/api/account/info/del_vertical/', { vertical: 'energy' }],
      ['POST', '/api/pipelines/', { pipeline_name: 'Third' }],
      ['PUT', pipelinePath, { pipeline_name: 'Changed' }],
      ['DELETE', pipelinePath, undefined],
      ['PUT', '/api/statuses/?module=tasks', { statuses: [{ status_name: 'Changed' }] }],
      ['PUT', '/api/modules/tasks/fields/', { fields: [{ key: 'changed' }] }],
      ['PUT', '/api/modules/tasks/layout/', { strip: [], rail: null, hidden: null }],
      ['PUT', '/api/widget-config', { is_active: false }],
      ['PUT', `/api/filters/filter/${filter_id}/`, { name: 'Changed' }],
      ['POST', '/api/notifyhub/notify-info/', { user_id: users.admin.user_id, title: 'Pay me' }],
    ] as const) {
      const reply = await call(method, path, body, user)
      assert.ok([403, 404].includes(reply.status), `${kind} ${method} ${path} ${reply.text}`)
    }
  }
  const read = await call('GET', `/api/account/info/${account.body.account_id}/`)
  assert.equal(read.body.vertical, 'energy')
})

test('an observer who may change roles sees nothing private', async () => {
  const service = await startService()
  const { users } = await makeOrganization(service)
  const call = (method: string, path: string, body?: object, user = users.admin) =>
    service.call(method, path, { token: user.token, body })
  const account = await call('POST', '/api/account/info/', { name: 'Theirs' })
  const { account_id } = account.body
  const levels = { create: 'none', read: 'all', update: 'none', delete: 'none' }
  const permission = {
    accounts: levels,
    documents: levels,
    tasks: levels,
    projects: levels,
    roles: { ...levels, update: 'all' },
  }
  const role = { role_name: 'Auditor of roles', kind: 'observer', permission }
  const { role_id } = (await call('POST', '/api/users/role/', role)).body
  const profile = `/api/users/profile/${users.observer.user_id}/`
  assert.equal((await call('PUT', profile, { role_id, account_id })).status, 200)
  for (const is_private of [false, true]) {
    const task = await call('POST', '/api/tasks/', { title: 'Task', account_id, is_private })
    const document = await call('POST', '/api/documents/', {
      document_name: 'Document',
      document_status: 'published',
      account_id,
      is_private,
    })
    for (const path of [
      `/api/tasks/${task.body.item_id}/`,
      `/api/documents/${document.body.id}/`,
    ]) {
      const reply = await call('GET', path, undefined, users.observer)
      assert.equal(reply.status, is_private ? 404 : 200, `${path} ${reply.text}`)
    }
  }
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'

describe('versions, rights and preferences of records', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = (method: string, path: string, body?: unknown, headers = {}, as = token) =>
    service.call(method, path, { token: as, body, headers })

  async function ask(method: string, path: string, body?: unknown, headers = {}, as = token) {
    const reply = await call(method, path, body, headers, as)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const id = (reply: { headers: Headers }) => reply.headers.get('x-record-id')!

  test('each record of a list has the version that its read has, for If-Match', async () => {
    const company = id(await ask('POST', '/api/company/', { company_name: 'Versioned' }))
    const task = id(await ask('POST', '/api/tasks/', { title: 'Versioned' }))
    const document = await ask('POST', '/api/documents/', { document_name: 'Versioned' })
    for (const [list, one, key] of [
      ['/api/company/?page=1&items_per_page=500', `/api/company/${company}/`, 'company_id'],
      ['/api/tasks/?fields=title,version', `/api/tasks/${task}/`, 'item_id'],
      ['/api/documents/', `/api/documents/${document.body.attach_id}/`, 'attach_id'],
      [
        '/api/users/profile/?page=1&items_per_page=9',
        `/api/users/profile/${org.users.admin.user_id}/`,
        'user_id',
      ],
    ] as const) {
      const read = await ask('GET', one)
      const row = (await ask('GET', list)).body.find(
        (each: { [field: string]: unknown }) => each[key] === read.body[key],
      )
      const version = key === 'attach_id' ? row.record_version : row.version
      assert.equal(read.headers.get('etag'), `"${version}"`, list)
      assert.equal(key === 'attach_id' ? read.body.record_version : read.body.version, version)
    }
    const changed = await ask(
      'PUT',
      `/api/tasks/${task}/`,
      { title: 'More' },
      { 'if-match': '"1"' },
    )
    assert.equal(changed.body.version, 2)
    const same = await ask('PUT', `/api/company/${company}/`, {
      version: 9,
      can: {},
      description: 'x',
    })
    assert.equal(same.headers.get('etag'), '"2"')
    const { body } = await ask('GET', `/api/company/${company}/`)
    assert.deepEqual(body.custom_fields, {})
  })

  test('a stale write is answered with the record as it is, and who changed what since', async () => {
    const company = id(await ask('POST', '/api/company/', { company_name: 'Shared' }))
    const path = `/api/company/${company}/`
    await ask('PUT', path, { industry: 'First' })
    const member = org.users.manager.token
    await ask('PUT', path, { industry: 'Second', custom_fields: { tier: 'a' } }, {}, member)
    const stale = await call('PUT', path, { industry: 'Mine' }, { 'if-match': '"2"' })
    assert.equal(stale.status, 412)
    assert.equal(stale.body.code, 'stale')
    assert.equal(stale.body.data.industry, 'Second')
    assert.equal(stale.body.data.version, 3)
    const changed = stale.body.changed as { field: string; by: { user_id: string }; at: string }[]
    assert.deepEqual(changed.map(({ field }) => field).sort(), ['custom_fields.tier', 'industry'])
    assert.ok(changed.every(({ by }) => by.user_id === org.users.manager.user_id))
    assert.ok(changed.every(({ at }) => !Number.isNaN(Date.parse(at))))
    const older = await call('DELETE', path, undefined, { 'if-match': '"1"' })
    assert.deepEqual(older.body.changed.map(({ field }: { field: string }) => field).sort(), [
      'custom_fields.tier',
      'industry',
    ])
    const unknown = await call('PUT', path, {}, { 'if-match': '"foreign"' })
    assert.deepEqual([unknown.status, unknown.body.changed], [412, []])
    const project = id(await ask('POST', '/api/project/info/', { project_name: 'P', tier: 'x' }))
    const own = await call('PUT', `/api/project/info/${project}/`, {}, { 'if-match': '"7"' })
    // as the read of this surface gives it
    assert.ok(Array.isArray(own.body.data.custom_fields))
    const moved = await call(
      'POST',
      `/api/project/info/${project}/move/`,
      { set: {} },
      { 'if-match': '"7"' },
    )
    assert.equal(moved.status, 400)
  })

  test('a stale write of a customer learns nothing internal', async () => {
    const { account_id } = (await ask('POST', '/api/account/info/', { account_name: 'A' })).body
    const profile = `/api/users/profile/${org.users.customer.user_id}/`
    await ask('PUT', profile, { account_id })
    const body = { title: 'T', account_id, is_shared: true, owner: org.users.customer.user_id }
    const task = id(await ask('POST', '/api/tasks/', body))
    await ask('PUT', `/api/tasks/${task}/`, { is_risk: true, title: 'U' })
    const stale = await call(
      'PUT',
      `/api/tasks/${task}/`,
      { is_completed: true },
      { 'if-match': '"1"' },
      org.users.customer.token,
    )
    assert.equal(stale.status, 412)
    assert.equal(stale.body.data.title, 'U')
    assert.ok(!('is_risk' in stale.body.data))
    assert.ok(!stale.body.changed.some(({ field }: { field: string }) => field === 'is_risk'))
  })

  test('an answer without a body shows the record where that is preferred', async () => {
    const prefer = { prefer: 'respond-async, return=representation' }
    const created = await ask('POST', '/api/company/', { company_name: 'Shown' }, prefer)
    assert.equal(created.status, 200)
    assert.equal(created.headers.get('preference-applied'), 'return=representation')
    assert.equal(created.body.company_name, 'Shown')
    const path = `/api/company/${created.body.company_id}/`
    const changed = await ask('PUT', path, { industry: 'New' }, prefer)
    assert.deepEqual([changed.status, changed.body.industry, changed.body.version], [200, 'New', 2])
    const plain = await ask('PUT', path, { industry: 'Newer' })
    assert.deepEqual(
      [plain.status, plain.text, plain.headers.get('preference-applied')],
      [200, '', null],
    )
    const minimal = await ask('PUT', path, { industry: 'Newest' }, { prefer: 'return=minimal' })
    assert.equal(minimal.text, '')
    const deal = { project_name: 'Shown' }
    const project = await ask('POST', '/api/project/info/', deal, prefer)
    assert.deepEqual([project.status, project.body.project_name], [201, 'Shown'])
  })

  test('says what the caller may do: on reads, and in lists that ask for it', async () => {
    const member = org.users.member.token
    const mine = id(await ask('POST', '/api/company/', { company_name: 'Own' }, {}, member))
    const others = id(await ask('POST', '/api/company/', { company_name: 'Other' }))
    const can = async (which: string, as: string) =>
      (await ask('GET', `/api/company/${which}/`, undefined, {}, as)).body.can
    assert.deepEqual(await can(others, token), { update: true, delete: true, restore: true })
    assert.deepEqual(await can(mine, member), { update: true, delete: true, restore: true })
    assert.deepEqual(await can(others, member), { update: false, delete: false, restore: false })
    const query = '?page=1&items_per_page=500&fields=company_name,can'
    const list = (await ask('GET', `/api/company/${query}`, undefined, {}, member)).body
    for (const row of list) {
      const refused = await call('PUT', `/api/company/${row.company_id}/`, {}, {}, member)
      assert.equal(refused.status === 200, row.can.update)
    }
    assert.ok(list.length > 1)
    const whole = (await ask('GET', '/api/company/?page=1&items_per_page=1')).body
    assert.ok(!('can' in whole[0]))
  })
})

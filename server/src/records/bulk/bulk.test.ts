import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('bulk writes', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = (method: string, path: string, body?: unknown, as = token) =>
    service.call(method, path, { token: as, body })

  async function ask(method: string, path: string, body?: unknown, as = token) {
    const reply = await call(method, path, body, as)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const make = async (path: string, body: object, as = token) =>
    (await ask('POST', path, body, as)).headers.get('x-record-id')!
  const companies = '/api/company/'
  const company = (company_name: string, more: object = {}) =>
    make(companies, { company_name, ...more })
  const read = async (path: string) => (await ask('GET', path)).body
  const bulk = async (path: string, body: object) => (await ask('POST', `${path}bulk/`, body)).body
  const undo = async (id: string) => (await ask('POST', `/api/bulk/${id}/undo/`)).body

  test('change fields of many, custom ones too, and put all of them back', async () => {
    const ids = [
      await company('One', { industry: 'Old', custom_fields: { tier: 'a' } }),
      await company('Two'),
    ]
    const fields = { industry: 'New', company_owner: org.users.member.user_id, tier: 'b' }
    const done = await bulk(companies, { ids, action: 'update', fields })
    assert.deepEqual([done.updated, done.failed], [2, []])
    for (const id of ids) {
      const row = await read(`${companies}${id}/`)
      assert.equal(row.industry, 'New')
      assert.equal(row.company_owner.user_id, org.users.member.user_id)
      assert.equal(row.custom_fields.tier, 'b')
    }
    const log = await read(`/api/activity/log/4/${ids[0]}/`)
    assert.ok(log.some((each: { title: string }) => each.title === 'Company updated'))
    const back = await undo(done.bulk_id)
    assert.deepEqual([back.updated, back.failed], [2, []])
    const [one, two] = [await read(`${companies}${ids[0]}/`), await read(`${companies}${ids[1]}/`)]
    assert.deepEqual([one.industry, one.company_owner, one.custom_fields.tier], ['Old', null, 'a'])
    assert.deepEqual(
      [two.industry, two.company_owner, two.custom_fields.tier],
      [null, null, undefined],
    )
    const again = await call('POST', `/api/bulk/${done.bulk_id}/undo/`)
    assert.deepEqual([again.status, again.body.code], [409, 'already_undone'])
  })

  test('leave what was changed since, and say so', async () => {
    const ids = [await company('Three'), await company('Four')]
    const done = await bulk(companies, { ids, action: 'update', fields: { industry: 'New' } })
    await ask('PUT', `${companies}${ids[0]}/`, { industry: 'Newer' })
    const back = await undo(done.bulk_id)
    assert.equal(back.updated, 1)
    assert.deepEqual(back.failed, [{ id: ids[0], error: 'The company was changed since' }])
    assert.equal((await read(`${companies}${ids[0]}/`)).industry, 'Newer')
    assert.equal((await read(`${companies}${ids[1]}/`)).industry, null)
  })

  test('delete and restore, and name what cannot be deleted', async () => {
    const ids = [await company('Five'), await company('Six')]
    const done = await bulk(companies, { ids: [...ids, 'nothing'], action: 'delete' })
    assert.equal(done.updated, 2)
    assert.deepEqual(done.failed, [{ id: 'nothing', error: 'Company not found' }])
    for (const id of ids) assert.equal((await call('GET', `${companies}${id}/`)).status, 404)
    assert.equal((await undo(done.bulk_id)).updated, 2)
    for (const id of ids) await read(`${companies}${id}/`)
    await ask('DELETE', `${companies}${ids[0]}/`)
    const restored = await bulk(companies, { ids: [ids[0]], action: 'restore' })
    assert.equal(restored.updated, 1)
    assert.equal((await undo(restored.bulk_id)).updated, 1)
    assert.equal((await call('GET', `${companies}${ids[0]}/`)).status, 404)
  })

  test('leave what was changed after a restore, and what was deleted anew', async () => {
    const changed = [await company('Changed'), await company('Unchanged')]
    for (const id of changed) await ask('DELETE', `${companies}${id}/`)
    const restored = await bulk(companies, { ids: changed, action: 'restore' })
    await ask('PUT', `${companies}${changed[0]}/`, { industry: 'New' })
    const error = 'The company was changed since'
    assert.deepEqual((await undo(restored.bulk_id)).failed, [{ id: changed[0], error }])
    assert.equal((await call('GET', `${companies}${changed[0]}/`)).status, 200)
    assert.equal((await call('GET', `${companies}${changed[1]}/`)).status, 404)

    const ids = [await company('Anew'), await company('Once')]
    const deleted = await bulk(companies, { ids, action: 'delete' })
    await ask('POST', `${companies}${ids[0]}/restore/`)
    await ask('DELETE', `${companies}${ids[0]}/`)
    assert.deepEqual((await undo(deleted.bulk_id)).failed, [{ id: ids[0], error }])
    assert.equal((await call('GET', `${companies}${ids[0]}/`)).status, 404)
    assert.equal((await call('GET', `${companies}${ids[1]}/`)).status, 200)
  })

  test('go by the record’s own rules: tags, deals to lost, tasks to completed', async () => {
    const ids = [await make('/api/tasks/', { title: 'A', tags: ['x'] })]
    const done = await bulk('/api/tasks/', {
      ids,
      action: 'add_tags',
      fields: { tags: ['x', 'y'] },
    })
    assert.deepEqual((await read(`/api/tasks/${ids[0]}/`)).tags, ['x', 'y'])
    await bulk('/api/tasks/', { ids, action: 'remove_tags', fields: { tags: ['x'] } })
    assert.deepEqual((await read(`/api/tasks/${ids[0]}/`)).tags, ['y'])
    assert.equal((await undo(done.bulk_id)).failed.length, 1)
    const completed = await bulk('/api/tasks/', {
      ids,
      action: 'update',
      fields: { is_completed: true },
    })
    const task = await read(`/api/tasks/${ids[0]}/`)
    assert.deepEqual([task.is_completed, task.status.category], [true, 'completed'])
    await undo(completed.bulk_id)
    const open = await read(`/api/tasks/${ids[0]}/`)
    assert.deepEqual([open.is_completed, open.status.category], [false, 'not_started'])

    const { stages } = (await read('/api/pipelines/'))[0]
    const stage = (category: string) =>
      stages.find((each: { category: string }) => each.category === category).stage_id
    const deals = '/api/project/info/'
    const deal = await make(deals, { project_name: 'D', project_type: 'deal' })
    const reason = (await read('/api/option-sets/?module=projects')).find(
      (set: { set: string }) => set.set === 'lost_reasons',
    ).options[0].value
    await ask('PUT', `${deals}${deal}/`, { stage_id: stage('lost'), lost_reason: reason })
    const won = await bulk(deals, {
      ids: [deal],
      action: 'update',
      fields: { stage_id: stage('won') },
    })
    assert.equal((await read(`${deals}${deal}/`)).current_pipe_stage.category, 'won')
    const back = await undo(won.bulk_id)
    assert.deepEqual(back.failed, [])
    const lost = await read(`${deals}${deal}/`)
    assert.deepEqual([lost.current_pipe_stage.category, lost.lost_reason], ['lost', reason])
  })

  test('take the records that a filter matches, if they are as many as expected', async () => {
    for (const n of [1, 2, 3]) await company(`Filtered ${n}`, { description: 'by bulk' })
    const filter = [{ field: 'description', operator: 'eq', value: 'by bulk' }]
    const change = { filter, action: 'update', fields: { industry: 'Filtered' } }
    refusedField(await call('POST', `${companies}bulk/`, change), ['expected_count'])
    const wrong = await call('POST', `${companies}bulk/`, { ...change, expected_count: 2 })
    assert.deepEqual(
      [wrong.status, wrong.body.code, wrong.body.data],
      [409, 'count_changed', { count: 3 }],
    )
    assert.equal((await bulk(companies, { ...change, expected_count: 3 })).updated, 3)
    const found = await read(`${companies}?page=1&items_per_page=9&q=Filtered`)
    assert.ok(found.every((each: { industry: string }) => each.industry === 'Filtered'))
  })

  test('milestones of a project', async () => {
    const project = await make('/api/project/info/', { project_name: 'P' })
    const path = `/api/project/info/${project}/milestones/`
    const ids = [await make(path, { name: 'A' }), await make(path, { name: 'B' })]
    const done = await bulk(path, { ids, action: 'update', fields: { due_date: '2026-12-01' } })
    assert.equal(done.updated, 2)
    assert.equal((await read(`${path}${ids[1]}/`)).due_date, '2026-12-01')
    assert.equal((await undo(done.bulk_id)).updated, 2)
    assert.equal((await read(`${path}${ids[1]}/`)).due_date, null)
  })

  test('do what the caller’s role may, record by record, and are undone by nobody else', async () => {
    const member = org.users.member.token
    const mine = await make(companies, { company_name: 'Mine' }, member)
    const others = await company('Not mine')
    const body = { ids: [mine, others], action: 'delete' }
    const { body: done } = await ask('POST', `${companies}bulk/`, body, member)
    assert.equal(done.updated, 1)
    assert.deepEqual(
      done.failed.map(({ id }: { id: string }) => id),
      [others],
    )
    assert.equal((await call('POST', `/api/bulk/${done.bulk_id}/undo/`)).status, 404)
    const foreign = await makeOrganization(service)
    const theirs = await call(
      'POST',
      `${companies}bulk/`,
      { ids: [others], action: 'delete' },
      foreign.users.admin.token,
    )
    assert.deepEqual([theirs.status, theirs.body.updated], [200, 0])
    const customer = org.users.customer.token
    assert.equal((await call('POST', `${companies}bulk/`, body, customer)).status, 403)
  })

  test('refuse what they cannot do', async () => {
    const ids = [await company('Seven')]
    const wrong = async (body: object, field: string) =>
      refusedField(await call('POST', `${companies}bulk/`, body), [field])
    await wrong({ action: 'update', fields: { industry: 'X' } }, 'ids')
    await wrong({ ids: [], action: 'delete' }, 'ids')
    await wrong({ ids: Array(501).fill('x'), action: 'delete' }, 'ids')
    await wrong({ ids, action: 'update' }, 'fields')
    await wrong({ ids, action: 'update', fields: { industry: 7 } }, 'fields.industry')
    await wrong({ ids, action: 'add_tags', fields: {} }, 'fields.tags')
    await wrong({ ids, action: 'explode' }, 'action')
    await wrong({ ids, filter: [], expected_count: 1, action: 'delete' }, 'filter')
    await wrong({ filter: [{}], expected_count: 1, action: 'delete' }, 'filter')
    assert.equal((await call('POST', '/api/bulk/nothing/undo/')).status, 404)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

// A change is taken back by the log: its fields are as before, unless somebody changed them since.

type Role = keyof TestOrganization['users']

describe('a change that is taken back', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const ask = (method: string, path: string, body?: object, as: Role = 'admin') =>
    service.call(method, path, { token: org.users[as].token, body })

  async function story(path: string, made: object, key: string, ...changes: object[]) {
    const { headers, status, text } = await ask('POST', path, made)
    // companies answer 200
    assert.ok([200, 201].includes(status), text)
    const id = headers.get('x-record-id')!
    for (const change of changes) {
      const changed = await ask('PUT', `${path}${id}/`, change)
      assert.equal(changed.status, 200, changed.text)
    }
    const log = await ask('GET', `/api/activity/log/${key}/${id}/?action=updated`)
    const entries = log.body
      .map(({ log_id }: { log_id: string }) => log_id)
      .toReversed() as string[]
    assert.equal(entries.length, changes.length)
    return { at: `${path}${id}/`, entries }
  }
  const back = (entry: string | undefined, body: object = {}, as: Role = 'admin') =>
    ask('POST', `/api/activity/log/${entry}/take-back/`, body, as)

  test('returns its fields, of links, choices and own fields too, and is a change of its own', async () => {
    const account = await ask('POST', '/api/account/info/', { account_name: 'Clinic' })
    const account_id = account.headers.get('x-record-id')
    const first = { project_name: 'Import', due_date: '2031-01-06', project_type: 'project' }
    const change = { project_name: 'Export', due_date: '2031-02-03', account_id, tags: [] }
    const { at, entries } = await story('/api/project/info/', first, 'projects', change)
    const preview = await back(entries[0], { preview: true })
    assert.equal(preview.status, 200, preview.text)
    assert.deepEqual(preview.body.returns.toSorted(), ['account_id', 'due_date', 'project_name'])
    assert.equal((await ask('GET', at)).body.project_name, 'Export')
    const done = await back(entries[0])
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(done.body, preview.body)
    const { body } = await ask('GET', at)
    assert.deepEqual(
      [body.project_name, body.due_date, body.account_id],
      ['Import', '2031-01-06', null],
    )
    // taking it back can be taken back
    const log = await ask('GET', `/api/activity/log/projects/${body.project_id}/?action=updated`)
    assert.equal((await back(log.body[0].log_id)).status, 200)
    assert.equal((await ask('GET', at)).body.project_name, 'Export')
  })

  test('leaves what was changed since, and says by whom', async () => {
    const made = { company_name: 'North', industry: 'Retail' }
    const one = { company_name: 'North and South', industry: 'Space' }
    const two = { industry: 'Health' }
    const { at, entries } = await story('/api/company/', made, 'companies', one, two)
    const { body } = await back(entries[0])
    assert.deepEqual(body.returns, ['company_name'])
    assert.deepEqual(
      body.kept.map(({ field }: { field: string }) => field),
      ['industry'],
    )
    assert.ok(body.kept[0].by)
    const { company_name, industry } = (await ask('GET', at)).body
    assert.deepEqual([company_name, industry], ['North', 'Health'])
    const again = await back(entries[0])
    assert.equal(again.status, 409)
    assert.equal(again.body.code, 'cannot_be_taken_back')
  })

  test('needs the rights of an ordinary change, and an entry that the caller sees', async () => {
    const { entries } = await story('/api/company/', { company_name: 'East' }, 'companies', {
      company_name: 'West',
    })
    assert.ok([403, 404].includes((await back(entries[0], {}, 'customer')).status))
    assert.equal((await back('nothing')).status, 404)
    const created = await ask('GET', '/api/activity/log/?module_id=companies&action=created')
    const refused = await back(created.body[0].log_id)
    assert.equal(refused.status, 409)
  })
})

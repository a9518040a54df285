import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization } from '../../../test/support/organization.ts'
import { makeOrganization } from '../../../test/support/organization.ts'
import type { TestService } from '../../../test/support/service.ts'
import { startService } from '../../../test/support/service.ts'

// The log in words has what the log has, for every role, and every page once.

type Role = keyof TestOrganization['users']

describe('the activity log in words', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    for (const role of ['admin', 'member'] as const) {
      for (const company_name of ['North', 'South']) {
        const body = { company_name: `${company_name} of ${role}` }
        const { token } = org.users[role]
        const made = await service.call('POST', '/api/company/', { token, body })
        const path = `/api/company/${made.headers.get('x-record-id')}/`
        const changed = await service.call('PUT', path, {
          token,
          body: { company_name: `${company_name}! of ${role}` },
        })
        assert.equal(changed.status, 200, changed.text)
      }
    }
  })

  const feed = (role: Role, query = '') =>
    service.call('GET', `/api/activity/feed/?${query}`, { token: org.users[role].token })

  async function all(role: Role, query = '') {
    const found: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body, status, text }: any = await feed(
        role,
        `limit=3&${query}${cursor ? `&cursor=${cursor}` : ''}`,
      )
      assert.equal(status, 200, text)
      assert.ok(body.results.length <= 3)
      found.push(...body.results)
      cursor = body.next_cursor
    }
    return found
  }

  test('has the entries of the log in its order, for every role', async () => {
    for (const role of Object.keys(org.users) as Role[]) {
      const { token } = org.users[role]
      const log = await service.call('GET', '/api/activity/log/?items_per_page=500', { token })
      if (log.status === 403) {
        assert.equal((await feed(role)).status, 403)
        continue
      }
      const ids = log.body.map((each: any) => each.log_id)
      assert.deepEqual(
        (await all(role)).map((each) => each.log_id),
        ids,
        role,
      )
    }
  })

  test('says each change by the label of its field, with the name of its record', async () => {
    const [latest] = await all('admin', 'module=companies&action=updated')
    assert.equal(latest.record.name, 'South! of member')
    assert.deepEqual(latest.changes, [
      {
        field: 'company_name',
        label: 'company name',
        from: 'South of member',
        to: 'South! of member',
      },
    ])
    assert.equal(latest.source, 'application')
    assert.equal(latest.actor.user_id, org.users.member.user_id)
    assert.match(latest.text, /South!/)
  })

  test('is filtered by all at once', async () => {
    const whole = await all('admin')
    const { user_id } = org.users.member
    const theirs = whole.filter((each) => each.actor.user_id === user_id)
    assert.ok(theirs.length)
    assert.deepEqual(await all('admin', `created_by=${user_id}`), theirs)
    const today = new Date().toISOString().slice(0, 10)
    assert.deepEqual(await all('admin', 'to=2001-01-01'), [])
    const since = new Date(Date.parse(today) - 2 * 86_400_000).toISOString().slice(0, 10)
    assert.deepEqual(await all('admin', `from=${since}`), whole)
    assert.deepEqual(await all('admin', 'source=import'), [])
  })

  test('is filtered by record, by field and by text, among what the reader sees', async () => {
    const whole = await all('admin', 'module=companies')
    const { record } = whole.find((each) => each.record.name === 'North! of admin')
    const its = await all('admin', `module=companies&reference_id=${record.id}`)
    assert.deepEqual(
      its,
      whole.filter((each) => each.record.id === record.id),
    )
    assert.equal(its.length, 2)
    const renamed = await all('admin', 'module=companies&field=company_name')
    const hasName = (each: any) => each.changes.some(({ field }: any) => field === 'company_name')
    assert.deepEqual(renamed, whole.filter(hasName))
    assert.ok(renamed.length)
    assert.deepEqual(await all('admin', 'module=companies&field=industry'), [])
    // by the name of the record, by a value of before, and by who did it
    for (const q of ['North! of admin', 'north of ADMIN', 'of member']) {
      const found = await all('admin', `module=companies&q=${encodeURIComponent(q)}`)
      const words = (each: any) => JSON.stringify(each).toLowerCase()
      assert.deepEqual(
        found,
        whole.filter((each) => words(each).includes(q.toLowerCase())),
        q,
      )
      assert.ok(found.length)
    }
    assert.deepEqual(await all('admin', 'q=100%25%20of%20nothing'), [])
    refusedField(await feed('admin', 'field=company_name'), ['field'])
    refusedField(await feed('admin', `reference_id=${record.id}`), ['reference_id'])
  })

  test('says how long something took in hours and minutes', async () => {
    const { token } = org.users.admin
    const { headers } = await service.call('POST', '/api/tasks/', {
      token,
      body: { title: 'Timed' },
    })
    const id = headers.get('x-record-id')
    const body = { task_id: id, date: '2026-03-02', seconds: 7500 }
    const made = await service.call('POST', '/api/time-entries/', { token, body })
    assert.ok(made.status < 300, made.text)
    const found = await all('admin', `module=tasks&reference_id=${id}`)
    const spent = found.flatMap((each) => each.changes).find(({ field }) => /elapsed/.test(field))
    assert.equal(spent?.to, '2 h 5 min')
  })

  test('refuses what it does not know, and the cursor of other filters', async () => {
    refusedField(await feed('admin', 'module=planets'), ['module'])
    refusedField(await feed('admin', 'source=telepathy'), ['source'])
    refusedField(await feed('admin', 'from=2026-02-01&to=2026-01-01'), ['to'])
    refusedField(await feed('admin', 'cursor=nope'), ['cursor'])
    const { body } = await feed('admin', 'limit=1&module=companies')
    refusedField(await feed('admin', `limit=1&cursor=${body.next_cursor}`), ['cursor'])
  })
})

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { patient } from '../../../test/support/until.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

describe('unique custom fields', () => {
  let service: TestService
  let org: TestOrganization
  let other: pg.Client

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    other = new pg.Client({ connectionString: service.runtime.database.url })
    await other.connect()
  })
  after(() => other.end())

  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    service.call(method, path, { token: org.users.admin.token, body })
  const configure = (field: object) =>
    call('PUT', '/api/organization/settings/fields/companies/', [field])
  let n = 0
  const create = (custom_fields: object) =>
    call('POST', '/api/company/', { company_name: `Company ${n++}`, custom_fields })

  /** The first have done all but their log entries when the second begin. */
  const meeting = async (first: (() => Promise<Reply>)[], second: (() => Promise<Reply>)[]) => {
    await other.query('begin')
    await other.query('lock table perennial.events in share mode')
    const replies = first.map((write) => write())
    await waiting(first.length)
    replies.push(...second.map((write) => write()))
    await waiting(first.length + second.length)
    await other.query('commit')
    return (await Promise.all(replies)).map(({ status }) => status)
  }

  /** Resolves when so many sessions wait for a lock. */
  const waiting = async (count: number) => {
    const patience = patient()
    for (;;) {
      const { rows } = await other.query(`select count(distinct pid)::int as sessions
        from pg_locks where not granted and database = (select oid from pg_database
          where datname = current_database())`)
      if (rows[0].sessions >= count) return
      patience()
      await pause(10)
    }
  }

  test('do not become unique beside writes of the same value', async () => {
    await configure({ key: 'sku', type: 'text' })
    for (const key of ['sku', 'without_definition']) {
      const writes = [() => create({ [key]: 'A' }), () => create({ [key]: 'a' })]
      const change = () => configure({ key, type: 'text', unique: true })
      assert.deepEqual(await meeting(writes, [change]), [200, 200, 409], key)
    }
  })

  test('refuse writes that were checked before they became unique', async () => {
    await configure({ key: 'code', type: 'text' })
    const change = () => configure({ key: 'code', unique: true })
    const writes = [() => create({ code: 'A' }), () => create({ code: 'a' })]
    assert.deepEqual(await meeting([change], writes), [200, 409, 409])
    assert.equal((await create({ code: 'A' })).status, 200)
    const condition = { field: 'custom_fields.code', operator: 'eq', value: 'A' }
    const filter = encodeURIComponent(JSON.stringify([condition]))
    const stored = await call('GET', `/api/company/?page=1&items_per_page=9&filter=${filter}`)
    assert.equal(stored.body.length, 1, stored.text)
  })

  test('contain no value of records deleted while they become unique', async () => {
    const id = idOf(await create({ serial: 'A' }))
    const remove = () => call('DELETE', `/api/company/${id}/`)
    const change = () => configure({ key: 'serial', type: 'text', unique: true })
    assert.deepEqual(await meeting([remove], [change]), [204, 200])
    assert.equal((await create({ serial: 'A' })).status, 200)
    assert.equal((await create({ serial: 'A' })).status, 409)
  })

  test('change no type while a value of the other is written', async () => {
    await configure({ key: 'size', type: 'text' })
    const change = () => configure({ key: 'size', type: 'number' })
    assert.deepEqual(await meeting([() => create({ size: 'large' })], [change]), [200, 409])
  })

  test('are unique again once they are no longer archived', async () => {
    await configure({ key: 'badge', type: 'text', unique: true })
    const id = idOf(await create({ badge: 'A' }))
    await configure({ key: 'badge', is_archived: true })
    await call('PUT', `/api/company/${id}/`, { custom_fields: { other: 1 } })
    assert.equal((await configure({ key: 'badge', is_archived: false })).status, 200)
    assert.equal((await create({ badge: 'a' })).status, 409)
  })
})

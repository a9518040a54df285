import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { serverUrl } from '../../test/support/database.ts'
import { connectApp, untilListening } from '../../test/support/integration.ts'
import { noBouncer, startBouncer } from '../../test/support/pgbouncer.ts'
import { settled, startReceiver, subscribe } from '../../test/support/receiver.ts'
import { eventsOf } from '../../test/support/server-events.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { idOf, makeOrganization, sql, startService } from '../../test/support/service.ts'

// The service behind a real PgBouncer in transaction mode with fewer connections than the service opens, so that
// those of several organizations are really shared.

const few = 20

describe('behind a pooler in transaction mode', { skip: noBouncer }, () => {
  let service: TestService
  let orgs: TestOrganization[]
  let pooler: string

  before(async () => {
    pooler = await startBouncer(await serverUrl(), [
      `default_pool_size = ${few}`,
      'max_client_conn = 500',
    ])
    service = await startService({ databasePoolerUrl: pooler }, undefined, true)
    orgs = [await makeOrganization(service), await makeOrganization(service)]
    await untilListening(service)
  })

  const create = ({ users }: TestOrganization, company_name: string) =>
    service.call('POST', '/api/company/', {
      token: users.admin.token,
      body: { company_name },
    })
  const names = async ({ users }: TestOrganization): Promise<string[]> => {
    const path = '/api/company/?page=1&items_per_page=100&sort=company_name'
    const { status, text, body } = await service.call('GET', path, { token: users.admin.token })
    assert.equal(status, 200, text)
    return body.map((each: { company_name: string }) => each.company_name)
  }

  test('organizations write and read at once, and each sees only its own rows', async () => {
    const all = orgs.map((_, o) => Array.from({ length: 20 }, (_, i) => `Company ${o} ${10 + i}`))
    const made = await Promise.all(
      orgs.flatMap((org, o) => all[o]!.flatMap((name) => [create(org, name), names(org)])),
    )
    for (const each of made) if (!Array.isArray(each)) assert.ok(each.status < 300, each.text)
    assert.deepEqual(await Promise.all(orgs.map(names)), all)
  })

  test('it shares few connections, on which nothing of the service remains', async () => {
    const client = new pg.Client({ connectionString: service.runtime.database.url })
    await client.connect()
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database()
         and application_name in ('perennial read', 'perennial write')`,
    )
    await client.end()
    assert.ok(rows[0]!.count > 0 && rows[0]!.count <= few, `${rows[0]!.count} connections`)
    const pooled = new URL(pooler)
    pooled.pathname = new URL(service.runtime.database.url).pathname
    const other = new pg.Client({ connectionString: pooled.href })
    await other.connect()
    const found = await other.query<{ organization: string | null; path: string }>(
      `select nullif(current_setting('app.organization', true), '') as organization,
         current_setting('search_path') as path`,
    )
    await other.end()
    assert.equal(found.rows[0]!.organization, null)
    assert.doesNotMatch(found.rows[0]!.path, /perennial/)
  })

  test('statements that fail leave the connections to others', async () => {
    const [{ id }, { id: other }] = orgs as [TestOrganization, TestOrganization]
    const { database } = service.runtime
    const failing = sql`select 1 / (length(${id}) - length(${id})) as nothing`
    const fine = sql`select current_setting('app.organization') as found`
    const failed = { code: 'invalid_input' }
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await assert.rejects(database.reads(id).one(failing), failed)
        await assert.rejects(
          database.transaction(id, (queries) => queries.one(failing)),
          failed,
        )
        assert.deepEqual(await database.reads(other).one(fine), { found: other })
        const found = await database.transaction(other, (queries) => queries.one(fine))
        assert.deepEqual(found, { found: other })
      }),
    )
    assert.ok((await names(orgs[0]!)).length >= 20)
  })

  test('jobs, deliveries and the live stream work, and who is deactivated is refused at once', async () => {
    const [org] = orgs
    const receiver = await startReceiver()
    const app = await connectApp(service, org!)
    const subscription = await subscribe(app, ['company_created'], receiver.url)
    const gone = new AbortController()
    const stream = await fetch(`${service.url}/api/stream/`, {
      headers: { authorization: `Bearer ${org!.users.admin.token}` },
      signal: gone.signal,
    })
    const events = eventsOf(stream.body!)
    await events.next()
    const id = idOf(await create(org!, 'Heard of'))
    for await (const { event, data } of events) if (event === 'changed' && data.id === id) break
    gone.abort()
    await settled(app, subscription.id, (all) => all.some((each) => each.status === 'delivered'))
    const { user_id, token } = org!.users.member
    const path = '/api/company/?page=1&items_per_page=1'
    assert.equal((await service.call('GET', path, { token })).status, 200)
    const off = await service.call('PUT', `/api/users/profile/${user_id}/`, {
      token: org!.users.admin.token,
      body: { is_active: false },
    })
    assert.ok(off.status < 300, off.text)
    assert.equal((await service.call('GET', path, { token })).status, 401)
  })
})

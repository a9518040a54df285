import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { pino } from 'pino'
import { freshDatabase, silent } from '../../test/support/database.ts'
import { atEnd } from '../../test/support/finally.ts'
import { freshFolder } from '../../test/support/program.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { call, makeOrganization, password, secretKey } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { connect } from '../database/connect.ts'
import { createService } from '../service.ts'

const settings = { LOG_LEVEL: 'silent', RATE_LIMIT_LOGIN: '5/60', RATE_LIMIT_APPLICATION: '50/60' }

/** One of several services over the same database. */
async function process(database: Database, role = 'all'): Promise<TestService> {
  const base = readConfig({
    ...settings,
    ROLE: role,
    PUBLIC_URL: 'http://a.test',
    DATA_DIR: freshFolder(),
  })
  const config = { ...base, maxInFlight: 0, trustProxy: 1 }
  const log = pino({ level: 'silent' })
  const service = await createService({ config, database, secretKey, log })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  atEnd(() => service.close())
  await until(() => database.isListening())
  return { ...service, url, call: (method, path, sent) => call(url, method, path, sent) }
}

test('a process of the role web wakes those of the role worker, which answer probes alone', async () => {
  const { url, database } = await freshDatabase()
  const other = connect({ url, log: silent, role: database.role })
  atEnd(() => other.close())
  const web = await process(database, 'web')
  const worker = await process(other, 'worker')
  const woken: string[] = []
  await web.start()
  await worker.start({ jobs: false })
  other.listen('perennial_due', (payload) => void (payload && woken.push(payload)))
  const org = await makeOrganization(web)
  const { token } = org.users.admin
  assert.equal((await worker.call('GET', '/livez')).status, 200)
  assert.equal((await worker.call('GET', '/readyz')).status, 200)
  assert.equal((await worker.call('GET', '/api/tasks/', { token })).status, 404)
  assert.equal((await web.call('GET', '/api/tasks/', { token })).status, 200)
  web.runtime.services.webhooks.wake(org.id)
  web.runtime.services.webhooks.wake('another')
  await until(() => woken.length > 0)
  assert.deepEqual(woken, [`${org.id} another`])
})

describe('two processes on one database', () => {
  let a: TestService
  let b: TestService
  let org: TestOrganization

  before(async () => {
    const { url, database } = await freshDatabase()
    const other = connect({ url, log: silent, role: database.role })
    atEnd(() => other.close())
    a = await process(database)
    b = await process(other)
    org = await makeOrganization(a)
  })

  const signIn = (service: TestService, entered: string, address: string) =>
    service.call('POST', '/api/login/', {
      body: { email: org.users.member.email, password: entered },
      headers: { 'x-forwarded-for': address },
    })

  test('count failed sign-ins together', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) {
      statuses.push((await signIn(i % 2 ? a : b, `wrong ${i}`, '192.0.2.1')).status)
    }
    assert.deepEqual(statuses, [...Array(5).fill(401), ...Array(5).fill(429)])
    const right = await signIn(b, password, '192.0.2.1')
    assert.equal(right.status, 429)
    assert.ok(Number(right.headers.get('retry-after')) > 50)
    assert.equal((await signIn(a, password, '192.0.2.2')).status, 200)
  })

  test('count those that come at once, too', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signIn(i % 2 ? a : b, `wrong ${i}`, '192.0.2.3')),
    )
    assert.equal(all.filter(({ status }) => status === 401).length, 5)
    assert.equal(all.filter(({ status }) => status === 429).length, 15)
  })

  test('count a caller’s requests together, within one batch', async () => {
    const { token } = org.users.admin
    const get = (service: TestService) => service.call('GET', '/api/tasks/', { token })
    for (let i = 0; i < 40; i++) assert.equal((await get(a)).status, 200)
    // half a second later the other process knows
    await until(async () => Number(remaining(await get(b))) < 15)
    let taken = 0
    while ((await get(b)).status === 200) assert.ok(++taken < 15)
    await until(async () => (await get(a)).status === 429)
  })

  test('a refreshed session evicts itself, and an ended one is out at once', async () => {
    const tokens = (await signIn(a, password, '192.0.2.4')).body
    const get = (service: TestService, token: string) =>
      service.call('GET', '/api/tasks/', { token })
    const { manager } = org.users
    const cached = (service: TestService) => service.runtime.cache.entries.get(org.id)
    const sessions = () =>
      [...(cached(b)?.keys() ?? [])].filter((key) => key.startsWith('session '))
    const others = sessions()
    for (const service of [a, b]) {
      for (const token of [tokens.access_token, manager.token]) {
        assert.equal((await get(service, token)).status, 200)
      }
    }
    const before = cached(b)
    assert.equal(sessions().length, others.length + 2)
    const refreshed = await a.call('POST', '/api/login/refresh/', {
      body: { refresh_token: tokens.refresh_token },
    })
    assert.equal(refreshed.status, 200, refreshed.text)
    await until(() => sessions().length === others.length + 1)
    assert.equal(cached(b), before)
    const { access_token } = refreshed.body
    assert.equal((await get(b, access_token)).status, 200)
    assert.equal((await a.call('POST', '/api/logout/', { token: access_token })).status < 300, true)
    await until(async () => (await get(b, access_token)).status === 401)
  })
})

function remaining({ headers }: { headers: Headers }): string | undefined {
  return /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
}

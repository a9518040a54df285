import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { addMember } from '../../../test/support/world.ts'
import { housekeeping } from '../../jobs/housekeeping.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)

describe('sessions and sign-ins', () => {
  let service: TestService
  let org: TestOrganization
  let ahead = 0

  before(async () => {
    service = await startService({ trustProxy: 1 }, () => new Date(Date.now() + ahead))
    org = await makeOrganization(service)
  })

  const login = (entered: string, agent = 'Browser/1', from = '192.0.2.7') =>
    service.call('POST', '/api/login/', {
      body: { email: org.users.member.email, password: entered },
      headers: { 'user-agent': agent, 'x-forwarded-for': from },
    })
  const get = (path: string, token: string) => service.call('GET', path, { token })
  const end = (path: string, token: string) => service.call('DELETE', path, { token })

  test('are listed with program and address, and which one is asking', async () => {
    const { access_token } = (await login(password, 'Browser/2', '192.0.2.8')).body
    const { body } = await get('/api/sessions/', access_token)
    const current = body.filter((each: any) => each.is_current)
    assert.equal(current.length, 1)
    const { session_id, creation_time, last_used_at, expires_at, ...rest } = current[0]
    assert.ok(session_id && creation_time && last_used_at && expires_at)
    assert.deepEqual(rest, {
      kind: 'application',
      method: 'password',
      address: '192.0.2.8',
      user_agent: 'Browser/2',
      is_current: true,
    })
    assert.deepEqual(
      (await get('/api/sessions/', org.users.manager.token)).body.filter(
        (each: any) => each.session_id === session_id,
      ),
      [],
    )
  })

  test('one is ended, or all others; nobody ends another’s', async () => {
    const tokens = await Promise.all([1, 2, 3].map(async () => (await login(password)).body))
    const [a, b, c] = tokens.map(({ access_token }) => access_token as string)
    const { body } = await get('/api/sessions/', b!)
    const { session_id } = body.find((each: any) => each.is_current)
    is(await end(`/api/sessions/${session_id}/`, org.users.manager.token), 404)
    is(await end(`/api/sessions/${session_id}/`, a!), 204)
    is(await end(`/api/sessions/${session_id}/`, a!), 404)
    is(await get('/api/sessions/', b!), 401)
    is(await end('/api/sessions/', a!), 204)
    is(await get('/api/sessions/', c!), 401)
    const left = await get('/api/sessions/', a!)
    assert.equal(left.body.length, 1)
  })

  test('an admin ends all of a user; who may not edit users does not', async () => {
    const { access_token } = (await login(password)).body
    const path = `/api/users/profile/${org.users.member.user_id}/sessions/`
    is(await end(path, org.users.observer.token), 403)
    is(await end(path, access_token), 403)
    const editor = await addMember(service, org, { users: { read: 'all', update: 'all' } })
    const admins = `/api/users/profile/${org.users.admin.user_id}/sessions/`
    is(await end(admins, editor.token), 403)
    is(await get('/api/sessions/', org.users.admin.token), 200)
    is(await end(path, org.users.admin.token), 204)
    is(await get('/api/sessions/', access_token), 401)
    const [entry] = await rows(
      service,
      sql`select title, actor_id from events where organization_id = ${org.id}
        order by id desc limit 1`,
    )
    assert.deepEqual(entry, { title: 'Sessions ended', actor_id: org.users.admin.user_id })
  })

  test('failures are listed beside the sign-ins, each with its place', async () => {
    is(await login('wrong', 'Guesser/1', '203.0.113.9'), 401)
    const { access_token } = (await login(password, 'Browser/3')).body
    const path = '/api/sign-ins/?outcome=wrong_password'
    // written beside the answer
    let found: any[] = []
    await until(async () => {
      found = (await get(path, access_token)).body
      return found.length > 0
    })
    assert.equal(found.length, 1)
    const { sign_in_id, creation_time, ...rest } = found[0]
    assert.ok(sign_in_id && creation_time)
    assert.deepEqual(rest, {
      outcome: 'wrong_password',
      method: 'password',
      address: '203.0.113.9',
      user_agent: 'Guesser/1',
    })
    const all = (await get('/api/sign-ins/?items_per_page=2', access_token)).body
    assert.equal(all.length, 2)
    assert.deepEqual([all[0].outcome, all[0].user_agent], ['succeeded', 'Browser/3'])
    const others = (await get(path, org.users.manager.token)).body
    assert.deepEqual(others, [])
  })

  test('they are removed after 90 days', async () => {
    const count = async () =>
      (await rows(service, sql`select count(*)::int as n from sign_ins`))[0]!.n as number
    assert.ok((await count()) > 5)
    ahead += 89 * 86_400_000
    await housekeeping(service.runtime)
    assert.ok((await count()) > 5)
    ahead += 2 * 86_400_000
    await housekeeping(service.runtime)
    assert.equal(await count(), 0)
  })

  test('a flood of failures leaves a bounded number of rows', async () => {
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into sign_ins (organization_id, id, user_id, outcome, method,
          creation_time)
        select ${org.id}, 'flood' || n, ${org.users.member.user_id}, 'wrong_password', 'password',
          ${new Date(Date.now() + ahead).toISOString()} from generate_series(1, 200) n`),
    )
    is(await login('wrong'), 401)
    await sleep(200)
    const { access_token } = (await login(password)).body
    const { body } = await get('/api/sign-ins/?items_per_page=500', access_token)
    assert.equal(body.length, 201)
    assert.equal(body[0].outcome, 'succeeded')
  })
})

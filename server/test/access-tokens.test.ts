import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { accessOf } from './support/access.ts'
import { refused, refusedField } from './support/refused.ts'
import { caseOf, everyRoute, pathOf } from './support/routes.ts'
import type { Reply } from './support/service.ts'
import { password, rows, sql, startService } from './support/service.ts'
import { until } from './support/until.ts'
import { addMember, makeWorld } from './support/world.ts'

// Personal access tokens: how each route responds to them, and what ends them.

/** What no token may do, whatever its scopes and its user's role. */
const ofPeopleAlone = [
  'POST /api/logout/',
  'GET /api/session/',
  'DELETE /api/session/',
  'POST /api/session/password/',
  'GET /api/session/totp/',
  'POST /api/session/totp/',
  'POST /api/session/totp/confirm/',
  'POST /api/session/totp/recovery-codes/',
  'POST /api/session/totp/disable/',
  'GET /api/sessions/',
  'DELETE /api/sessions/',
  'DELETE /api/sessions/{id}/',
  'GET /api/sign-ins/',
  'GET /api/access-tokens/',
  'POST /api/access-tokens/',
  'GET /api/access-tokens/scopes/',
  'DELETE /api/access-tokens/{id}/',
  'PUT /api/organization/security/',
  'PUT /api/organization/openid/',
  'DELETE /api/organization/openid/',
  'DELETE /api/users/profile/{id}/sessions/',
  'DELETE /api/users/profile/{id}/totp/',
  'GET /api/calendar/feed-url/',
  'POST /api/calendar/feed-url/',
  'GET /api/calendar/connections/',
  'GET /api/calendar/connections/kinds/',
  'POST /api/calendar/connections/',
  'POST /api/calendar/connections/begin/',
  'POST /api/calendar/connections/finish/',
  'PUT /api/calendar/connections/{id}/',
  'POST /api/calendar/connections/{id}/sync/',
  'DELETE /api/calendar/connections/{id}/',
  'GET /api/notifyhub/stream/',
  'GET /api/stream/',
  'GET /api/home/',
  'GET /api/portal/',
  'PUT /api/organization/signing/',
]

const world = await makeWorld(await startService())
const { service, org } = world

async function tokenOf(session: string, scopes: string[], more: object = {}): Promise<string> {
  const body = { name: 'Nightly export', scopes, ...more }
  const reply = await service.call('POST', '/api/access-tokens/', { token: session, body })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.token
}
const run = (query: ReturnType<typeof sql>) =>
  service.runtime.database.transaction('*', (queries) => queries.run(query))
const listOf = async (session: string) =>
  (await service.call('GET', '/api/access-tokens/', { token: session })).body
const companies = (token: string) =>
  service.call('GET', '/api/company/?page=1&items_per_page=5', { token })
const ended = async (token: string) => refused(await companies(token), 401)

/** A user of the organization who may do everything. */
const newAdmin = () =>
  addMember(
    service,
    org,
    Object.fromEntries(permissionModules().map((module) => [module, everything])),
  )
const everything = { create: 'all', read: 'all', update: 'all', delete: 'all' } as const

const routes = everyRoute(world).filter(
  ({ surface, route }) => surface.name === 'application' && route.operation.can !== 'anyone',
)
/** Without a body or a record: what is refused is refused before either counts. */
const bare = (token: string, route: { method: string; path: string }) =>
  service.call(route.method, route.path.replace(/\{\w+\}/g, 'x'), { token })

describe('a personal access token', () => {
  test('is shown once, hashed where it is stored, and listed with its last use', async () => {
    const { token: session } = await newAdmin()
    const token = await tokenOf(session, ['companies.read', 'companies.read'])
    assert.match(token, /^pat_[0-9a-z]+_[0-9a-z]{25}_[\w-]{43}$/)
    const before = await listOf(session)
    assert.deepEqual(Object.keys(before[0]).toSorted(), [
      'access_token_id',
      'creation_time',
      'expires_at',
      'last_used_at',
      'name',
      'scopes',
    ])
    assert.deepEqual([before[0].last_used_at, before[0].scopes], [null, ['companies.read']])
    const days = (Date.parse(before[0].expires_at) - Date.now()) / 86_400_000
    assert.ok(days > 89.9 && days < 90.1, String(days))
    const stored = await rows(service, sql`select t::text as text from access_tokens t`)
    const secret = token.split('_').slice(3).join('_')
    for (const { text } of stored) assert.ok(!String(text).includes(secret))

    assert.equal((await companies(token)).status, 200)
    await until(async () => (await listOf(session))[0].last_used_at !== null)
  })

  test('is logged when it is made and when it is revoked, without itself', async () => {
    const { token: session, user_id } = await newAdmin()
    const token = await tokenOf(session, ['all.read'])
    const [{ access_token_id }] = await listOf(session)
    const path = `/api/access-tokens/${access_token_id}/`
    assert.equal((await service.call('DELETE', path, { token: session })).status, 204)
    await ended(token)
    refused(await service.call('DELETE', path, { token: session }), 404)
    const entries = await rows(
      service,
      sql`select raw_description ->> 'action' as action,
      raw_description::text as text from events where reference_id = ${user_id} order by id`,
    )
    const own = entries.filter(({ action }) => String(action).startsWith('access_token'))
    assert.deepEqual(
      own.map(({ action }) => action),
      ['access_token_created', 'access_token_revoked'],
    )
    for (const { text } of own) {
      assert.ok(String(text).includes('Nightly export'))
      assert.ok(!String(text).includes(token.slice(-43)))
    }
  })

  test('needs a name, known scopes and an expiry', async () => {
    const { token } = await newAdmin()
    const make = (body: object) => service.call('POST', '/api/access-tokens/', { token, body })
    const scopes = ['all.read']
    refusedField(await make({ scopes }), ['name'])
    refusedField(await make({ name: ' ', scopes }), ['name'])
    refusedField(await make({ name: 'x', scopes: [] }), ['scopes'])
    const unknown = await make({ name: 'x', scopes: ['company.read'] })
    refusedField(unknown, ['scopes'])
    assert.match(unknown.body.message, /did you mean companies\.read/)
    refusedField(await make({ name: 'x', scopes, expires_in_days: 0 }), ['expires_in_days'])
    refusedField(await make({ name: 'x', scopes, expires_in_days: 367 }), ['expires_in_days'])
    refusedField(await make({ name: 'x', scopes, password: 'y' }), ['password'])
  })

  test('is 401 when it is another, of another organization, or has expired', async () => {
    const { token: session } = await newAdmin()
    const token = await tokenOf(session, ['all.read'])
    const [, , id, ...secret] = token.split('_')
    const other = world.other!.org.id
    for (const wrong of [
      `${token}x`,
      token.slice(0, -1),
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      `pat_${other}_${id}_${secret.join('_')}`,
      `pat_${org.id}_${id!.slice(0, -1)}${id!.endsWith('0') ? '1' : '0'}_${secret.join('_')}`,
      'pat_',
      'pat_x_y_z',
    ]) {
      refused(await companies(wrong), 401)
    }
    assert.equal((await companies(token)).status, 200)
    await run(sql`update access_tokens set expires_at = now() - interval '1 second',
      revoked_at = null where id = ${id}`)
    service.runtime.cache.clear()
    const late = await companies(token)
    assert.equal(`${late.status} ${late.body.code}`, '401 token_expired')
  })

  test('is of the application surface alone, and approves no app', async () => {
    const token = await tokenOf(org.users.admin.token, ['all.write'])
    const app = world.surfaces.find(({ name }) => name === 'integration')!
    const headers = { ...app.admin(), authorization: `Bearer ${token}` }
    refused(await service.call('GET', '/automation/company', { headers }), 401)
    const seen = { 'x-view-as': org.users.customer.user_id }
    const reply = await service.call('GET', '/api/company/', { token, headers: seen })
    assert.equal(reply.body.code, 'view_as_not_allowed')
  })

  for (const [what, end] of Object.entries<
    (user: { user_id: string; email: string; token: string }) => Promise<Reply>
  >({
    deactivation: ({ user_id }) =>
      service.call('PUT', `/api/users/profile/${user_id}/`, {
        token: org.users.admin.token,
        body: { is_active: false },
      }),
    removal: ({ user_id }) =>
      service.call('DELETE', `/api/users/profile/${user_id}/`, { token: org.users.admin.token }),
    'a new password': ({ token }) =>
      service.call('POST', '/api/session/password/', {
        token,
        body: { current: password, new: 'quite another password' },
      }),
    'an administrator who ends the sessions': ({ user_id }) =>
      service.call('DELETE', `/api/users/profile/${user_id}/sessions/`, {
        token: org.users.admin.token,
      }),
    'a new e-mail': ({ user_id, email }) =>
      service.call('POST', '/api/users/profile/action/', {
        token: org.users.admin.token,
        body: { profile_id: user_id, email: `new.${email}` },
      }),
  })) {
    test(`ends with ${what}, and stays ended`, async () => {
      const user = await newAdmin()
      const token = await tokenOf(user.token, ['all.read'])
      assert.equal((await companies(token)).status, 200)
      const reply = await end(user)
      assert.ok(reply.status < 300, reply.text)
      await ended(token)
      await run(sql`update users set is_active = true, deleted_at = null
        where id = ${user.user_id}`)
      service.runtime.cache.clear()
      await ended(token)
    })
  }

  test('changes no e-mail: whoever has the mailbox can have a new password', async () => {
    const user = await newAdmin()
    const token = await tokenOf(user.token, ['all.write'])
    const body = { profile_id: user.user_id, email: 'elsewhere@evil.example' }
    const reply = await service.call('POST', '/api/users/profile/action/', { token, body })
    assert.equal(`${reply.status} ${reply.body.code}`, '403 session_needed')
    const phone = { profile_id: user.user_id, phone: '+33 1 23' }
    const fine = await service.call('POST', '/api/users/profile/action/', { token, body: phone })
    assert.equal(fine.status, 200, fine.text)
  })

  test('invites, but does not get the invitation’s token: a session would outlive it', async () => {
    const { token: session } = await newAdmin()
    const token = await tokenOf(session, ['all.write'])
    const invited = async (by: string, email: string) => {
      const sent = { token: by, body: { email, full_name: 'Una User' } }
      return service.call('POST', '/api/users/profile/action/', sent)
    }
    const byToken = await invited(token, 'first@invited.test')
    assert.deepEqual([byToken.status, byToken.body.invite_token], [200, null])
    assert.match((await invited(session, 'second@invited.test')).body.invite_token, /^inv_/)
  })

  test('imports only with all.write: the job behind it may all that its user may', async () => {
    const token = await tokenOf(org.users.admin.token, ['contacts.write'])
    const made = await service.call('POST', '/api/imports/', {
      token,
      body: { module: 'contacts', csv: 'full_name\nAda' },
    })
    const id = made.body.import_id as string
    const started = await service.call('POST', `/api/imports/${id}/start/`, { token })
    assert.equal(`${started.status} ${started.body.code}`, '403 missing_scope', made.text)
  })

  test('decides what an automation does only with all.write: it acts with all that its maker may', async () => {
    const token = await tokenOf(org.users.admin.token, ['surveys.write'])
    const survey = await world.post('/api/surveys/', { name: 'Scoped', form_structure: [] })
    const path = `/api/surveys/${survey.body.survey_id}/automations_save/`
    const published = {
      name: 'Follow up',
      trigger: { type: 'published' },
      actions: [{ type: 'create_task', config: { title: 'Call them' } }],
    }
    const save = (body: object) => service.call('POST', path, { token, body })
    assert.equal((await save(published)).body.code, 'missing_scope')
    const made = await world.post(path, published)
    const { automation_id } = made.body
    const others = [{ type: 'create_task', config: { title: 'Write to them' } }]
    for (const change of [{ actions: others }, { trigger: { type: 'closed' } }]) {
      assert.equal((await save({ automation_id, ...change })).body.code, 'missing_scope')
      const one = `/api/surveys/automations/${automation_id}/`
      const changed = await service.call('PUT', one, { token, body: change })
      assert.equal(changed.body.code, 'missing_scope')
    }
    const off = await save({ automation_id, is_active: false })
    assert.deepEqual([off.status, off.body.is_active], [200, false], off.text)
  })

  test('decides where events go only with all.write: deliveries show all that its user may see', async () => {
    const { admin } = org.users
    const requestOf = (name: string) =>
      caseOf(routes.find(({ route }) => route.operation.name === name)!.route).request(world)
    const { id } = (await requestOf('update_webhook_subscription')).params ?? {}
    const path = `/api/webhooks/subscriptions/${id}/`
    const { body } = await requestOf('create_webhook_subscription')
    const token = await tokenOf(admin.token, ['apps.write', 'companies.read'])
    const url = 'http://127.0.0.3:1/elsewhere'
    const moved = await service.call('PUT', path, { token, body: { url } })
    assert.equal(`${moved.status} ${moved.body.code}`, '403 missing_scope', moved.text)
    const created = await service.call('POST', '/api/webhooks/subscriptions/', {
      token,
      body: { ...(body as object), url },
    })
    assert.equal(`${created.status} ${created.body.code}`, '403 missing_scope', created.text)
    // whoever has its secret says of any document that it was signed
    const signing = await service.call('GET', '/api/documents/external/', { token })
    assert.equal(`${signing.status} ${signing.body.code}`, '403 missing_scope', signing.text)
    const off = await service.call('POST', `${path}disable/`, { token })
    assert.equal(off.status, 200, off.text)
    const whole = await tokenOf(admin.token, ['all.write'])
    assert.equal((await service.call('PUT', path, { token: whole, body: { url } })).status, 200)
  })

  test('gives a role nothing beyond its scopes, and touches no admin, but with all.write', async () => {
    const { user_id } = await newAdmin()
    const token = await tokenOf(org.users.admin.token, ['roles.write', 'users.write'])
    const whole = await tokenOf(org.users.admin.token, ['all.write'])
    const readsAll = { deals: { read: 'all' } }
    const made = await service.call('POST', '/api/users/role/', {
      token,
      body: { role_name: 'Clerk', permission: { users: { read: 'all' } } },
    })
    assert.equal(made.status, 201, made.text)
    const role = `/api/users/role/${made.body.role_id}/`
    for (const [method, path, body] of [
      ['POST', '/api/users/role/', { role_name: 'Chief', kind: 'admin' }],
      ['POST', '/api/users/role/', { role_name: 'Seller', permission: readsAll }],
      ['PUT', role, { permission: readsAll }],
      ['DELETE', `/api/users/profile/${org.users.admin.user_id}/`, undefined],
    ] as const) {
      const reply = await service.call(method, path, { token, body })
      assert.equal(`${reply.status} ${reply.body?.code}`, '403 missing_scope', reply.text)
    }
    const less = { permission: { users: { read: 'none' } } }
    assert.equal((await service.call('PUT', role, { token, body: less })).status, 200)
    const more = { permission: readsAll }
    assert.equal((await service.call('PUT', role, { token: whole, body: more })).status, 200)
    const removed = await service.call('DELETE', `/api/users/profile/${user_id}/`, { token })
    assert.equal(removed.status, 204, removed.text)
  })

  test('does what admins alone may do only with all.write', async () => {
    const { admin, member } = org.users
    const token = await tokenOf(admin.token, ['users.write', 'roles.write', 'all.read'])
    const links = `/api/users/profile/${member.user_id}/links/`
    const handOver = `/api/users/profile/${member.user_id}/hand-over/`
    const personal = '/api/organization/personal-data/export/'
    const settings = '/api/organization/settings/'
    for (const [method, path, body] of [
      ['GET', links, undefined],
      ['POST', handOver, { to: admin.user_id, kinds: ['surveys'] }],
      ['POST', personal, { user_id: member.user_id }],
      ['PUT', settings, { week_start: 1 }],
    ] as const) {
      const less = await service.call(method, path, { token, body })
      assert.equal(`${less.status} ${less.body.code}`, '403 missing_scope', path)
      const whole = await tokenOf(admin.token, ['all.write'])
      const reply = await service.call(method, path, { token: whole, body })
      assert.ok(reply.status < 300, `${path} ${reply.text}`)
    }
  })
})

describe('every route of the application surface', () => {
  test('is closed to every token where it is of people alone, and to no other', async () => {
    const token = await tokenOf(org.users.admin.token, ['all.write'])
    const closed: string[] = []
    for (const { route, title } of routes) {
      const { status, body } = await bare(token, route)
      if (body?.code === 'session_needed') closed.push(title)
      else if (status === 403) assert.notEqual(body.code, 'missing_scope', title)
      assert.notEqual(status, 401, title)
    }
    assert.deepEqual(closed.toSorted(), ofPeopleAlone.toSorted())
  })

  test('writes nothing for a token that reads', async () => {
    const token = await tokenOf(org.users.admin.token, ['all.read'])
    for (const { surface, route, title } of routes) {
      if (ofPeopleAlone.includes(title)) continue
      const { right, writes } = accessOf(surface, route)
      const reads = typeof right === 'object' ? right.action === 'read' && !writes : !writes
      const { body } = reads ? { body: undefined } : await bare(token, route)
      if (!reads) assert.equal(body?.code, 'missing_scope', title)
    }
  })

  test('is closed to tokens of another module', async () => {
    const token = await tokenOf(org.users.admin.token, ['tags.write', 'tags.read'])
    for (const { surface, route, title } of routes) {
      if (ofPeopleAlone.includes(title)) continue
      const { right } = accessOf(surface, route)
      const isTags = typeof right === 'object' && right.modules.includes('tags')
      const { body } = await bare(token, route)
      assert.equal(body?.code === 'missing_scope', !isTags, title)
    }
  })

  test('shows a token what its user sees, and of other modules nothing', async () => {
    const { customer, member } = org.users
    const shown = ({ status, text }: Reply) =>
      `${status} ${text.replace(/"request_id":"\w+"/, '').replace(/"time_ago":"[^"]*"/g, '')}`
    let compared = 0
    for (const user of [customer, member]) {
      // what an answer says that one may do is of the scopes, too
      const token = await tokenOf(user.token, ['all.write'])
      for (const { surface, route, title } of routes) {
        const { operation } = route
        const { right } = accessOf(surface, route)
        if (typeof right === 'object' && right.action !== 'read') continue
        if (route.method !== 'GET' || operation.writes || operation.gives) continue
        if (ofPeopleAlone.includes(title) || operation.name === 'read_usage') continue
        const made = await caseOf(route).request(world)
        if (made.headers) continue
        const path = pathOf(route, made)
        const own = await service.call('GET', path, { token: user.token })
        const seen = await service.call('GET', path, { token })
        assert.equal(shown(seen), shown(own), path)
        compared++
      }
    }
    assert.ok(compared > 150, String(compared))
  })

  test('opens no search over everything to a module’s token, and reads its records', async () => {
    const company = await world.post('/api/company/', { company_name: 'Scoped Foods' })
    const company_id = company.headers.get('x-record-id')
    const person = { full_name: 'Scoped Person', company: { company_id } }
    const contact = await world.post('/api/contact/', person)
    const token = await tokenOf(org.users.admin.token, ['contacts.read'])
    const path = `/api/contact/${contact.headers.get('x-record-id')}/`
    const read = await service.call('GET', path, { token })
    assert.equal(read.status, 200, read.text)
    const search = await service.call('GET', '/api/search/?q=Scoped', { token })
    assert.equal(search.body.code, 'missing_scope')
  })
})

import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../test/support/service.ts'
import { pngOf } from '../../../test/support/picture.ts'

describe('users', () => {
  let service: TestService
  let org: TestOrganization
  let admin: string

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    org = await makeOrganization(service)
    admin = org.users.admin.token
  })

  const profile = (id: string) => `/api/users/profile/${id}/`
  const read = (id: string, token = admin) => service.call('GET', profile(id), { token })
  const put = (id: string, body: object, token = admin) =>
    service.call('PUT', profile(id), { token, body })
  const act = (body: object, token = admin) =>
    service.call('POST', '/api/users/profile/action/', { token, body })
  const remove = (id: string, token = admin) => service.call('DELETE', profile(id), { token })
  const login = (email: string, entered = password) =>
    service.call('POST', '/api/login/', { body: { email, password: entered } })
  const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
  const eventsOf = (id: string) =>
    rows<{ type: string; changes: { field: string }[]; data: { full_name: string } }>(
      service,
      sql`select type, changes, data from events where reference_id = ${id} order by id`,
    )

  test('a profile shows every field of the specification', async () => {
    const { user_id, email } = org.users.member
    const { status, body, headers } = await read(user_id)
    assert.equal(status, 200)
    assert.match(headers.get('etag')!, /^"\d+"$/)
    // what single reads have beside the record's fields
    const { version, can, creation_time, last_update_time, ...rest } = body
    assert.equal(version, 1)
    assert.deepEqual(can, { update: true, delete: true, restore: true })
    assert.match(creation_time, /^\d{4}-.*\.\d{3}Z$/)
    assert.equal(last_update_time, creation_time)
    assert.deepEqual(rest, {
      profile_id: user_id,
      user_id,
      full_name: `member of ${org.name}`,
      email,
      phone_no: null,
      designation: null,
      department: null,
      tags: [],
      role_id: org.roles.member,
      role: 'member',
      organization: org.id,
      account_id: null,
      is_active: true,
      is_fir_login: false,
      is_invited: false,
      is_demo_data: false,
      is_team_head: false,
      reports_to: null,
      joining_date: null,
      weekly_hours: null,
      working_hours: [],
      absences: [],
      profile_image: null,
      language: null,
      timezone: null,
      locale: null,
      cover_image: null,
      background_image: null,
      invite_token: null,
      projects: 0,
      tasks: 0,
      deals: 0,
      custom_fields: {},
    })
  })

  test('the list needs page and items_per_page, pages, counts, sorts, searches and filters', async () => {
    const list = (query: string) =>
      service.call('GET', `/api/users/profile/?${query}`, { token: admin })
    for (const query of ['', 'page=1', 'items_per_page=5']) is(await list(query), 400)
    const first = await list('page=1&items_per_page=4&include_count=true&sort=email')
    assert.equal(first.body.length, 4)
    assert.equal(first.headers.get('x-total-count'), '6')
    const emails = first.body.map(({ email }: { email: string }) => email.split('@')[0])
    assert.deepEqual(emails, ['admin', 'customer', 'manager', 'member'])
    const found = await list('page=1&items_per_page=5&q=observer')
    assert.equal(found.body.length, 1)
    const filter = encodeURIComponent(
      JSON.stringify([{ field: 'role', operator: 'eq', value: 'Manager' }]),
    )
    const managers = await list(`page=1&items_per_page=5&filter=${filter}`)
    assert.deepEqual(
      managers.body.map(({ user_id }: { user_id: string }) => user_id),
      [org.users.manager.user_id],
    )
    is(await list('page=1&items_per_page=5&sort=nonsense'), 400)
  })

  test('a change merges, keeps unknown keys, answers without a body and emits what changed', async () => {
    const { user_id } = org.users.member
    const changed = await put(user_id, {
      designation: 'Consultant',
      tags: ['emea'],
      joining_date: '2026-02-01',
      is_team_head: true,
      reports_to: { email: org.users.manager.email.toUpperCase() },
      desk: 'B 12',
    })
    is(changed, 200)
    assert.equal(changed.text, '')
    const { body } = await read(user_id)
    assert.equal(body.designation, 'Consultant')
    assert.equal(body.joining_date, '2026-02-01')
    assert.equal(body.reports_to.user_id, org.users.manager.user_id)
    assert.deepEqual(body.custom_fields, { desk: 'B 12' })
    const [event] = await eventsOf(user_id)
    assert.equal(event!.type, 'user_updated')
    assert.deepEqual(event!.changes.map(({ field }) => field).sort(), [
      'custom_fields.desk',
      'designation',
      'is_team_head',
      'joining_date',
      'reports_to',
      'tags',
    ])
    is(await put(user_id, { designation: null, reports_to: {} }), 200)
    const again = (await read(user_id)).body
    assert.equal(again.designation, null)
    assert.equal(again.reports_to.user_id, org.users.manager.user_id)
    is(await put(user_id, { reports_to: null }), 200)
    assert.equal((await read(user_id)).body.reports_to, null)
  })

  test('one’s own name, phone and pictures are changed by a PUT, the e-mail is not', async () => {
    const { user_id, token, email } = org.users.member
    const body = {
      full_name: 'Noah Costigan',
      phone_no: '+1 555 0100',
      profile_image: 'https://img.test/noah.png',
      locale: 'de-CH',
      timezone: 'Europe/Zurich',
      email: 'other@x.test',
    }
    is(await put(user_id, body, token), 200)
    const { body: now } = await read(user_id, token)
    assert.deepEqual({ ...now, ...body, email }, now)
    const session = await service.call('GET', '/api/session/', { token })
    assert.equal(session.body.user.locale, 'de-CH')
    for (const bad of [{ locale: 'not a tag' }, { full_name: '' }, { phone_no: 12 }])
      is(await put(user_id, bad, token), 400)
  })

  test('a picture is uploaded, shown to who sees the profile, and removed', async () => {
    const { user_id, token } = org.users.member
    const path = `${profile(user_id)}image/`
    const png = pngOf()
    const form = (content: Buffer, type = 'image/png') => {
      const data = new FormData()
      data.set('file', new Blob([new Uint8Array(content)], { type }), 'me.png')
      return data
    }
    const upload = (body: FormData, as = token) =>
      fetch(service.url + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${as}` },
        body,
      })
    const uploaded = await upload(form(png))
    const { profile_image } = (await uploaded.json()) as { profile_image: string }
    assert.ok(profile_image.includes(`${path}?v=`), profile_image)
    const shown = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${org.users.manager.token}` },
    })
    assert.equal(shown.headers.get('content-type'), 'image/png')
    assert.match(shown.headers.get('content-security-policy')!, /default-src 'none'/)
    assert.ok(Buffer.from(await shown.arrayBuffer()).equals(png))
    const { v } = Object.fromEntries(new URL(profile_image).searchParams)
    is(await service.call('GET', `${path}?v=${v}`, { token }), 200)

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    assert.equal((await upload(form(svg))).status, 400)
    assert.equal((await upload(form(Buffer.concat([png, Buffer.alloc(2 << 20)])))).status, 413)
    assert.equal((await upload(form(png), org.users.customer.token)).status, 404)
    const other = await makeOrganization(service)
    is(await service.call('GET', path, { token: other.users.admin.token }), 404)

    is(await service.call('DELETE', path, { token }), 204)
    is(await service.call('GET', path, { token }), 404)
    assert.equal((await read(user_id, token)).body.profile_image, null)
  })

  test('what the specification marks read-only is ignored by a PUT, wrong types elsewhere are 400', async () => {
    const { user_id, email } = org.users.member
    const ignored = {
      email: 'other@x.test',
      full_name: 'X',
      phone_no: 7,
      role: 'admin',
      projects: 9,
    }
    is(await put(user_id, { ...ignored, invite_token: 'x', organization: 'x' }), 200)
    const { body } = await read(user_id)
    assert.equal(body.email, email)
    assert.equal(body.role, 'member')
    assert.equal(body.phone_no, null)
    assert.equal(body.invite_token, null)
    const wrong: [object, string][] = [
      [{ designation: 7 }, 'designation'],
      [{ is_active: 'yes' }, 'is_active'],
      [{ is_active: null }, 'is_active'],
      [{ joining_date: '2026-02-30' }, 'joining_date'],
      [{ tags: 'a' }, 'tags'],
      [{ role_id: null }, 'role_id'],
      [{ role_id: 'nosuchrole' }, 'role_id'],
      [{ reports_to: { email: 'nobody@x.test' } }, 'reports_to'],
      [{ account_id: 'nosuchaccount' }, 'account_id'],
      [{ password: 'in the clear' }, 'password'],
      [{ custom_fields: { old_password: 'too' } }, 'old_password'],
    ]
    for (const [input, field] of wrong) {
      const reply = await put(user_id, input)
      is(reply, 400)
      assert.ok(reply.text.includes(field), reply.text)
    }
  })

  test('profile/action sets the rest, by profile_id or by e-mail, and nobody is meant by silence', async () => {
    const { user_id, email } = org.users.member
    const changed = await act({ profile_id: user_id, full_name: 'Grace', email: 'Grace@x.test' })
    is(changed, 200)
    assert.equal(changed.body.full_name, 'Grace')
    assert.equal(changed.body.email, 'Grace@x.test')
    is(await login(email), 401)
    is(await login('grace@X.test'), 200)
    const byEmail = await act({ email: 'GRACE@x.test', phone_no: '+49 30 1', invite_token: '' })
    is(byEmail, 200)
    assert.equal(byEmail.body.profile_id, user_id)
    assert.equal(byEmail.body.phone_no, '+49 30 1')
    // the sessions of the old e-mail have ended
    const { access_token } = (await login('grace@X.test')).body
    for (const body of [{}, { designation: 'Lead' }, { is_active: false }, { profile_id: null }]) {
      const silent = await act(body, access_token)
      is(silent, 400)
      assert.deepEqual(silent.body.errors[0].field, 'profile_id')
    }
    const own = await act({ user_id, designation: 'Lead' }, access_token)
    is(own, 200)
    assert.equal(own.body.designation, 'Lead')
    is(await act({ profile_id: 'nobody', designation: 'x' }), 400)
    is(await act({ profile_id: user_id, user_id: org.users.admin.user_id }), 400)
    is(await act({ profile_id: user_id, email: org.users.manager.email }), 409)
    const [first] = await eventsOf(user_id)
    assert.deepEqual(first!.changes.map(({ field }) => field).sort(), ['email', 'full_name'])
  })

  test('everyone edits their own profile, but not what decides their rights', async () => {
    for (const kind of ['member', 'customer', 'observer'] as const) {
      const { user_id, token } = org.users[kind]
      const { body } = await read(user_id)
      is(await put(user_id, { ...body, designation: 'Me', department: 'Mine' }, token), 200)
      is(await act({ user_id, full_name: 'My own name', phone_no: '123' }, token), 200)
      const now = (await read(user_id)).body
      assert.equal(now.designation, 'Me')
      assert.equal(now.full_name, 'My own name')
      const forbidden: object[] = [
        { role_id: org.roles.admin },
        { is_active: false },
        { reports_to: { user_id: org.users.admin.user_id } },
        { account_id: 'x' },
        { is_team_head: true },
        { joining_date: '2020-01-01' },
      ]
      for (const each of forbidden) is(await put(user_id, each, token), 403)
      is(await act({ profile_id: user_id, email: 'new@x.test' }, token), 403)
      assert.equal((await read(user_id)).body.role_id, org.roles[kind])
    }
    // visible to a member, yet not its own; to a customer there is nobody else
    is(await put(org.users.observer.user_id, { designation: 'x' }, org.users.member.token), 403)
    is(await put(org.users.observer.user_id, { designation: 'x' }, org.users.customer.token), 404)
  })

  test('only admins touch admins, and nobody grants more than they hold', async () => {
    const { token } = org.users.manager
    const member = org.users.member.user_id
    is(await put(member, { designation: 'x', is_active: false }, token), 200)
    is(await put(member, { is_active: true }, token), 200)
    is(await put(member, { role_id: org.roles.manager }, token), 200)
    is(await put(member, { role_id: org.roles.customer }, token), 200)
    const refused = await put(member, { role_id: org.roles.admin }, token)
    is(refused, 403)
    assert.equal(refused.body.status, 'error')
    is(await put(org.users.manager.user_id, { role_id: org.roles.admin }, token), 403)
    const { user_id } = org.users.admin
    for (const each of [{ is_active: false }, { designation: 'x' }, { role_id: org.roles.member }])
      is(await put(user_id, each, token), 403)
    is(await act({ profile_id: user_id, email: 'mine@x.test' }, token), 403)
    is(await remove(user_id, token), 403)
    is(await act({ email: 'second@x.test', role_id: org.roles.admin }, token), 403)
    assert.equal((await read(user_id)).body.role, 'admin')
  })

  test('nobody can take over an account with more rights by changing its e-mail', async () => {
    const strong = await service.call('POST', '/api/users/role/', {
      token: admin,
      body: { name: 'Strong', permission: { companies: { read: true, delete: true } } },
    })
    const { user_id } = org.users.member
    is(await put(user_id, { role_id: strong.body.role_id }), 200)
    const { token } = org.users.manager
    is(await act({ profile_id: user_id, email: 'mine@x.test' }, token), 403)
    is(await put(user_id, { is_active: false }, token), 403)
    is(await act({ profile_id: user_id, designation: 'Strong one' }, token), 200)
  })

  test('a customer who may edit users stays within its own account and role', async () => {
    const { database } = service.runtime
    await database.transaction(org.id, async (queries) => {
      for (const id of ['one', 'two']) {
        await queries.run(sql`insert into accounts (organization_id, id, account_name)
          values (${org.id}, ${id}, ${id})`)
      }
    })
    const rights = { create: true, read: true, update: true, delete: true }
    const host = await service.call('POST', '/api/users/role/', {
      token: admin,
      body: { name: 'Host', kind: 'customer', permission: { users: rights, roles: rights } },
    })
    const { user_id, token } = org.users.customer
    const { role_id } = host.body
    is(await put(user_id, { role_id, account_id: 'one' }), 200)
    is(await put(user_id, { account_id: 'two' }, token), 403)
    const invited = await act({ email: `guest@${org.id}.test`, role_id }, token)
    is(invited, 200)
    const { profile_id } = invited.body
    // who may read no accounts is shown none
    const guest = await service.call('GET', `/api/users/profile/${profile_id}/`, { token: admin })
    assert.equal(guest.body.account_id, 'one')
    is(await put(profile_id, { account_id: 'two' }, token), 403)
    is(await put(profile_id, { role_id: org.roles.member }, token), 400)
    is(await put(profile_id, { role_id: org.roles.partner }, token), 403)
    is(await put(profile_id, { designation: 'Guest' }, token), 200)
    is(await act({ email: `more@${org.id}.test`, role_id, account_id: 'two' }, token), 403)
    is(await act({ email: `more@${org.id}.test` }, token), 400)
  })

  test('a role that edits its own users does not thereby decide over itself', async () => {
    const made = await service.call('POST', '/api/users/role/', {
      token: admin,
      body: {
        name: 'Own',
        permission: { users: { read: true, update: 'own' }, roles: { read: true } },
      },
    })
    const { user_id, token } = org.users.member
    is(await put(user_id, { role_id: made.body.role_id }), 200)
    is(await put(user_id, { designation: 'x' }, token), 200)
    for (const each of [{ account_id: 'x' }, { is_active: false }, { is_team_head: true }])
      is(await put(user_id, each, token), 403)
  })

  test('the last active admin can neither leave, be deactivated nor demoted', async () => {
    const { user_id } = org.users.admin
    is(await put(user_id, { is_active: false }), 409)
    is(await put(user_id, { role_id: org.roles.member }), 409)
    is(await remove(user_id), 409)
    const { user_id: second } = org.users.member
    is(await put(second, { role_id: org.roles.admin }), 200)
    is(await put(second, { is_active: false }), 200)
    is(await remove(user_id), 409)
    is(await put(second, { is_active: true }), 200)
    is(await put(user_id, { role_id: org.roles.member }), 200)
    assert.equal((await read(user_id, org.users.manager.token)).body.role, 'member')
  })

  test('of two admins who remove each other at once, one stays', async () => {
    const other = org.users.manager
    is(await put(other.user_id, { role_id: org.roles.admin }), 200)
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([
        put(org.users.admin.user_id, { role_id: org.roles.member }, other.token),
        put(other.user_id, { role_id: org.roles.member }, admin),
      ])
      const statuses = replies.map(({ status }) => status).sort()
      assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses))
      const admins = await rows(
        service,
        sql`select id from users where organization_id = ${org.id} and role_id = ${org.roles.admin}`,
      )
      assert.equal(admins.length, 1)
      const [token, demoted] =
        admins[0].id === other.user_id
          ? [other.token, org.users.admin.user_id]
          : [admin, other.user_id]
      is(await put(demoted, { role_id: org.roles.admin }, token), 200)
    }
  })

  test('a circle in reports_to is refused, also when made from both ends at once', async () => {
    const [a, b, c] = [org.users.member, org.users.manager, org.users.partner].map(
      ({ user_id }) => user_id,
    ) as [string, string, string]
    is(await put(a, { reports_to: a }), 400)
    is(await put(a, { reports_to: b }), 200)
    is(await put(b, { reports_to: c }), 200)
    const refused = await put(c, { reports_to: a })
    is(refused, 400)
    assert.equal(refused.body.errors[0].field, 'reports_to')
    for (const id of [a, b]) is(await put(id, { reports_to: null }), 200)
    const both = await Promise.all([put(a, { reports_to: b }), put(b, { reports_to: a })])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  })

  test('deactivation ends every session and grant at once; activation lets in again', async () => {
    const { user_id, email, token } = org.users.member
    const session = (await login(email)).body
    await makeGrant(user_id)
    is(await put(user_id, { is_active: false }), 200)
    for (const each of [token, session.access_token]) is(await read(user_id, each), 401)
    const refresh = { body: { refresh_token: session.refresh_token } }
    is(await service.call('POST', '/api/login/refresh/', refresh), 401)
    is(await login(email), 403)
    is(await login(email, 'wrong'), 401)
    const [grant] = await rows(
      service,
      sql`select revoked_at from grants where user_id = ${user_id}`,
    )
    assert.notEqual(grant.revoked_at, null)
    const { body } = await read(user_id)
    assert.equal(body.is_active, false)
    const events = await eventsOf(user_id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['user_updated', 'user_deactivated'],
    )
    is(await put(user_id, { is_active: true }), 200)
    is(await read(user_id, token), 401)
    is(await login(email), 200)
  })

  test('a removed user is gone, cannot sign in, frees the e-mail and keeps the name on records', async () => {
    const { user_id, email, token } = org.users.member
    const made = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: 'Theirs', company_owner: user_id },
    })
    is(made, 200)
    const removed = await remove(user_id)
    is(removed, 204)
    assert.equal(removed.text, '')
    for (const reply of [await read(user_id), await remove(user_id), await put(user_id, {})])
      is(reply, 404)
    is(await read(user_id, token), 401)
    is(await login(email), 401)
    const list = await service.call('GET', '/api/users/profile/?page=1&items_per_page=50', {
      token: admin,
    })
    assert.ok(!list.text.includes(user_id))
    const company = `/api/company/${made.headers.get('x-record-id')}/`
    const stored = (await service.call('GET', company, { token: admin })).body
    assert.equal(stored.company_owner.full_name, `member of ${org.name}`)
    const events = await eventsOf(user_id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['user_deactivated'],
    )
    const back = await service.call('POST', `${profile(user_id)}restore/`, { token: admin })
    is(back, 200)
    is(await login(email), 200)
    is(await remove(user_id), 204)
    is(await act({ email }), 200)
    is(await service.call('POST', `${profile(user_id)}restore/`, { token: admin }), 409)
  })

  test('If-Match guards a change and a removal', async () => {
    const { user_id } = org.users.member
    const etag = (await read(user_id)).headers.get('etag')!
    const sent = { token: admin, headers: { 'if-match': etag }, body: { designation: 'x' } }
    is(await service.call('PUT', profile(user_id), sent), 200)
    is(await service.call('PUT', profile(user_id), sent), 412)
    is(await service.call('DELETE', profile(user_id), { ...sent, body: undefined }), 412)
  })

  test('an invited user comes in with the token, once, and nobody can read it', async () => {
    const email = `new@${org.id}.test`
    const { token } = org.users.manager
    const invited = await act(
      { email, role_id: { role_name: 'member' }, designation: 'Analyst', reports_to: {} },
      token,
    )
    is(invited, 200)
    const { profile_id, invite_token } = invited.body
    assert.equal(invited.body.is_active, false)
    assert.equal(invited.body.full_name, 'new')
    assert.equal(invited.headers.get('location'), profile(profile_id))
    assert.match(invite_token, /^inv_/)
    assert.equal((await read(profile_id)).body.invite_token, null)
    const [row] = await rows(service, sql`select invite_hash from users where id = ${profile_id}`)
    assert.ok(!row.invite_hash.includes(invite_token))
    is(await login(email), 401)

    const accept = (body: object) => service.call('POST', '/api/login/accept-invite/', { body })
    is(await accept({ invite_token, password: 'short' }), 400)
    is(await accept({ invite_token: 'inv_wrong', password }), 401)
    const second = (await act({ email }, token)).body.invite_token
    is(await accept({ invite_token, password }), 401)
    const accepted = await accept({ invite_token: second, password, full_name: 'New One' })
    is(accepted, 200)
    assert.equal(accepted.body.user.full_name, 'New One')
    const own = await read(profile_id, accepted.body.access_token)
    is(own, 200)
    assert.equal(own.body.is_active, true)
    is(await accept({ invite_token: second, password }), 401)
    is(await login(email), 200)
    const types = (await eventsOf(profile_id)).map(({ type }) => type)
    assert.deepEqual(types, ['user_created', 'user_updated'])
    is(await act({ email: `x@${org.id}.test` }, org.users.member.token), 403)
    is(await act({ email: 'not an address' }), 400)
  })

  test('action accepts an invitation of the caller’s organization only', async () => {
    const other = await makeOrganization(service)
    const { invite_token } = (await act({ email: `new@${org.id}.test` })).body
    is(await act({ invite_token }, other.users.admin.token), 400)
    const accepted = await act({ invite_token })
    is(accepted, 200)
    assert.equal(accepted.body.is_active, true)
    is(await act({ invite_token }), 400)
  })

  test('the feed is what the caller did and what was done to them, newest first', async () => {
    const { user_id, token } = org.users.member
    is(await put(user_id, { designation: 'One' }), 200)
    is(await put(user_id, { designation: 'Two' }, token), 200)
    const company = { company_name: 'Mine' }
    is(await service.call('POST', '/api/company/', { token, body: company }), 200)
    is(await put(org.users.observer.user_id, { designation: 'x' }), 200)
    const feed = (query = '') =>
      service.call('GET', `/api/users/profile/activity/${query}`, { token })
    const { status, body } = await feed()
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ title }: { title: string }) => title),
      ['Company created', 'User updated', 'User updated'],
    )
    const [made, , byAdmin] = body
    assert.equal(made.created_by.user_id, user_id)
    assert.equal(made.module_name, 'companies')
    assert.equal(made.raw_description.action, 'created')
    assert.equal(made.time_ago, 'now')
    assert.equal(byAdmin.created_by.user_id, org.users.admin.user_id)
    assert.deepEqual(byAdmin.changes, [{ field: 'designation', from: null, to: 'One' }])
    const second = await feed('?page=2&items_per_page=2')
    assert.deepEqual(second.body, [byAdmin])
    const oldest = await feed('?reverse=true&items_per_page=1')
    assert.deepEqual(oldest.body, [byAdmin])
    is(await feed('?items_per_page=501'), 400)
  })

  async function makeGrant(user_id: string) {
    const { database } = service.runtime
    await database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into apps
        (organization_id, id, name, client_id, client_secret, function_key_hash)
        values (${org.id}, 'app', 'App', ${`client ${org.id}`}, '', '')`)
      await queries.run(sql`insert into grants (organization_id, id, app_id, user_id, scopes)
        values (${org.id}, 'grant', 'app', ${user_id}, '[]')`)
    })
  }
})

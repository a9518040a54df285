import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { workFor } from '../../jobs/work.ts'
import { importJob } from '../imports/job.ts'

// A contact is linked to the user it is, and the user sees what belongs to it from then on.

let service: TestService
let org: TestOrganization
let company_id: string
let account_id: string

before(async () => {
  service = await startService()
  org = await makeOrganization(service)
  company_id = await make('/api/company/', { company_name: 'Acme' })
  account_id = await make('/api/account/info/', { account_name: 'Acme', company_id })
})

type Role = keyof TestOrganization['users']
const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
  service.call(method, path, { token: org.users[role].token, body })

async function make(path: string, body: object, role?: Role): Promise<string> {
  const reply = await call('POST', path, body, role)
  assert.ok(reply.status < 300, reply.text)
  return reply.headers.get('x-record-id')!
}
const contact = (body: object) => make('/api/contact/', { full_name: 'Ada', company_id, ...body })
const put = (id: string, body: object, role?: Role) =>
  call('PUT', `/api/contact/${id}/`, body, role)
const linkOf = async (id: string) =>
  (await call('GET', `/api/contact/${id}/`)).body.linked_user?.user_id ?? null
const sees = async (role: Role) =>
  (await call('GET', `/api/account/info/${account_id}/`, undefined, role)).status === 200
const remove = (id: string) => call('DELETE', `/api/contact/${id}/`)

describe('a contact and its user', () => {
  test('are linked and unlinked by user_id', async () => {
    const { user_id, email } = org.users.customer
    const id = await contact({ user_id })
    const read = (await call('GET', `/api/contact/${id}/`)).body
    assert.equal(read.linked_user.user_id, user_id)
    assert.deepEqual(read.login_info, { user_id, email, is_active: true })
    assert.equal(read.custom_fields.user_id, undefined)
    assert.equal(await sees('customer'), true)
    // what was read may be sent back
    const before = read.last_update_time
    assert.equal((await put(id, read)).status, 200)
    assert.equal((await call('GET', `/api/contact/${id}/`)).body.last_update_time, before)

    assert.equal((await put(id, { user_id: null })).status, 200)
    assert.equal(await linkOf(id), null)
    assert.equal(await sees('customer'), false)
    assert.equal((await put(id, { user_id: org.users.partner.user_id })).status, 200)
    assert.equal(await sees('partner'), true)
    const [entry] = await rows(
      service,
      sql`select changes from events where reference_id = ${id} order by id desc limit 1`,
    )
    assert.equal(entry.changes[0].field, 'linked_user')
    assert.equal(entry.changes[0].to.user_id, org.users.partner.user_id)
    for (const unknown of ['nobody', (await makeOrganization(service)).users.customer.user_id]) {
      const refused = await put(id, { user_id: unknown })
      assert.equal(refused.status, 400)
      assert.equal(refused.body.errors[0].field, 'user_id')
    }
    await remove(id)
    assert.equal(await sees('partner'), false)
  })

  test('are linked by the e-mail of a confined user, whichever is there first', async () => {
    const { customer, member } = org.users
    const second = await contact({ primary_email: ` ${customer.email.toUpperCase()} ` })
    assert.equal(await linkOf(second), customer.user_id)
    assert.equal(await sees('customer'), true)
    await remove(second)
    // nobody of the team is made a contact by chance
    const colleague = await contact({ primary_email: member.email })
    assert.equal(await linkOf(colleague), null)

    // by a change of the e-mail, and not again once it was undone
    const third = await contact({ primary_email: 'other@acme.test' })
    assert.equal(await linkOf(third), null)
    assert.equal((await put(third, { primary_email: customer.email })).status, 200)
    assert.equal(await linkOf(third), customer.user_id)
    assert.equal((await put(third, { user_id: null })).status, 200)
    assert.equal((await put(third, { primary_email: customer.email, job_title: 'x' })).status, 200)
    assert.equal(await linkOf(third), null)
    await remove(third)

    // the contact first: by an invitation, and by a change of role
    const email = `invited@${org.id}.test`
    const waiting = await contact({ primary_email: email })
    const body = { email, role_id: org.roles.partner }
    const invited = await call('POST', '/api/users/profile/action/', body)
    assert.equal(invited.status, 200, invited.text)
    assert.equal(await linkOf(waiting), invited.body.user_id)
    const turned = await contact({ primary_email: `turned@${org.id}.test` })
    const plain = { email: `turned@${org.id}.test`, role_id: org.roles.member }
    const { user_id } = (await call('POST', '/api/users/profile/action/', plain)).body
    assert.equal(await linkOf(turned), null)
    const profile = `/api/users/profile/${user_id}/`
    assert.equal((await call('PUT', profile, { role_id: org.roles.customer })).status, 200)
    assert.equal(await linkOf(turned), user_id)
  })

  test('are linked when the invitation is accepted', async () => {
    const email = `late@${org.id}.test`
    const body = { email, role_id: org.roles.customer }
    const { invite_token, user_id } = (await call('POST', '/api/users/profile/action/', body)).body
    // one that was linked to nobody when the invitation was written
    const id = await contact({ primary_email: 'late@elsewhere.test' })
    const { database } = service.runtime
    await database.transaction(org.id, (queries) =>
      queries.run(sql`update contacts set primary_email = ${email} where id = ${id}`),
    )
    const accepted = await service.call('POST', '/api/login/accept-invite/', {
      body: { invite_token, password: 'a long enough password' },
    })
    assert.equal(accepted.status, 200, accepted.text)
    assert.equal(await linkOf(id), user_id)
  })

  test('are linked by the customer of a project, and by imports', async () => {
    const { observer, customer } = org.users
    const account = {
      account_name: 'Globex',
      customer: { full_name: 'Olga', email: 'olga@globex.test', user_id: observer.user_id },
    }
    const project = await call('POST', '/api/project/info/', {
      account,
      project: { project_name: 'Roll-out' },
    })
    assert.equal(project.status, 201, project.text)
    const [olga] = await rows(
      service,
      sql`select linked_user from contacts where primary_email = 'olga@globex.test'`,
    )
    assert.equal(olga.linked_user, observer.user_id)

    const csv = `name,email\nImported,${customer.email}\n`
    const made = await call('POST', '/api/imports/', { module: 'contacts', csv, start: true })
    assert.equal(made.status, 201, made.text)
    const { import_id } = made.body
    const { user_id } = org.users.admin
    const requested = { organization_id: org.id, id: import_id, user_id }
    const { signal } = new AbortController()
    await importJob.run(await workFor(service.runtime, importJob, requested, signal), { import_id })
    const [imported] = await rows(
      service,
      sql`select linked_user from contacts where full_name = 'Imported'`,
    )
    assert.equal(imported.linked_user, customer.user_id)
  })

  test('cannot be linked by somebody who would see more by it', async () => {
    const permission = { contacts: { create: true, read: true, update: true } }
    const role = { role_name: 'Host', kind: 'customer', permission }
    const { role_id } = (await call('POST', '/api/users/role/', role)).body
    const { user_id, email }: Member = org.users.partner
    const profile = `/api/users/profile/${user_id}/`
    assert.equal((await call('PUT', profile, { role_id, account_id })).status, 200)
    const other = await make('/api/company/', { company_name: 'Secret' })
    const own = { full_name: 'Me', company_id }
    for (const body of [
      { ...own, user_id },
      { ...own, company_id: other, primary_email: email },
    ]) {
      const reply = await call('POST', '/api/contact/', body, 'partner')
      if (reply.status !== 200) assert.ok([400, 403].includes(reply.status), reply.text)
      else assert.equal(await linkOf(reply.headers.get('x-record-id')!), null)
    }
    const refused = await call('POST', '/api/contact/', { ...own, user_id }, 'partner')
    assert.equal(refused.status, 403, refused.text)
  })

  test('are not linked by an e-mail that a confined caller chose', async () => {
    const users = { create: true, read: true, update: true }
    const permission = { users, roles: { read: true }, contacts: { read: true } }
    const role = { role_name: 'Host of guests', kind: 'customer', permission }
    const { role_id } = (await call('POST', '/api/users/role/', role)).body
    const host = org.users.observer.user_id
    const body = { role_id, account_id }
    assert.equal((await call('PUT', `/api/users/profile/${host}/`, body)).status, 200)
    const other = await make('/api/company/', { company_name: 'Another customer' })
    const email = `known@${other}.test`
    const id = await contact({ company_id: other, primary_email: email })
    const act = (sent: object) => call('POST', '/api/users/profile/action/', sent, 'observer')
    // nobody accepts but whoever has the mailbox
    const invited = await act({ email, role_id })
    assert.deepEqual([invited.status, invited.body.invite_token], [200, null], invited.text)
    const again = await act({ email: email.toUpperCase(), role_id })
    assert.deepEqual([again.status, again.body.invite_token], [200, null], again.text)
    assert.equal(await linkOf(id), null)
    const { user_id } = invited.body
    const mailed = 'inv_mailed'
    const { database, secrets } = service.runtime
    await database.transaction(org.id, (queries) =>
      queries.run(
        sql`update users set invite_hash = ${secrets.hash(mailed)} where id = ${user_id}`,
      ),
    )
    const accepted = await service.call('POST', '/api/login/accept-invite/', {
      body: { invite_token: mailed, password: 'a long enough password' },
    })
    assert.equal(accepted.status, 200, accepted.text)
    assert.equal(await linkOf(id), user_id)

    const another = `also@${other}.test`
    const its = await contact({ company_id: other, primary_email: another })
    for (const profile_id of [user_id, host]) {
      assert.equal((await act({ profile_id, email: another })).status, 403)
    }
    assert.equal(await linkOf(its), null)
  })
})

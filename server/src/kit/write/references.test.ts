import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('references in bodies', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body: object) =>
    service.call(method, path, { token: org.users.admin.token, body })

  const read = (path: string) => service.call('GET', path, { token: org.users.admin.token })

  test('people are named by an id, an e-mail or a name, with or without an object around it', async () => {
    const { user_id, email } = org.users.member
    const { body: profile } = await read(`/api/users/profile/${user_id}/`)
    for (const owner of [
      user_id,
      email,
      ` ${email.toUpperCase()} `,
      profile.full_name,
      { email },
      { full_name: profile.full_name },
    ]) {
      const made = await call('POST', '/api/tasks/', { title: 'Call back', owner })
      assert.equal(made.status, 201, `${JSON.stringify(owner)}: ${made.text}`)
      assert.equal(made.body.owner.user_id, user_id)
    }
  })

  test('an address that is longer than an id names its user, alone and in lists of people', async () => {
    const email = 'somebody-with-a-long-address@references.test'
    const invited = await call('POST', '/api/users/profile/action/', { email })
    assert.equal(invited.status, 200, invited.text)
    const { user_id } = invited.body
    const task = await call('POST', '/api/tasks/', { title: 'x', owner: email, users: [email] })
    assert.equal(task.status, 201, task.text)
    assert.equal(task.body.owner.user_id, user_id)
    assert.deepEqual(
      task.body.users.map((one: { user_id: string }) => one.user_id),
      [user_id],
    )
    const meeting = await call('POST', '/api/calendar/info/', {
      calendar_id: 'named-by-mail',
      title: 'Kick-off',
      start: '2026-11-24T09:00:00Z',
      end: '2026-11-24T10:00:00Z',
      users: [email],
      optional_users: [{ email: org.users.member.email }],
    })
    assert.equal(meeting.status, 201, meeting.text)
    assert.deepEqual(meeting.body.users, [user_id])
    assert.deepEqual(meeting.body.optional_users, [org.users.member.user_id])
    const changed = await call('PUT', `/api/tasks/${task.body.item_id}/`, {
      owner: org.users.admin.email,
    })
    assert.equal(changed.body.owner.user_id, org.users.admin.user_id, changed.text)
  })

  test('companies are named by domain or name, accounts of projects by name', async () => {
    const company = await call('POST', '/api/company/', {
      company_name: 'Reference Works',
      domain: 'reference-works.test',
    })
    const company_id = company.headers.get('x-record-id')
    for (const named of [
      'reference-works.test',
      'https://www.reference-works.test',
      'reference WORKS',
    ]) {
      const contact = await call('POST', '/api/contact/', { full_name: 'Ann', company: named })
      const shown = await read(`/api/contact/${contact.headers.get('x-record-id')}/`)
      assert.equal(shown.body.company?.company_id, company_id, `${named}: ${contact.text}`)
    }
    const account = await call('POST', '/api/account/info/', { name: 'Reference Account' })
    const project = await call('POST', '/api/project/info/', {
      project_name: 'Launch',
      account_id: 'reference account',
    })
    const shown = await read(`/api/project/info/${project.headers.get('x-record-id')}/`)
    assert.equal(shown.body.account_id, account.body.account_id, project.text)
  })

  test('what names nothing is refused, with what would name a record', async () => {
    const owner = 'nobody@references.test'
    const refused = await call('POST', '/api/tasks/', { title: 'x', owner, project_id: 'Launch' })
    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(refused.body.errors, [
      { field: 'owner', message: 'no such record by id, email or full_name' },
      { field: 'project_id', message: 'no such record' },
    ])
    const listed = await call('POST', '/api/tasks/', { title: 'x', users: [owner] })
    refusedField(listed, ['users.0'])
  })

  test("another organization's people cannot be named by their e-mail", async () => {
    const other = await makeOrganization(service)
    const { token } = other.users.admin
    const owner = 'somebody-else@references.test'
    const invite = { email: owner }
    const invited = await service.call('POST', '/api/users/profile/action/', {
      token,
      body: invite,
    })
    assert.equal(invited.status, 200, invited.text)
    const refused = await call('POST', '/api/tasks/', { title: 'x', owner })
    refusedField(refused, ['owner'])
  })
})

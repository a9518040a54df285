import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, password, startService } from '../../../test/support/service.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)

describe('a changed e-mail', () => {
  let service: TestService
  let mailbox: Mailbox
  let org: TestOrganization

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const act = (body: object, token = org.users.admin.token) =>
    service.call('POST', '/api/users/profile/action/', { token, body })
  const login = async (email: string) =>
    (await service.call('POST', '/api/login/', { body: { email, password } })).body
  const me = (token: string) => service.call('GET', '/api/sessions/', { token })

  test('ends sessions and resets, and both addresses are notified', async () => {
    const { user_id, email } = org.users.member
    const session = await login(email)
    is(await service.call('POST', '/api/login/reset/', { body: { email } }), 200)
    const token = linkIn(await mailbox.next(email))
      .split('/')
      .at(-1)
    const to = `moved@${org.id}.test`
    is(await act({ profile_id: user_id, email: to }), 200)

    is(await me(session.access_token), 401)
    const { refresh_token } = session
    is(await service.call('POST', '/api/login/refresh/', { body: { refresh_token } }), 401)
    const body = { token, password: 'a new and long one' }
    is(await service.call('POST', '/api/login/reset/confirm/', { body }), 400)

    const farewell = await mailbox.next(email)
    assert.match(farewell.subject!, /was changed/)
    for (const word of [email, to, `admin of ${org.name}`, 'If this was not you'])
      assert.ok(farewell.text!.includes(word), word)
    const welcome = await mailbox.next(to)
    assert.match(welcome.subject!, /Welcome/)
    assert.ok(welcome.text!.includes(to))
    assert.ok((await login(to)).access_token)
  })

  test('keeps the session in which one changes one’s own', async () => {
    const { user_id, email } = org.users.admin
    const [here, elsewhere] = [await login(email), await login(email)]
    const to = `boss@${org.id}.test`
    is(await act({ profile_id: user_id, email: to }, here.access_token), 200)
    is(await me(here.access_token), 200)
    is(await me(elsewhere.access_token), 401)
    org.users.admin = { user_id, email: to, token: here.access_token }
  })

  test('voids an open invitation; the new address can be invited', async () => {
    const from = `typo@${org.id}.test`
    const to = `right@${org.id}.test`
    const { profile_id, invite_token } = (await act({ email: from })).body
    is(await act({ profile_id, email: to }), 200)
    const accept = (token: string) =>
      service.call('POST', '/api/login/accept-invite/', {
        body: { invite_token: token, password: 'a new and long one' },
      })
    is(await accept(invite_token), 401)
    const again = await act({ email: to })
    is(again, 200)
    assert.equal(again.body.profile_id, profile_id)
    is(await accept(again.body.invite_token), 200)
  })

  test('in other letters is the same e-mail, and voids nothing', async () => {
    const { user_id, email } = org.users.manager
    const session = await login(email)
    is(await act({ profile_id: user_id, email: email.toUpperCase() }), 200)
    is(await me(session.access_token), 200)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp, postForm } from '../../../test/support/integration.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { Reply, TestOrganization, TestService } from '../../../test/support/service.ts'
import { ageLinks } from '../../../test/support/links.ts'
import {
  makeOrganization,
  password,
  rows,
  sql,
  startService,
} from '../../../test/support/service.ts'
import { checkPassword } from './password-rules.ts'

const is = (reply: Reply, status: number) => assert.equal(reply.status, status, reply.text)
const owner = {
  email: 'ada.king@larkspur.test',
  full_name: 'Ada King',
  organization: 'Larkspur Works',
}

describe('the rules of passwords', () => {
  test('refuse common ones in any case, and what names their owner', async () => {
    for (const candidate of [
      'password1',
      'PassWord123',
      'qwertyuiop',
      ' 1234567890 ',
      'ada.king@larkspur.test',
      'Ada.King',
      'adaking2026',
      'larkspur-works',
      'LarkspurWorks!1',
    ]) {
      await assert.rejects(
        checkPassword(candidate, owner),
        { status: 400, code: 'common_password' },
        candidate,
      )
    }
  })

  test('let everything else through', async () => {
    for (const candidate of [
      password,
      'ada kingfisher lane',
      'larkspur works at night',
      'Zx9-Qw4-Lm2',
    ])
      await checkPassword(candidate, owner)
  })
})

describe('setting a password', () => {
  let service: TestService
  let mailbox: Mailbox
  let org: TestOrganization

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const post = (path: string, body: object, token?: string) =>
    service.call('POST', path, { body, token })
  const isCommon = (reply: Reply, field = 'password') => {
    is(reply, 400)
    assert.deepEqual([reply.body.code, reply.body.errors[0].field], ['common_password', field])
  }
  const resetLink = async (email: string) => {
    await ageLinks(service, org, email)
    is(await post('/api/login/reset/', { email }), 200)
    return linkIn(await mailbox.next(email))
      .split('/')
      .at(-1)!
  }

  test('refuses a common one in an invitation, and the invitation stays open', async () => {
    const { token } = org.users.admin
    const { body } = await post(
      '/api/users/profile/action/',
      { email: `new@${org.id}.test` },
      token,
    )
    const { invite_token } = body
    isCommon(await post('/api/login/accept-invite/', { invite_token, password: 'Password1' }))
    is(await post('/api/login/accept-invite/', { invite_token, password: 'long and rare' }), 200)
  })

  test('refuses a common one at a reset, by the form too', async () => {
    const token = await resetLink(org.users.manager.email)
    isCommon(await post('/api/login/reset/confirm/', { token, password: 'iloveyou1' }))
    const form = await service.call('POST', `/reset/${token}`, {
      body: 'password=iloveyou1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    is(form, 400)
    assert.match(form.text, /among the most common/)
    is(await post('/api/login/reset/confirm/', { token, password: 'long and rare' }), 200)
  })

  test('refuses a common one at a change; a right change ends the other sessions', async () => {
    const { email } = org.users.member
    const login = async (entered: string) => post('/api/login/', { email, password: entered })
    const [here, elsewhere] = [(await login(password)).body, (await login(password)).body]
    const change = (body: object) => post('/api/session/password/', body, here.access_token)
    isCommon(await change({ current: password, new: 'Football1' }), 'new')
    const wrong = await change({ current: 'not it', new: 'long and rare' })
    is(wrong, 400)
    assert.deepEqual([wrong.body.code, wrong.body.errors[0].field], ['wrong_password', 'current'])
    is(await change({ current: password, new: 'long and rare' }), 204)
    is(await service.call('GET', '/api/sessions/', { token: here.access_token }), 200)
    is(await service.call('GET', '/api/sessions/', { token: elsewhere.access_token }), 401)
    is(await login(password), 401)
    is(await login('long and rare'), 200)
    assert.match((await mailbox.next(email)).text!, /your other sessions were ended/)
  })

  test('a reset ends connected apps, unless the user keeps them', async () => {
    const { email } = org.users.admin
    const app = await connectApp(service, org)
    const works = async () => (await app.call('GET', '/automation/test')).status
    assert.equal(await works(), 200)
    const page = await service.call('GET', `/reset/${await resetLink(email)}`)
    assert.match(page.text, /name="keep"/)
    const [{ name }] = await rows(
      service,
      sql`select name from apps where id = ${app.app.id} and organization_id = ${org.id}`,
    )
    assert.ok(page.text.includes(name))
    // a password that is refused does not take back what was ticked
    const path = `/reset/${await resetLink(email)}`
    for (const refused of ['short', 'iloveyou1']) {
      for (const keep of ['yes', '']) {
        const again = await postForm(service, path, { password: refused, keep })
        is(again, 400)
        assert.equal(/name="keep" value="yes" checked/.test(again.text), keep === 'yes', refused)
      }
    }

    const input = { password: 'long and rare 1', keep_connections: true }
    is(await post('/api/login/reset/confirm/', { token: await resetLink(email), ...input }), 200)
    assert.equal(await works(), 200)
    await mailbox.next(email)
    const ended = { token: await resetLink(email), password: 'long and rare 2' }
    is(await post('/api/login/reset/confirm/', ended), 200)
    assert.equal(await works(), 401)
    assert.ok((await mailbox.next(email)).text!.includes(`disconnected: ${name}`))
  })
})

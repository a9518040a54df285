import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { MailKind } from '../../src/records/mail/mail.ts'
import { counters, mail } from '../../src/records/mail/mail.ts'
import { asService } from '../support/contexts.ts'
import { ageLinks } from '../support/links.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { startMailbox } from '../support/mailbox.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A clock within an hour whose counters no test reaches the end of. */
const halfPast = () => {
  const left = 3_600_000 - (Date.now() % 3_600_000)
  const behind = left < 300_000 ? 600_000 : 0
  return () => new Date(Date.now() - behind)
}

describe('mail to one person', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    const quotas = { ...(await startService()).runtime.config.quotas, mailsPerAddress: 8 }
    service = await startService({ smtpUrl: mailbox.url, quotas }, halfPast(), true)
    org = await makeOrganization(service)
  })

  const send = (from: TestOrganization, kind: MailKind, address: string, subject = 'x') =>
    asService(service, from, async (ctx) =>
      mail(ctx, { kind, to: { address }, subject, text: 'x', html: 'x' }),
    )
  const got = (address: string) =>
    mailbox.received.filter(({ to_addresses }) => to_addresses.includes(address)).length
  const asked = (path: string, email: string) => service.call('POST', path, { body: { email } })
  const dropped = async () =>
    (
      await rows<{ refusal: string }>(
        service,
        sql`select refusal from sent_mails where organization_id = ${org.id} and refusal is not null`,
      )
    ).map(({ refusal }) => refusal)

  test('that anybody may request is one of the last minutes, and answered as for nobody', async () => {
    const { email } = org.users.member
    const replies = [
      ...(await Promise.all([1, 2, 3].map(() => asked('/api/login/reset/', email)))),
      await asked('/api/login/reset/', 'nobody@else.test'),
    ]
    for (const { status, body } of replies) {
      assert.deepEqual([status, body], [200, { status: 'success' }])
    }
    await until(() => got(email) === 1)
    assert.equal((await asked('/api/session/link/', email)).status, 200)
    await until(() => got(email) === 2)
  })

  test('that anybody may request is little in an hour, and never nothing while no link is open', async () => {
    const { email } = org.users.manager
    for (let n = 0; n < 9; n++) {
      assert.equal((await asked('/api/login/reset/', email)).status, 200)
      await ageLinks(service, org, email)
    }
    await until(() => got(email) === 5)
    await ageLinks(service, org, email, 3_600_000)
    await asked('/api/login/reset/', email)
    await until(() => got(email) === 6)
  })

  test('about their account waits for no other, and none that others cause keeps what a member sends', async () => {
    const { email } = org.users.partner
    for (let n = 0; n < 12; n++) await send(org, 'automation', email)
    await until(() => got(email) === 8)
    await send(org, 'signature', email, 'Sign')
    await until(() => got(email) === 9)
    for (let n = 0; n < 12; n++) await send(org, 'meeting', email)
    await until(() => got(email) === 16)
    await asked('/api/login/reset/', email)
    await until(() => got(email) === 17)
    // another organization has counters of its own
    const other = await makeOrganization(service)
    await send(other, 'meeting', email)
    await until(() => got(email) === 18)
  })

  test('about their account passes mails of the organization that hang', async () => {
    const release = mailbox.hold('hang@held.test')
    for (let n = 0; n < 8; n++) await send(org, 'signature', 'hang@held.test')
    await until(() => mailbox.held() >= 2)
    await asked('/api/session/link/', org.users.admin.email)
    await until(() => got(org.users.admin.email) === 1)
    assert.equal(got('hang@held.test'), 0)
    release()
  })

  test('is sent after one mail of each other organization, however many one of them has enqueued', async () => {
    const others = await Promise.all([makeOrganization(service), makeOrganization(service)])
    // the workers of all mails hang
    const release = mailbox.hold('busy@order.test')
    for (const each of others) {
      for (let n = 0; n < 2; n++) await send(each, 'meeting', 'busy@order.test')
    }
    await until(() => mailbox.held() === 4)
    const [flooding, asking] = [others[0]!, await makeOrganization(service)]
    await asService(service, flooding, async (ctx) => {
      for (let n = 0; n < 60; n++) {
        const to = { address: `flood${n}@order.test` }
        mail(ctx, { kind: 'notification', to, subject: 'x', text: 'x', html: 'x' })
      }
    })
    await send(asking, 'signature', 'signer@order.test')
    await until(async () => {
      const asked = sql`select id from asked_jobs where organization_id in (${flooding.id}, ${asking.id})`
      return !(await rows(service, asked)).length
    })
    release()
    const arrived = () =>
      mailbox.received
        .flatMap(({ to_addresses }) => to_addresses)
        .filter((address) => /^(flood|signer).*@order/.test(address))
    await until(() => arrived().length === 61)
    // four are sent at once
    assert.ok(arrived().indexOf('signer@order.test') < 8, arrived().slice(0, 20).join())
  })

  test('is dropped once its link was replaced', async () => {
    const { email } = org.users.observer
    mailbox.refuse(email, 451, 1)
    await asked('/api/login/reset/', email)
    await ageLinks(service, org, email)
    await until(() => !mailbox.refuses(email))
    await asked('/api/login/reset/', email)
    await until(async () =>
      (await dropped()).includes('its link was used or replaced, or has expired'),
    )
    await until(() => got(email) === 1)
    const [stored] = await rows(
      service,
      sql`select reset_hash from users where organization_id = ${org.id} and email = ${email}`,
    )
    const last = mailbox.received.findLast(({ to_addresses }) => to_addresses.includes(email))
    const [, token = ''] = /\/reset\/(rst_[\w-]+)/.exec(last?.text ?? '') ?? []
    assert.deepEqual(stored.reset_hash, service.runtime.secrets.hash(token))
  })

  test('is dropped once what it asks for has ended', async () => {
    const { token } = org.users.admin
    const call = (method: string, path: string, body?: object) =>
      service.call(method, path, { token, body })
    const again = async (
      address: string,
      ask: () => Promise<unknown>,
      end: () => Promise<unknown>,
    ) => {
      const before = (await dropped()).length
      mailbox.refuse(address, 451, 1)
      await ask()
      await until(() => !mailbox.refuses(address))
      await end()
      await until(async () => (await dropped()).length === before + 1)
      assert.equal(got(address), 0)
    }
    const fields = [{ id: 'a', type: 'short-text', label: 'A' }]
    const form_structure = [{ id: 'p', title: '', fields }]
    const survey = await call('POST', '/api/surveys/', {
      name: 'S',
      form_structure,
      status: 'published',
    })
    const at = `/api/surveys/${survey.body.survey_id}/`
    await again(
      'asked@ended.test',
      () => call('POST', `${at}send/`, { email_addresses: ['asked@ended.test'] }),
      () => call('PUT', at, { is_active: false }),
    )
    const profile = '/api/users/profile/action/'
    const email = 'invited@ended.test'
    mailbox.refuse(email, 451, 1)
    await call('POST', profile, { email, full_name: 'I' })
    await until(() => !mailbox.refuses(email))
    const before = (await dropped()).length
    await call('POST', profile, { email })
    await until(async () => (await dropped()).length === before + 1)
    await until(() => got(email) === 1)
  })

  test('of every kind has a counter', () => {
    for (const counter of Object.values(counters)) {
      assert.ok(['account', 'personal', 'automatic'].includes(counter))
    }
  })
})

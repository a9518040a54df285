import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { notificationDigest } from '../../jobs/digest.ts'
import { workFor } from '../../jobs/work.ts'
import { mailNotification } from './mailing.ts'

describe('notifications by mail', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let made = 0

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const prefer = ({ token }: Member, body: object) =>
    service.call('PUT', '/api/notifyhub/preferences/', { token, body })

  async function mention(member: Member, { token } = org.users.admin) {
    const company = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: `Acme ${++made}` },
    })
    const body = {
      module_name: 'companies',
      reference_id: company.headers.get('x-record-id'),
      content: 'Look at this',
      mentions: [member.user_id],
    }
    const reply = await service.call('POST', '/api/interactions/info/', { token, body })
    assert.equal(reply.status, 201)
  }

  test('who wants them at once is mailed each, once', async () => {
    const { member } = org.users
    await prefer(member, { mention: { email: 'immediately' } })
    await mention(member)
    const got = await mailbox.next(member.email)
    assert.match(got.subject ?? '', /mention/i)
    const [notification] = await rows(
      service,
      sql`select id from notifications
      where user_id = ${member.user_id} and mailed_at is not null`,
    )
    const job = { organization_id: org.id, id: notification.id, user_id: null }
    const work = await workFor(service.runtime, mailNotification, job, new AbortController().signal)
    await mailNotification.run(work, { notification_id: notification.id })
    const waiting = await rows(service, sql`select id from asked_jobs where name = 'send-mail'`)
    assert.deepEqual(waiting, [])
  })

  test('who wants them daily is mailed once, at eight in the morning of the organization', async () => {
    const { manager, member } = org.users
    await prefer(manager, { mention: { email: 'daily' } })
    await mention(manager)
    await mention(manager)
    await mention(member)
    const at = (hour: number) => {
      // a clock that is behind: what is enqueued then is due now
      const day = new Date(Date.now() - 86_400_000)
      day.setUTCHours(hour, 30)
      return { ...service.runtime, now: () => day }
    }
    assert.equal(await notificationDigest(at(7)), 0)
    assert.equal(await notificationDigest(at(8)), 1)
    assert.equal(await notificationDigest(at(8)), 0)
    const mail = await mailbox.next(manager.email)
    assert.match(mail.subject ?? '', /^2 new/)
  })

  test('who wants none is mailed none', async () => {
    const { admin, manager } = org.users
    await mention(admin, manager)
    const enqueued = await rows(
      service,
      sql`select id from asked_jobs
      where organization_id = ${org.id} and name = 'mail-notification'`,
    )
    assert.deepEqual(enqueued, [])
  })
})

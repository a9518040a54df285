import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../../test/support/contexts.ts'
import { postForm } from '../../../../test/support/integration.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import { refusedField } from '../../../../test/support/refused.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../../test/support/service.ts'
import { sendReminders } from './remind.ts'

// Whoever has not answered a mailing is reminded, and nobody is asked too often.

const fields = [{ id: 'nps', type: 'nps', label: 'How likely?', required: true }]
const form_structure = [{ id: 'p1', title: 'One', fields }]

describe('recipients of surveys', () => {
  let service: TestService
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
  })

  /** An organization of its own, with what its admin does. */
  async function organization() {
    const org = await makeOrganization(service)
    const { token } = org.users.admin
    const call = async (method: string, path: string, body?: object) => {
      const reply = await service.call(method, path, { token, body })
      assert.ok(reply.status < 300, reply.text)
      return reply.body
    }
    const survey = async (): Promise<string> => {
      const body = { name: 'Pulse', form_structure, status: 'published' }
      return (await call('POST', '/api/surveys/', body)).survey_id
    }
    const mail = (id: string, email_addresses: string[], more: object = {}) =>
      call('POST', `/api/surveys/${id}/send/`, { email_addresses, ...more })
    const mailing = (id: string, schedule_id: string) =>
      call('GET', `/api/surveys/${id}/schedules/${schedule_id}/`)
    const remind = () => asService(service, org, sendReminders)
    /** Moves what was sent into the past. */
    const passed = (days: number) =>
      asService(service, org, (ctx) =>
        ctx.run(sql`update survey_recipients
          set sent_at = sent_at - make_interval(days => ${days}),
            reminded_at = reminded_at - make_interval(days => ${days})
          where organization_id = ${org.id}`),
      )
    return { org, token, call, survey, mail, mailing, remind, passed }
  }
  const subjects = (address: string) =>
    mailbox.received
      .filter((mail) => mail.to_addresses.includes(address))
      .map(({ subject }) => subject)

  test('are reminded after days, as often as is said, until they answer', async () => {
    const { org, survey, mail, mailing, remind, passed, call } = await organization()
    const id = await survey()
    const [silent, busy, out] = ['silent@r.test', 'busy@r.test', 'out@r.test'] as const
    const { schedule_id } = await mail(id, [silent, busy, out], {
      custom_message: 'Please tell us.',
      reminders: { after_days: 3, at_most: 2 },
    })
    const first = await mailbox.next(silent)
    const link = new URL(linkIn(await mailbox.next(busy))).pathname
    await mailbox.next(out)
    assert.equal(await remind(), 0)
    await passed(3)
    const form = { page: '0', 'a.nps': '9', go: 'next' }
    assert.equal((await postForm(service, link, form)).status, 303)
    await call('POST', '/api/contact/', {
      full_name: 'Out',
      primary_email: out,
      do_not_contact: 'yes',
    })
    // twice at once reminds once
    const both = await Promise.all([remind(), remind()])
    assert.deepEqual(both.toSorted(), [0, 1])
    const reminder = await mailbox.next(silent)
    assert.equal(reminder.subject, `Reminder: Pulse · ${org.name ?? ''}`.trim())
    assert.equal(new URL(linkIn(reminder)).pathname.length, new URL(linkIn(first)).pathname.length)
    assert.equal(await remind(), 0)
    await passed(3)
    assert.equal(await remind(), 1)
    await mailbox.next(silent)
    await passed(30)
    assert.equal(await remind(), 0)
    const { reminders, reminded_count } = await mailing(id, schedule_id)
    assert.deepEqual([reminders, reminded_count], [{ after_days: 3, at_most: 2 }, 1])
    assert.deepEqual([subjects(busy).length, subjects(out).length], [1, 1])
  })

  test('are not reminded once the reminders are stopped, the survey is closed, or whoever sent it has left', async () => {
    const { org, survey, mail, mailing, remind, passed, call } = await organization()
    const reminders = { after_days: 1, at_most: 5 }
    const [stopped, closed] = [await survey(), await survey()]
    const { schedule_id } = await mail(stopped, ['a@r.test'], { reminders })
    await mail(closed, ['b@r.test'], { reminders })
    await passed(1)
    const path = `/api/surveys/${stopped}/schedules/${schedule_id}/reminders/`
    await call('DELETE', path)
    await call('DELETE', path)
    await call('POST', `/api/surveys/${closed}/close/`, {})
    assert.equal((await mailing(stopped, schedule_id)).reminders, null)
    assert.equal(await remind(), 0)
    const left = await survey()
    const { user_id, token } = org.users.manager
    const sent = await service.call('POST', `/api/surveys/${left}/send/`, {
      token,
      body: { email_addresses: ['c@r.test'], reminders },
    })
    assert.equal(sent.status, 200, sent.text)
    await passed(1)
    await call('PUT', `/api/users/profile/${user_id}/`, { is_active: false })
    assert.equal(await remind(), 0)
    assert.equal((await mailing(left, sent.body.schedule_id)).reminders, null)
  })

  test('get no survey within the days that the organization says, and mailings say how many', async () => {
    const { token, survey, mail, mailing, passed, call } = await organization()
    const [one, other] = [await survey(), await survey()]
    const settings = '/api/organization/settings/mail/'
    refusedField(await service.call('PUT', settings, { token, body: { survey_rest_days: 0 } }), [
      'survey_rest_days',
    ])
    const again = ['again@r.test']
    assert.equal((await mail(one, again)).sent, 1)
    assert.equal((await mail(other, again)).sent, 1)
    assert.equal((await call('PUT', settings, { survey_rest_days: 14 })).survey_rest_days, 14)
    const third = await mail(one, ['AGAIN@r.test', 'new@r.test'])
    assert.deepEqual([third.sent, third.rested, third.rested_addresses], [1, 1, ['AGAIN@r.test']])
    assert.equal((await mailing(one, third.schedule_id)).rested_count, 1)
    await passed(14)
    assert.deepEqual((await mail(other, again)).rested_addresses, [])
    // of two at once one asks
    const both = await Promise.all([mail(one, ['both@r.test']), mail(other, ['both@r.test'])])
    assert.deepEqual(both.map(({ sent }) => sent).toSorted(), [0, 1])
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../../test/support/contexts.ts'
import { postForm } from '../../../../test/support/integration.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import { until } from '../../../../test/support/until.ts'
import { refusedField } from '../../../../test/support/refused.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'
import { quietUntil } from './quiet-hours.ts'
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

  test('get no survey in their quiet hours: it waits until they end, and so do reminders', async () => {
    const { org, survey, mail, remind, passed, call } = await organization()
    const id = await survey()
    // quiet by the clock of one city, at any time of the day at which this runs
    const hour = new Date().getUTCHours()
    const clock = (n: number) => `${String((n + 24) % 24).padStart(2, '0')}:00`
    const quiet = { from: clock(hour - 1), to: clock(hour + 2) }
    await call('PUT', '/api/organization/settings/', { timezone: 'UTC' })
    await call('PUT', '/api/organization/settings/mail/', { survey_quiet_hours: quiet })
    // where it is twelve hours later
    const awake = { full_name: 'Awake', primary_email: 'awake@r.test', timezone: 'Etc/GMT-12' }
    await call('POST', '/api/contact/', awake)
    const reminders = { after_days: 1, at_most: 2 }
    const sent = await mail(id, ['asleep@r.test', 'awake@r.test'], { reminders })
    assert.deepEqual([sent.sent, sent.waiting], [2, 1])
    await mailbox.next('awake@r.test')
    assert.deepEqual(subjects('asleep@r.test'), [])
    const leaves = async () =>
      asService(service, org, async (ctx) => {
        const found = await ctx.one<{ sent_at: Date; reminded_at: Date | null }>(
          sql`select t.sent_at, t.reminded_at from survey_recipients t
            where t.organization_id = ${org.id} and t.email_key = 'asleep@r.test'`,
        )
        assert.ok(found)
        return found
      })
    const { sent_at } = await leaves()
    const end = new Date(sent_at)
    // its job is due at that moment
    await until(async () => {
      const due = await rows(
        service,
        sql`select id from perennial_jobs.job
          where start_after = ${end.toISOString()} and data::text like ${`%${org.id}%`}`,
      )
      return due.length === 1
    })
    assert.equal(end.toISOString().slice(11, 16), quiet.to)
    assert.ok(+end > Date.now() && +end <= Date.now() + 2 * 3_600_000 + 3_600_000)
    await passed(2)
    assert.equal(await remind(), 2)
    await mailbox.next('awake@r.test')
    assert.deepEqual(subjects('asleep@r.test'), [])
    const { reminded_at } = await leaves()
    assert.equal(new Date(reminded_at ?? 0).toISOString().slice(11, 16), quiet.to)
  })

  test('quiet hours go over midnight and over a change of the clocks', () => {
    const night = { from: '20:00', to: '07:30' }
    const until = (now: string, zone: string, hours = night) =>
      quietUntil(new Date(now), hours, zone)?.toISOString()
    assert.equal(until('2030-01-15T19:00:00Z', 'Europe/Berlin'), '2030-01-16T06:30:00.000Z')
    assert.equal(until('2030-01-15T18:59:59Z', 'Europe/Berlin'), undefined)
    assert.equal(until('2030-01-16T06:29:59Z', 'Europe/Berlin'), '2030-01-16T06:30:00.000Z')
    assert.equal(until('2030-01-16T06:30:00Z', 'Europe/Berlin'), undefined)
    assert.equal(until('2030-01-15T19:00:00Z', 'Asia/Tokyo'), '2030-01-15T22:30:00.000Z')
    // summer time begins in the night
    assert.equal(until('2030-03-30T23:00:00Z', 'Europe/Berlin'), '2030-03-31T05:30:00.000Z')
    const gap = { from: '01:00', to: '02:30' }
    assert.equal(until('2030-03-31T00:30:00Z', 'Europe/Berlin', gap), '2030-03-31T01:30:00.000Z')
    const noon = { from: '12:00', to: '13:00' }
    assert.equal(until('2030-01-15T12:30:00Z', 'UTC', noon), '2030-01-15T13:00:00.000Z')
    assert.equal(until('2030-01-15T13:00:00Z', 'UTC', noon), undefined)
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

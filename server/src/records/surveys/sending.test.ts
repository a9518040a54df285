import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../test/support/contexts.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { patient } from '../../../test/support/until.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import type { Work } from '../../kit/ground/job.ts'
import { overdueMailings } from '../../jobs/ended-surveys.ts'
import { workFor } from '../../jobs/work.ts'
import { instantOf } from './sending/local-time.ts'
import { sendScheduled } from './sending/schedule.ts'

const score = { id: 'score', type: 'nps', label: 'How likely?', required: true }
const why = { id: 'why', type: 'long-text', label: 'Why?' }
const form_structure = [{ id: 'p1', title: 'One', fields: [score, why] }]

describe('surveys that go out', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let token: string

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const post = (path: string, body: object = {}) => service.call('POST', path, { token, body })

  async function survey(more: object = {}) {
    const body = { name: 'How was it?', form_structure, status: 'published', ...more }
    return (await post('/api/surveys/', body)).body.survey_id as string
  }

  const answer = (id: string, answers: object, respondent_email?: string) =>
    post(`/api/surveys/${id}/fill/`, { answers, respondent_email })

  /** Waits for what the automations of a survey have done. */
  async function runs(id: string, count: number) {
    for (const patience = patient(); ; patience()) {
      const { body } = await service.call('GET', `/api/surveys/${id}/automations/runs/`, { token })
      if (body.length >= count) return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  test('each address is mailed once, with a link of its own', async () => {
    const id = await survey()
    await post('/api/contact/', {
      full_name: 'Do Not',
      primary_email: 'Not@acme.test',
      do_not_contact: 'yes',
    })
    const email_addresses = ['a@acme.test', ' A@ACME.test', 'b@acme.test', 'not@acme.test', 'wrong']
    const sent = await post(`/api/surveys/${id}/send/`, {
      email_addresses,
      custom_message: 'Please tell us.',
    })
    assert.equal(sent.status, 200)
    const { schedule_id, ...numbers } = sent.body
    assert.match(schedule_id, /^\w{25}$/)
    assert.deepEqual(numbers, {
      sent: 2,
      skipped: 2,
      waiting: 0,
      invalid: 1,
      rested: 0,
      rested_addresses: [],
      skipped_addresses: ['A@ACME.test', 'not@acme.test'],
      invalid_addresses: ['wrong'],
    })
    const mails = [await mailbox.next('a@acme.test'), await mailbox.next('b@acme.test')]
    assert.match(mails[0]!.text ?? '', /Please tell us\./)
    const links = mails.map(linkIn)
    assert.notEqual(links[0], links[1])
    const encrypted_token = new URL(links[1]!).pathname.split('/').at(-1)
    const read = await service.call('GET', `/api/surveys/public/${encrypted_token}/`, { token })
    assert.equal(read.body.respondent_email, 'b@acme.test')
  })

  test('a draft, a closed survey and a template are not sent', async () => {
    const draft = await survey({ status: 'draft' })
    const closed = await survey()
    await post(`/api/surveys/${closed}/close/`)
    const template = (await post(`/api/surveys/${closed}/save-as-template/`)).body.survey_id
    for (const id of [draft, closed, template]) {
      const reply = await post(`/api/surveys/${id}/send/`, { email_addresses: ['a@acme.test'] })
      assert.equal(reply.status, 409)
    }
  })

  test('a local time is read in its zone: of a gap the later, of two the first', () => {
    assert.equal(
      instantOf('2030-03-31T02:30', 'Europe/Berlin').toISOString(),
      '2030-03-31T01:30:00.000Z',
    )
    assert.equal(
      instantOf('2030-10-27T02:30', 'Europe/Berlin').toISOString(),
      '2030-10-27T00:30:00.000Z',
    )
    assert.equal(
      instantOf('2030-07-01 09:00', 'Asia/Kolkata').toISOString(),
      '2030-07-01T03:30:00.000Z',
    )
  })

  test('what cannot be scheduled is refused, naming the field', async () => {
    const id = await survey()
    const good = {
      email_addresses: ['a@acme.test'],
      scheduled_at: '2035-01-01T09:00',
      timezone: 'UTC',
    }
    for (const [field, value] of [
      ['scheduled_at', '2001-01-01T09:00'],
      ['scheduled_at', 'tomorrow'],
      ['scheduled_at', '2035-02-30T09:00'],
      ['scheduled_at', '2035-01-01T09:00Z'],
      ['scheduled_at', '2035-01-01T09:00[Asia/Tokyo]'],
      ['scheduled_at', undefined],
      ['in_seconds', 30],
      ['timezone', 'Mars/Olympus'],
      ['timezone', '+02:00'],
      ['email_addresses', []],
    ] as const) {
      const reply = await post(`/api/surveys/${id}/schedule/`, { ...good, [field]: value })
      assert.equal(reply.status, 400)
      assert.match(reply.text, new RegExp(field))
    }
  })

  test('a schedule can wait from now on, by the clock of the service', async () => {
    const id = await survey()
    const body = { email_addresses: ['a@acme.test'], in_seconds: 30, timezone: 'Asia/Tokyo' }
    const before = Date.now()
    const reply = await post(`/api/surveys/${id}/schedule/`, body)
    assert.equal(reply.status, 201, reply.text)
    const { scheduled_at, scheduled_at_utc } = reply.body
    const at = Date.parse(scheduled_at_utc)
    assert.ok(at >= before + 30_000 && at <= Date.now() + 30_000)
    const tokyo = new Date(at + 9 * 3_600_000).toISOString().slice(0, 19)
    assert.equal(scheduled_at, tokyo)
    for (const wrong of [{ in_seconds: 0 }, { in_seconds: 3601 }, { timezone: 'Mars/Olympus' }]) {
      const refused = await post(`/api/surveys/${id}/schedule/`, { ...body, ...wrong })
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.text, new RegExp(Object.keys(wrong).join()))
    }
  })

  test('a schedule goes out once across a change of the clocks, however many processes try', async () => {
    const id = await survey()
    const email = 'spring@acme.test'
    const made = await post(`/api/surveys/${id}/schedule/`, {
      email_addresses: [email],
      scheduled_at: '2030-03-31T09:00',
      timezone: 'Europe/Berlin',
    })
    assert.equal(made.status, 201)
    // summer time began that night: nine is seven in UTC
    assert.equal(made.body.scheduled_at_utc, '2030-03-31T07:00:00.000Z')
    const { schedule_id } = made.body
    const enqueued = { organization_id: org.id, id: schedule_id, user_id: null }
    const works: Work[] = []
    for (let each = 0; each < 2; each++) {
      works.push(
        await workFor(service.runtime, sendScheduled, enqueued, new AbortController().signal),
      )
    }
    await Promise.all(works.map((work) => sendScheduled.run(work, { schedule_id })))
    await mailbox.next(email)
    const listed = await service.call('GET', `/api/surveys/${id}/schedules/`, { token })
    assert.deepEqual(
      listed.body.map((each: any) => [each.status, each.sent_count]),
      [['sent', 1]],
    )
    const cancel = await service.call('DELETE', `/api/surveys/${id}/schedules/${schedule_id}/`, {
      token,
    })
    assert.equal(cancel.status, 409)
    const mails = mailbox.received.filter(({ to_addresses }) => to_addresses.includes(email))
    assert.equal(mails.length, 1)
  })

  test('a cancelled schedule never goes out', async () => {
    const id = await survey()
    const { body } = await post(`/api/surveys/${id}/schedule/`, {
      email_addresses: ['never@acme.test'],
      scheduled_at: '2031-01-01T09:00',
      timezone: 'UTC',
    })
    const path = `/api/surveys/${id}/schedules/${body.schedule_id}/`
    assert.equal((await service.call('DELETE', path, { token })).status, 204)
    const enqueued = { organization_id: org.id, id: body.schedule_id, user_id: null }
    const work = await workFor(
      service.runtime,
      sendScheduled,
      enqueued,
      new AbortController().signal,
    )
    await sendScheduled.run(work, { schedule_id: body.schedule_id })
    const [left] = await rows(
      service,
      sql`select status from survey_schedules where id = ${body.schedule_id}`,
    )
    assert.equal(left.status, 'cancelled')
  })

  test('a schedule of somebody who was deactivated, or may no longer send it, does not go out', async () => {
    const { manager } = org.users
    const id = await survey()
    const email = 'left@acme.test'
    const schedule = async () => {
      const { body } = await service.call('POST', `/api/surveys/${id}/schedule/`, {
        token: manager.token,
        body: { email_addresses: [email], scheduled_at: '2031-01-01T09:00', timezone: 'UTC' },
      })
      return body.schedule_id as string
    }
    const send = async (schedule_id: string) => {
      const enqueued = { organization_id: org.id, id: schedule_id, user_id: null }
      const { signal } = new AbortController()
      const work = await workFor(service.runtime, sendScheduled, enqueued, signal)
      await sendScheduled.run(work, { schedule_id })
      const path = `/api/surveys/${id}/schedules/${schedule_id}/`
      return (await service.call('GET', path, { token })).body
    }
    const change = (body: object) =>
      service.call('PUT', `/api/users/profile/${manager.user_id}/`, { token, body })
    const roleOf = async ({ user_id }: { user_id: string }) =>
      (await service.call('GET', `/api/users/profile/${user_id}/`, { token })).body.role_id
    const [usual, observer] = [await roleOf(manager), await roleOf(org.users.observer)]
    const [first, second, third] = [await schedule(), await schedule(), await schedule()]
    await change({ is_active: false })
    const stopped = await send(first)
    assert.deepEqual([stopped.status, stopped.sent_count], ['failed', null])
    assert.match(stopped.failure, /no longer active/)
    await change({ is_active: true, role_id: observer })
    const refused = await send(second)
    assert.equal(refused.status, 'failed', refused.failure)
    await change({ role_id: usual })
    assert.equal((await send(third)).status, 'sent')
    await mailbox.next(email)
    assert.equal(mailbox.received.filter((mail) => mail.to_addresses.includes(email)).length, 1)
  })

  test('a schedule whose job is gone goes out too, unless its day has passed', async () => {
    const id = await survey()
    const scheduleAt = async (email: string, hoursAgo: number) => {
      const { body } = await post(`/api/surveys/${id}/schedule/`, {
        email_addresses: [email],
        scheduled_at: '2031-01-01T09:00',
        timezone: 'UTC',
      })
      await asService(service, org, (ctx) =>
        ctx.run(sql`update survey_schedules
          set scheduled_at = now() - make_interval(mins => ${hoursAgo * 60})
          where organization_id = ${org.id} and id = ${body.schedule_id}`),
      )
      return async () => {
        const path = `/api/surveys/${id}/schedules/${body.schedule_id}/`
        return (await service.call('GET', path, { token })).body
      }
    }
    const due = await scheduleAt('due@acme.test', 1)
    const recent = await scheduleAt('recent@acme.test', 0)
    const past = await scheduleAt('past@acme.test', 25)
    assert.equal(await overdueMailings(service.runtime), 2)
    assert.equal(await overdueMailings(service.runtime), 0)
    assert.equal((await due()).status, 'sent')
    // its job may be about to run
    assert.equal((await recent()).status, 'scheduled')
    const { status, failure } = await past()
    assert.deepEqual([status, failure], ['failed', 'it could not be sent on its day'])
    await mailbox.next('due@acme.test')
    const got = mailbox.received.flatMap((mail) => mail.to_addresses)
    assert.equal(got.filter((address) => address === 'due@acme.test').length, 1)
    assert.ok(!got.includes('past@acme.test'))
  })

  test('automations run their actions once for each answer that meets their conditions', async () => {
    const id = await survey()
    const receiver = await startReceiver()
    const contact = await post('/api/contact/', {
      full_name: 'Unhappy',
      primary_email: 'unhappy@acme.test',
    })
    const contact_id = contact.headers.get('x-record-id')
    const saved = await post(`/api/surveys/${id}/automations_save/`, {
      name: 'Detractors',
      trigger: { type: 'score_below', value: 7 },
      conditions: [{ field: 'answers.why', operator: 'contains', value: 'slow' }],
      actions: [
        { type: 'create_task', config: { title: 'Call back', due_in_days: 2 } },
        { type: 'notify', config: { user_ids: [org.users.member.user_id] } },
        { type: 'send_email', config: { subject: 'Sorry', message: 'We will call.' } },
        { type: 'add_tag', config: { tag: 'detractor' } },
        { type: 'update_field', config: { field: 'lead_status', value: 'At risk' } },
        { type: 'webhook', config: { url: `${receiver.url}/hook` } },
      ],
    })
    assert.equal(saved.status, 201, saved.text)
    await answer(id, { score: 9, why: 'so slow' })
    await answer(id, { score: 3, why: 'no idea' })
    await answer(id, { score: 3, why: 'Too SLOW' }, 'unhappy@acme.test')
    const done = await runs(id, 3)
    const words = done.map((run: any) => run.status).toSorted()
    assert.deepEqual(words, ['done', 'skipped', 'skipped'], JSON.stringify(done))
    assert.equal((await mailbox.next('unhappy@acme.test')).subject, 'Sorry')
    const tasks = await service.call('GET', '/api/tasks/?page=1&items_per_page=50', { token })
    assert.equal(tasks.body.filter((task: any) => task.title === 'Call back').length, 1)
    const read = await service.call('GET', `/api/contact/${contact_id}/`, { token })
    assert.deepEqual(read.body.tags, ['detractor'])
    assert.equal(read.body.lead_status, 'At risk')
    const notifications = await rows(
      service,
      sql`select title from notifications where organization_id = ${org.id}
        and user_id = ${org.users.member.user_id} and title like 'Detractors%'`,
    )
    assert.equal(notifications.length, 1)
    const [arrival] = await receiver.arrived(1)
    assert.equal(arrival!.json.data.answers.score, 3)
  })

  test('a task of an automation has the events and the checks of one that is requested', async () => {
    const id = await survey()
    const owner = org.users.member.user_id
    const requested = await post('/api/tasks/', { title: 'Requested', owner })
    assert.equal(requested.status, 201, requested.text)
    await post(`/api/surveys/${id}/automations_save/`, {
      actions: [{ type: 'create_task', config: { title: 'Automated', owner } }],
    })
    await answer(id, { score: 1 })
    const [run] = await runs(id, 1)
    assert.equal(run.status, 'done', JSON.stringify(run))
    const events = (title: string) =>
      rows(
        service,
        sql`select e.type, e.raw_description ->> 'action' as action from events e
          join tasks t on t.organization_id = e.organization_id and t.id = e.reference_id
          where t.organization_id = ${org.id} and t.title = ${title} order by e.id`,
      )
    const ofRequest = await events('Requested')
    assert.ok(ofRequest.some(({ type }) => type === 'task_assigned'))
    assert.deepEqual(await events('Automated'), ofRequest)

    const unchecked = await service.call('POST', `/api/surveys/${id}/automations_save/`, {
      token,
      body: { actions: [{ type: 'create_task', config: { title: 'x', start_date: 'soon' } }] },
    })
    assert.equal(unchecked.status, 400)
    assert.deepEqual(
      unchecked.body.errors.map(({ field }: { field: string }) => field),
      ['actions.0.config.start_date'],
    )
  })

  test('an action that cannot be done makes the run fail with the reason, and is rolled back', async () => {
    const id = await survey()
    const project = await post('/api/project/info/', { project_name: 'P' })
    const project_id = project.headers.get('x-record-id')!
    await post(`/api/surveys/${id}/automations_save/`, {
      actions: [
        { type: 'create_task', config: { title: 'Never to be' } },
        { type: 'create_task', config: { title: 'Nor this', project_id } },
      ],
    })
    await service.call('DELETE', `/api/project/info/${project_id}/`, { token })
    await answer(id, { score: 1 })
    const [run] = await runs(id, 1)
    assert.equal(run.status, 'failed')
    assert.match(run.error, /project_id/)
    const left = await rows(service, sql`select id from tasks where title = 'Never to be'`)
    assert.deepEqual(left, [])
  })

  test('an automation runs with the rights of whoever last changed it, not of its creator', async () => {
    const id = await survey()
    const { member, admin } = org.users
    const permission = { surveys: { read: 'all', update: 'all' } }
    const role = await post('/api/users/role/', { role_name: 'Surveys alone', permission })
    const profile = `/api/users/profile/${member.user_id}/`
    const asRole = (role_id: string) => service.call('PUT', profile, { token, body: { role_id } })
    assert.equal((await asRole(role.body.role_id)).status, 200)
    const { body } = await post(`/api/surveys/${id}/automations_save/`, { actions: [] })
    const path = `/api/surveys/automations/${body.automation_id}/`
    const change = (sent: object) => service.call('PUT', path, { token: member.token, body: sent })
    const renamed = await change({ name: 'Renamed' })
    assert.equal(renamed.body.created_by.user_id, admin.user_id)
    const actions = [{ type: 'create_task', config: { title: 'Not mine to make' } }]
    const changed = await change({ actions })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.created_by.user_id, member.user_id)
    await answer(id, { score: 1 })
    const [run] = await runs(id, 1)
    assert.equal(run.status, 'failed', JSON.stringify(run))
    await asRole(org.roles.member)
  })

  test('an invalid automation is refused with the path of the error', async () => {
    const id = await survey()
    const wrong: [object, RegExp][] = [
      [{ trigger: { type: 'sometimes' } }, /trigger\.type/],
      [{ trigger: { type: 'score_above' } }, /trigger\.value/],
      [{ conditions: [{ field: 'answers.nothing', operator: 'eq', value: 1 }] }, /conditions/],
      [
        {
          actions: [
            { type: 'update_field', config: { field: 'do_not_contact', value: 'perhaps' } },
          ],
        },
        /actions\.0\.config\.do_not_contact/,
      ],
      [{ actions: [{ type: 'dance' }] }, /actions\.0\.type/],
      [{ actions: [{ type: 'create_task', config: {} }] }, /actions\.0\.config\.title/],
      [
        { actions: [{ type: 'notify', config: { user_ids: ['nobody'] } }] },
        /actions\.0\.config\.user_ids/,
      ],
    ]
    for (const [body, message] of wrong) {
      const reply = await post(`/api/surveys/${id}/automations_save/`, body)
      assert.equal(reply.status, 400)
      assert.match(reply.text, message)
    }
    const options = await service.call('GET', `/api/surveys/${id}/automation-options/`, { token })
    assert.ok(options.body.conditions.some((each: any) => each.field === 'answers.score'))
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../test/support/integration.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { notificationDigest } from '../../jobs/digest.ts'
import { dueTasks } from '../../jobs/due.ts'
import { workFor } from '../../jobs/work.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mailNotification } from './mailing.ts'

describe('notifications by mail', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let made = 0

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, mailFrom: 'Perennial <crm@acme.test>' },
      undefined,
      true,
    )
    org = await makeOrganization(service)
  })

  const prefer = ({ token }: Member, body: object) =>
    service.call('PUT', '/api/notifyhub/preferences/', { token, body })

  const change = (query: ReturnType<typeof sql>) =>
    service.runtime.database.transaction(org.id, (queries) => queries.run(query))

  async function mention(member: Member, { token } = org.users.admin, more: object = {}) {
    const company = await service.call('POST', '/api/company/', {
      token,
      body: { company_name: `Acme ${++made}` },
    })
    const reference_id = company.headers.get('x-record-id')!
    const body = {
      module_name: 'companies',
      reference_id,
      content: 'Look at <b>this</b>',
      mentions: [member.user_id],
      ...more,
    }
    const reply = await service.call('POST', '/api/interactions/info/', { token, body })
    assert.equal(reply.status, 201, reply.text)
    return { company: reference_id, comment: reply.body.interaction_id as string }
  }

  async function job(member: Member) {
    const [notification] = await rows(
      service,
      sql`select id from notifications where user_id = ${member.user_id} order by id desc limit 1`,
    )
    const enqueued = { organization_id: org.id, id: newId(), user_id: null }
    const work = await workFor(
      service.runtime,
      mailNotification,
      enqueued,
      new AbortController().signal,
    )
    await mailNotification.run(work, { notification_id: notification.id })
  }

  test('a mention is mailed at once, once, by who wrote it, with a link and a way out', async () => {
    const { member, admin } = org.users
    const { company, comment } = await mention(member)
    const mail = await mailbox.next(member.email)
    assert.equal(mail.subject, `admin of ${org.name} mentioned you: Acme ${made}`)
    assert.equal(mail.from?.name, `admin of ${org.name} via ${org.name}`)
    assert.equal(mail.from?.address, 'crm@acme.test')
    assert.equal(mail.replyTo?.[0]?.address, admin.email)
    assert.match(mail.text!, /> Look at this/)
    assert.doesNotMatch(mail.text!, /<b>/)
    assert.equal(
      linkIn(mail),
      `${service.runtime.config.publicUrl}/companies/${company}#comment-${comment}`,
    )
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
    assert.match(header('list-unsubscribe')!, /^<http[^<>\s]+\/unsubscribe\/[\w-]+>$/)
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    assert.match(mail.html!, /lang="en"[^]*color-scheme[^]*mentioned you/)
    // what a list of mails shows beside the subject
    assert.match(mail.html!, /<div[^>]*display:none[^>]*>Look at this/)
    await job(member)
    const waiting = await rows(service, sql`select id from asked_jobs where name = 'send-mail'`)
    assert.deepEqual(waiting, [])
  })

  test('an answer to a meeting is mailed with the time of the meeting, not that of the answer', async () => {
    const { admin } = org.users
    const guest = 'guest@elsewhere.test'
    const body = {
      calendar_id: newId(),
      title: 'Kick-off',
      start: '2040-03-01T09:00:00Z',
      end: '2040-03-01T10:00:00Z',
      attendees: [{ type: 'external', email: guest, name: 'Ines' }],
    }
    const meeting = await service.call('POST', '/api/calendar/info/', { token: admin.token, body })
    assert.equal(meeting.status, 201, meeting.text)
    const [path] = /\/meeting\/[^\s?]+/.exec((await mailbox.next(guest)).text!)!
    const answered = await postForm(service, path, { answer: 'declined' })
    assert.equal(answered.status, 303, answered.text)
    const mail = await mailbox.next(admin.email)
    assert.match(mail.subject!, /declined: Kick-off/)
    assert.match(mail.html!, /white-space:nowrap">When</, 'a label breaks on a phone')
    assert.deepEqual(mail.text!.match(/^When: .*$/gm), [
      'When: Thursday, 1 March 2040 at 09:00 UTC',
    ])
  })

  test('what a template creates is one mail to each person, ten minutes later, and none if it was undone', async () => {
    const { member, admin } = org.users
    const ask = async (method: string, path: string, body: object) => {
      const reply = await service.call(method, path, { token: admin.token, body })
      assert.ok(reply.status < 300, reply.text)
      return reply
    }
    const template = await ask('POST', '/api/templates/template/', {
      template_name: 'Onboarding',
      template_config: {
        stages: [
          {
            name: 'Data',
            tasks: [
              { title: 'Export', assignee_role: 'project_manager' },
              { title: 'Import', assignee_role: 'project_owner' },
            ],
          },
        ],
      },
    })
    const use = `/api/templates/template/${template.headers.get('x-record-id')}/use/`
    const made = async (project_name: string) => {
      const before = Date.now()
      const { body } = await ask('POST', use, {
        project_name,
        start_date: '2040-03-01',
        roles: { project_manager: member.user_id, project_owner: member.user_id },
      })
      const wait = Date.parse(body.told_at) - before
      assert.ok(wait > 590_000 && wait < 630_000, `${wait} ms`)
      const told = await rows(
        service,
        sql`select id, title, mailed_at from notifications n where n.user_id = ${member.user_id}
          and n.notification_obj->>'reference_id' in (select ${body.project_id}
            union select k.id from tasks k where k.project_id = ${body.project_id})
          order by n.id`,
      )
      // who leads it, and whose tasks they are
      assert.deepEqual(told.map(({ title }) => title).toSorted(), [
        `The project ${project_name} is yours now`,
        'The task Export and 1 more task are yours now',
      ])
      const ids = told.map(({ id }) => id)
      // the queue may have taken it over
      const jobs = await rows(
        service,
        sql`select id from asked_jobs where id = any(${ids})
          union select data ->> 'id' from perennial_jobs.job where data ->> 'id' = any(${ids})`,
      )
      assert.equal(jobs.length, 1)
      assert.ok(told.every(({ mailed_at }) => mailed_at === null))
      return { bulk_id: body.bulk_id as string, ids: told.map(({ id }) => String(id)) }
    }
    /** What is done once the time has come. */
    const mailAll = async (gathered: string[]) => {
      const [notification_id = ''] = gathered
      const enqueued = { organization_id: org.id, id: newId(), user_id: null }
      const { signal } = new AbortController()
      const work = await workFor(service.runtime, mailNotification, enqueued, signal)
      await mailNotification.run(work, { notification_id, gathered })
    }
    const undone = await made('Undone')
    await ask('POST', `/api/bulk/${undone.bulk_id}/undo/`, {})
    await mailAll(undone.ids)
    const kept = await made('Kept')
    await mailAll(kept.ids)
    const mail = await mailbox.next(member.email)
    assert.doesNotMatch(mail.text!, /Undone/)
    assert.match(mail.text!, /Assigned to you: Kept/)
    assert.match(mail.text!, /Assigned to you: Export and 1 more task/)
    const waiting = await rows(service, sql`select id from asked_jobs where name = 'send-mail'`)
    assert.deepEqual(waiting, [])
    await mention(member)
    assert.match((await mailbox.next(member.email)).subject!, /mentioned you/)
  })

  test('it is in the language and the zone of who reads it', async () => {
    const { member } = org.users
    const changed = await service.call('POST', '/api/users/profile/action/', {
      token: member.token,
      body: {
        email: member.email,
        profile_id: member.user_id,
        language: 'de',
        timezone: 'Asia/Tokyo',
      },
    })
    assert.ok(changed.status < 300, changed.text)
    await mention(member)
    const mail = await mailbox.next(member.email)
    assert.equal(mail.subject, `admin of ${org.name} hat Sie erwähnt: Acme ${made}`)
    assert.match(mail.text!, /^Hallo [^]*Wann: \w+, \d+\. [\wä]+ \d{4} [^]*Einstellungen für/)
    await change(
      sql`update users set language = null, timezone = null where id = ${member.user_id}`,
    )
  })

  test('an assignment, and a task due tomorrow, with the project and the day', async () => {
    const { member, admin } = org.users
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const project = await service.call('POST', '/api/project/info/', {
      token: admin.token,
      body: { project_name: 'Roll-out' },
    })
    assert.equal(project.status, 201, project.text)
    const task = await service.call('POST', '/api/tasks/', {
      token: admin.token,
      body: {
        title: 'Write it down',
        owner: member.user_id,
        due_date: tomorrow,
        project_id: project.headers.get('x-record-id'),
      },
    })
    assert.equal(task.status, 201, task.text)
    const assigned = await mailbox.next(member.email)
    assert.equal(assigned.subject, 'Assigned to you: Write it down')
    assert.match(assigned.text!, /Project: Roll-out\nDue: \w+day,? \d+ \w+ \d{4}/)
    await dueTasks(service.runtime)
    const due = await mailbox.next(member.email)
    assert.equal(due.subject, 'Due tomorrow: Write it down')
    assert.equal(due.from?.name, org.name)
    await dueTasks(service.runtime)
    await change(sql`update tasks set due_date = due_date - 1, due_told_for = null,
      due_tomorrow_notified_for = due_date - 1 where title = 'Write it down'`)
    await dueTasks(service.runtime)
    // who was mailed yesterday is not mailed again today
    const [today] = await rows(
      service,
      sql`select title, mailed_at from notifications
      where user_id = ${member.user_id} and title like 'Due today%'`,
    )
    assert.ok(today.mailed_at)
  })

  test('what its reader may no longer read is not mailed', async () => {
    const { observer } = org.users
    await prefer(observer, { mention: { email: 'daily' } })
    await change(sql`update users set account_id = null where id = ${observer.user_id}`)
    const { comment } = await mention(org.users.manager)
    await mailbox.next(org.users.manager.email)
    // as if the mention had been made while the observer saw the company
    await change(sql`insert into notifications (organization_id, id, user_id, notification_type, title,
        category, notification_obj)
      select organization_id, ${newId()}, ${observer.user_id}, 1, title, category, notification_obj
      from notifications where notification_obj ->> 'interaction_id' = ${comment}`)
    await job(observer)
    const sent = await rows(service, sql`select id from asked_jobs where name = 'send-mail'`)
    assert.deepEqual(sent, [])
    assert.ok(!mailbox.received.some(({ to_addresses }) => to_addresses.includes(observer.email)))
  })

  test('users with the daily digest are mailed once, at eight in the morning of the organization', async () => {
    const { manager, member } = org.users
    await prefer(manager, { mention: { email: 'daily' } })
    await mention(manager)
    await mention(manager)
    await mention(member)
    await mailbox.next(member.email)
    const at = (hour: number) => {
      // a clock that is behind: what is enqueued then is due now
      const day = new Date(Date.now() - 86_400_000)
      day.setUTCHours(hour, 30)
      return { ...service.runtime, now: () => day }
    }
    const madeAgo = (interval: string) =>
      change(sql`update notifications set creation_time = now() - ${interval}::interval
        where user_id = ${manager.user_id} and mailed_at is null`)
    assert.equal(await notificationDigest(at(8)), 0, 'they were made after eight')
    await madeAgo('2 days')
    assert.equal(await notificationDigest(at(7)), 0)
    assert.equal(await notificationDigest(at(12)), 0)
    // at eight nothing ran
    assert.equal(await notificationDigest(at(10)), 1)
    assert.equal(await notificationDigest(at(11)), 0)
    const mail = await mailbox.next(manager.email)
    assert.match(mail.subject ?? '', /^2 new/)
    assert.match(mail.text!, /mentioned you: Acme \d+\n[^]*\/companies\//)
  })

  test('users without mails get none, and one click is enough to unsubscribe', async () => {
    const { admin, manager } = org.users
    await mention(admin, manager)
    const mail = await mailbox.next(admin.email)
    const link = mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value.slice(1, -1)
    const { pathname } = new URL(link)
    // opening it alone changes nothing: mail programs open links, too
    const page = await service.call('GET', pathname)
    assert.equal(page.status, 200)
    assert.match(page.text, /<form method="post"/)
    const preferences = () =>
      service.call('GET', '/api/notifyhub/preferences/', { token: admin.token })
    assert.equal((await preferences()).body.mention.email, 'immediately')
    const clicked = await fetch(service.url + pathname, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    assert.equal(clicked.status, 200)
    const { body } = await preferences()
    assert.deepEqual(body.mention, { in_app: true, email: 'off' })
    assert.deepEqual(body.assignment, { in_app: true, email: 'immediately' })
    await mention(admin, manager)
    const enqueued = await rows(
      service,
      sql`select id from asked_jobs
      where organization_id = ${org.id} and name = 'mail-notification'`,
    )
    assert.deepEqual(enqueued, [])
    assert.equal((await service.call('GET', '/unsubscribe/made-up')).status, 404)
  })

  test('after many in an hour the rest waits for the digest', async () => {
    const { member } = org.users
    for (let i = 0; i < 25; i++) await mention(member)
    const waits = async () =>
      (
        await rows(
          service,
          sql`select id from asked_jobs where name in ('mail-notification', 'send-mail')`,
        )
      ).length
    while (await waits()) await new Promise((resolve) => setTimeout(resolve, 50))
    const unmailed = await rows(
      service,
      sql`select id from notifications
      where user_id = ${member.user_id} and category = 'mention' and mailed_at is null`,
    )
    assert.ok(unmailed.length >= 5, `${unmailed.length} wait`)
  })
})

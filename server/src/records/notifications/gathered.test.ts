import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { asService } from '../../../test/support/contexts.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { Member, TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { workFor } from '../../jobs/work.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mailNotification } from './mailing.ts'

// What a customer is notified of waits for some minutes and is one mail then, however many jobs there are for it and
// whatever breaks meanwhile. In these tests the minutes are an hour, and what runs at their end is run by hand.

describe('mails to customers', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let customer: Member

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url, gatherSeconds: 3600 }, undefined, true)
    org = await makeOrganization(service)
    customer = org.users.customer
  })

  async function call(method: string, path: string, body?: object) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return { ...reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  const task = async (title: string) =>
    (
      await call('POST', '/api/tasks/', {
        title,
        owner: customer.user_id,
        is_shared: true,
        due_date: '2040-03-01',
      })
    ).id as string
  const comment = (reference_id: string, content: string, to = customer) =>
    call('POST', '/api/interactions/info/', {
      module_name: 'tasks',
      reference_id,
      content,
      is_shared: true,
      mentions: [to.user_id],
    })
  const told = async () =>
    (await rows(
      service,
      sql`select id, mailed_at from notifications
      where organization_id = ${org.id} and user_id = ${customer.user_id} order by id`,
    )) as { id: string; mailed_at: unknown }[]
  const untold = async () => (await told()).flatMap(({ id, mailed_at }) => (mailed_at ? [] : [id]))
  const work = (): Promise<Work> =>
    workFor(
      service.runtime,
      mailNotification,
      { organization_id: org.id, id: newId(), user_id: null },
      new AbortController().signal,
    )
  /** What runs once the minutes of a notification have passed. */
  const pass = async (notification_id: string, more: string[] = []) =>
    mailNotification.run(await work(), { notification_id, gathered: [notification_id, ...more] })
  const mails = () =>
    mailbox.received.filter(({ to_addresses }) => to_addresses.includes(customer.email))

  test('wait, and are one of everything that came meanwhile, whoever’s job runs first and however often', async () => {
    const export_ = await task('Send the export')
    await task('Name the users')
    await comment(export_, 'As CSV & with <b>headers</b>')
    const ids = await untold()
    assert.equal(ids.length, 3)
    // the team is mailed at once
    await comment(export_, 'See this', org.users.member)
    await mailbox.next(org.users.member.email)
    assert.deepEqual(mails(), [])
    const waiting = sql`select data -> 'data' -> 'gathered' ->> 0 as id from perennial_jobs.job
      where name = ${mailNotification.name} and start_after > now() + interval '50 minutes'
        and data -> 'data' -> 'gathered' is not null order by 1`
    await until(async () => (await rows(service, waiting)).length >= ids.length)
    assert.deepEqual(
      (await rows(service, waiting)).map((each) => each.id),
      ids.toSorted(),
    )
    await Promise.all([...ids, ...ids].toReversed().map((id) => pass(id)))
    const mail = await mailbox.next(customer.email)
    assert.equal(mail.subject, `3 new in ${org.name}`)
    assert.equal(mail.from?.name, `admin of ${org.name} via ${org.name}`)
    const text = mail.text ?? ''
    assert.match(text, /Assigned to you: Send the export/)
    assert.match(text, /Assigned to you: Name the users/)
    assert.match(text, /mentioned you: Send the export\nAs CSV & with headers/)
    assert.match(text, /Open your projects:\n/)
    assert.deepEqual(await untold(), [])
  })

  test('are as they were where there is one alone, and of that at most one', async () => {
    await task('Sign the list')
    const [id = ''] = await untold()
    await pass(id)
    await pass(id)
    const mail = await mailbox.next(customer.email)
    assert.equal(mail.subject, 'Assigned to you: Sign the list')
    assert.match(new URL(linkIn(mail)).pathname, /^\/t\//)
    assert.equal(mails().length, 2)
  })

  test('of a job that breaks are neither lost nor sent twice', async () => {
    await task('Before')
    await task('After')
    const [id = '', other = ''] = await untold()
    const broken: Work = {
      ...(await work()),
      write: (run) =>
        asService(service, org, async (ctx) => {
          await run(ctx)
          throw new Error('ended here')
        }),
    }
    await assert.rejects(
      mailNotification.run(broken, { notification_id: id, gathered: [id] }),
      /ended here/,
    )
    assert.equal((await untold()).length, 2)
    await pass(other)
    assert.equal((await mailbox.next(customer.email)).subject, `2 new in ${org.name}`)
    await pass(id)
    assert.equal(mails().length, 3)
  })

  test('do not tell what an undo may take back, until its own time', async () => {
    const { id: template } = await call('POST', '/api/templates/template/', {
      template_name: 'Onboarding',
      template_config: {
        stages: [
          { name: 'Data', tasks: [{ title: 'Import', assignee_role: 'Data', is_shared: true }] },
        ],
      },
    })
    const made = await call('POST', `/api/templates/template/${template}/use/`, {
      project_name: 'Clairval',
      roles: { Data: customer.user_id },
    })
    assert.ok(made.told_at)
    const held = await untold()
    assert.ok(held.length >= 1)
    await task('Meanwhile')
    const mine = (await untold()).filter((id) => !held.includes(id))
    await pass(mine[0] ?? '')
    assert.equal((await mailbox.next(customer.email)).subject, 'Assigned to you: Meanwhile')
    assert.deepEqual(await untold(), held)
    await pass(held[0] ?? '', held)
    assert.match((await mailbox.next(customer.email)).text ?? '', /Import|Clairval/)
    assert.deepEqual(await untold(), [])
  })

  test('end by the kinds that are in them', async () => {
    const one = await task('Last')
    await comment(one, 'Please')
    const [id = ''] = await untold()
    await pass(id)
    const mail = await mailbox.next(customer.email)
    const link = mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value.slice(1, -1)
    await fetch(service.url + new URL(link).pathname, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    const { token } = customer
    const { body } = await service.call('GET', '/api/notifyhub/preferences/', { token })
    const chosen = ['assignment', 'mention', 'due'].map((each) => body[each].email)
    assert.deepEqual(chosen, ['off', 'off', 'immediately'])
  })
})

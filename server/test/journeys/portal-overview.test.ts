import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { portalOverviews } from '../../src/jobs/portal-overviews.ts'
import { mailOverviews } from '../../src/records/portal/overview.ts'
import { asService } from '../support/contexts.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { password } from '../support/organization.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

// A customer chooses one mail a week in place of one for each task. It comes once a week, whatever runs how often, by
// the rights of its reader, and not at all where there is nothing to say.

describe('the weekly overview of the portal', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let cookie = ''
  let weeks = 0

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    cookie = await session(org.users.customer)
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return { ...reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  async function session({ email }: Member) {
    const body = { email, password }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const entered = await service.call('POST', '/api/session/', { body, headers })
    assert.equal(entered.status, 200, entered.text)
    return (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  const submit = (path: string, fields: { [name: string]: string }, by = cookie) =>
    postForm(service, path, fields, { cookie: by, 'sec-fetch-site': 'same-origin' })
  const choose = (weekly: 'on' | 'off', by?: string) => submit('/portal/overview', { weekly }, by)

  const mondayOf = (week: number) =>
    new Date(Date.parse('2031-01-06T00:00:00Z') + week * 7 * 86_400_000).toISOString().slice(0, 10)

  /** Mails the overviews of this week, and returns how many people it looked at. */
  const onMonday = () => asService(service, org, (ctx) => mailOverviews(ctx, mondayOf(weeks)))
  const mails = () =>
    mailbox.received.filter(({ to_addresses }) => to_addresses.includes(org.users.customer.email))
  const task = (title: string, more: object = {}) => {
    const { user_id: owner } = org.users.customer
    return call('POST', '/api/tasks/', { title, owner, is_shared: true, ...more })
  }

  test('is one mail of what waits, from a person, with a link that works once', async () => {
    assert.equal(await onMonday(), 0)
    const page = await service.call('GET', '/portal', { headers: { cookie } })
    assert.match(page.text, /Mail me a weekly overview/)
    const chosen = await choose('on')
    assert.equal(chosen.headers.get('location'), '/portal?overview=on')
    const project = await call('POST', '/api/project/info/', {
      project_name: 'Clairval onboarding',
      project_manager: org.users.member.user_id,
      due_date: '2031-12-12',
      is_shared: true,
      project_team: [{ user_id: org.users.customer.user_id }],
    })
    await task('Send the list', { project_id: project.id, due_date: '2031-01-10' })
    await task('Upload the export', {
      project_id: project.id,
      due_date: '2031-01-08',
      asks_for_file: true,
    })
    await task('Hidden from them', { owner: org.users.member.user_id, is_shared: false })
    assert.equal(await onMonday(), 1)
    const mail = await mailbox.next(org.users.customer.email)
    assert.equal(mail.subject, '2 things wait for you: Clairval onboarding')
    const text = mail.text ?? ''
    assert.match(text, /go-live is planned for Friday,? 12 December 2031/)
    assert.match(text, /Next for you: Upload the export/)
    assert.match(text, /Upload:\n/)
    assert.doesNotMatch(text, /Hidden from them/)
    assert.match(mail.from?.name ?? '', /^member of .* via /)
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
    assert.match(header('list-unsubscribe-post'), /One-Click/)
    // the tasks themselves were not mailed one by one
    assert.deepEqual(
      mails().map(({ subject }) => subject),
      [mail.subject],
    )
    const link = new URL(linkIn(mail)).pathname
    assert.match(link, /^\/t\//)
    assert.match((await service.call('GET', link)).text, /<h1>Upload the export<\/h1>/)
    await postForm(service, link, { act: 'done' })
    assert.equal((await service.call('GET', link)).status, 404)
  })

  test('comes once a week, however often and by however many it is run', async () => {
    assert.equal(await onMonday(), 0)
    weeks++
    const runs = await Promise.all([onMonday(), onMonday(), onMonday()])
    assert.equal(
      runs.reduce((sum, each) => sum + each, 0),
      1,
    )
    const mail = await mailbox.next(org.users.customer.email)
    assert.equal(mail.subject, '1 thing waits for you: Clairval onboarding')
    assert.equal(await onMonday(), 0)
    assert.equal(mails().length, 2)
  })

  test('of a transaction that does not end is neither sent nor lost', async () => {
    weeks++
    const broken = asService(service, org, async (ctx) => {
      await mailOverviews(ctx, mondayOf(weeks))
      throw new Error('ended here')
    })
    await assert.rejects(broken, /ended here/)
    assert.equal(await onMonday(), 1)
    await mailbox.next(org.users.customer.email)
    assert.equal(mails().length, 3)
  })

  test('is not sent where nothing waits and nothing changed, and says what changed', async () => {
    const { body } = await service.call('GET', '/api/portal/', {
      token: org.users.customer.token,
    })
    for (const { id } of body.next) await call('PUT', `/api/tasks/${id}/`, { is_completed: true })
    weeks++
    await onMonday()
    const changed = await mailbox.next(org.users.customer.email)
    assert.equal(changed.subject, 'What is new: Clairval onboarding')
    assert.match(changed.text ?? '', /Nothing waits for you/)
    weeks++
    assert.equal(await onMonday(), 1)
    assert.equal(mails().length, 4)
  })

  test('is sent on Monday from eight on, by the clock of the organization', async () => {
    const other = await makeOrganization(service)
    await choose('on', await session(other.users.partner))
    const at = (time: string) =>
      portalOverviews({ ...service.runtime, now: () => new Date(`${time}:00Z`) })
    const week = () =>
      rows(
        service,
        sql`select week::text from portal_overviews where organization_id = ${other.id}`,
      )
    await choose('off')
    // nothing waits there: the week is noted, and nobody is mailed
    assert.equal(await at('2040-01-01T12:00'), 0)
    assert.equal(await at('2040-01-02T07:59'), 0)
    assert.deepEqual(await week(), [{ week: null }])
    assert.equal(await at('2040-01-02T08:00'), 1)
    assert.deepEqual(await week(), [{ week: '2040-01-02' }])
    assert.equal(await at('2040-01-02T08:15'), 0)
    assert.equal(await at('2040-01-03T09:00'), 0)
    await choose('on')
  })

  test('is stopped by one POST and by the portal, is off by default, and is for customers', async () => {
    const last = mails().at(-1)
    const value = last?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const [, address = ''] = /<(http[^>]+)>/.exec(value) ?? []
    const stopped = await postForm(service, new URL(address).pathname, {
      'List-Unsubscribe': 'One-Click',
    })
    assert.equal(stopped.status, 200)
    await task('Wait for me')
    weeks++
    assert.equal(await onMonday(), 0)
    // single mails are back
    const single = await mailbox.next(org.users.customer.email)
    assert.match(single.subject ?? '', /Wait for me/)
    await choose('on')
    assert.equal(await onMonday(), 1)
    await mailbox.next(org.users.customer.email)
    await choose('off')
    weeks++
    assert.equal(await onMonday(), 0)
    const refused = await choose('on', await session(org.users.member))
    assert.equal(refused.status, 403)
    assert.deepEqual(
      await rows(
        service,
        sql`select user_id, is_on from portal_overviews
        where organization_id = ${org.id}`,
      ),
      [{ user_id: org.users.customer.user_id, is_on: false }],
    )
  })

  test('has the tasks of every project, and takes no mails from whoever is a member by now', async () => {
    const { customer, member } = org.users
    await choose('on')
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'Z']) {
      const project = await call('POST', '/api/project/info/', {
        project_name: `${name} onboarding`,
        is_shared: true,
        project_team: [{ user_id: customer.user_id }],
      })
      if (name === 'Z') {
        await task('Of the last project', { project_id: project.id, due_date: '2031-01-02' })
      }
    }
    weeks++
    assert.equal(await onMonday(), 1)
    const mail = await mailbox.next(customer.email)
    assert.match(mail.text ?? '', /Next for you: Of the last project/)
    // a member has no overview, whatever they chose as a customer
    await asService(service, org, (ctx) =>
      ctx.run(sql`insert into portal_overviews (organization_id, user_id, is_on)
        values (${org.id}, ${member.user_id}, true)`),
    )
    await task('For a member', { owner: member.user_id })
    // after what was mailed to them before
    let subject = ''
    while (!subject.includes('For a member')) {
      subject = (await mailbox.next(member.email)).subject ?? ''
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { mailOverviews } from '../../src/records/portal/overview.ts'
import { asService } from '../support/contexts.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { startMailbox } from '../support/mailbox.ts'
import { password } from '../support/organization.ts'
import type { Member, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

// Whoever of the customer sees a milestone is asked once, when it is completed, how it went. The answer is a comment on
// the milestone with a rating, by the rights of comments; nothing else changes by it.

describe('the rating of a completed milestone', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let cookie = ''
  let project = ''
  let step = ''

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
    cookie = await session(org.users.customer)
    const made = await call('POST', '/api/project/info/', {
      project_name: 'Clairval onboarding',
      project_manager: org.users.member.user_id,
      is_shared: true,
      project_team: [{ user_id: org.users.customer.user_id }],
    })
    project = made.id
    step = await milestone('Data import')
  })

  async function call(method: string, path: string, body?: object, by: Member = org.users.admin) {
    const reply = await service.call(method, path, { token: by.token, body })
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
  const open = (path: string) => service.call('GET', path, { headers: { cookie } })
  const submit = (path: string, fields: { [name: string]: string }) =>
    postForm(service, path, fields, { cookie, 'sec-fetch-site': 'same-origin' })
  const at = () => `/api/project/info/${project}/milestones/`
  const milestone = async (name: string, more: object = {}) =>
    (await call('POST', at(), { name, is_shared: true, ...more })).milestone_id as string
  const complete = (id: string, status = 'completed') => call('PUT', `${at()}${id}/`, { status })
  const waiting = async (by: Member = org.users.customer): Promise<string[]> =>
    (await call('GET', `/api/portal/?project_id=${project}`, undefined, by)).next.flatMap(
      ({ kind, id }: { kind: string; id: string }) => (kind === 'rate' ? [id] : []),
    )

  test('is asked of whoever sees the milestone, once it is completed', async () => {
    assert.deepEqual(await waiting(), [])
    assert.equal((await open(`/portal/milestones/${step}`)).status, 404)
    const hidden = await milestone('Inner step', { is_shared: false })
    await complete(hidden)
    await complete(step)
    assert.deepEqual(await waiting(), [step])
    const home = await open(`/portal?project=${project}`)
    assert.match(home.text, /Data import<\/h2>/)
    assert.match(home.text, /How satisfied are you\?/)
    assert.match(home.text, /Very dissatisfied/)
    assert.match((await open(`/portal/projects/${project}`)).text, /portal\/milestones\//)
    assert.equal((await open(`/portal/milestones/${step}`)).status, 200)
    assert.equal((await open(`/portal/milestones/${hidden}`)).status, 404)
    assert.equal((await submit(`/portal/milestones/${hidden}`, { 'a.rating': '5' })).status, 404)
    // the team is not asked
    assert.deepEqual(await waiting(org.users.admin), [])
    assert.deepEqual(await waiting(org.users.member), [])
  })

  test('without a number, or with one beyond the scale, is said to be missing and keeps the words', async () => {
    for (const rating of ['', '6', '2.5', 'x']) {
      const fields = { act: 'send', words: 'Quick & good', 'a.rating': rating }
      const reply = await submit(`/portal/milestones/${step}`, fields)
      assert.equal(reply.status, 400, rating)
      assert.match(reply.text, /Quick &amp; good/)
    }
    assert.deepEqual(await waiting(), [step])
  })

  test('is put off for a week', async () => {
    const reply = await submit(`/portal/milestones/${step}`, { act: 'later' })
    assert.equal(reply.headers.get('location'), `/portal?project=${project}&rated=later`)
    assert.match((await open(`/portal?project=${project}&rated=later`)).text, /again in a week/)
    assert.deepEqual(await waiting(), [])
    const [stored] = await rows(
      service,
      sql`select put_off_until - current_date as days
      from milestone_ratings where organization_id = ${org.id}`,
    )
    assert.ok(Math.abs(Number(stored?.days) - 7) <= 1, JSON.stringify(stored))
    await asService(service, org, (ctx) =>
      ctx.run(sql`update milestone_ratings set put_off_until = current_date - 2
        where organization_id = ${org.id}`),
    )
    assert.deepEqual(await waiting(), [step])
  })

  test('waits in the weekly overview of whoever chose that', async () => {
    await submit('/portal/overview', { weekly: 'on' })
    await asService(service, org, (ctx) => mailOverviews(ctx, '2031-01-06'))
    const mail = await mailbox.next(org.users.customer.email)
    assert.match(mail.text ?? '', /Data import/)
    assert.match(mail.text ?? '', /This is done\. How did it go\?/)
    await submit('/portal/overview', { weekly: 'off' })
  })

  test('stands with the milestone, in the timelines and in the plan, and moves nothing', async () => {
    const before = await call('GET', `${at()}${step}/`)
    const fields = { act: 'send', 'a.rating': '4', words: 'Quick & <b>good</b>' }
    const replies = await Promise.all(
      [1, 2, 3].map(() => submit(`/portal/milestones/${step}`, fields)),
    )
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [303, 409, 409])
    assert.deepEqual(await waiting(), [])
    assert.match((await open(`/portal/milestones/${step}`)).text, /You have rated this/)
    const list = await call(
      'GET',
      `/api/interactions/info/?module_name=milestones&reference_id=${step}`,
    )
    assert.equal(list.results.length, 1)
    const [comment] = list.results
    assert.equal(comment.rating, 4)
    assert.equal(comment.is_shared, true)
    assert.equal(comment.content, '4/5 · Quick &amp; &lt;b&gt;good&lt;/b&gt;')
    const { results } = await call('GET', `/api/timeline/?project_id=${project}&kinds=comment`)
    assert.equal(results[0].comment.rating, 4)
    assert.match(results[0].text, /rated .*Data import.*: 4\/5 · Quick/)
    const plan = await call('GET', `/api/project/info/${project}/plan/`)
    const ratingIn = ({ milestones }: typeof plan) =>
      milestones.find(({ milestone_id }: { milestone_id: string }) => milestone_id === step).rating
    assert.deepEqual(ratingIn(plan), { average: 4, count: 1 })
    const theirs = await call(
      'GET',
      `/api/project/info/${project}/plan/`,
      undefined,
      org.users.customer,
    )
    assert.equal(ratingIn(theirs), null)
    const after = await call('GET', `${at()}${step}/`)
    assert.deepEqual(after, before)
  })

  test('notifies who manages the project', async () => {
    const { user_id } = org.users.member
    const found = await rows(
      service,
      sql`select title from notifications
      where organization_id = ${org.id} and user_id = ${user_id} and category = 'comment'`,
    )
    assert.equal(found.length, 1)
    assert.match(String(found[0]?.title), /rated a milestone/)
  })

  test('of a customer’s own milestone notifies the team, and an address that is none is not found', async () => {
    const { user_id } = org.users.member
    const own = await milestone('Data delivered', { owner: org.users.customer.user_id })
    await complete(own)
    const sent = await submit(`/portal/milestones/${own}`, { act: 'send', 'a.rating': '1' })
    assert.equal(sent.status, 303, sent.text)
    const found = await rows(
      service,
      sql`select title from notifications
      where organization_id = ${org.id} and user_id = ${user_id} and category = 'comment'`,
    )
    assert.equal(found.length, 2)
    assert.equal((await open('/portal/milestones/%00')).status, 404)
  })

  test('is not asked again, though the milestone is completed again', async () => {
    await complete(step, 'in_progress')
    await complete(step)
    assert.deepEqual(await waiting(), [])
  })

  test('is given in the portal alone, and by customers alone', async () => {
    const body = {
      module_name: 'milestones',
      reference_id: step,
      content: 'Bought',
      rating: 5,
    }
    const { token } = org.users.customer
    const reply = await service.call('POST', '/api/interactions/info/', { token, body })
    assert.equal(reply.status, 400, reply.text)
    assert.match(reply.text, /rating/)
    const other = await milestone('Training')
    await complete(other)
    const team = await session(org.users.admin)
    const headers = { cookie: team, 'sec-fetch-site': 'same-origin' }
    const sent = await postForm(
      service,
      `/portal/milestones/${other}`,
      { 'a.rating': '5', act: 'send' },
      headers,
    )
    assert.equal(sent.status, 403)
  })

  test('is no longer asked after a month', async () => {
    const old = await milestone('Kick-off')
    await complete(old)
    assert.ok((await waiting()).includes(old))
    await asService(service, org, (ctx) =>
      ctx.run(sql`update milestones set completed_at = completed_at - interval '31 days'
        where organization_id = ${org.id} and id = ${old}`),
    )
    assert.ok(!(await waiting()).includes(old))
  })
})

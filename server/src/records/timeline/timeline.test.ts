import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../test/support/finally.ts'
import { postForm } from '../../../test/support/integration.ts'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

const iso = (ms: number) => new Date(Date.now() + ms).toISOString()
let count = 0
const fresh = (word: string) => `${word} ${(count += 1)}`

describe('the timeline', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (path: string, body: object) => idOf(await call('POST', path, body))

  async function feed(query: string, role: Role = 'admin') {
    const { status, body, text } = await call('GET', `/api/timeline/?${query}`, undefined, role)
    assert.equal(status, 200, text)
    for (const { at, text: sentence, kind } of body.results) {
      assert.equal(new Date(at).toISOString(), at)
      assert.doesNotMatch(sentence, /0[0-9a-z]{24}/, 'no ids')
      assert.ok(sentence.length > 5 && kind)
    }
    return body as { results: any[]; next_cursor: string | null }
  }

  /** A customer with whom everything has happened, once each. */
  async function busy() {
    const company_id = await make('/api/company/', { company_name: fresh('Company') })
    const email = `carla${(count += 1)}@customer.test`
    const full_name = 'Carla Customer'
    const company = { company_id }
    const contact_id = await make('/api/contact/', { full_name, primary_email: email, company })
    const account_id = await make('/api/account/info/', { name: fresh('Account'), company_id })
    const project_id = await make('/api/project/info/', {
      project_name: 'Onboarding',
      account_id,
      customer: contact_id,
    })
    const deal = await make('/api/project/info/', {
      project_name: 'Renewal',
      project_type: 'deal',
      account_id,
    })
    const { pipeline_stages } = (await call('GET', `/api/project/info/${deal}/`)).body
    await call('PUT', `/api/project/info/${deal}/`, { stage_id: pipeline_stages[1].stage_id })
    const task = await make('/api/tasks/', { title: 'Kick-off agenda', project_id })
    await call('PUT', `/api/tasks/${task}/`, { is_completed: true })
    const milestone = await make(`/api/project/info/${project_id}/milestones/`, { name: 'Go live' })
    const done = await call('PUT', `/api/project/info/${project_id}/milestones/${milestone}/`, {
      status: 'completed',
    })
    assert.equal(done.status, 200, done.text)
    const meeting = await make('/api/calendar/info/', {
      title: 'Kick-off',
      start: iso(-3_600_000),
      end: iso(-1_800_000),
      project: { project_id },
      attendees: [{ type: 'contact', id: contact_id }],
    })
    await mailbox.next(email)
    const document = await make('/api/documents/', { document_name: 'Order form', project_id })
    await make(`/api/documents/${document}/signature/request/`, {
      recipients: [{ name: full_name, email }],
    })
    const path = new URL(linkIn(await mailbox.next(email))).pathname
    await service.call('GET', path)
    await service.call('POST', `${path}/viewed`)
    await postForm(service, path, { name: full_name, agree: 'yes', act: 'sign' })
    const fields = [{ id: 'score', type: 'nps', label: 'How likely?' }]
    const form_structure = [{ id: 'p', title: 'One', fields }]
    const survey = await make('/api/surveys/', {
      name: 'Pulse',
      form_structure,
      status: 'published',
    })
    await make(`/api/surveys/${survey}/send/`, { email_addresses: [email] })
    await make(`/api/surveys/${survey}/fill/`, { answers: { score: 3 }, respondent_email: email })
    const about = { module_id: 2, reference_id: project_id }
    const comment = await make('/api/interactions/info/', { ...about, content: 'Well done' })
    await call('PUT', '/api/widget-config', { is_active: true })
    await make('/api/widget-submit', { email, message: 'The export is great' })
    const tracked = { event: 'email_opened', recipient_email: email }
    await make('/api/activity/log/track/', tracked)
    const ids = { company_id, contact_id, account_id, project_id }
    return { ...ids, deal, task, milestone, document, survey, meeting, comment, email }
  }

  const texts = ({ results }: { results: any[] }) => results.map(({ text }) => text as string)
  const countOf = (list: string[], what: RegExp) => list.filter((text) => what.test(text)).length

  test('shows each kind once, newest first, in sentences with names', async () => {
    const at = await busy()
    const { results, next_cursor } = await feed(`account_id=${at.account_id}&limit=100`)
    assert.equal(next_cursor, null)
    const kinds = new Set(results.map(({ kind }) => kind))
    for (const kind of [
      'answer',
      'signature',
      'opened',
      'meeting',
      'mail',
      'comment',
      'task',
      'stage',
      'feedback',
      'milestone',
      'document',
      'change',
    ]) {
      assert.ok(kinds.has(kind), kind)
    }
    const times = results.map(({ at: time }) => Date.parse(time))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    )
    const list = texts({ results })
    for (const what of [
      /^Carla Customer answered the survey Pulse with 3 of 10$/,
      /^Carla Customer signed the document Order form$/,
      /^Carla Customer opened the document Order form$/,
      /^Everybody signed the document Order form$/,
      /^admin of .* requested signatures of the document Order form$/,
      /^The meeting Kick-off took place with Carla Customer$/,
      /^admin of .* scheduled the meeting Kick-off$/,
      /^The survey Pulse was mailed$/,
      /wrote on the project Onboarding: Well done$/,
      /^admin of .* created the task Kick-off agenda$/,
      /^admin of .* completed the task Kick-off agenda$/,
      /completed the milestone Go live$/,
      /^admin of .* moved the deal Renewal to /,
      /^Carla Customer left feedback: The export is great$/,
      /^Email opened/,
    ]) {
      assert.equal(countOf(list, what), 1, `${what} in\n${list.join('\n')}`)
    }
    const answer = results.find(({ kind }) => kind === 'answer')
    assert.deepEqual(answer.record, { type: 'survey', id: at.survey, name: 'Pulse' })
    assert.deepEqual(answer.actor.contact_id, at.contact_id)
    const comment = results.find(({ kind }) => kind === 'comment')
    assert.deepEqual(comment.record, { type: 'project', id: at.project_id, name: 'Onboarding' })
    assert.equal(comment.actor.user_id, org.users.admin.user_id)
    assert.deepEqual(comment.comment, {
      interaction_id: at.comment,
      content: 'Well done',
      is_read: true,
      rating: null,
    })
    // each where it belongs
    const kindsOf = async (query: string) =>
      new Set((await feed(`${query}&limit=100`)).results.map(({ kind }) => kind))
    assert.ok(!(await kindsOf(`project_id=${at.project_id}`)).has('answer'))
    assert.ok((await kindsOf(`project_id=${at.project_id}`)).has('comment'))
    const ofContact = await kindsOf(`contact_id=${at.contact_id}`)
    const ofCompany = await kindsOf(`company_id=${at.company_id}`)
    for (const kind of ['answer', 'signature', 'opened', 'meeting', 'mail', 'feedback', 'task']) {
      assert.ok(ofContact.has(kind) && ofCompany.has(kind), kind)
    }
    assert.deepEqual(
      await kindsOf(`deal_id=1&project_id=${at.deal}`).catch(() => 'refused'),
      'refused',
    )
    assert.ok((await kindsOf(`project_id=${at.deal}`)).has('stage'))
    // and only of the requested kinds
    const some = await feed(`account_id=${at.account_id}&kinds=answer,signature`)
    assert.deepEqual(
      some.results.map(({ kind }) => kind),
      ['answer', 'signature'],
    )
  })

  test('the journey of an account has its surveys and meetings', async () => {
    const { account_id, survey } = await busy()
    const { stages } = (await call('GET', `/api/account/info/journey/?account_id=${account_id}`))
      .body
    const steps = stages.map(({ stage, title }: any) => `${stage} ${title}`)
    assert.ok(steps.includes('survey_answered Pulse'), steps.join())
    assert.ok(steps.includes('meeting_held Kick-off'), steps.join())
    await call('DELETE', `/api/surveys/${survey}/`)
    const after = (await call('GET', `/api/account/info/journey/?account_id=${account_id}`)).body
    assert.ok(after.stages.every(({ title }: any) => title !== 'Pulse'))
  })

  test('refuses what it cannot show, naming it', async () => {
    const at = await busy()
    const own = `account_id=${at.account_id}`
    const { next_cursor } = await feed(`${own}&limit=1`)
    for (const [query, field, status] of [
      ['', 'account_id', 400],
      [`${own}&project_id=${at.project_id}`, 'project_id', 400],
      [`${own}&kinds=answer,nothing`, 'kinds', 400],
      [`${own}&limit=0`, 'limit', 400],
      [`${own}&limit=501`, 'limit', 400],
      [`${own}&cursor=nonsense`, 'cursor', 400],
      [`company_id=${at.company_id}&cursor=${next_cursor}`, 'cursor', 400],
      [`${own}&kinds=task&cursor=${next_cursor}`, 'cursor', 400],
    ] as const) {
      const reply = await call('GET', `/api/timeline/?${query}`)
      assert.deepEqual([query, reply.status], [query, status])
      assert.equal(reply.body.errors[0].field, field)
    }
    for (const name of ['account_id', 'company_id', 'contact_id', 'project_id']) {
      const reply = await call('GET', `/api/timeline/?${name}=${org.id}`)
      assert.deepEqual([name, reply.status], [name, 404])
    }
  })

  test('pages have no gap and nothing twice while more is written', async () => {
    const at = await busy()
    const query = `account_id=${at.account_id}`
    const whole = texts(await feed(`${query}&limit=100`))
    for (const limit of [1, 3, 7]) {
      const pages: string[] = []
      let cursor = ''
      do {
        const page = await feed(`${query}&limit=${limit}${cursor}`)
        assert.ok(page.results.length <= limit)
        pages.push(...texts(page))
        cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
        const reference_id = at.project_id
        await make('/api/interactions/info/', {
          module_id: 2,
          reference_id,
          content: fresh('More'),
        })
      } while (cursor)
      const before = pages.filter((text) => !text.includes(': More '))
      assert.deepEqual(before, whole)
    }
  })

  test('of one moment everything is on one of the pages', async () => {
    const at = await busy()
    const owner = new pg.Client({
      connectionString: service.runtime.database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    await owner.connect()
    atEnd(() => owner.end())
    await owner.query(
      `update record_activity set at = date_trunc('hour', now())
      where organization_id = $1`,
      [org.id],
    )
    const query = `account_id=${at.account_id}`
    const whole = texts(await feed(`${query}&limit=100`))
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const page = await feed(`${query}&limit=2${cursor}`)
      pages.push(...texts(page))
      if (!page.next_cursor) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(pages, whole)
  })

  test('shows each reader what they may read', async () => {
    const at = await busy()
    const { project_id, account_id } = at
    const about = { module_id: 2, reference_id: project_id }
    await make('/api/interactions/info/', { ...about, content: 'Secret plan', is_private: true })
    await make('/api/tasks/', { title: 'Secret task', project_id, is_private: true })
    const start = iso(-60_000)
    const meeting = { title: 'Secret call', start, end: iso(0), project: { project_id } }
    await make('/api/calendar/info/', { ...meeting, is_private: true })
    const secret = { document_name: 'Secret paper', project_id, is_private: true }
    await make('/api/documents/', secret)
    const hidden = { project_name: 'Secret project', account_id, visible_to_all: false }
    await make('/api/project/info/', hidden)
    const query = `account_id=${account_id}&limit=200`
    const [all, team] = [texts(await feed(query)), texts(await feed(query, 'member'))]
    for (const what of ['plan', 'task', 'call', 'project']) {
      assert.ok(countOf(all, new RegExp(`Secret ${what}`)) > 0, `${what} in\n${all.join('\n')}`)
    }
    assert.equal(countOf(team, /Secret/), 0, team.join('\n'))
    assert.ok(team.length > 15)
    for (const role of ['customer', 'partner', 'observer'] as const) {
      assert.equal((await call('GET', `/api/timeline/?${query}`, undefined, role)).status, 404)
    }
    // a customer of the account sees nothing that its own reads would not show
    const { user_id } = org.users.customer
    await call('PUT', `/api/users/profile/${user_id}/`, { account_id })
    const theirs = await feed(query, 'customer')
    assert.equal(countOf(texts(theirs), /Secret/), 0)
    for (const { record } of theirs.results) {
      if (record?.type !== 'task' && record?.type !== 'project') continue
      const path = record.type === 'task' ? '/api/tasks/' : '/api/project/info/'
      const reply = await call('GET', `${path}${record.id}/`, undefined, 'customer')
      assert.equal(reply.status, 200, JSON.stringify(record))
    }
    const none = { create: 'none', read: 'none', update: 'none', delete: 'none' }
    const read = { ...none, read: 'all' }
    const role = await call('POST', '/api/users/role/', {
      role_name: fresh('Narrow'),
      permission: {
        accounts: read,
        activity: none,
        surveys: none,
        documents: none,
        calendar: read,
      },
    })
    await call('PUT', `/api/users/profile/${org.users.manager.user_id}/`, {
      role_id: role.body.role_id,
    })
    const narrow = await feed(query, 'manager')
    assert.deepEqual([...new Set(narrow.results.map(({ kind }) => kind))], ['meeting'])
    // a comment that is deleted, and what a survey that is deleted was answered, are gone
    await call('DELETE', `/api/interactions/info/${at.comment}/`)
    await call('DELETE', `/api/surveys/${at.survey}/`)
    const after = texts(await feed(query))
    assert.equal(countOf(after, /Well done|answered the survey/), 0)
  })

  test('says once that a deal was won or lost', async () => {
    const { deal, account_id } = await busy()
    const { pipeline_stages } = (await call('GET', `/api/project/info/${deal}/`)).body
    const stage = (category: string) =>
      pipeline_stages.find((each: any) => each.category === category).stage_id as string
    const before = texts(await feed(`account_id=${account_id}&limit=200`))
    const moves: [object, RegExp][] = [
      [{ stage_id: stage('won') }, / won the deal Renewal$/],
      [{ stage_id: stage('open') }, / moved the deal Renewal to /],
      [{ stage_id: stage('lost'), lost_reason: 'price' }, / lost the deal Renewal$/],
    ]
    for (const [n, [body, said]] of moves.entries()) {
      assert.equal((await call('PUT', `/api/project/info/${deal}/`, body)).status, 200)
      const now = texts(await feed(`account_id=${account_id}&limit=200`))
      assert.equal(now.length, before.length + n + 1, now.join('\n'))
      assert.match(now[0]!, said)
    }
  })

  test('shows a customer their own answers and mails, and none of their colleagues', async () => {
    const at = await busy()
    const { customer } = org.users
    const own = await make('/api/contact/', {
      full_name: 'Olga Own',
      primary_email: customer.email,
      company: { company_id: at.company_id },
    })
    await call('PUT', `/api/users/profile/${customer.user_id}/`, { account_id: at.account_id })
    const survey = await make('/api/surveys/', {
      name: 'Second',
      form_structure: [
        { id: 'p', title: 'One', fields: [{ id: 'score', type: 'nps', label: 'How likely?' }] },
      ],
      status: 'published',
    })
    await make(`/api/surveys/${survey}/send/`, { email_addresses: [customer.email] })
    await make(`/api/surveys/${survey}/fill/`, {
      answers: { score: 9 },
      respondent_email: customer.email,
    })
    const query = `account_id=${at.account_id}&kinds=answer,mail`
    const team = (await feed(query)).results
    assert.equal(team.filter(({ kind }) => kind === 'answer').length, 2)
    assert.ok(team.filter(({ kind }) => kind === 'mail').length > 1)
    const theirs = (await feed(query, 'customer')).results
    assert.deepEqual(theirs.map(({ kind }) => kind).toSorted(), ['answer', 'mail'])
    const answer = theirs.find(({ kind }) => kind === 'answer')
    assert.equal(answer.actor.contact_id, own)
    assert.match(answer.text, /^Olga Own answered .*survey.* with 9 of 10$/)
  })

  test('is the same by the module of its record', async () => {
    const at = await busy()
    for (const [module, name] of [
      ['accounts', 'account_id'],
      ['companies', 'company_id'],
      ['contacts', 'contact_id'],
      ['projects', 'project_id'],
    ] as const) {
      const one = await feed(`${name}=${at[name]}&limit=5`)
      const path = `/api/timeline/${module}/${at[name]}/`
      const other = await call('GET', `${path}?limit=5`)
      assert.deepEqual(other.body, one)
      const next = await call('GET', `${path}?limit=5&cursor=${one.next_cursor}`)
      assert.equal(next.status, 200, next.text)
    }
    const deal = await call('GET', `/api/timeline/deals/${at.deal}/`)
    assert.ok(deal.body.results.some(({ kind }: any) => kind === 'stage'))
    assert.equal((await call('GET', `/api/timeline/tags/${at.deal}/`)).status, 404)
    assert.equal((await call('GET', `/api/timeline/accounts/${at.deal}/`)).status, 404)
  })

  test('of a task, document, survey or meeting only has the record’s own entries', async () => {
    const at = await busy()
    const { task, document, survey, meeting } = at
    await call('PUT', `/api/tasks/${task}/`, { title: 'Agenda of the kick-off' })
    await call('PUT', `/api/surveys/${survey}/`, { description: 'Once a quarter' })
    const kindsOf = async (path: string, role: Role = 'admin') => {
      const { status, body, text } = await call('GET', `/api/timeline/${path}`, undefined, role)
      assert.equal(status, 200, `${path}: ${text}`)
      for (const { text: sentence, log_id } of body.results) {
        assert.ok(sentence.length > 5 && log_id, sentence)
        assert.doesNotMatch(sentence, /0[0-9a-z]{24}/, 'no ids')
      }
      const times = body.results.map(({ at: time }: { at: string }) => time)
      assert.deepEqual(times, times.toSorted().toReversed())
      return new Set<string>(body.results.map(({ kind }: { kind: string }) => kind))
    }
    assert.deepEqual(await kindsOf(`tasks/${task}/`), new Set(['task', 'change']))
    assert.deepEqual(await kindsOf(`tasks/${task}/?kinds=task`), new Set(['task']))
    assert.ok(
      (await kindsOf(`documents/${document}/`)).isSupersetOf(new Set(['document', 'signature'])),
    )
    assert.ok((await kindsOf(`surveys/${survey}/`)).has('change'))
    for (const module of ['meetings', 'calendar']) {
      assert.ok((await kindsOf(`${module}/${meeting}/`)).has('meeting'), module)
    }
    // whoever may not read the record has no timeline of it
    const other = await makeOrganization(service)
    for (const path of [`tasks/${task}/`, `documents/${document}/`, `surveys/${survey}/`]) {
      const reply = await service.call('GET', `/api/timeline/${path}`, {
        token: other.users.admin.token,
      })
      assert.equal(reply.status, 404, path)
      const customer = await call('GET', `/api/timeline/${path}`, undefined, 'customer')
      assert.equal(customer.status, 404, path)
    }
    const first = await call('GET', `/api/timeline/tasks/${task}/?limit=1`)
    const next = await call(
      'GET',
      `/api/timeline/tasks/${task}/?limit=1&cursor=${first.body.next_cursor}`,
    )
    assert.equal(next.status, 200, next.text)
    assert.notEqual(next.body.results[0].log_id, first.body.results[0].log_id)
  })

  test('follows a merge of contacts and companies', async () => {
    const [one, other] = [await busy(), await busy()]
    const body = { primary_id: one.contact_id, merge_ids: [other.contact_id] }
    assert.equal((await call('POST', '/api/contact/merge/', body)).status, 200)
    const list = texts(await feed(`contact_id=${one.contact_id}&limit=200`))
    assert.equal(countOf(list, /answered the survey/), 2)
    const companies = { primary_id: one.company_id, merge_ids: [other.company_id] }
    assert.equal((await call('POST', '/api/company/merge/', companies)).status, 200)
    const both = texts(await feed(`company_id=${one.company_id}&limit=200`))
    assert.equal(countOf(both, /answered the survey/), 2)
  })
})

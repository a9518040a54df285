import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../src/kit/ground/ids.ts'
import type { RoleKind } from '../src/model/users/roles/permissions.ts'
import { internalFields } from './support/internal-fields.ts'
import { Dice } from './support/oracle/dense.ts'
import { requestsOf } from './support/oracle/requests.ts'
import { password } from './support/organization.ts'
import { pathOf } from './support/routes.ts'
import { eventsIn } from './support/server-events.ts'
import type { Reply, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService } from './support/service.ts'

// Whatever a customer, a partner or an observer of an account requests over HTTP, nothing internal comes
// back. Every internal text holds one word and every internal amount begins with the same digits, so
// that each answer is searched for them. What is computed of them, and what changes with them in other
// answers, is for the twin worlds of oracle.test.ts; deliveries are for delivery-bytes.test.ts.

type Body = { [key: string]: unknown }
type Texts = { [name: string]: string }
const word = 'zqinternal'
const amount = 77_007_700
const leak = /zqinternal|770077|77[ ,.]?007[ ,.]?7/i
const hiddenFromAll = /zqprivate/i

describe('the sharing matrix', () => {
  let service: TestService
  let org: TestOrganization
  const ids = new Map<string, string[]>()
  const shared: { [what: string]: string } = {}
  /** where the streams stood before anything was written */
  const begun: { [kind: string]: string } = {}

  const call = (kind: RoleKind, method: string, path: string, body?: unknown) =>
    service.call(method, path, { token: org.users[kind].token, body })
  const make = async (table: string, path: string, body: Body, kind: RoleKind = 'admin') => {
    const reply = await call(kind, 'POST', path, body)
    assert.ok(reply.status < 300, `POST ${path} ${reply.text}`)
    const { profile_id, automation_id } = (reply.body ?? {}) as Body
    const id = String(reply.headers.get('x-record-id') ?? profile_id ?? automation_id)
    ids.set(table, [...(ids.get(table) ?? []), id])
    return id
  }
  const put = async (path: string, body: Body) => {
    const reply = await call('admin', 'PUT', path, body)
    assert.ok(reply.status < 300, `PUT ${path} ${reply.text}`)
  }
  const tomorrow = Date.now() + 86_400_000
  const times = {
    start: new Date(tomorrow).toISOString(),
    end: new Date(tomorrow + 3_600_000).toISOString(),
  }
  const secrets = { tags: [`${word} tag`], custom_fields: { [`${word}_key`]: `${word} value` } }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    for (const kind of ['customer', 'partner', 'observer'] as const) {
      const [first] = eventsIn((await call(kind, 'GET', '/api/stream/?seconds=0')).text)
      begun[kind] = first?.id ?? ''
    }
    const company = await make('companies', '/api/company/', {
      company_name: 'Customer Ltd',
      domain: 'customer.test',
      description: `${word} notes`,
      revenue_range: word,
      estimated_arr: amount + 1,
      lead_status: word,
      icp_fit: word,
      connection_strength: word,
      ...secrets,
    })
    const contact = await make('contacts', '/api/contact/', {
      full_name: 'Cora Customer',
      primary_email: 'cora@customer.test',
      company,
      buying_role: word,
      influence_level: 3,
      seniority_level: word,
      lead_score: amount + 2,
      campaign: word,
      ...secrets,
    })
    const account = await make('accounts', '/api/account/info/', {
      account_name: 'Customer',
      company_id: company,
      customer: contact,
      description: `${word} notes`,
      total_revenue: amount + 3,
      segment: word,
      insight: { note: word },
      ...secrets,
    })
    shared.account = account
    for (const kind of ['customer', 'partner', 'observer'] as const)
      await put(`/api/users/profile/${org.users[kind].user_id}/`, { account_id: account })
    const other = await make('users', '/api/users/profile/action/', {
      email: 'zq@team.test',
      full_name: `${word} colleague`,
    })
    const deal = await make('projects', '/api/project/info/', {
      project_name: `${word} deal`,
      project_type: 'deal',
      account_id: account,
      customer: contact,
      expected_deal_value: amount + 4,
      is_shared: true,
    })
    await put(`/api/project/info/${deal}/`, { stage_id: 'closed_lost', lost_reason: 'price' })
    const money = {
      revenue: amount + 5,
      project_fee: amount + 6,
      expected_deal_value: amount + 7,
      hourly_rate: amount + 8,
      billing_model: word,
      external_map: { crm: word },
      ...secrets,
    }
    const project = await make('projects', '/api/project/info/', {
      project_name: 'Shared rollout',
      account_id: account,
      is_shared: true,
      ...money,
    })
    shared.project = project
    await make('projects', '/api/project/info/', {
      project_name: `${word} project`,
      account_id: account,
    })
    const at = `/api/project/info/${project}/milestones/`
    const milestone = await make('milestones', at, { name: 'Shared step', is_shared: true })
    const inner = await make('milestones', at, { name: `${word} step` })
    const task = (body: Body) => make('tasks', '/api/tasks/', { project_id: project, ...body })
    shared.task = await task({
      title: 'Shared task',
      is_shared: true,
      milestone_id: milestone,
      is_risk: true,
      ...secrets,
    })
    const hidden = await task({
      title: `${word} task`,
      milestone_id: milestone,
      due_date: '2020-01-01',
    })
    await task({ title: `${word} other`, milestone_id: inner })
    await task({ title: `${word} subtask`, parent_id: shared.task })
    await task({ title: 'zqprivate task', is_private: true, is_shared: true })
    await task({ title: 'Of a hidden step', is_shared: true, milestone_id: inner })
    await call('admin', 'POST', `/api/tasks/${shared.task}/dependencies/`, {
      predecessor_id: hidden,
    })
    const document = (body: Body) =>
      make('documents', '/api/documents/', { project_id: project, ...body })
    shared.document = await document({
      document_name: 'Shared paper',
      is_shared: true,
      revenue: amount + 9,
      document_fee: amount + 10,
      ...secrets,
    })
    const paper = await document({
      document_name: `${word} paper`,
      document_status: 'published',
      module_id: 1,
      reference_id: shared.task,
    })
    // a file that a colleague attached to the shared task without sharing it
    const form = new FormData()
    for (const [name, value] of Object.entries({ module_id: '1', reference_id: shared.task })) {
      form.set(name, value)
    }
    form.set('file', new Blob(['1']), `${word}.txt`)
    const filed = await fetch(`${service.url}/api/documents/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    assert.equal(filed.status, 201)
    shared.file = String(filed.headers.get('x-record-id'))
    ids.get('documents')?.push(shared.file)
    const meeting = (body: Body) =>
      make('meetings', '/api/calendar/info/', { ...times, project, ...body })
    await meeting({ title: 'Open call', is_shared: true })
    const attendees = ['customer', 'partner'].map((kind) => ({
      type: 'user',
      id: org.users[kind as RoleKind].user_id,
    }))
    await meeting({ title: 'Shared call', attendees })
    const call1 = await meeting({ title: `${word} call` })
    await make('meeting_insights', '/api/calendar/insight/', {
      meeting_insight_id: newId(),
      calendar_id: call1,
      summary: `${word} summary`,
    })
    const comment = (body: Body, kind: RoleKind = 'admin') =>
      make('interactions', '/api/interactions/info/', body, kind)
    const about = { module_name: 'tasks', reference_id: shared.task }
    await comment({ ...about, content: `${word} talk` })
    const thread = await comment({ ...about, content: 'Where are we?' }, 'customer')
    await comment({ parent_interaction_id: thread, content: 'Nearly there' })
    await comment({ parent_interaction_id: thread, content: `${word} aside`, is_shared: false })
    await comment({ parent_interaction_id: thread, content: `${word} note`, is_private: true })
    await comment({ ...about, content: 'With papers', is_shared: true, attachment_ids: [paper] })
    await comment({ module_name: 'accounts', reference_id: account, content: `${word} of account` })
    await make('tags', '/api/tags/info/', { tag_name: `${word} tag` })
    await make('templates', '/api/templates/template/', { template_name: `${word} template` })
    const survey = await make('surveys', '/api/surveys/', { name: `${word} survey` })
    await make('surveys', '/api/surveys/', { name: 'Their survey', account_id: account })
    assert.ok(survey && other)
    // what changed in internal fields alone, and in both
    await put(`/api/project/info/${project}/`, { revenue: amount + 11, billing_model: `${word} 2` })
    await put(`/api/project/info/${project}/`, { project_fee: amount + 12, description: 'Seen' })
    await put(`/api/account/info/${account}/`, { health_score: 7, segment: `${word} 2` })
    await put(`/api/company/${company}/`, { estimated_arr: amount + 13 })
    await put(`/api/tasks/${shared.task}/`, { tags: [`${word} again`] })
  })

  for (const kind of ['customer', 'partner', 'observer'] as const) {
    const isInside = kind === 'observer'
    const pattern = isInside ? hiddenFromAll : leak

    test(`every read of a ${kind}`, async (t) => {
      const surface = service.surfaces.find(({ name }) => name === 'application')!
      const requests = requestsOf(
        surface.routes,
        (table) => ids.get(table) ?? [],
        ['zqinternal', 'zqprivate', 'shared', '770077'],
        new Dice(7),
      )
      let answered = 0
      for (const { route, params, query } of requests) {
        const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
        const path = pathOf(route, { params, query: Object.fromEntries(texts) })
        const reply = await call(kind, 'GET', path)
        assert.ok(reply.status < 500, path)
        if (reply.status < 300) answered++
        checkAnswer(reply, pattern, path)
      }
      t.diagnostic(`${answered} of ${requests.length} reads answered`)
      assert.ok(answered > 80)
    })

    test(`the live stream of a ${kind}`, async () => {
      const query = new URLSearchParams({ seconds: '2', after: begun[kind] ?? '' })
      const reply = await call(kind, 'GET', `/api/stream/?${query}`)
      assert.equal(reply.status, 200, reply.text)
      checkAnswer(reply, pattern, 'stream')
      const changes = eventsIn(reply.text).filter(({ event }) => event === 'changed')
      const said = new Set(changes.map(({ data }) => data.id as string))
      for (const what of ['account', 'project', 'task', 'document'])
        assert.ok(said.has(shared[what] ?? ''), what)
      const reads: { [module: string]: [word: string, path: string] } = {
        companies: ['company', '/api/company/'],
        contacts: ['contact', '/api/contact/'],
        accounts: ['account', '/api/account/info/'],
        projects: ['project', '/api/project/info/'],
        deals: ['deal', '/api/project/info/'],
        tasks: ['task', '/api/tasks/'],
        documents: ['document', '/api/documents/'],
        users: ['user', '/api/users/profile/'],
        surveys: ['survey', '/api/surveys/'],
        calendar: ['meeting', '/api/calendar/info/'],
        interactions: ['interaction', '/api/interactions/info/'],
        milestones: ['milestone', `/api/project/info/${shared.project}/milestones/`],
        tags: ['tag', '/api/tags/info/'],
        meeting_insights: ['meeting_insight', '/api/calendar/insight/'],
      }
      for (const { data } of changes) {
        const [word, path] = reads[data.module as string] ?? ['', '']
        assert.ok(path, `${data.module} of the stream`)
        // what the stream names can be read, and so can each of the fields it names
        const read = await call(kind, 'GET', `${path}${data.id}/`)
        assert.equal(read.status, 200, `${kind} ${JSON.stringify(data)}`)
        const hidden = isInside ? [] : (internalFields[word] ?? [])
        const leaked = (data.fields as string[]).filter((field) => hidden.includes(field))
        assert.deepEqual(leaked, [], JSON.stringify(data))
        if (data.actor_id && !isInside) {
          const actor = await call(kind, 'GET', `/api/users/profile/${data.actor_id}/`)
          assert.equal(actor.status, 200, JSON.stringify(data))
        }
      }
    })

    if (isInside) continue

    test(`a ${kind} cannot filter, sort or select by what is internal`, async () => {
      const lists: { [word: string]: string } = {
        company: '/api/company/',
        contact: '/api/contact/',
        account: '/api/account/info/',
        project: '/api/project/info/',
        task: '/api/tasks/',
        document: '/api/documents/',
        user: '/api/users/profile/',
      }
      for (const [name, path] of Object.entries(lists)) {
        const ask = (query: Texts): Promise<Reply> =>
          call(
            kind,
            'GET',
            `${path}?${new URLSearchParams({ page: '1', items_per_page: '5', ...query })}`,
          )
        for (const field of [...(internalFields[name] ?? []), 'custom_fields.zqinternal_key']) {
          const filter = JSON.stringify([{ field, operator: 'is_not_empty' }])
          const queries: Texts[] = [{ filter }, { sort: field }, { fields: field }]
          for (const query of queries) {
            const reply = await ask(query)
            assert.equal(reply.status, 400, `${path} ${JSON.stringify(query)} ${reply.text}`)
            assert.ok(reply.body.message.includes(field), reply.text)
            const [, allowed = ''] = reply.body.message.split(/not one of|allowed:|fields are/)
            assert.ok(!allowed.split(/, /).includes(field), reply.text)
          }
        }
        // an embedded object is no way around it
        const reply = await ask({
          filter: JSON.stringify([{ field: 'company.estimated_arr', operator: 'gt', value: 1 }]),
        })
        assert.equal(reply.status, 400, reply.text)
      }
    })

    test(`the pages of the portal of a ${kind}`, async () => {
      const open = await portalOf(kind)
      const pages = portalPages()
      let shown = 0
      for (const path of pages) {
        const reply = await open(path)
        assert.ok([200, 303, 404].includes(reply.status), `${path} ${reply.status}`)
        assert.doesNotMatch(reply.text, pattern, path)
        if (reply.status === 200) shown++
      }
      assert.ok(shown >= 6 && shown < pages.length, `${shown} of ${pages.length}`)
    })

    test(`the calendar feed of a ${kind}`, async () => {
      const { body } = await call(kind, 'GET', '/api/calendar/feed-url/')
      const reply = await service.call('GET', new URL(body.url).pathname)
      assert.equal(reply.status, 200)
      assert.match(reply.text, /Shared call/)
      checkAnswer(reply, pattern, 'feed')
    })

    test(`what a ${kind} is notified of`, async () => {
      const found = await rows(
        service,
        sql`select title, description, notification_obj::text from notifications
          where user_id = ${org.users[kind].user_id}`,
      )
      assert.doesNotMatch(JSON.stringify(found), pattern)
      if (kind === 'customer') assert.match(JSON.stringify(found), /Nearly there/)
    })

    test(`a ${kind} writes, and the answer shows nothing more`, async () => {
      const comment = { module_name: 'tasks', reference_id: shared.task, content: 'Thanks' }
      const own = await call(kind, 'POST', '/api/interactions/info/', comment)
      assert.equal(own.status, 201, own.text)
      await put(`/api/tasks/${shared.task}/`, { users: [org.users[kind].user_id] })
      const task = await call(kind, 'PUT', `/api/tasks/${shared.task}/`, { is_completed: true })
      assert.equal(task.status, 200, task.text)
      for (const reply of [own, task]) checkAnswer(reply, pattern, 'write')
      await put(`/api/tasks/${shared.task}/`, { is_completed: false })
    })

    test(`a ${kind} knows those who serve the account, and nobody else of the team`, async () => {
      const before = await call(kind, 'GET', '/api/users/profile/?page=1&items_per_page=50')
      const names = (reply: Reply) => reply.body.map((each: Body) => each.user_id).sort()
      await put(`/api/project/info/${shared.project}/`, { project_owner: org.users.member.user_id })
      const after = await call(kind, 'GET', '/api/users/profile/?page=1&items_per_page=50')
      const { member, manager } = org.users
      assert.ok(!names(before).includes(manager.user_id))
      assert.ok(names(after).includes(member.user_id), after.text)
      assert.ok(!names(after).includes(manager.user_id))
      await put(`/api/project/info/${shared.project}/`, { project_owner: null })
    })
  }

  test('what is shared one by one is shown: a custom field and a tag', async () => {
    const company = (ids.get('companies') ?? [])[0] ?? ''
    await put(`/api/company/${company}/`, {
      tags: ['Gold', `${word} tag`],
      custom_fields: { plan: 'Pro' },
    })
    await make('tags', '/api/tags/info/', { tag_name: 'Gold', is_shared: true })
    const path = `/api/company/${company}/`
    const before = await call('customer', 'GET', path)
    assert.deepEqual([before.body.tags, before.body.custom_fields], [['Gold'], {}])
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into field_definitions
        (organization_id, id, module, key, label, type, is_shared)
        values (${org.id}, 'plan', 'companies', 'plan', 'Plan', 'text', true)`),
    )
    service.runtime.cache.evict(org.id)
    const after = await call('customer', 'GET', path)
    assert.deepEqual(after.body.custom_fields, { plan: 'Pro' })
    const filter = JSON.stringify([{ field: 'custom_fields.plan', operator: 'eq', value: 'pro' }])
    const list = await call(
      'customer',
      'GET',
      `/api/company/?page=1&items_per_page=9&filter=${encodeURIComponent(filter)}`,
    )
    assert.equal(list.body.length, 1, list.text)
    assert.equal(
      (await call('admin', 'GET', path)).body.custom_fields.zqinternal_key,
      `${word} value`,
    )
  })

  /** Every page of the portal, with every id that there is, and the answer that it is made of. */
  function portalPages(): string[] {
    const of = (table: string, path: (id: string) => string) => (ids.get(table) ?? []).map(path)
    return [
      '/portal',
      '/api/portal/',
      ...of('projects', (id) => `/portal?project=${id}`),
      ...of('projects', (id) => `/portal/projects/${id}`),
      ...of('tasks', (id) => `/portal/tasks/${id}`),
      ...of('documents', (id) => `/portal/documents/${id}`),
      ...of('milestones', (id) => `/portal/milestones/${id}`),
    ]
  }

  /** Opens pages as the browser of somebody does. */
  async function portalOf(kind: RoleKind) {
    const body = { email: org.users[kind].email, password }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const entered = await service.call('POST', '/api/session/', { body, headers })
    assert.equal(entered.status, 200, entered.text)
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    return (path: string) => service.call('GET', path, { headers: { cookie } })
  }

  test('what is planted in any place of the portal is found by the same search', async () => {
    const open = await portalOf('customer')
    const { project = '', task = '', document = '' } = shared
    const { user_id: customer } = org.users.customer
    const [step = '', hiddenStep = ''] = ids.get('milestones') ?? []
    const [, hiddenTask = ''] = ids.get('tasks') ?? []
    const [, hiddenDocument = ''] = ids.get('documents') ?? []
    const hiddenProject = (ids.get('projects') ?? []).at(-1) ?? ''
    const [call1 = ''] = ids.get('meetings') ?? []
    const [colleague = ''] = ids.get('users') ?? []
    const at = {
      home: `/portal?project=${project}`,
      plan: `/portal/projects/${project}`,
      task: `/portal/tasks/${task}`,
    }
    const paths = {
      project: `/api/project/info/${project}/`,
      step: `/api/project/info/${project}/milestones/${step}/`,
      task: `/api/tasks/${task}/`,
      document: `/api/documents/${document}/`,
      meeting: `/api/calendar/info/${call1}/`,
    }
    const field = (more: Body) => ({ id: 'f1', type: 'single-select', label: 'Sites', ...more })
    const form = (more: Body, title = 'About you') => ({
      form_structure: { pages: [{ id: 'p1', title, fields: [field(more)] }] },
    })
    const options = [{ value: 'a', label: 'One' }]
    const own = { owner: customer, ...form({ options }) }
    await put(paths.task, own)
    const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    await put(paths.meeting, { start: soon(1), end: soon(2) })
    const hiddenPath = `/api/project/info/${project}/milestones/${hiddenStep}/`
    for (const path of [paths.step, hiddenPath]) await put(path, { status: 'completed' })
    // what is written, where it is seen, and what is written back
    const changes: [what: string, seen: string, path: string, leaked: Body, back: Body][] = [
      ['a project', at.home, paths.project, { project_name: word }, { project_name: 'Shared' }],
      [
        'a hidden project',
        '/portal',
        `/api/project/info/${hiddenProject}/`,
        { is_shared: true },
        { is_shared: false },
      ],
      [
        'who leads it',
        at.home,
        paths.project,
        { project_manager: colleague },
        { project_manager: null },
      ],
      ['a milestone', at.home, paths.step, { name: word }, { name: 'Shared step' }],
      ['a hidden milestone', at.plan, hiddenPath, { is_shared: true }, { is_shared: false }],
      [
        'a milestone to rate',
        `/portal/milestones/${step}`,
        paths.step,
        { name: word },
        { name: 'Shared step' },
      ],
      ['what to rate', at.home, hiddenPath, { is_shared: true }, { is_shared: false }],
      ['a task', at.plan, paths.task, { title: word }, { title: 'Shared task' }],
      ['what waits', at.home, paths.task, { title: word }, { title: 'Shared task' }],
      ['its text', at.task, paths.task, { description: word }, { description: '' }],
      ['what waits first', at.home, paths.task, { description: word }, { description: '' }],
      [
        'a hidden task',
        at.plan,
        `/api/tasks/${hiddenTask}/`,
        { is_shared: true },
        { is_shared: false },
      ],
      ['whose task it is', at.plan, paths.task, { owner: colleague }, own],
      ['a question', at.task, paths.task, form({ label: word, options }), own],
      ['what explains it', at.task, paths.task, form({ description: word, options }), own],
      ['a choice', at.task, paths.task, form({ options: [{ value: 'a', label: word }] }), own],
      ['a part of a form', at.task, paths.task, form({ options }, word), own],
      [
        'a document',
        at.home,
        paths.document,
        { document_name: word },
        { document_name: 'Shared paper' },
      ],
      [
        'its words',
        `/portal/documents/${document}`,
        paths.document,
        { editor_html_content: `<p>${word}</p>` },
        { editor_html_content: '' },
      ],
      [
        'a hidden document',
        at.home,
        `/api/documents/${hiddenDocument}/`,
        { is_shared: true },
        { is_shared: false },
      ],
      [
        'a hidden file of a task',
        at.task,
        `/api/documents/${shared.file}/`,
        { is_shared: true },
        { is_shared: false },
      ],
      ['a meeting', at.home, paths.meeting, { title: word }, { title: 'Open call' }],
      ['its place', at.home, paths.meeting, { location: word }, { location: '' }],
    ]
    for (const [what, seen, path, leaked, back] of changes) {
      assert.doesNotMatch((await open(seen)).text, leak, `before ${what}`)
      await put(path, leaked)
      const { status, text } = await open(seen)
      assert.equal(status, 200, `${what} ${text}`)
      assert.match(text, leak, what)
      await put(path, back)
    }
    const about = { module_name: 'projects', reference_id: project }
    const said = { ...about, content: `${word} talk`, is_shared: true }
    const comment = await make('interactions', '/api/interactions/info/', said)
    assert.match((await open(at.home)).text, leak, 'a comment')
    const removed = await call('admin', 'DELETE', `/api/interactions/info/${comment}/`)
    assert.ok(removed.status < 300, removed.text)
    for (const path of portalPages()) assert.doesNotMatch((await open(path)).text, leak, path)
  })

  function checkAnswer(reply: Reply, pattern: RegExp, path: string) {
    // refusals repeat the request
    const text = reply.status >= 400 ? '' : reply.text
    const [found] = pattern.exec(text) ?? []
    const at = found ? text.indexOf(found) : 0
    assert.equal(found, undefined, `${path}\n…${text.slice(Math.max(0, at - 200), at + 80)}`)
  }
})

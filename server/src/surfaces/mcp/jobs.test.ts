import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { callTool, clientWith, connectMcp } from '../../../test/support/mcp.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'
import { toolNamed } from './routes.ts'

// The four jobs that assistants are asked for most, as a model would do them: each in at most four calls.

describe('the jobs of an assistant', () => {
  let service: TestService
  let org: TestOrganization
  let token: string
  let account_id: string

  const post = async (path: string, body: object) =>
    idOf(await service.call('POST', path, { token: org.users.admin.token, body }))

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = (await connectMcp(service, org)).access_token
    const company_id = await post('/api/company/', { company_name: 'Vandam Logistics' })
    account_id = await post('/api/account/info/', { account_name: 'Vandam Logistics', company_id })
    const contact_id = await post('/api/contact/', {
      full_name: 'Mara Vandam',
      company: company_id,
    })
    const fine = await post('/api/account/info/', { account_name: 'Fine' })
    for (const [id, health_score] of [
      [account_id, 31],
      [fine, 90],
    ] as const) {
      const body = { health_score }
      const path = `/api/account/info/${id}/`
      const set = await service.call('PUT', path, { token: org.users.admin.token, body })
      assert.equal(set.status, 200, set.text)
    }
    const project_id = await post('/api/project/info/', { project_name: 'Set-up', account_id })
    await post('/api/tasks/', { project_id, title: 'Send the data', due_date: '2020-01-02' })
    await post('/api/calendar/info/', {
      title: 'Steering',
      start: new Date(Date.now() - 7_200_000).toISOString(),
      end: new Date(Date.now() - 3_600_000).toISOString(),
      attendees: [{ type: 'contact', id: contact_id }],
    })
    await post('/api/templates/template/', {
      template_name: 'Standard roll-out',
      template_config: { stages: [{ name: 'Data', tasks: [{ title: 'Export' }] }] },
    })
  })

  /** Calls tools as a model does, and counts the calls and the bytes of their answers. */
  function model() {
    const spent = { calls: 0, bytes: 0 }
    const call = async (name: string, args: object) => {
      const called = await callTool(service, token, name, args)
      assert.equal(called.isError, false, `${name}: ${called.text}`)
      spent.calls++
      spent.bytes += called.text.length
      return called.value
    }
    const isCheap = () => {
      assert.ok(spent.calls <= 4, `${spent.calls} calls`)
      assert.ok(spent.bytes < 16_000, `${spent.bytes} bytes`)
    }
    return { call, isCheap }
  }

  test('a meeting with an account is prepared: who, how it does, what happened, what is open', async () => {
    const { call, isCheap } = model()
    const found = await call('find_records', { module: 'accounts', q: 'vandam' })
    const [{ account_id: id, health_score, insight }] = found.results
    assert.deepEqual([id, health_score, insight.health.score], [account_id, 31, 31])
    const timeline = await call('get_timeline', { module: 'accounts', id })
    assert.ok(timeline.results.some(({ text }: { text: string }) => text.includes('Steering')))
    const filter = [
      { field: 'project_id.account_id', operator: 'eq', value: id },
      { field: 'is_completed', operator: 'eq', value: false },
    ]
    const open = await call('find_records', {
      module: 'tasks',
      filter,
      fields: ['title', 'due_date'],
    })
    assert.deepEqual(
      open.results.map((each: any) => [each.title, each.due_date]),
      [['Send the data', '2020-01-02']],
    )
    const meetings = await call('find_records', {
      module: 'meetings',
      account_id: id,
      sort: '-start',
      fields: ['title', 'start', 'attendees'],
    })
    assert.equal(meetings.results[0].title, 'Steering')
    isCheap()
  })

  test('accounts at risk are listed with their reasons, the worst first', async () => {
    const { call, isCheap } = model()
    const risky = await call('find_records', {
      module: 'accounts',
      filter: [{ field: 'health_score', operator: 'lt', value: 50 }],
      sort: 'health_score',
      fields: ['account_name', 'health_score', 'insight'],
    })
    assert.deepEqual(
      risky.results.map((each: any) => [each.account_name, each.health_score]),
      [['Vandam Logistics', 31]],
    )
    assert.ok(risky.results[0].insight.health.inputs, JSON.stringify(risky))
    const counted = await call('count_records', { module: 'accounts' })
    assert.deepEqual(counted, { count: 2 })
    isCheap()
  })

  test('a deal is moved to won and rolled out, keeps its link, and is not rolled out twice', async () => {
    const deal = await post('/api/project/info/', {
      project_name: 'Vandam fleet',
      project_type: 'deal',
      account_id,
    })
    const { call, isCheap } = model()
    const found = await call('find_records', { module: 'deals', q: 'fleet' })
    assert.equal(found.results[0].project_id, deal)
    const won = await call('get_fields', { module: 'deals' })
    const stage = won.pipelines[0].stages.find((each: any) => each.category === 'won')
    await call('update_deal', { project_id: deal, stage_id: stage.stage_id })
    const args = { deal_id: deal, template: 'standard ROLL-OUT', start_date: '2040-03-01' }
    const project = await call('convert_deal', args)
    isCheap()
    const again = await callTool(service, token, 'convert_deal', args)
    assert.equal(again.value?.project_id, project.project_id, again.text)
    const read = await service.call('GET', `/api/project/info/${project.project_id}/`, {
      token: org.users.admin.token,
    })
    assert.equal(read.body.converted_from?.project_id ?? read.body.converted_from, deal)
    assert.equal(read.body.account_id?.account_id ?? read.body.account_id, account_id)
    const unknown = await callTool(service, token, 'convert_deal', { ...args, template: 'None' })
    assert.match(unknown.text, /^template: no template is called so/)
  })

  test('a call is logged with what it was, and its follow-ups are those of the caller', async () => {
    const { call, isCheap } = model()
    const found = await call('search', { q: 'set-up', modules: ['projects'] })
    const [{ id }] = found.results
    const happened_at = '2026-03-01T09:30:00Z'
    const note = {
      module: 'projects',
      record_id: id,
      kind: 'call',
      happened_at,
      content: 'They need the file',
    }
    const logged = await call('log_note', note)
    const made = await call('create_task', { project_id: id, title: 'Send the file' })
    assert.equal(made.owner.user_id, org.users.admin.user_id)
    isCheap()
    const comments = await call('find_records', {
      module: 'comments',
      of_module: 'projects',
      record_id: id,
    })
    const [comment] = comments.results
    assert.equal(comment.interaction_id, logged.interaction_id)
    assert.deepEqual(
      [comment.interaction_type, Date.parse(comment.happened_at)],
      ['call', Date.parse(happened_at)],
    )
    const mine = await call('count_records', {
      module: 'tasks',
      filter: [{ field: 'owner', operator: 'eq', value: 'me' }],
    })
    assert.equal(mine.count, 1)
    const unowned = await callTool(service, token, 'create_task', {
      project_id: id,
      title: 'Nobody yet',
      clear: ['owner'],
    })
    assert.ok(unowned.isError, 'there is nothing to clear in a new record')
  })

  test('a customer is set up by writing: account, meeting with its people, draft of a document', async () => {
    const { call, isCheap } = model()
    const account = await call('create_account', {
      account_name: 'Halden',
      account_owner: 'me',
      segment: 'Enterprise',
    })
    assert.equal(account.account_owner.user_id, org.users.admin.user_id)
    const meeting = await call('create_meeting', {
      title: 'Kick-off',
      start: '2040-03-01T09:00',
      end: '2040-03-01T10:00',
      timezone: 'Europe/Berlin',
      attendees: [{ type: 'user', id: org.users.member.user_id }, { email: 'a@halden.test' }],
    })
    assert.equal(meeting.start, '2040-03-01T08:00:00.000Z')
    assert.deepEqual(
      meeting.attendees.map((each: any) => each.type),
      ['user', 'external'],
    )
    const { account_id: id } = account
    const document = await call('create_document', {
      document_name: 'Offer',
      account_id: id,
      editor_html_content: '<p>Dear Halden</p><script>alert(1)</script>',
    })
    assert.equal(document.document_status, 'draft')
    assert.equal(document.editor_html_content, '<p>Dear Halden</p>')
    const changed = await call('update_document', {
      attach_id: document.attach_id,
      editor_html_content: '<p>Dear Ms Halden</p>',
      clear: ['account_id'],
    })
    assert.equal(changed.editor_html_content, '<p>Dear Ms Halden</p>')
    assert.equal(changed.account_id, undefined)
    isCheap()
    const moved = await callTool(service, token, 'update_meeting', {
      calendar_id: meeting.calendar_id,
      location: 'Room 1',
    })
    assert.equal(moved.value.attendees.length, 2, moved.text)
    const scored = await callTool(service, token, 'update_account', {
      account_id: id,
      health_score: 12,
    })
    assert.equal(scored.value.health_score, 12, scored.text)
    const computed = await callTool(service, token, 'update_account', {
      account_id: id,
      clear: ['health_score'],
    })
    assert.equal(computed.value.insight.health.is_set, false, computed.text)
  })

  test('writes by one tool for all kinds would cost a call more for each kind, and more bytes than those by kind', async (t) => {
    const spent = { described: 0, asked: 0 }
    for (const [module, name] of [
      ['accounts', 'create_account'],
      ['deals', 'create_deal'],
      ['tasks', 'create_task'],
      ['meetings', 'create_meeting'],
      ['documents', 'create_document'],
    ] as const) {
      spent.described += JSON.stringify(toolNamed(name)?.listed).length
      // what a model would read to know the fields that it may send
      spent.asked += (await callTool(service, token, 'get_fields', { module })).text.length
    }
    t.diagnostic(`${spent.described} bytes of five tools, ${spent.asked} of five get_fields`)
    assert.ok(spent.described < spent.asked)
  })

  test('what is written is written by the write scope of its kind alone', async () => {
    const { access_token } = await connectMcp(service, org, {
      scopes: ['company.read', 'meeting.read', 'document.read', 'deal.write'],
    })
    const times = { start: '2040-03-01T09:00', end: '2040-03-01T10:00' }
    for (const [name, args, scope] of [
      ['create_account', { account_name: 'No' }, 'company.write'],
      ['update_account', { account_id, region: 'No' }, 'company.write'],
      ['create_meeting', { title: 'No', ...times }, 'meeting.write'],
      ['create_document', { document_name: 'No' }, 'document.write'],
    ] as const) {
      const refused = await callTool(service, access_token, name, args)
      assert.match(refused.text, new RegExp(`scope ${scope}`), name)
    }
  })

  test('resources are what their tools answer, as far as role and scopes open them', async () => {
    const client = await clientWith(service, token)
    const { resources } = await client.listResources()
    const uris = resources.map(({ uri }) => uri)
    assert.ok(uris.includes('perennial://accounts/at-risk'))
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri })
      const { text } = contents[0] as { text: string }
      assert.ok(text.length < 16_000, `${uri}: ${text.length} bytes`)
      if (uri.endsWith('at-risk')) assert.match(text, /Vandam Logistics/)
    }
    const { contents } = await client.readResource({ uri: `perennial://accounts/${account_id}` })
    assert.match(JSON.stringify(contents), /Vandam Logistics/)
    await assert.rejects(client.readResource({ uri: 'perennial://none' }), /no resource/)
    const templates = await client.listResourceTemplates()
    assert.deepEqual(
      templates.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['perennial://{module}/{id}'],
    )
    await client.close()
    const { access_token } = await connectMcp(service, org, { scopes: ['project.read'] })
    const other = await clientWith(service, access_token)
    const open = (await other.listResources()).resources.map(({ uri }) => uri)
    assert.deepEqual(open, ['perennial://me', 'perennial://my/tasks'])
    for (const uri of ['perennial://accounts/at-risk', `perennial://accounts/${account_id}`]) {
      await assert.rejects(other.readResource({ uri }), /needs the scope company.read/)
    }
    await other.close()
  })

  test('what models read of a kind is for the scopes of that kind', async () => {
    const { access_token } = await connectMcp(service, org, { scopes: ['project.read'] })
    for (const module of ['companies', 'accounts', 'deals', 'meetings', 'documents', 'comments']) {
      for (const name of ['find_records', 'count_records', 'get_fields']) {
        const refused = await callTool(service, access_token, name, { module })
        assert.match(refused.text, /needs the scope/, `${name} of ${module}`)
      }
    }
    const line = { module: 'accounts', id: account_id }
    const refused = await callTool(service, access_token, 'get_timeline', line)
    assert.match(refused.text, /scope company.read/)
    await post('/api/project/info/', { project_name: 'A deal', project_type: 'deal' })
    const [{ id: deal }] = (await callTool(service, token, 'search', { q: 'a deal' })).value.results
    await post('/api/tasks/', { project_id: deal, title: 'Of a deal' })
    const all = await callTool(service, token, 'count_records', { module: 'tasks' })
    const some = await callTool(service, access_token, 'count_records', { module: 'tasks' })
    const others = await callTool(service, token, 'count_records', {
      module: 'tasks',
      filter: [{ field: 'project_id.project_type', operator: 'eq', value: 'deal' }],
    })
    assert.ok(others.value.count > 0)
    assert.equal(some.value.count, all.value.count - others.value.count)
    const grouped = await callTool(service, access_token, 'count_records', {
      module: 'tasks',
      by: 'is_completed',
    })
    assert.equal(grouped.value.total, some.value.count, grouped.text)
  })

  test('answers to surveys are read one by one, and the numbers of dashboards by all read scopes', async () => {
    const survey_id = await post('/api/surveys/', {
      name: 'How was it',
      form_structure: [
        { id: 'p', title: 'One', fields: [{ id: 'q', type: 'short-text', label: 'How was it?' }] },
      ],
    })
    const { admin } = org.users
    const published = await service.call('POST', `/api/surveys/${survey_id}/publish/`, {
      token: admin.token,
    })
    assert.equal(published.status, 200, published.text)
    const sent = await service.call('POST', `/api/surveys/${survey_id}/fill/`, {
      token: admin.token,
      body: { answers: { q: 'Fine' } },
    })
    assert.ok(sent.status < 300, sent.text)
    const { call } = model()
    const { results } = await call('list_answers', { survey_id })
    assert.deepEqual(
      results.map(({ answers }: any) => answers.q),
      ['Fine'],
    )
    const figures = { widget_type: 'tasks_by_status', account_id }
    const tasks = await call('read_figures', figures)
    assert.ok(JSON.stringify(tasks).length < 8000)
    assert.ok(tasks.totals, JSON.stringify(tasks))
    const scopes = ['project.read', 'deal.read', 'survey.read']
    const { access_token } = await connectMcp(service, org, { scopes })
    const refused = await callTool(service, access_token, 'read_figures', figures)
    assert.match(refused.text, /needs the scope/)
  })

  test('a timeline tells an app only of what its scopes open', async () => {
    const { access_token } = await connectMcp(service, org, { scopes: ['company.read'] })
    const args = { module: 'accounts', id: account_id }
    const { text } = await callTool(service, access_token, 'get_timeline', args)
    assert.doesNotMatch(text, /Steering|Set-up|Send the data/)
    const whole = await callTool(service, token, 'get_timeline', args)
    assert.match(whole.text, /Steering/)
  })

  test('jobs are prompts, with what the person says in them', async () => {
    const client = await clientWith(service, token)
    const { prompts } = await client.listPrompts()
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ['prepare_meeting', 'accounts_at_risk', 'roll_out_deal', 'log_call'],
    )
    const got = await client.getPrompt({ name: 'accounts_at_risk', arguments: { below: '40' } })
    assert.match(JSON.stringify(got.messages), /below 40/)
    await assert.rejects(client.getPrompt({ name: 'none' }), /no prompt none/)
    await client.close()
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp, signature } from '../../../test/support/integration.ts'
import { callTool, clientWith, connectMcp, eras } from '../../../test/support/mcp.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { tools } from './routes.ts'

describe('MCP', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = (await connectMcp(service, org)).access_token
  })

  for (const [revision, negotiation] of Object.entries(eras)) {
    test(`the official client lists and calls tools in the revision of ${revision}`, async () => {
      const client = await clientWith(service, token, negotiation)
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      assert.match(client.getInstructions() ?? '', /Perennial/)
      const listed = await client.listTools()
      assert.deepEqual(
        listed.tools.map(({ name }) => name),
        tools.map(({ name }) => name),
      )
      const made = await client.callTool({
        name: 'create_company',
        arguments: { company_name: `Acme ${revision}`, domain: `${revision}.acme.test` },
      })
      assert.equal(made.isError, undefined, JSON.stringify(made.content))
      const { company_id } = made.structuredContent as { company_id: string }
      // the client checks each structured answer against the tool's schema
      const read = await client.callTool({
        name: 'get_record',
        arguments: { module: 'companies', id: company_id },
      })
      assert.deepEqual(JSON.parse((read.content as any)[0].text), made.structuredContent)
      const refused = await client.callTool({
        name: 'get_record',
        arguments: { module: 'companies', id: 'x' },
      })
      assert.equal(refused.isError, true)
      assert.deepEqual(refused.content, [{ type: 'text', text: 'Company not found.' }])
      await assert.rejects(client.callTool({ name: 'no_tool', arguments: {} }), /no tool no_tool/)
      await client.close()
    })
  }

  test('errors about missing deals and projects use their own names, and each is created by its own tool', async () => {
    const project_id = 'nobody'
    for (const [type, other] of [
      ['deal', 'project'],
      ['project', 'deal'],
    ] as const) {
      const title = type === 'deal' ? 'Deal' : 'Project'
      const missing = await callTool(service, token, `update_${type}`, { project_id })
      assert.equal(missing.text, `${title} not found.`)
      const record = { module: `${type}s`, id: project_id }
      assert.equal((await callTool(service, token, 'get_record', record)).text, missing.text)
      const create = (more: object) =>
        callTool(service, token, `create_${type}`, { project_name: 'P', ...more })
      for (const named of [{ project_type: other }, { module: `${other}s` }]) {
        const refused = await create(named)
        assert.ok(refused.isError)
        assert.match(refused.text, new RegExp(`create_${other} makes the other`))
      }
      assert.equal((await create({ project_type: type })).value.project_type, type)
    }
  })

  test('tools/list costs a model under 36 kB, and has at most 30 tools', async () => {
    const listed = JSON.stringify(tools.map((each) => each.listed))
    assert.ok(tools.length <= 30)
    assert.ok(listed.length < 36_000, `${listed.length}`)
  })

  test('a token of another surface is refused, and one of MCP everywhere else', async () => {
    const integration = await connectApp(service, org)
    for (const other of [integration.access_token, org.users.admin.token, 'x.y.z', undefined]) {
      const reply = await post(other)
      assert.equal(reply.status, 401)
      const challenge = reply.headers.get('www-authenticate') ?? ''
      const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
      const { pathname } = new URL(metadata)
      const read = await service.call('GET', pathname)
      assert.equal(read.body.resource, `${service.runtime.config.publicUrl}/mcp`)
      assert.deepEqual(read.body.authorization_servers, [service.runtime.config.publicUrl])
      assert.equal(/error="invalid_token"/.test(challenge), other !== undefined)
    }
    const mine = await connectMcp(service, org)
    // of the same app, with all that the other surface takes but the token
    const elsewhere = await service.call('GET', '/automation/test', {
      token: mine.access_token,
      headers: {
        'x-functions-key': mine.function_key,
        ...signature(mine.client_id, mine.client_secret, service.runtime.now()),
      },
    })
    assert.equal(elsewhere.status, 401)
    assert.equal(
      (await service.call('GET', '/api/sessions/', { token: mine.access_token })).status,
      401,
    )
  })

  test('requests of other sites, other methods and broken messages are refused', async () => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      const reply = await post(token, headers as never)
      assert.equal(reply.status, 403, reply.text)
    }
    assert.equal((await post(token, { origin: 'http://localhost:6274' })).status, 200)
    const got = await service.call('GET', '/mcp', { token })
    assert.equal(got.status, 405)
    assert.match(got.headers.get('allow') ?? '', /POST/)
    for (const body of ['{', '[]', '1', [message('tools/list'), message('tools/list')]]) {
      const reply = await service.call('POST', '/mcp', { token, body, headers: accept })
      assert.equal(reply.status, 400, JSON.stringify(body))
    }
    const large = message('tools/call', { name: 'search', arguments: { q: 'x'.repeat(1_100_000) } })
    const tooLarge = await service.call('POST', '/mcp', { token, body: large, headers: accept })
    assert.equal(tooLarge.status, 413)
    const listening = await service.call('POST', '/mcp', {
      token,
      headers: accept,
      body: message('subscriptions/listen'),
    })
    assert.equal(listening.status, 400)
  })

  test('a scope that the token lacks is challenged for, and its tools are not listed', async () => {
    const { access_token } = await connectMcp(service, org, { scopes: ['company.read'] })
    const client = await clientWith(service, access_token)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.deepEqual(names, [
      'whoami',
      'search',
      'find_records',
      'get_record',
      'count_records',
      'get_timeline',
      'get_fields',
    ])
    const reply = await service.call('POST', '/mcp', {
      token: access_token,
      headers: accept,
      body: message('tools/call', { name: 'create_company', arguments: { company_name: 'No' } }),
    })
    assert.equal(reply.status, 403)
    assert.match(
      reply.headers.get('www-authenticate') ?? '',
      /error="insufficient_scope".*scope="company.read company.write"/,
    )
    const found = await callTool(service, access_token, 'search', { q: 'Acme' })
    assert.ok(found.value.results.length > 0)
    assert.ok(found.value.results.every(({ module }: any) => module === 'companies'))
  })

  test('a write has its event, its log entry and its delivery, in the name of the user', async () => {
    const subscriber = await connectApp(service, org)
    const subscribed = await subscriber.call('POST', '/webhook/subscribe', {
      body: { events: ['contact_created'], url: 'http://127.0.0.1:9/hook' },
    })
    assert.equal(subscribed.status, 201, subscribed.text)
    const made = await callTool(service, token, 'create_contact', {
      full_name: 'Ada Tool',
      primary_email: 'ada@tool.test',
    })
    const id = made.value.contact_id
    const [event] = await rows(
      service,
      sql`select id, type, source, actor_id from events where reference_id = ${id}`,
    )
    assert.equal(event.type, 'contact_created')
    assert.equal(event.source, 'mcp')
    assert.equal(event.actor_id, org.users.admin.user_id)
    const deliveries = await rows(
      service,
      sql`select id from deliveries where event_id = ${event.id}`,
    )
    assert.equal(deliveries.length, 1)
  })

  test('refusals name the argument, and the record in the way', async () => {
    const wrong = await callTool(service, token, 'create_company', {
      company_name: '',
      estimated_arr: 'much',
    })
    assert.equal(wrong.isError, true)
    assert.match(wrong.text, /company_name: .*estimated_arr: /)
    const unknown = await callTool(service, token, 'create_company', {
      company_name: 'Zeta',
      compny_owner: 'x',
    })
    assert.match(unknown.text, /compny_owner: is not known here; did you mean company_owner\?/)
    // a field that the operation itself refuses, by the name that was sent
    const company_id = 'nowhere'
    const lost = await callTool(service, token, 'create_contact', { full_name: 'A', company_id })
    assert.match(lost.text, /^company_id: /)
    const first = await callTool(service, token, 'create_company', {
      company_name: 'Zeta',
      domain: 'zeta.test',
    })
    const again = await callTool(service, token, 'create_company', {
      company_name: 'Zeta',
      domain: 'zeta.test',
    })
    assert.match(again.text, new RegExp(`In the way: company_id "${first.value.company_id}"`))
    const missing = await callTool(service, token, 'get_record', { module: 'companies' })
    assert.match(missing.text, /^id: is required/)
    const due = await callTool(service, token, 'list_due_tasks', { due: 'someday' })
    assert.match(due.text, /^due: /)
  })

  test('a list in which nothing was found is empty, and not left out', async () => {
    const found = await callTool(service, token, 'find_records', {
      module: 'companies',
      q: 'nobody is called so',
    })
    assert.deepEqual(found.value, { results: [] })
  })

  test('a list of deals shows where each is, and not the whole pipeline in every row', async () => {
    const made = await callTool(service, token, 'create_deal', { project_name: 'Somewhere' })
    const { project_id } = made.value
    const found = await callTool(service, token, 'find_records', {
      module: 'deals',
      q: 'Somewhere',
    })
    const [row] = found.value.results
    assert.equal(row.project_id, project_id)
    assert.equal(row.current_pipe_stage.stage_name, 'Qualification')
    assert.equal(row.version, 1)
    assert.deepEqual([row.pipeline_stages, row.stages], [undefined, undefined])
    const read = await callTool(service, token, 'get_record', { module: 'deals', id: project_id })
    assert.ok(read.value.pipeline_stages.length > 3)
    const next = { module: 'deals', q: 'somewhere', limit: 1, sort: 'project_name' }
    assert.equal((await callTool(service, token, 'find_records', next)).isError, false)
  })

  test('tasks are due of whom an id, an e-mail or a name says, and nobody is refused', async () => {
    const project = await callTool(service, token, 'create_project', { project_name: 'Due' })
    const { project_id } = project.value
    const { user_id, email } = org.users.member
    const task = { title: 'Theirs', project_id, due_date: '2020-01-02', owner: user_id }
    await callTool(service, token, 'create_task', task)
    for (const owner of [user_id, email, email.toUpperCase()]) {
      const due = await callTool(service, token, 'list_due_tasks', { due: 'overdue', owner })
      assert.deepEqual(
        due.value.results.map(({ title }: any) => title),
        ['Theirs'],
        owner,
      )
    }
    const nobody = { due: 'overdue', owner: 'nobody@acme.test' }
    const refused = await callTool(service, token, 'list_due_tasks', nobody)
    assert.match(refused.text, /^owner: nothing is named .*: it takes id, email or full_name/)
  })

  test('a note on a record that does not exist is refused with the name of the record', async () => {
    for (const [module, word] of Object.entries({ companies: 'Company', contacts: 'Contact' })) {
      const note = { module, record_id: 'x', content: 'Seen' }
      assert.equal(
        (await callTool(service, token, 'log_note', note)).text,
        `record_id: ${word} not found.`,
      )
    }
  })

  test('a list has at most 20 rows, and its cursor leads to the rest, once each', async () => {
    for (let i = 0; i < 23; i++) {
      await callTool(service, token, 'create_company', { company_name: `Pager ${i}` })
    }
    const first = await callTool(service, token, 'find_records', {
      module: 'companies',
      q: 'pager',
    })
    assert.equal(first.value.results.length, 20)
    const { next_cursor } = first.value
    const rest = await callTool(service, token, 'find_records', {
      module: 'companies',
      q: 'pager',
      next_cursor,
    })
    assert.equal(rest.value.results.length, 3)
    const ids = [...first.value.results, ...rest.value.results].map((row: any) => row.company_id)
    assert.equal(new Set(ids).size, 23)
    const other = await callTool(service, token, 'find_records', {
      module: 'companies',
      q: 'acme',
      next_cursor,
    })
    assert.match(other.text, /next_cursor: /)
    const most = await callTool(service, token, 'find_records', { module: 'companies', limit: 21 })
    assert.match(most.text, /limit: must be/)
    const filter = [{ field: 'company_name', operator: 'eq', value: 'Pager 7' }]
    const one = await callTool(service, token, 'find_records', { module: 'companies', filter })
    assert.equal(one.value.results.length, 1)
  })

  function post(bearer: string | undefined, headers: { [name: string]: string } = {}) {
    return service.call('POST', '/mcp', {
      token: bearer,
      headers: { ...accept, ...headers },
      body: message('tools/list'),
    })
  }
})

const accept = { accept: 'application/json, text/event-stream' }

function message(method: string, params: object = {}) {
  return { jsonrpc: '2.0', id: 1, method, params }
}

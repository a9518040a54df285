import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../kit/ground/ids.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, sql, startService } from '../../../test/support/service.ts'

type Change = {
  change_id: string
  module: string
  id: string
  type: string
  version: number | null
  fields: string[]
  actor_id: string | null
  changed_at: string
}

describe('the changes feed', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  const send = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply
  }
  const make = async (path: string, body: object) => idOf(await send('POST', path, body))

  /** One page, or the beginning. */
  async function page(since?: string, query: object = {}, by = app) {
    const reply = await by.call('GET', '/automation/changes', {
      query: { ...query, ...(since === undefined ? {} : { since }) },
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body as { results: Change[]; next_cursor: string; has_more: boolean }
  }

  /** Everything after a cursor, page by page. */
  async function rest(since: string, query: object = {}, by = app) {
    const results: Change[] = []
    let next = since
    for (;;) {
      const { results: some, next_cursor, has_more } = await page(next, query, by)
      results.push(...some)
      next = next_cursor
      if (!has_more) return { results, next }
    }
  }

  test('creations, updates and deletions are listed in order, each once', async () => {
    const before = await make('/api/company/', { company_name: 'Was there' })
    const begun = await page()
    assert.deepEqual([begun.results, begun.has_more], [[], false])
    const id = await make('/api/company/', { company_name: 'Kanto Tools' })
    await send('PUT', `/api/company/${id}/`, { industry: 'Logistics' })
    await send('PUT', `/api/company/${before}/`, { industry: 'Retail' })
    await send('DELETE', `/api/company/${id}/`)
    const { results, next } = await rest(begun.next_cursor, { limit: 2 })
    assert.deepEqual(
      results.map((each) => [each.module, each.id, each.type, each.version]),
      [
        ['companies', id, 'created', 1],
        ['companies', id, 'updated', 2],
        ['companies', before, 'updated', 2],
        ['companies', id, 'deleted', 3],
      ],
    )
    assert.deepEqual(results[1]?.fields, ['industry'])
    assert.equal(results[1]?.actor_id, org.users.admin.user_id)
    assert.ok(!Number.isNaN(Date.parse(results[1]?.changed_at ?? '')))
    assert.deepEqual((await page(next)).results, [])
    // the same cursor lists the same again
    assert.deepEqual((await rest(begun.next_cursor)).results, results)
  })

  test('a write with several events is one change, and parts of what is deleted are told of', async () => {
    const project_id = await make('/api/project/info/', { project_name: 'Roll-out' })
    const task = await make('/api/tasks/', { project_id, title: 'Export' })
    const { next_cursor } = await page()
    await send('PUT', `/api/tasks/${task}/`, { is_completed: true, title: 'Exported' })
    const { results, next } = await rest(next_cursor, { modules: 'tasks', limit: 1 })
    assert.deepEqual(
      results.map((each) => [each.module, each.id, each.type]),
      [['tasks', task, 'updated']],
    )
    assert.ok(results[0]?.fields.includes('title'), JSON.stringify(results))
    await send('DELETE', `/api/project/info/${project_id}/`)
    const gone = (await rest(next)).results.filter(({ type }) => type === 'deleted')
    assert.deepEqual(new Set(gone.map(({ id }) => id)), new Set([project_id, task]))
  })

  test('what comes behind a page that ends within a large write is not left out', async () => {
    const project_id = await make('/api/project/info/', { project_name: 'Large' })
    const owner = org.users.member.user_id
    const { next_cursor } = await page()
    const lines = Array.from({ length: 80 }, (_, n) => ({
      kind: 'task',
      title: `Step ${n}`,
      owner,
    }))
    await send('POST', `/api/project/info/${project_id}/plan/lines/`, { lines })
    const last = await make('/api/company/', { company_name: 'Behind it' })
    const { results } = await rest(next_cursor)
    assert.equal(results.filter(({ module }) => module === 'tasks').length, 80)
    assert.equal(results.at(-1)?.id, last)
  })

  test('of two companies that are merged, one is changed and the other deleted', async () => {
    const primary_id = await make('/api/company/', { company_name: 'Stays' })
    const other = await make('/api/company/', { company_name: 'Goes' })
    const { next_cursor } = await page()
    await send('POST', '/api/company/merge/', { primary_id, merge_ids: [other] })
    const { results } = await rest(next_cursor)
    assert.deepEqual(
      new Set(results.map(({ id, type }) => `${id} ${type}`)),
      new Set([`${primary_id} updated`, `${other} deleted`]),
    )
  })

  test('what an app reads of a record is what it reads of its changes: by scopes', async () => {
    const some = await connectApp(service, org, { scopes: ['contact.read', 'project.read'] })
    const { next_cursor } = await page(undefined, {}, some)
    await make('/api/company/', { company_name: 'Closed' })
    const contact = await make('/api/contact/', { full_name: 'Open Ada' })
    const deal = await make('/api/project/info/', { project_name: 'D', project_type: 'deal' })
    const project_id = await make('/api/project/info/', { project_name: 'P' })
    await make('/api/tasks/', { project_id: deal, title: 'Of a deal' })
    const task = await make('/api/tasks/', { project_id, title: 'Of a project' })
    await make('/api/documents/', { document_name: 'Closed' })
    await make('/api/account/info/', { account_name: 'Closed' })
    const { results } = await rest(next_cursor, {}, some)
    const ids = new Set(results.filter(({ module }) => module !== 'milestones').map(({ id }) => id))
    assert.deepEqual(ids, new Set([contact, project_id, task]))
    const none = await connectApp(service, org, { scopes: ['template.read'] })
    assert.deepEqual((await rest(next_cursor, {}, none)).results, [])
  })

  test('and by the rights of its user: nothing of others’ private projects, nor of another organization', async () => {
    const member = await connectApp(service, org, { as: 'member' })
    const elsewhere = await makeOrganization(service)
    const foreign = await connectApp(service, elsewhere)
    const { next_cursor } = await page(undefined, {}, member)
    const project_id = await make('/api/project/info/', { project_name: 'X', is_private: true })
    const task = await make('/api/tasks/', { project_id, title: 'Secret' })
    const company = await make('/api/company/', { company_name: 'Seen by all' })
    await send('DELETE', `/api/project/info/${project_id}/`)
    const { results } = await rest(next_cursor, {}, member)
    assert.deepEqual(
      results.map(({ id }) => id),
      [company],
    )
    assert.ok((await rest(next_cursor)).results.some(({ id }) => id === task))
    assert.deepEqual((await rest(next_cursor, {}, foreign)).results, [])
  })

  test('accounts, meetings, documents, surveys and comments are among them', async () => {
    const { next_cursor } = await page()
    const account = await make('/api/account/info/', { account_name: 'Told' })
    await send('PUT', `/api/account/info/${account}/`, { region: 'North' })
    const start = '2040-03-01T09:00:00.000Z'
    const meeting = await make('/api/calendar/info/', {
      title: 'Told',
      start,
      end: '2040-03-01T10:00:00.000Z',
    })
    await send('PUT', `/api/calendar/info/${meeting}/`, { location: 'Room 1' })
    const document = await make('/api/documents/', { document_name: 'Told' })
    await send('PUT', `/api/documents/${document}/`, { description: 'What it is' })
    const survey = await make('/api/surveys/', { name: 'Told', form_structure: [] })
    await send('PUT', `/api/surveys/${survey}/`, { description: 'What it asks' })
    const reference_id = await make('/api/company/', { company_name: 'Talked about' })
    const about = { module_name: 'companies', reference_id, content: 'Told' }
    const comment = await make('/api/interactions/info/', about)
    for (const [path, id] of Object.entries({
      'account/info': account,
      'calendar/info': meeting,
      documents: document,
      surveys: survey,
    }))
      await send('DELETE', `/api/${path}/${id}/`)
    const { results } = await rest(next_cursor)
    const told = (id: string) => [
      ...new Set(results.filter((each) => each.id === id).map((each) => each.module)),
      ...results.filter((each) => each.id === id).map(({ type }) => type),
    ]
    for (const [module, id] of [
      ['accounts', account],
      ['calendar', meeting],
      ['documents', document],
      ['surveys', survey],
    ] as const)
      assert.deepEqual(told(id), [module, 'created', 'updated', 'deleted'])
    assert.deepEqual(told(comment).slice(0, 2), ['interactions', 'created'])
  })

  test('a time lists what was written from then on, and its cursor goes on as any other', async () => {
    const early = await make('/api/company/', { company_name: 'Early' })
    const made: string[] = []
    for (let n = 0; n < 3; n++) made.push(await make('/api/company/', { company_name: `T ${n}` }))
    const all = (await rest('2000-01-01T00:00:00Z', { modules: 'companies', limit: 500 })).results
    assert.ok(all.some(({ id }) => id === early))
    const first = all.find(({ id }) => id === made[0])
    const read = await rest(first?.changed_at ?? '', { modules: 'companies', limit: 1 })
    const since = read.results.map(({ id }) => id).filter((id) => id !== early)
    assert.deepEqual(since, made)
    const later = await make('/api/company/', { company_name: 'Later' })
    const { results } = await rest(read.next)
    assert.deepEqual(
      results.map(({ id }) => id),
      [later],
    )
    assert.deepEqual((await page('2100-01-01T00:00:00Z')).results, [])
  })

  test('internal fields are no changes to customers', async () => {
    const account_id = await make('/api/account/info/', { account_name: 'Customer' })
    const profile = `/api/users/profile/${org.users.customer.user_id}/`
    await send('PUT', profile, { account_id })
    const body = { project_name: 'Shared', account_id, is_shared: true }
    const project = await make('/api/project/info/', body)
    const customer = await connectApp(service, org, { as: 'customer' })
    const { next_cursor } = await page()
    await send('PUT', `/api/project/info/${project}/`, { project_fee: 7000 })
    await send('PUT', `/api/project/info/${project}/`, { project_name: 'Shared with you' })
    const all = (await rest(next_cursor)).results.map(({ fields }) => fields)
    assert.ok(all.some((fields) => fields.includes('project_fee')))
    const seen = (await rest(next_cursor, {}, customer)).results
    assert.deepEqual(
      seen.map(({ id, fields }) => [id, fields]),
      [[project, ['project_name']]],
    )
  })

  test('a transaction that is committed late is listed late, and not missed', async () => {
    const id = await make('/api/company/', { company_name: 'Slow' })
    const begun = await page()
    let wrote = () => {}
    const written = new Promise<void>((resolve) => (wrote = resolve))
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const change_id = newId()
    const late = service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`insert into events (organization_id, id, type, title, module_id,
          reference_id, actor_type, actor_name, source, raw_description, record_version)
        select organization_id, ${change_id}, 'company_updated', 'x', module_id, reference_id,
          'system', 'x', 'job', '{"action": "updated", "module": "companies"}', 2
        from events where organization_id = ${org.id} and reference_id = ${id}`)
      wrote()
      await finished
    })
    await written
    const other = await make('/api/company/', { company_name: 'Quick' })
    const first = await rest(begun.next_cursor)
    assert.deepEqual(
      first.results.map((each) => each.id),
      [other],
    )
    finish()
    await late
    const second = await rest(first.next)
    assert.deepEqual(
      second.results.map((each) => each.change_id),
      [change_id],
    )
    assert.deepEqual((await page(second.next)).results, [])
  })

  test('a thousand concurrent writes are complete, in order and once, however they are read meanwhile', async () => {
    const writeTen = async (n: number) => {
      const id = await make('/api/company/', { company_name: `Many ${n}` })
      // those of one record wait for each other
      const changes = Array.from({ length: n % 2 ? 9 : 8 }, (_, i) =>
        send('PUT', `/api/company/${id}/`, { description: `${n} ${i}` }),
      )
      await Promise.all(changes)
      if (n % 2 === 0) await send('DELETE', `/api/company/${id}/`)
      return id
    }
    const { next_cursor } = await page()
    let isWriting = true
    const writing = (async () => {
      const made: string[] = []
      for (let wave = 0; wave < 4; wave++) {
        const records = Array.from({ length: 25 }, (_, n) => writeTen(wave * 25 + n))
        made.push(...(await Promise.all(records)))
      }
      return made
    })().finally(() => (isWriting = false))
    const read: Change[] = []
    let next = next_cursor
    while (isWriting) {
      const some = await rest(next, { limit: 37 })
      read.push(...some.results)
      next = some.next
    }
    const made = await writing
    read.push(...(await rest(next)).results)
    assert.equal(read.length, 1000)
    assert.equal(new Set(read.map(({ change_id }) => change_id)).size, 1000)
    const byId = Map.groupBy(read, ({ id }) => id)
    assert.deepEqual(new Set(byId.keys()), new Set(made))
    const versions = Array.from({ length: 10 }, (_, i) => i + 1)
    for (const [n, id] of made.entries()) {
      const its = byId.get(id) ?? []
      assert.deepEqual(
        its.map(({ version }) => version),
        versions,
      )
      assert.equal(its[0]?.type, 'created')
      assert.equal(its.at(-1)?.type, n % 2 ? 'updated' : 'deleted')
    }
    // read afterwards they are the same ones
    const again = (await rest(next_cursor, { limit: 500 })).results
    assert.deepEqual(
      new Set(again.map(({ change_id }) => change_id)),
      new Set(read.map(({ change_id }) => change_id)),
    )
  })

  test('a cursor that is none, or one of a database that was replaced, is refused by its name', async () => {
    const { next_cursor } = await page()
    const position = JSON.parse(Buffer.from(next_cursor, 'base64url').toString())
    const [xmin, xmax] = position.seen.split(':')
    const wrong = (changes: object) =>
      Buffer.from(JSON.stringify({ ...position, ...changes })).toString('base64url')
    for (const [since, said] of [
      ['x', /must be the next_cursor/],
      ['bnVsbA', /must be the next_cursor/],
      [wrong({ seen: `${xmax}0:${xmin}:` }), /must be the next_cursor/],
      [wrong({ seen: `${xmin}:${xmax}:1` }), /must be the next_cursor/],
      [wrong({ seen: "1:1:'" }), /must be the next_cursor/],
      [wrong({ after: 'A' }), /must be the next_cursor/],
      [wrong({ until: position.seen }), /must be the next_cursor/],
      [wrong({ database: '1' }), /database that was replaced/],
      [wrong({ seen: `${xmin}:${xmax}000:` }), /database that was replaced/],
    ] as const) {
      const reply = await app.call('GET', '/automation/changes', { query: { since } })
      assert.equal(reply.status, 400, `${since} ${reply.text}`)
      assert.equal(reply.body.errors[0].field, 'since')
      assert.match(reply.body.errors[0].message, said)
    }
    const reply = await app.call('GET', '/automation/changes', { query: { modules: 'nothing' } })
    assert.equal(reply.body.errors[0].field, 'modules', reply.text)
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

// What apps list, read and write of every kind of record, and many at once.

type Item = { [name: string]: any }

describe('every kind of record for apps', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  const send = async (method: string, path: string, body?: object, by = app) => {
    const reply = await by.call(method, path, body ? { body } : {})
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply
  }
  const list = async (path: string, by = app): Promise<Item[]> =>
    (await send('GET', path, undefined, by)).body.results
  const post = async (path: string, body: object) =>
    idOf(await service.call('POST', path, { token: org.users.admin.token, body }))

  test('each is created, found by its name and by a text, changed and read', async () => {
    const start = '2040-03-01T09:00:00.000Z'
    for (const [word, key, title, body] of [
      ['account', 'account_id', 'account_name', {}],
      ['meeting', 'calendar_id', 'title', { start, end: '2040-03-01T10:00:00.000Z' }],
      ['document', 'attach_id', 'document_name', { editor_html_content: '<p>Dear</p>' }],
    ] as const) {
      const path = `/automation/${word}`
      const made = await send('POST', path, { [title]: `Halden ${word}`, ...body })
      const id = String(made.body.data[key])
      assert.equal(made.headers.get('location'), `${path}/${id}`)
      const changed = await send('PUT', `${path}/${id}`, { description: 'Changed' })
      assert.equal(changed.body.data.description, 'Changed', changed.text)
      for (const query of [`${title}=halden%20${word}`, 'q=halden']) {
        const found = await list(`${path}?${query}`)
        assert.deepEqual(
          found.map((each) => each[key]),
          [id],
          query,
        )
      }
      const read = await send('GET', `${path}/${id}`)
      assert.equal(read.body[title], `Halden ${word}`, read.text)
      const fields = await send('GET', `${path}?field_config=true`)
      assert.ok(fields.body.fields.some((each: Item) => each.key === title && each.is_writable))
    }
  })

  test('a list is restricted by any field and read page by page', async () => {
    for (const name of ['North', 'South', 'West']) {
      await send('POST', '/automation/account', { account_name: `${name} of pages`, region: 'Far' })
    }
    const filter = JSON.stringify([{ field: 'region', operator: 'eq', value: 'Far' }])
    const path = `/automation/account?limit=2&sort=account_name&filter=${encodeURIComponent(filter)}`
    const first = await send('GET', path)
    const second = await list(`${path}&next_cursor=${first.body.next_cursor}`)
    assert.deepEqual(
      [...first.body.results, ...second].map((each: Item) => each.account_name),
      ['North of pages', 'South of pages', 'West of pages'],
    )
    const other = await app.call('GET', `${path}&q=north&next_cursor=${first.body.next_cursor}`)
    assert.equal(other.status, 400, other.text)
  })

  test('a list of documents has the latest version of each', async () => {
    const body = {
      document_name: 'Contract',
      editor_html_content: '<p>One</p>',
      document_status: 'published',
    }
    const made = await send('POST', '/automation/document', body)
    const path = `/automation/document/${made.body.data.attach_id}`
    const next = await send('PUT', path, { editor_html_content: '<p>Two</p>' })
    assert.deepEqual(
      (await list('/automation/document?document_name=contract')).map((each) => each.attach_id),
      [next.body.data.attach_id],
    )
  })

  test('comments are written on a record and read with it', async () => {
    const record_id = await post('/api/company/', { company_name: 'Talked to' })
    const body = { module: 'companies', record_id, content: 'They called', kind: 'call' }
    const made = await send('POST', '/automation/comment', body)
    const id = String(made.body.data.interaction_id)
    const found = await list(`/automation/comment?of_module=companies&record_id=${record_id}`)
    assert.deepEqual(
      found.map((each) => [each.interaction_id, each.interaction_type]),
      [[id, 'call']],
    )
    assert.equal((await send('GET', `/automation/comment/${id}`)).body.content, 'They called')
    const scopes = ['interaction.read', 'contact.write']
    const reader = await connectApp(service, org, { scopes })
    const refused = await reader.call('POST', '/automation/comment', { body })
    assert.equal(refused.status, 403, refused.text)
  })

  test('a survey is read with its answers, page by page', async () => {
    const survey_id = await post('/api/surveys/', {
      name: 'How was it',
      form_structure: [{ id: 'one', fields: [{ id: 'how', type: 'nps', label: 'How was it?' }] }],
    })
    await service.call('POST', `/api/surveys/${survey_id}/publish/`, {
      token: org.users.admin.token,
    })
    for (const how of [7, 8, 9]) {
      await post(`/api/surveys/${survey_id}/fill/`, { finished: true, answers: { how } })
    }
    assert.equal((await list('/automation/survey?q=how'))[0]?.survey_id, survey_id)
    const path = `/automation/survey/${survey_id}/response?limit=2`
    const first = await send('GET', path)
    const last = await send('GET', `${path}&next_cursor=${first.body.next_cursor}`)
    assert.equal(last.body.next_cursor, null)
    assert.deepEqual(
      [...first.body.results, ...last.body.results].map(({ answers }: Item) => answers.how),
      [9, 8, 7],
    )
  })

  test('whoever connected the app sees of it what they see themselves', async () => {
    const member = await connectApp(service, org, { as: 'member' })
    await send('POST', '/automation/document', { document_name: 'Private', is_private: true })
    const [own] = await list('/automation/document?document_name=private')
    assert.deepEqual(await list('/automation/document?document_name=private', member), [])
    const path = `/automation/document/${own?.attach_id}`
    assert.equal((await member.call('GET', path)).status, 404)
    const foreign = await connectApp(service, await makeOrganization(service))
    assert.deepEqual(await list('/automation/account', foreign), [])
    assert.equal((await foreign.call('PUT', path, { body: { description: 'x' } })).status, 404)
  })

  test('accounts are open to the scope of companies alone, also where deals name them', async () => {
    const account_id = await post('/api/account/info/', { account_name: 'Closed to it' })
    await post('/api/project/info/', { project_name: 'Of it', project_type: 'deal', account_id })
    const scopes = ['deal.read', 'deal.write']
    const reader = await connectApp(service, org, { scopes })
    assert.equal((await reader.call('GET', '/automation/account')).status, 403)
    const found = await reader.call('GET', '/automation/search?q=closed')
    assert.deepEqual(found.body.results, [], found.text)
    const path = '/automation/project?project_type=deal&project_name=of%20it'
    const [deal] = await list(path, reader)
    assert.equal(deal?.account_id, null)
    assert.equal((await list(path))[0]?.account_id, account_id)
  })

  test('the search finds what an app may read, and what it finds can be opened', async () => {
    const account_id = await post('/api/account/info/', { account_name: 'Kongsvinger Bakery' })
    const found = await list('/automation/search?q=kongsvinger&modules=accounts,deals')
    assert.deepEqual(
      found.map(({ id }) => id),
      [account_id],
    )
    await send('GET', `/automation/account/${found[0]?.id}`)
    const wrong = await app.call('GET', '/automation/search?q=kongsvinger&modules=passwords')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /modules.*"passwords\\"; there are/)
  })

  test('many are created and updated at once, each with an answer of its own', async () => {
    const known = await post('/api/company/', { company_name: 'Known', domain: 'known.example' })
    const records = [
      { company_name: 'First of many' },
      { company_id: known, description: 'Changed' },
      { company_name: 'Third', domain: 'known.example' },
      { company_name: 'Fourth', estimated_arr: 'much' },
      { company_id: '0'.repeat(25), description: 'Of nobody' },
      { name: 'Sixth, by its other name' },
    ]
    const written = await send('POST', '/automation/company/bulk', { records })
    const results: Item[] = written.body.results
    assert.deepEqual(
      results.map(({ status, code }) => [status, code]),
      [
        ['created', null],
        ['updated', null],
        ['failed', 'duplicate'],
        ['failed', 'invalid_input'],
        ['failed', 'not_found'],
        ['created', null],
      ],
      written.text,
    )
    assert.equal(results[1]?.id, known)
    assert.equal(results[2]?.id, known)
    assert.equal(results[3]?.errors[0].field, 'estimated_arr')
    const read = await send('GET', `/automation/company?company_id=${results[5]?.id}`)
    assert.equal(read.body.company_name, 'Sixth, by its other name')
    const [third] = await list('/automation/company?company_name=third')
    assert.equal(third, undefined)

    const again = await app.call('POST', '/automation/company/bulk', {
      query: { on_duplicate: 'update' },
      body: { records: [{ company_name: 'Third', domain: 'known.example' }] },
    })
    assert.deepEqual([again.body.results[0].status, again.body.results[0].id], ['updated', known])
  })

  test('a request that writes too many, or one twice, writes none', async () => {
    const account_id = await post('/api/account/info/', { account_name: 'Once' })
    const count = async () =>
      (await send('GET', '/automation/account?include_count=true')).body.count as number
    const before = await count()
    const many = Array.from({ length: 501 }, (_, i) => ({ account_name: `Many ${i}` }))
    const tooMany = await app.call('POST', '/automation/account/bulk', { body: { records: many } })
    assert.equal(tooMany.status, 400)
    assert.match(tooMany.text, /records/)
    const records = [{ account_id, region: 'A' }, { account_name: 'New' }, { account_id }]
    const twice = await app.call('POST', '/automation/account/bulk', { body: { records } })
    assert.equal(twice.status, 400)
    assert.match(twice.text, /records\.2\.account_id/)
    assert.equal(await count(), before)
  })

  test('a bulk write is subject to the rights and scopes of each of its records', async () => {
    const deal = await post('/api/project/info/', { project_name: 'D', project_type: 'deal' })
    const project = await post('/api/project/info/', { project_name: 'P' })
    const scopes = ['deal.read', 'deal.write']
    const seller = await connectApp(service, org, { scopes })
    const records = [
      { project_id: deal, description: 'Mine to change' },
      { project_id: project, description: 'Not mine' },
      { project_name: 'New deal', project_type: 'deal' },
      { project_name: 'New project' },
    ]
    const written = await send('POST', '/automation/project/bulk', { records }, seller)
    assert.deepEqual(
      written.body.results.map(({ status, code }: Item) => [status, code]),
      [
        ['updated', null],
        ['failed', 'missing_scope'],
        ['created', null],
        ['failed', 'missing_scope'],
      ],
    )
    const none = await connectApp(service, org, { scopes: ['company.write'] })
    const refused = await none.call('POST', '/automation/project/bulk', { body: { records } })
    assert.equal(refused.status, 403)
    const foreign = await connectApp(service, await makeOrganization(service))
    const theirs = await send(
      'POST',
      '/automation/project/bulk',
      { records: [records[0]] },
      foreign,
    )
    assert.equal(theirs.body.results[0].code, 'not_found')
  })

  test('what is written of accounts, meetings and documents is among the changes', async () => {
    const { next_cursor } = (await send('GET', '/automation/changes')).body
    const { body } = await send('POST', '/automation/account', { account_name: 'Followed' })
    const id = String(body.data.account_id)
    await send('PUT', `/automation/account/${id}`, { region: 'North' })
    await service.call('DELETE', `/api/account/info/${id}/`, { token: org.users.admin.token })
    const changes = await list(`/automation/changes?modules=accounts&since=${next_cursor}`)
    assert.deepEqual(
      changes.map((each) => [each.type, each.id]),
      [
        ['created', id],
        ['updated', id],
        ['deleted', id],
      ],
    )
    const blind = await connectApp(service, org, { scopes: ['deal.read'] })
    assert.deepEqual(await list(`/automation/changes?since=${next_cursor}`, blind), [])
  })
})

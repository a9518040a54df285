import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { Connection } from '../../server/test/support/integration.ts'
import {
  callback,
  makeApp,
  makeConnection,
  postForm,
} from '../../server/test/support/integration.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../server/test/support/service.ts'
import { makeOrganization, rows, sql } from '../../server/test/support/service.ts'
import { startRelay } from '../../sdk/test/relay.ts'
import { records } from '../catalogue.ts'
import { evaluate } from '../make/iml.ts'
import { Player } from '../make/player.ts'
import { addField, approve, startShifted } from './connection.ts'

const folder = new URL('../make/app/', import.meta.url)
const app = (path: string) => JSON.parse(readFileSync(new URL(path, folder), 'utf8'))

type Values = { [name: string]: any }

let service: TestService
let org: TestOrganization
let player: Player
let expired: (of: TestOrganization) => Promise<Connection>

before(async () => {
  ;({ service, expired } = await startShifted())
  org = await makeOrganization(service)
  player = playerOf(await makeConnection(service, org))
})

/** A player that has connected already. */
function playerOf(connection: Connection, address = service.url): Player {
  const { client_id: clientId, client_secret: clientSecret, function_key: functionKey } = connection
  const made = new Player(app, { address, clientId, clientSecret, functionKey })
  Object.assign(made.connection.data, {
    accessToken: connection.access_token,
    refreshToken: connection.refresh_token,
    expires: new Date(Date.now() + 3_600_000),
  })
  return made
}

const only = async (id: string, parameters: Values): Promise<Values> => {
  const [first, ...others] = await player.module(id, parameters)
  assert.equal(others.length, 0)
  return first
}

describe('the files', () => {
  const { components, generalCodeFiles }: Values = app('makecomapp.json')
  const kinds = ['connection', 'webhook', 'module', 'rpc'] as const

  test('are all there, and everything that they name is', () => {
    const listed = kinds.flatMap((kind) => Object.values<Values>(components[kind]))
    const paths = [generalCodeFiles, ...listed.map(({ codeFiles }) => codeFiles)].flatMap((codes) =>
      Object.values<string>(codes),
    )
    for (const path of paths) assert.ok(existsSync(new URL(path, folder)), path)
    for (const path of paths.filter((each) => each.endsWith('.json'))) {
      const text = readFileSync(new URL(path, folder), 'utf8')
      for (const [, rpc = ''] of text.matchAll(/rpc:\/\/(\w+)/g)) {
        assert.ok(components.rpc[rpc], `${path}: there is no RPC ${rpc}`)
      }
    }
    for (const { connection, webhook } of listed) {
      if (connection) assert.ok(components.connection[connection])
      if (webhook) assert.ok(components.webhook[webhook])
    }
    const grouped = app('modules/groups.json').flatMap(({ modules }: Values) => modules)
    assert.deepEqual(grouped.toSorted(), Object.keys(components.module).toSorted())
  })

  test('keep every credential out of the log', () => {
    const { headers, log } = app('general/base.iml.json')
    assert.deepEqual(
      log.sanitize.toSorted(),
      Object.keys(headers)
        .map((name) => `request.headers.${name}`)
        .toSorted(),
    )
    const steps = app(components.connection.perennial.codeFiles.communication)
    for (const [name, { body, headers: own, log: hidden }] of Object.entries<Values>(steps)) {
      const secrets = [
        ...Object.keys(own ?? {}).map((key) => `request.headers.${key}`),
        ...['code', 'token', 'client_secret']
          .filter((key) => body?.[key])
          .map((key) => `request.body.${key}`),
      ]
      for (const secret of secrets)
        assert.ok(hidden.sanitize.includes(secret), `${name}: ${secret}`)
    }
  })
})

test('expressions have the values that IML gives them', () => {
  const scope = { a: { b: 1, 'c-d': 'x' }, list: [1], text: '' }
  const cases: [template: unknown, value: unknown][] = [
    ['{{a.b}}', 1],
    ["{{a['c-d']}}!", 'x!'],
    ['{{a.none.deeper}}', undefined],
    ["{{ifempty(text, 'none')}}", 'none'],
    ["{{if(a.b = 1 && !text, 'yes', 'no')}}", 'yes'],
    ['{{a.b + 1 < 3}}', true],
    ["{{switch(a.b, 2, 'two', 'other')}}", 'other'],
    [
      { '{{...}}': "{{omit(a, 'b')}}", more: '{{a.none}}', list: ['{{list}}'] },
      { 'c-d': 'x', list: [[1]] },
    ],
  ]
  for (const [template, value] of cases) {
    assert.deepEqual(evaluate(template, scope), value, JSON.stringify(template))
  }
  assert.throws(() => evaluate('{{unknown(1)}}', scope), /no function unknown/)
  assert.throws(() => evaluate('{{nobody.name}}', scope), /no variable nobody/)
})

test('connects by a signed address, bears the name of the organization, and ends', async () => {
  const {
    client_id: clientId,
    client_secret: clientSecret,
    function_key: functionKey,
  } = await makeApp(service, org)
  const own = new Player(app, { address: service.url, clientId, clientSecret, functionKey })
  await own.connect(callback, (url) => approve(service, org, url))
  assert.equal(own.connection.label, org.name)
  const [made] = await own.module('create_company', { company_name: 'Connected' })
  assert.equal(made.company_name, 'Connected')
  await own.invalidate()
  await assert.rejects(own.module('get_company', { record_id: made.id }), /reauthorize/)
})

describe('modules', () => {
  const cases: [word: string, search: string, create: Values, update: Values, by: Values][] = [
    [
      'company',
      'search_companies',
      { company_name: 'Acme', domain: 'acme.example', tags: ['vip'], address: { city: 'Nairobi' } },
      { estimated_arr: 12.5 },
      { domain: 'acme.example' },
    ],
    [
      'contact',
      'search_contacts',
      { full_name: 'Ada', primary_email: 'ada@acme.example' },
      { lead_score: 3 },
      { email: 'ada@acme.example' },
    ],
    [
      'deal',
      'search_deals',
      { project_name: 'Big "one"', expected_deal_value: 100 },
      { due_date: new Date('2027-02-03T00:00:00Z') },
      { project_name: 'Big "one"' },
    ],
    [
      'project',
      'search_projects',
      { project_name: 'Rollout' },
      { description: 'All of it' },
      { project_name: 'Rollout' },
    ],
    [
      'account',
      'search_accounts',
      { account_name: 'Acme, the customer', region: 'North' },
      { health_score: 40 },
      { q: 'the customer', region: 'North' },
    ],
    [
      'document',
      'search_documents',
      { document_name: 'Offer', editor_html_content: '<p>Dear</p>' },
      { description: 'The first' },
      { document_name: 'Offer' },
    ],
  ]
  for (const [word, search, fields, changes, by] of cases) {
    test(`create, get, update and find a ${word}`, async () => {
      const made = await only(`create_${word}`, fields)
      const { id } = records.find((each) => each.word === word)!
      const record_id = made[id]
      const changed = await only(`update_${word}`, { record_id, ...changes })
      assert.equal(changed[id], record_id)
      const read = await only(`get_${word}`, { record_id })
      const found = await only(search, { ...by, limit: 10 })
      assert.deepEqual([read[id], found[id]], [record_id, record_id])
      if (word === 'company') {
        assert.deepEqual(
          [read.tags, read.address.city, read.domain],
          [['vip'], 'Nairobi', 'acme.example'],
        )
      }
      if (word === 'deal')
        assert.deepEqual([read.project_type, read.due_date], ['deal', '2027-02-03'])
    })
  }

  test('erased fields are cleared, days too, and fields that are not filled in stay', async () => {
    const day = new Date('2027-02-03T00:00:00Z')
    const fields = { project_name: 'Erased', start_date: day, due_date: day, description: 'Text' }
    const { project_id: record_id } = await only('create_project', fields)
    // Make sends null for the keyword "erase"
    const erased = { record_id, due_date: null, description: null }
    const changed = await only('update_project', erased)
    assert.deepEqual([changed.due_date, changed.description], [null, null])
    assert.equal(changed.start_date, '2027-02-03')
  })

  test('create a task with what the dropdowns offer, and complete it', async () => {
    const { id: project_id } = await only('create_project', { project_name: 'With a task' })
    const statuses = await player.rpc('list_task_status', { project_id })
    const { value: status } = statuses.find(({ label }) => label === 'In progress')
    const made = await only('create_task', { title: 'Call', project_id, status })
    assert.equal(made.status.status_id, status)
    const done = await only('update_task', { record_id: made.task_id, is_completed: true })
    assert.equal(done.is_completed, true)
    const found = await only('search_tasks', { title: 'Call', limit: 5 })
    assert.equal(found.task_id, made.task_id)
  })

  test('search every page, up to the limit', async () => {
    const own = await makeOrganization(service)
    const { token } = own.users.admin
    for (const [path, field] of [
      ['/api/company/', 'company_name'],
      ['/api/project/info/', 'project_name'],
    ] as const) {
      const many = Array.from({ length: 103 }, (_, i) => ({ [field]: `Number ${i}` }))
      await Promise.all(many.map((body) => service.call('POST', path, { token, body })))
    }
    const by = playerOf(await makeConnection(service, own))
    for (const id of ['search_companies', 'search_projects']) {
      assert.equal((await by.module(id, { limit: 500 })).length, 103, id)
      assert.equal((await by.module(id, { limit: 101 })).length, 101, id)
    }
  })

  test('an API call is signed as well', async () => {
    const call = { url: '/automation/templates', method: 'GET', qs: [{ key: 'limit', value: '1' }] }
    const { body, statusCode } = await only('make_an_api_call', call)
    assert.equal(statusCode, 200)
    assert.equal(body.results.length, 1)
  })
})

describe('dropdowns', () => {
  test('every one answers, and stages are those of the chosen pipeline', async () => {
    const { id: project_id } = await only('create_project', { project_name: 'For dropdowns' })
    for (const id of Object.keys(app('makecomapp.json').components.rpc)) {
      if (!id.startsWith('list_')) continue
      for (const { label, value } of await player.rpc(id, { project_id }))
        assert.ok(label && value, id)
    }
    const [{ value: pipeline_id }] = await player.rpc('list_pipeline')
    assert.ok((await player.rpc('list_stage', { pipeline_id })).length > 3)
    assert.deepEqual(await player.rpc('list_stage', { pipeline_id: 'another' }), [])
  })

  test('the form has the custom fields of the organization, and they are written', async () => {
    const options = [{ value: 'gold', label: 'Gold' }]
    await addField(service, org, { key: 'tier', label: 'Tier', type: 'select', options })
    await addField(service, org, { key: 'perks', label: 'Perks', type: 'multi_select', options })
    await addField(service, org, { key: 'guide', label: 'Guide', type: 'user' })
    await addField(service, org, { key: 'renewed', label: 'Renewed', type: 'datetime' })
    const fields = await player.rpc('company_custom_fields')
    assert.deepEqual(
      fields.map(({ name, label, type, multiple }) => [name, label, type, multiple]),
      [
        ['tier', 'Tier', 'select', false],
        ['perks', 'Perks', 'select', true],
        ['guide', 'Guide', 'select', false],
        ['renewed', 'Renewed', 'date', false],
      ],
    )
    assert.equal(fields[0].options[0].value, 'gold')
    assert.equal(fields[1].options[0].value, 'gold')
    assert.equal(fields[2].options, 'rpc://list_user')
    assert.ok(!('options' in fields[3]))
    const [{ value: guide }] = await player.rpc('list_user')
    const renewed = new Date()
    const custom_fields = { tier: 'gold', perks: ['gold'], guide, renewed }
    const made = await only('create_company', { company_name: 'Tiered', custom_fields })
    assert.deepEqual(made.custom_fields, { ...custom_fields, renewed: renewed.toISOString() })
  })
})

describe('what is refused', () => {
  test('409 is a sentence that names the record, and the form can say to update it', async () => {
    const fields = { company_name: 'Taken', domain: 'taken.example' }
    const made = await only('create_company', fields)
    await assert.rejects(player.module('create_company', fields), {
      message: `[409] This company already exists ${made.id}`,
      type: 'DuplicateDataError',
    })
    const update = { ...fields, hq_country: 'Kenya', on_duplicate: true }
    assert.equal((await only('create_company', update)).id, made.id)
  })

  test('400 names the field, and 429 says when to try again', async () => {
    const wrong = { company_name: 'X', website_url: 'none' }
    await assert.rejects(player.module('create_company', wrong), {
      message: /^\[400\] website_url/,
      type: 'DataError',
    })
    const relay = await startRelay(service.url, {
      refuse(response) {
        const body = '{"message": "Too many requests", "code": "rate_limited"}'
        response.writeHead(429, { 'retry-after': '7' }).end(body)
        return true
      },
    })
    const busy = playerOf(await makeConnection(service, org), relay.url)
    await assert.rejects(busy.module('create_company', { company_name: 'Y' }), {
      message: '[429] Too many requests. Try again in 7 s.',
      type: 'RateLimitError',
    })
  })

  test('503 is what Make tries again by itself', async () => {
    const relay = await startRelay(service.url, {
      refuse(response) {
        response.writeHead(503).end('{"message": "Too much to do", "code": "overloaded"}')
        return true
      },
    })
    const busy = playerOf(await makeConnection(service, org), relay.url)
    await assert.rejects(busy.module('create_company', { company_name: 'Y' }), {
      message: '[503] Too much to do',
      type: 'ConnectionError',
    })
  })

  test('a wrong secret is refused', async () => {
    const connection = await makeConnection(service, org)
    const wrong = playerOf({ ...connection, client_secret: 'wrong' })
    await assert.rejects(wrong.module('create_company', { company_name: 'Z' }), {
      message: /^\[401\] .*signature/i,
    })
  })

  test('a token that is about to expire is refreshed before it is used', async () => {
    const own = playerOf(await expired(org))
    own.connection.data.expires = new Date()
    const before = own.connection.data.refreshToken
    const [made] = await own.module('create_company', { company_name: 'Later' })
    assert.ok(made.company_id)
    assert.notEqual(own.connection.data.refreshToken, before)
    const { expires } = own.connection.data as { expires: Date }
    assert.ok(+expires > Date.now() + 1_800_000)
  })

  test('a connection that was revoked says to connect again', async () => {
    for (const connection of [await expired(org), await makeConnection(service, org)]) {
      const { client_id, client_secret, refresh_token: token } = connection
      await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
      const own = playerOf(connection)
      own.connection.data.expires = connection.access_token ? new Date() : undefined
      await assert.rejects(own.module('create_company', { company_name: 'Z' }), /reauthorize/)
    }
  })
})

describe('instant triggers', () => {
  test('one takes a real delivery, and leaves no subscription', async () => {
    const receiver = await startReceiver()
    const connection = await makeConnection(service, org)
    const own = playerOf(connection)
    const parameters = { events: ['company_created', 'company_updated'] }
    const hook = await own.attach('watch_company_events', `${receiver.url}/make`, parameters)
    await only('create_company', { company_name: 'Trigger' })
    const [delivery] = await receiver.arrived(
      1,
      ({ json }) => json.data?.company_name === 'Trigger',
    )
    const bundle = hook.receive(delivery!.json)
    assert.equal(bundle.type, 'company_created')
    const { id } = connection.app
    const subscriptions = () =>
      rows(service, sql`select id from subscriptions where app_id = ${id}`)
    assert.equal((await subscriptions()).length, 1)
    await hook.detach()
    assert.deepEqual(await subscriptions(), [])
  })

  test('there is one for every event', () => {
    const { webhook } = app('makecomapp.json').components
    const offered = Object.values<Values>(webhook).flatMap(({ codeFiles }) =>
      app(codeFiles.params)[0].options.map(({ value }: Values) => value),
    )
    const document = JSON.parse(
      readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8'),
    )
    assert.deepEqual(offered.toSorted(), Object.keys(document.webhooks).toSorted())
  })
})

describe('the trigger that asks', () => {
  test('has each change once, and begins where its user chooses', async () => {
    const state: { lastDate?: Date } = {}
    const asked = { modules: ['companies', 'accounts'], limit: 100 }
    const { company_id } = await only('create_company', { company_name: 'Asked for' })
    const { account_id } = await only('create_account', { account_name: 'Asked for' })
    await only('create_contact', { full_name: 'Of another kind' })
    const first = await player.watch('watch_changes', asked, state)
    assert.deepEqual(new Set(first.map(({ module }: Values) => module)), new Set(asked.modules))
    const ids = first.map(({ id }: Values) => id)
    assert.ok(ids.includes(company_id) && ids.includes(account_id))
    assert.deepEqual(await player.watch('watch_changes', asked, state), [])
    await only('update_company', { record_id: company_id, description: 'Changed' })
    const [change, ...others] = await player.watch('watch_changes', asked, state)
    assert.deepEqual([change.id, change.type, others], [company_id, 'updated', []])
    const offered = await player.epoch('watch_changes')
    const last = offered.at(-1)
    assert.deepEqual([last.id, last.date], [change.change_id, change.changed_at])
    assert.equal(last.label, `companies ${company_id} updated`)
  })
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
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
import { addField, approve, startShifted } from './connection.ts'

const folder = new URL('../zapier/', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/zapier-platform-core', folder))
const skip = isInstalled ? false : 'npm run connectors:test installs what Zapier apps need'
if (!isInstalled && process.env.CI_CONNECTORS === 'required') {
  throw new Error('CI_CONNECTORS=required, and connectors/zapier is not installed')
}

type Values = { [name: string]: any }
type Perform = (z: unknown, bundle: unknown) => unknown

describe('the Zapier app', { skip }, () => {
  let App: Values
  let core: Values
  let service: TestService
  let org: TestOrganization
  let authData: Values
  let expired: (of: TestOrganization) => Promise<Connection>

  before(async () => {
    // by name, as the root does not install its types
    const load = (path: string) => import(new URL(path, folder).href)
    ;({ default: App } = await load('index.ts'))
    core = await load('node_modules/zapier-platform-core/index.mjs')
    ;({ service, expired } = await startShifted())
    org = await makeOrganization(service)
    authData = authOf(await makeConnection(service, org))
  })

  const authOf = (connection: Connection) => {
    const { client_id, client_secret, function_key, access_token, refresh_token } = connection
    const address = `${service.url}/`
    return { address, client_id, client_secret, function_key, access_token, refresh_token }
  }

  /** Runs a part of the app as Zapier does: refused with RefreshAuthError, it refreshes and runs again. */
  async function run(perform: Perform, bundle: Values = {}): Promise<any> {
    const tester = core.createAppTester(App)
    const auth = bundle.authData ?? authData
    try {
      return await tester(perform, { authData: auth, ...bundle })
    } catch (error) {
      if ((error as Error).name !== 'RefreshAuthError') throw error
      const { refreshAccessToken } = App.authentication.oauth2Config
      Object.assign(auth, await tester(refreshAccessToken, { authData: auth }))
      return tester(perform, { ...bundle, authData: auth })
    }
  }
  const create = (key: string, inputData: Values, more: Values = {}) =>
    run(App.creates[key].operation.perform, { inputData, ...more })
  const find = (key: string, inputData: Values) =>
    run(App.searches[key].operation.perform, { inputData })
  const list = (key: string, inputData: Values = {}) =>
    run(App.triggers[`list_${key}`].operation.perform, { inputData })

  test('is valid by the schema of the platform', async () => {
    const { results } = await core.createAppHandler(App)({ command: 'validate' })
    assert.deepEqual(results, [])
    const display = { label: 'Broken', description: 'Lacks its operation.' }
    const broken = { ...App, creates: { broken: { key: 'broken', noun: 'Broken', display } } }
    const refusals = await core.createAppHandler(broken)({ command: 'validate' })
    assert.ok(refusals.results.length)
  })

  test('connects by a signed address, and its label is the organization', async () => {
    const app = await makeApp(service, org)
    const { client_id, client_secret, function_key } = app
    const fields = { address: `${service.url}/`, client_id, client_secret, function_key }
    const { authorizeUrl, getAccessToken } = App.authentication.oauth2Config
    const inputData = { ...fields, state: 'of Zapier', redirect_uri: callback }
    const url = await run(authorizeUrl, { authData: {}, inputData })
    const code = await approve(service, org, url)
    const tokens = await run(getAccessToken, { authData: {}, inputData: { ...inputData, code } })
    const answer = await run(App.authentication.test, { authData: { ...fields, ...tokens } })
    assert.equal(answer.organisation, org.name)
    assert.equal(App.authentication.connectionLabel, '{{organisation}}')
  })

  test('asks what changed, each with its record and an id by which it comes once', async () => {
    const { company_id } = await create('create_company', { company_name: 'Asked for' })
    await create('update_company', { record_id: company_id, description: 'Changed' })
    const { contact_id } = await create('create_contact', { full_name: 'Asked for' })
    const ask = (inputData: Values) =>
      run(App.triggers.record_changed.operation.perform, { inputData })
    const all = await ask({ modules: ['companies', 'contacts'] })
    const its = all.filter(({ record_id }: Values) => [company_id, contact_id].includes(record_id))
    assert.deepEqual(
      its.map(({ record_id, type, record }: Values) => [
        record_id,
        type,
        record.company_name ?? record.full_name,
      ]),
      [
        [contact_id, 'created', 'Asked for'],
        [company_id, 'updated', 'Asked for'],
        [company_id, 'created', 'Asked for'],
      ],
    )
    assert.equal(new Set(all.map(({ id }: Values) => id)).size, all.length)
    const made = await ask({ modules: ['companies'], types: ['created'] })
    assert.ok(made.some(({ record_id }: Values) => record_id === company_id))
    assert.ok(
      made.every(({ type, module }: Values) => type === 'created' && module === 'companies'),
    )
  })

  const cases: [word: string, create: Values, update: Values, find: Values][] = [
    [
      'company',
      { company_name: 'Acme', domain: 'acme.example', tags: ['vip'], address__city: 'Nairobi' },
      { estimated_arr: '12.5', domain: '' },
      { domain: 'acme.example' },
    ],
    [
      'contact',
      { full_name: 'Ada', primary_email: 'ada@acme.example' },
      { lead_score: '3' },
      { email: 'ada@acme.example' },
    ],
    [
      'deal',
      { project_name: 'Big one', expected_deal_value: '100' },
      { due_date: '2027-02-03T00:00:00+02:00' },
      { project_name: 'Big one' },
    ],
    [
      'project',
      { project_name: 'Rollout' },
      { description: 'All of it' },
      { project_name: 'Rollout' },
    ],
    [
      'account',
      { account_name: 'Acme, the customer', region: 'North' },
      { health_score: '40' },
      { q: 'the customer', region: 'North' },
    ],
    [
      'meeting',
      { title: 'Kick-off', start: '2040-03-01T09:00:00Z', end: '2040-03-01T10:00:00Z' },
      { location: 'Room 1' },
      { title: 'Kick-off' },
    ],
    [
      'document',
      { document_name: 'Offer', editor_html_content: '<p>Dear</p>' },
      { description: 'The first' },
      { document_name: 'Offer' },
    ],
  ]
  for (const [word, fields, changes, by] of cases) {
    test(`creates, finds and updates a ${word}`, async () => {
      const made = await create(`create_${word}`, fields)
      const changed = await create(`update_${word}`, { record_id: made.id, ...changes })
      assert.equal(changed.id, made.id)
      const [found, ...others] = await find(`find_${word}`, by)
      assert.equal(found.id, made.id)
      assert.deepEqual(others, [])
      if (word === 'company') {
        assert.deepEqual([found.tags, found.address.city], [['vip'], 'Nairobi'])
        assert.deepEqual([found.estimated_arr, found.domain], [12.5, 'acme.example'])
      }
      if (word === 'contact') assert.equal(found.lead_score, 3)
      if (word === 'deal') {
        assert.deepEqual([found.project_type, found.due_date], ['deal', '2027-02-03'])
      }
      // the list takes blanks for no condition, and would give every record
      const blank = Object.fromEntries(Object.keys(by).map((key) => [key, ' ']))
      for (const nothing of [{}, blank])
        await assert.rejects(find(`find_${word}`, nothing), /Fill in/)
    })
  }

  test('creates a task with what the dropdowns offer, and completes it', async () => {
    const project = await create('create_project', { project_name: 'With a task' })
    const deal = await create('create_deal', { project_name: 'With a task, too' })
    const ids = async (key: string) => (await list(key)).map(({ id }: Values) => id)
    const either = await ids('project_or_deal')
    assert.ok(either.includes(project.id) && either.includes(deal.id))
    assert.ok(!(await ids('project')).includes(deal.id))
    assert.deepEqual(await list('task_status'), [])
    const statuses = await list('task_status', { project_id: project.id })
    const { id: status } = statuses.find((each: Values) => each.label === 'In progress')
    const made = await create('create_task', { title: 'Call', project_id: project.id, status })
    assert.equal(made.status.status_id, status)
    const done = await create('update_task', { record_id: made.task_id, is_completed: 'yes' })
    assert.equal(done.is_completed, true)
    const [found] = await find('find_task', { title: 'Call' })
    assert.equal(found.task_id, made.task_id)
  })

  test('every dropdown answers, and stages are those of the chosen pipeline', async () => {
    for (const [key, { operation }] of Object.entries<Values>(App.triggers)) {
      if (!key.startsWith('list_')) continue
      const items = await run(operation.perform, { inputData: {} })
      assert.ok(Array.isArray(items), key)
      for (const { id, label } of items) assert.ok(id && label !== 'undefined', key)
    }
    const [pipeline] = await list('pipeline')
    assert.ok((await list('stage', { pipeline_id: pipeline.id })).length > 3)
    assert.deepEqual(await list('stage', { pipeline_id: 'another' }), [])
  })

  test('the form has the custom fields of the organization, and they are written', async () => {
    await addField(service, org, { key: 'tier', label: 'Tier', type: 'number' })
    const { inputFields, perform } = App.creates.create_company.operation
    const fields = await run(inputFields.at(-1), { inputData: {} })
    const tier = fields.find((each: Values) => each.key === 'custom_fields__tier')
    assert.deepEqual([tier.label, tier.type, tier.required], ['Tier', 'number', false])
    const inputData = { company_name: 'Tiered', custom_fields__tier: '2' }
    assert.equal((await run(perform, { inputData })).custom_fields.tier, 2)
  })

  describe('what is refused', () => {
    test('409 is a sentence that names the record, and the form can say to update it', async () => {
      const fields = { company_name: 'Taken', domain: 'taken.example' }
      const made = await create('create_company', fields)
      await assert.rejects(create('create_company', fields), (error: Error) => {
        const { message, status } = JSON.parse(error.message)
        const sentence = `This company already exists: the one that exists has company_id ${made.id}`
        assert.deepEqual([message, status], [sentence, 409])
        return true
      })
      const update = { ...fields, hq_country: 'Kenya', on_duplicate: 'update' }
      const updated = await create('create_company', update)
      assert.deepEqual([updated.id, updated.hq_country], [made.id, 'Kenya'])
    })

    test('400 names the field, and 429 makes Zapier wait', async () => {
      await assert.rejects(create('create_company', { company_name: 'X', website_url: 'none' }), {
        name: 'AppError',
        message: /website_url/,
      })
      const relay = await startRelay(service.url, {
        refuse(response) {
          const body = '{"message": "Too many requests", "code": "rate_limited"}'
          response.writeHead(429, { 'retry-after': '7' }).end(body)
          return true
        },
      })
      const busy = { authData: { ...authData, address: relay.url } }
      await assert.rejects(create('create_company', { company_name: 'Y' }, busy), {
        name: 'ThrottledError',
        message: JSON.stringify({ message: 'Too many requests', delay: 7 }),
      })
    })

    test('a wrong secret is refused', async () => {
      const wrong = { authData: { ...authData, client_secret: 'wrong' } }
      await assert.rejects(create('create_company', { company_name: 'Z' }, wrong), {
        name: 'AppError',
        message: /signature: compare the client ID, client secret and function key/i,
      })
    })

    test('a service with too much to do makes Zapier wait, a refresh of the token too', async () => {
      const relay = await startRelay(service.url, {
        refuse(response) {
          const body = '{"message": "Too much to do", "code": "overloaded"}'
          response.writeHead(503, { 'retry-after': '3' }).end(body)
          return true
        },
      })
      const auth = { ...authData, address: relay.url }
      const waits = { name: 'ThrottledError', message: /"delay":3/ }
      const fields = { company_name: 'Y' }
      await assert.rejects(create('create_company', fields, { authData: auth }), waits)
      const { refreshAccessToken } = App.authentication.oauth2Config
      await assert.rejects(run(refreshAccessToken, { authData: auth }), waits)
    })

    test('an address is taken without its scheme, and one where something else answers is refused', async () => {
      const { authorizeUrl } = App.authentication.oauth2Config
      const address = ' crm.example.com/ '
      const url: string = await run(authorizeUrl, {
        authData: {},
        inputData: { ...authData, address },
      })
      assert.ok(url.startsWith('https://crm.example.com/oauth/authorize?'), url)
      const relay = await startRelay(service.url, {
        refuse(response) {
          response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
          return true
        },
      })
      const auth = { ...authData, address: relay.url }
      const strange = { name: 'AppError', message: /is not the address of a Perennial/ }
      await assert.rejects(run(App.authentication.test, { authData: auth }), strange)
      const { refreshAccessToken } = App.authentication.oauth2Config
      await assert.rejects(run(refreshAccessToken, { authData: auth }), strange)
    })

    test('an update without an id is refused before it is sent', async () => {
      const empty = { record_id: ' ', hq_country: 'Kenya' }
      await assert.rejects(create('update_company', empty), /The Company is empty/)
    })

    test('an expired token is refreshed', async () => {
      const connection = await expired(org)
      const auth = authOf(connection)
      const made = await create('create_company', { company_name: 'Later' }, { authData: auth })
      assert.ok(made.company_id)
      assert.notEqual(auth.refresh_token, connection.refresh_token)
    })

    test('a connection that was revoked says to connect again', async () => {
      for (const connection of [await expired(org), await makeConnection(service, org)]) {
        const { client_id, client_secret, refresh_token: token } = connection
        await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
        const bundle = { authData: authOf(connection) }
        await assert.rejects(create('create_company', { company_name: 'Z' }, bundle), {
          name: 'ExpiredAuthError',
          message: /connect Perennial again/,
        })
      }
    })
  })

  describe('triggers', () => {
    test('every one has a sample of the shape of its deliveries', async () => {
      for (const [key, { operation }] of Object.entries<Values>(App.triggers)) {
        if (operation.type !== 'hook') continue
        const [sample, ...others] = await run(operation.performList, { inputData: {} })
        assert.ok(sample.id && 'event_id' in sample, key)
        assert.deepEqual(others, [])
        // what the editor shows before it has asked the installation
        const keys = (of: Values) => Object.keys(of).toSorted()
        assert.deepEqual(keys(operation.sample), keys(sample), key)
      }
    })

    test('one takes a real delivery, and leaves no subscription', async () => {
      const receiver = await startReceiver()
      const connection = await makeConnection(service, org)
      const auth = { authData: authOf(connection) }
      const { operation } = App.triggers.company_created
      const targetUrl = `${receiver.url}/zapier`
      const subscribeData = await run(operation.performSubscribe, { ...auth, targetUrl })
      await create('create_company', { company_name: 'Trigger' })
      const [delivery] = await receiver.arrived(
        1,
        ({ json }) => json.data?.company_name === 'Trigger',
      )
      const { json } = delivery!
      const [item] = await run(operation.perform, { ...auth, cleanedRequest: json })
      assert.deepEqual([item.company_name, item.event_id], ['Trigger', json.event_id])
      const [sample] = await run(operation.performList, auth)
      assert.deepEqual(Object.keys(sample).toSorted(), Object.keys(item).toSorted())
      for (let times = 0; times < 2; times++) {
        await run(operation.performUnsubscribe, { ...auth, subscribeData })
      }
      const { id } = connection.app
      assert.deepEqual(
        await rows(service, sql`select id from subscriptions where app_id = ${id}`),
        [],
      )
    })

    test('a subscription is removed with a token that has expired, and is gone with its connection', async () => {
      const receiver = await startReceiver()
      const connection = await expired(org)
      const auth = authOf(connection)
      const { performSubscribe, performUnsubscribe } = App.triggers.company_created.operation
      const bundle = { authData: auth, targetUrl: receiver.url }
      const subscribeData = await run(performSubscribe, bundle)
      // an hour or days later
      const stale = { ...auth, access_token: connection.access_token }
      await run(performUnsubscribe, { authData: stale, subscribeData })
      const { id } = connection.app
      const left = sql`select id from subscriptions where app_id = ${id}`
      assert.deepEqual(await rows(service, left), [])
      const { client_id, client_secret } = connection
      await postForm(service, '/oauth/revoke', {
        token: stale.refresh_token,
        client_id,
        client_secret,
      })
      await run(performUnsubscribe, { authData: stale, subscribeData })
    })

    test('one of tasks can be of one project only', async () => {
      const receiver = await startReceiver()
      const { operation } = App.triggers.task_created
      const { id: project_id } = await create('create_project', { project_name: 'Mine' })
      const { id: other } = await create('create_project', { project_name: 'Not mine' })
      const meta = { zap: { id: '47' } }
      const bundle = { inputData: { project_id }, targetUrl: receiver.url, meta }
      const subscribeData = await run(operation.performSubscribe, bundle)
      assert.equal(subscribeData.project_id, project_id)
      assert.equal(subscribeData.name, 'Zapier: Zap 47')
      await create('create_task', { title: 'Elsewhere', project_id: other })
      await create('create_task', { title: 'Here', project_id })
      const [first] = await receiver.arrived(1)
      assert.equal(first!.json.data.title, 'Here')
      await run(operation.performUnsubscribe, { subscribeData })
    })
  })
})

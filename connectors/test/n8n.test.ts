import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import type { Connection } from '../../server/test/support/integration.ts'
import {
  callback,
  makeApp,
  makeConnection,
  postForm,
} from '../../server/test/support/integration.ts'
import type { Receiver } from '../../server/test/support/receiver.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../server/test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../server/test/support/service.ts'
import { usualLimits } from '../../server/src/kit/ground/limits.ts'
import { startRelay } from '../../sdk/test/relay.ts'
import { addField, approve, pkce, startShifted } from './connection.ts'
import type { Credential } from './n8n-platform.ts'
import { arrival, load, platform } from './n8n-platform.ts'

const { Perennial } = await load('nodes/Perennial/Perennial.node.ts')
const { PerennialTrigger } = await load('nodes/PerennialTrigger/PerennialTrigger.node.ts')
const { PerennialChangesTrigger } = await load(
  'nodes/PerennialChangesTrigger/PerennialChangesTrigger.node.ts',
)
const { PerennialOAuth2Api } = await load('credentials/PerennialOAuth2Api.credentials.ts')
const node = new Perennial()
const trigger = new PerennialTrigger()

type Values = { [name: string]: any }

let service: TestService
let org: TestOrganization
let credential: Credential
let expired: (of: TestOrganization) => Promise<Connection>

const credentialOf = ({
  client_id,
  client_secret,
  function_key,
  access_token,
  refresh_token,
}: Connection): Credential => ({
  baseUrl: service.url,
  clientId: client_id,
  clientSecret: client_secret,
  functionKey: function_key,
  access_token,
  refresh_token,
})

before(async () => {
  ;({ service, expired } = await startShifted())
  org = await makeOrganization(service)
  credential = credentialOf(await makeConnection(service, org))
})

/** Runs the node over one item; gives what it puts out. */
async function run(parameters: Values, state: Values = {}, by = credential): Promise<Values[]> {
  const filled = { ...parameters }
  if (parameters.fields) {
    const mappingMode = state.items ? 'autoMapInputData' : 'defineBelow'
    filled.fields = { mappingMode, value: parameters.fields, schema: parameters.schema ?? [] }
  }
  const [items] = await node.execute.call(
    platform(by, filled, { execution: `${performance.now()}`, ...state }),
  )
  return items.map(({ json }: Values) => json)
}

const only = async (...sent: Parameters<typeof run>) => {
  const [first, ...others] = await run(...sent)
  assert.ok(first)
  assert.equal(others.length, 0)
  return first
}

test('the credential opens consent with PKCE, and its tokens work', async () => {
  const { properties } = new PerennialOAuth2Api()
  const self = { baseUrl: `${service.url}/` }
  const value = (name: string): string => {
    const { default: text } = properties.find((each: Values) => each.name === name)
    if (!text.startsWith('=')) return text
    const evaluate = (_: string, code: string) => String(runInNewContext(code, { $self: self }))
    return text.slice(1).replace(/\{\{(.*?)\}\}/g, evaluate)
  }
  assert.deepEqual([value('grantType'), value('authentication')], ['pkce', 'header'])
  const app = await makeApp(service, org, { standard_authorize: true })
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: callback,
    response_type: 'code',
    state: 'of n8n',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: value('scope'),
  })
  if (!value('scope')) query.delete('scope')
  const code = await approve(service, org, `${value('authUrl')}?${query}`)
  const reply = await fetch(value('accessTokenUrl'), {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    }),
  })
  const tokens = (await reply.json()) as Credential
  const own = credentialOf({ ...app, ...tokens } as unknown as Connection)
  const fields = { company_name: 'Connected' }
  const made = await only({ resource: 'company', operation: 'create', fields }, {}, own)
  assert.equal(made.company_name, 'Connected')
})

describe('the node', () => {
  const cases: [resource: string, id: string, create: Values, update: Values, find: Values][] = [
    [
      'company',
      'company_id',
      { company_name: 'Acme', domain: 'acme.example', tags: 'vip, new', estimated_arr: '12.5' },
      { lead_status: 'open', domain: '' },
      { domain: 'acme.example' },
    ],
    [
      'contact',
      'contact_id',
      { full_name: 'Ada', primary_email: 'ada@acme.example', lead_score: '3', phone: 491 },
      { job_title: 'Engineer' },
      { email: 'ada@acme.example' },
    ],
    [
      'deal',
      'project_id',
      { project_name: 'Big one', expected_deal_value: '100', is_arr: 'true' },
      { due_date: '2027-02-03T00:00:00.000+02:00' },
      { project_name: 'Big one' },
    ],
    [
      'project',
      'project_id',
      { project_name: 'Rollout', start_date: '2027-01-01', due_date: '' },
      { description: 'All of it' },
      { project_name: 'Rollout' },
    ],
    [
      'account',
      'account_id',
      { account_name: 'Acme, the customer', region: 'North', tags: 'vip' },
      { health_score: '40' },
      { q: 'the customer', region: 'North' },
    ],
    [
      'meeting',
      'calendar_id',
      { title: 'Kick-off', start: '2040-03-01T09:00:00Z', end: '2040-03-01T10:00:00Z' },
      { location: 'Room 1' },
      { title: 'Kick-off' },
    ],
    [
      'document',
      'attach_id',
      { document_name: 'Offer', editor_html_content: '<p>Dear</p>' },
      { description: 'The first' },
      { document_name: 'Offer', document_status: 'draft' },
    ],
  ]
  for (const [resource, id, fields, changes, filters] of cases) {
    test(`creates, reads, finds and updates a ${resource}`, async () => {
      const made = await only({ resource, operation: 'create', fields })
      const recordId = made[id]
      assert.ok(recordId)
      const changed = await only({ resource, operation: 'update', recordId, fields: changes })
      assert.equal(changed[id], recordId)
      const read = await only({ resource, operation: 'get', recordId })
      assert.equal(read[id], recordId)
      const found = await only({ resource, operation: 'getMany', returnAll: true, filters })
      assert.equal(found[id], recordId)
      if (resource === 'company') {
        assert.deepEqual([read.tags, read.estimated_arr], [['vip', 'new'], 12.5])
        assert.deepEqual([read.lead_status, read.domain], ['open', 'acme.example'])
      }
      if (resource === 'contact') assert.deepEqual([read.lead_score, read.phone], [3, '491'])
      if (resource === 'deal') {
        assert.deepEqual([read.project_type, read.is_arr], ['deal', true])
        assert.equal(read.due_date, '2027-02-03')
      }
      if (resource === 'project') assert.equal(read.project_type, 'project')
    })
  }

  test('comments on a record, and reads the comments; reads surveys', async () => {
    const account = await only({
      resource: 'account',
      operation: 'create',
      fields: { account_name: 'Talked to' },
    })
    const fields = { module: 'accounts', record_id: account.account_id, content: 'They called' }
    const made = await only({ resource: 'comment', operation: 'create', fields })
    const filters = { of_module: 'accounts', record_id: account.account_id }
    const found = await only({ resource: 'comment', operation: 'getMany', limit: 5, filters })
    assert.equal(found.interaction_id, made.interaction_id)
    const surveys = {
      resource: 'survey',
      operation: 'getMany',
      limit: 5,
      filters: { q: 'nothing' },
    }
    assert.deepEqual(await run(surveys), [])
  })

  test('deals are found by stage, owner and conditions on any field, custom ones too', async () => {
    const { token } = org.users.admin
    const body = { fields: [{ key: 'rating', label: 'Rating', type: 'number' }] }
    const reply = await service.call('PUT', '/api/modules/deals/fields/', { token, body })
    assert.equal(reply.status, 200, reply.text)
    const deal = { resource: 'deal', operation: 'create' }
    const owner = org.users.member.user_id
    const fields = { project_name: 'Found', project_owner: owner, custom_fields__rating: '4' }
    const made = await only({ ...deal, fields })
    await run({ ...deal, fields: { project_name: 'Not found', custom_fields__rating: '2' } })
    const many = (parameters: Values) =>
      run({ resource: 'deal', operation: 'getMany', returnAll: true, ...parameters })
    const stage_id = made.current_pipe_stage.stage_id
    const byStage = await many({ filters: { stage_id, project_owner: owner } })
    assert.deepEqual(
      byStage.map(({ project_id }) => project_id),
      [made.project_id],
    )
    const condition = [
      { field: 'custom_fields.rating', operator: 'gte', value: '3' },
      { field: 'project_name', operator: 'in', value: 'Found, Not found' },
      { field: 'lost_reason', operator: 'is_empty', value: 'ignored' },
    ]
    const byConditions = await many({ conditions: { condition } })
    assert.deepEqual(
      byConditions.map(({ project_id }) => project_id),
      [made.project_id],
    )
    const { stage, fieldsOfResource } = node.methods.loadOptions
    const stages = await stage.call(platform(credential, {}))
    assert.ok(stages.some(({ value }: Values) => value === stage_id))
    const named = await fieldsOfResource.call(platform(credential, { resource: 'deal' }))
    assert.ok(named.some(({ value }: Values) => value === 'custom_fields.rating'))
  })

  test('a record is picked from a list that is searched, page by page', async () => {
    const fields = { account_name: 'Picked from the list' }
    const made = await only({ resource: 'account', operation: 'create', fields })
    const search = (text: string) =>
      node.methods.listSearch.searchRecords.call(
        platform(credential, { resource: 'account' }),
        text,
      )
    assert.deepEqual((await search('picked from')).results, [
      { name: 'Picked from the list', value: made.account_id },
    ])
    assert.deepEqual((await search('nowhere at all')).results, [])
  })

  test('an address is filled in by its parts', async () => {
    const parameters = { resource: 'company', operation: 'create' }
    const { fields } = await node.methods.resourceMapping.formOf.call(
      platform(credential, parameters),
    )
    assert.ok(fields.some(({ id }: Values) => id === 'address__city'))
    assert.ok(!fields.some(({ id }: Values) => id === 'address'))
    const made = await only({
      ...parameters,
      fields: { company_name: 'At home', address__city: 'Nairobi', address__country: '' },
    })
    assert.equal(made.address.city, 'Nairobi')
  })

  test('creates a task, completes it and finds it since a time', async () => {
    const project = await only({
      resource: 'project',
      operation: 'create',
      fields: { project_name: 'With a task' },
    })
    const task = { resource: 'task' }
    const fields = { title: 'Call', project_id: project.project_id, status: 'in_progress' }
    const made = await only({ ...task, operation: 'create', fields })
    assert.equal(made.status.status_key, 'in_progress')
    const recordId = made.task_id
    await only({ ...task, operation: 'update', recordId, fields: { is_completed: 'yes' } })
    assert.equal((await only({ ...task, operation: 'get', recordId })).is_completed, true)
    const since = { title: 'Call', updatedSince: new Date(Date.now() - 60_000) }
    assert.equal((await run({ ...task, operation: 'getMany', limit: 5, filters: since })).length, 1)
    const later = { title: 'Call', updatedSince: new Date(Date.now() + 60_000) }
    assert.equal((await run({ ...task, operation: 'getMany', limit: 5, filters: later })).length, 0)
  })

  test('create or update changes the one that exists; members that are no fields are left out', async () => {
    const company = { resource: 'company', operation: 'createOrUpdate', fields: {} }
    const item = { company_name: 'Twice', domain: 'twice.example', row_number: 7 }
    const first = await only(company, { items: [{ json: item }] })
    const second = await only(company, { items: [{ json: { ...item, hq_country: 'Kenya' } }] })
    assert.equal(second.company_id, first.company_id)
    assert.equal(second.hq_country, 'Kenya')
  })

  test('an item that is tried again creates one record; the next run of a loop another', async () => {
    const fields = { project_name: 'Once' }
    const project = { resource: 'project', operation: 'create', fields }
    const first = await only(project, { execution: 'e' })
    const again = await only(project, { execution: 'e' })
    const next = await only(project, { execution: 'e', run: 1 })
    assert.equal(again.project_id, first.project_id)
    assert.notEqual(next.project_id, first.project_id)
  })

  test('reads every page, or as many records as are wanted', async () => {
    const own = await makeOrganization(service)
    const by = credentialOf(await makeConnection(service, own))
    const { token } = own.users.admin
    const many = Array.from({ length: 103 }, (_, i) => i)
    const create = async (path: string, body: object) =>
      assert.ok((await service.call('POST', path, { token, body })).status < 300)
    await Promise.all(many.map((i) => create('/api/company/', { company_name: `Company ${i}` })))
    await Promise.all(many.map((i) => create('/api/project/info/', { project_name: `P ${i}` })))
    for (const resource of ['company', 'project']) {
      const all = { resource, operation: 'getMany' }
      assert.equal((await run({ ...all, returnAll: true }, {}, by)).length, 103, resource)
      assert.equal((await run({ ...all, limit: 101 }, {}, by)).length, 101, resource)
      assert.equal((await run({ ...all, limit: 2 }, {}, by)).length, 2, resource)
    }
  })

  test('reads on where a page of large records ended early', async () => {
    const bounded = await startService({ limits: { ...usualLimits, pageBytes: 30_000 } })
    const own = await makeOrganization(bounded)
    const by = { ...credentialOf(await makeConnection(bounded, own)), baseUrl: bounded.url }
    const { token } = own.users.admin
    for (let i = 0; i < 7; i++) {
      const body = { project_name: `Large ${i}`, description: 'x'.repeat(9_000) }
      assert.equal((await bounded.call('POST', '/api/project/info/', { token, body })).status, 201)
    }
    const all = { resource: 'project', operation: 'getMany', returnAll: true }
    const names = (await run(all, {}, by)).map(({ project_name }) => project_name)
    assert.equal(new Set(names).size, 7)
    assert.equal(names.length, 7)
  })

  test('its form has the lists of values and the custom fields of the organization', async () => {
    await addField(service, org, { key: 'tier', label: 'Tier', type: 'number' })
    const form = (resource: string, operation: string) =>
      node.methods.resourceMapping.formOf.call(platform(credential, { resource, operation }))
    const { fields } = await form('company', 'create')
    const field = (id: string) => fields.find((each: Values) => each.id === id)
    assert.equal(field('company_name').required, true)
    const software = { name: 'Software', value: 'software' }
    assert.deepEqual(field('industry').options[0], software)
    assert.ok(field('company_owner').options.length > 3)
    assert.deepEqual(
      [field('custom_fields__tier').displayName, field('custom_fields__tier').type],
      ['Tier', 'number'],
    )
    const changed = await form('company', 'update')
    assert.ok(changed.fields.every((each: Values) => !each.required))
    const made = await only({
      resource: 'company',
      operation: 'create',
      fields: { company_name: 'Tiered', custom_fields__tier: '2' },
      schema: fields,
    })
    assert.equal(made.custom_fields.tier, 2)
    const deal = await form('deal', 'create')
    const stages = deal.fields.find((each: Values) => each.id === 'stage_id').options
    assert.equal(stages[0].name, 'Qualification')
  })

  test('deals, projects and tasks have custom fields as well', async () => {
    const { token } = org.users.admin
    const project = { resource: 'project', operation: 'create', fields: { project_name: 'Graded' } }
    const { project_id } = await only(project)
    const modules: [module: string, resource: string, fields: Values][] = [
      ['deals', 'deal', { project_name: 'Graded' }],
      ['projects', 'project', { project_name: 'Graded' }],
      ['tasks', 'task', { title: 'Graded', project_id }],
    ]
    for (const [module, resource, fields] of modules) {
      const key = `grade_of_${resource}`
      const body = { fields: [{ key, label: 'Grade', type: 'number' }] }
      const reply = await service.call('PUT', `/api/modules/${module}/fields/`, { token, body })
      assert.equal(reply.status, 200, reply.text)
      const parameters = { resource, operation: 'create' }
      const form = await node.methods.resourceMapping.formOf.call(platform(credential, parameters))
      const filled = { ...fields, [`custom_fields__${key}`]: '3' }
      const made = await only({ ...parameters, fields: filled, schema: form.fields })
      assert.equal(made.custom_fields[key], 3, resource)
    }
  })

  test('a switch that the form does not show stays as it is', async () => {
    const project = { resource: 'project', operation: 'create', fields: { project_name: 'Done' } }
    const { project_id } = await only(project)
    const task = { resource: 'task' }
    const fields = { title: 'Sent', project_id, is_completed: true }
    const { task_id: recordId } = await only({ ...task, operation: 'create', fields })
    const update = { ...task, operation: 'update', recordId }
    const form = await node.methods.resourceMapping.formOf.call(platform(credential, update))
    // as n8n stores a form to which a title was added
    const schema = form.fields.map((each: Values) => ({ ...each, removed: each.id !== 'title' }))
    const stored = { title: 'Sent again', is_completed: false, is_blocked: false }
    const changed = await only({ ...update, fields: stored, schema })
    assert.deepEqual([changed.title, changed.is_completed], ['Sent again', true])
  })

  test('custom fields take what their types in the installation take', async () => {
    const choices = ['a', 'b'].map((value) => ({ value, label: value.toUpperCase() }))
    await addField(service, org, { key: 'renewal', label: 'Renewal', type: 'date' })
    const several = { key: 'plans', label: 'Plans', type: 'multi_select', options: choices }
    await addField(service, org, several)
    await addField(service, org, { key: 'buddy', label: 'Buddy', type: 'user' })
    const parameters = { resource: 'company', operation: 'create' }
    const { fields: form } = await node.methods.resourceMapping.formOf.call(
      platform(credential, parameters),
    )
    const typeOf = (key: string) =>
      form.find((each: Values) => each.id === `custom_fields__${key}`).type
    assert.deepEqual(['renewal', 'plans', 'buddy'].map(typeOf), ['dateTime', 'string', 'options'])
    const fields = {
      company_name: 'Renewed',
      custom_fields__renewal: '2027-02-03T23:30:00.000-05:00',
      custom_fields__plans: 'a, b',
    }
    const { custom_fields } = await only({ ...parameters, fields })
    assert.deepEqual([custom_fields.renewal, custom_fields.plans], ['2027-02-03', ['a', 'b']])
  })

  test('a list that the app may not read leaves a field to be typed in', async () => {
    const by = credentialOf(
      await makeConnection(service, org, { scopes: ['company.read', 'company.write'] }),
    )
    const parameters = { resource: 'company', operation: 'create' }
    const { fields } = await node.methods.resourceMapping.formOf.call(platform(by, parameters))
    const owner = fields.find((each: Values) => each.id === 'company_owner')
    assert.deepEqual([owner.type, owner.options], ['string', undefined])
  })
})

describe('what is refused', () => {
  const create = (fields: Values, by?: Credential, state?: Values) =>
    run({ resource: 'company', operation: 'create', fields }, state, by)

  test('409 is a sentence that names the record, and continues if the node is set to', async () => {
    const fields = { company_name: 'Taken', domain: 'taken.example' }
    const [made] = await create(fields)
    const id = made?.company_id
    await assert.rejects(create(fields), {
      message: 'This company already exists',
      httpCode: '409',
      description: `The one that exists has company_id ${id}.`,
    })
    const [item] = await create(fields, credential, { continueOnFail: true })
    assert.equal(item?.error, 'This company already exists')
  })

  test('400 names the field', async () => {
    await assert.rejects(create({ company_name: 'X', website_url: 'none' }), {
      httpCode: '400',
      message: /website_url/,
    })
  })

  test('429 says when to try again', async () => {
    const relay = await startRelay(service.url, {
      refuse(response) {
        const body = '{"message": "Too many requests", "code": "rate_limited"}'
        response.writeHead(429, { 'retry-after': '7' }).end(body)
        return true
      },
    })
    const by = { ...credential, baseUrl: relay.url }
    await assert.rejects(create({ company_name: 'Y' }, by), {
      message: 'Too many requests',
      description: 'Try again in 7 s.',
    })
  })

  test('an expired token is refreshed', async () => {
    const connection = await expired(org)
    const by = credentialOf(connection)
    const [made] = await create({ company_name: 'Later' }, by)
    assert.ok(made?.company_id)
    assert.notEqual(by.refresh_token, connection.refresh_token)
  })

  test('a connection that was revoked says to connect again', async () => {
    for (const connection of [await expired(org), await makeConnection(service, org)]) {
      const { client_id, client_secret, refresh_token: token } = connection
      await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
      await assert.rejects(create({ company_name: 'Z' }, credentialOf(connection)), {
        message: 'The connection to Perennial has ended',
        description: 'Open the Perennial credential and connect again.',
      })
    }
  })

  test('a function key or secret that was replaced is named, and not a new connection', async () => {
    const description =
      'Compare the client ID, client secret and function key in the credential with those of the app.'
    const keyed = { ...credential, functionKey: 'replaced' }
    const message = 'The function key is not valid'
    await assert.rejects(create({ company_name: 'Z' }, keyed), { message, description })
    const signed = { ...credential, clientSecret: 'replaced' }
    await assert.rejects(create({ company_name: 'Z' }, signed), {
      message: 'The client ID or client secret is not valid',
      description,
    })
  })

  test('an address that does not answer is a sentence', async () => {
    const by = { ...credential, baseUrl: 'http://127.0.0.1:9' }
    await assert.rejects(create({ company_name: 'Z' }, by), {
      message: 'Perennial cannot be reached',
    })
  })
})

describe('the trigger', () => {
  let receiver: Receiver
  const hooks = trigger.webhookMethods.default

  before(async () => (receiver = await startReceiver()))

  test('offers each event by its name, which n8n shows as a trigger of its own', () => {
    const [events] = trigger.description.properties
    assert.deepEqual([events.displayName, events.type], ['Events', 'multiOptions'])
    const won = events.options.find(({ value }: Values) => value === 'deal_won')
    assert.deepEqual([won.name, won.action], ['Deal Won', 'Deal Won'])
    assert.ok(events.options.some(({ value }: Values) => value === 'account_created'))
  })

  test('says which scope an event needs that the app lacks', async () => {
    const by = credentialOf(await makeConnection(service, org, { scopes: ['company.read'] }))
    const state: Values = { url: `${receiver.url}/refused` }
    const caller = platform(by, { events: ['deal_won'] }, state)
    await assert.rejects(hooks.create.call(caller), { message: /deal\.read/ })
  })

  test('takes a real delivery, refuses a forged one, and leaves no subscription', async () => {
    const connection = await makeConnection(service, org)
    const state: Values = { url: `${receiver.url}/n8n` }
    const parameters = { events: ['company_updated', 'company_created'] }
    const caller = platform(credentialOf(connection), parameters, state)
    assert.equal(await hooks.checkExists.call(caller), false)
    assert.equal(await hooks.create.call(caller), true)
    assert.equal(await hooks.checkExists.call(caller), true)
    const [{ name }] = await rows(
      service,
      sql`select name from subscriptions where app_id = ${connection.app.id}`,
    )
    assert.equal(name, 'n8n: Greet customers')
    const elsewhere = platform(credentialOf(connection), parameters, {
      ...state,
      url: `${receiver.url}/elsewhere`,
    })
    assert.equal(await hooks.checkExists.call(elsewhere), false)
    const others = platform(credentialOf(connection), { events: ['deal_won'] }, state)
    assert.equal(await hooks.checkExists.call(others), false)

    await run({ resource: 'company', operation: 'create', fields: { company_name: 'Trigger' } })
    const isOurs = ({ path, json }: Values) =>
      path === '/n8n' && json.data?.company_name === 'Trigger'
    const [delivery] = await receiver.arrived(1, isOurs)
    const { headers, text: body } = delivery!
    const real = arrival(state, headers, body)
    const { workflowData } = await trigger.webhook.call(real)
    assert.equal(real.answer.status, 200)
    assert.equal(workflowData[0][0].json.type, 'company_created')
    const old = String(Math.floor(Date.now() / 1000) - 301)
    const forgeries = [
      arrival(state, headers, body.replace('Trigger', 'Tricker')),
      arrival(state, { ...headers, 'webhook-signature': 'v1,AAAA' }, body),
      arrival(state, { ...headers, 'webhook-signature': undefined }, body),
      arrival(state, { ...headers, 'webhook-timestamp': old }, body),
      arrival({}, headers, body),
    ]
    for (const forged of forgeries) {
      assert.deepEqual(await trigger.webhook.call(forged), { noWebhookResponse: true })
      assert.equal(forged.answer.status, 401)
    }

    assert.equal(await hooks.delete.call(caller), true)
    assert.deepEqual([state.id, state.secret], [undefined, undefined])
    const left = await rows(
      service,
      sql`select id from subscriptions where app_id = ${connection.app.id}`,
    )
    assert.deepEqual(left, [])
  })

  test('deleting a subscription that no longer exists succeeds', async () => {
    const state: Values = { url: `${receiver.url}/gone` }
    const caller = platform(credential, { events: ['deal_won'] }, state)
    await hooks.create.call(caller)
    const { id, secret } = state
    await hooks.delete.call(caller)
    Object.assign(state, { id, secret })
    assert.equal(await hooks.checkExists.call(caller), false)
    assert.equal(await hooks.delete.call(caller), true)
  })
})

describe('items that are written together', () => {
  test('are one request, each with its outcome', async () => {
    const relay = await startRelay(service.url)
    const by = { ...credential, baseUrl: relay.url }
    const items = (...json: Values[]) => ({ items: json.map((each) => ({ json: each })) })
    const usual = { resource: 'account', together: true, fields: {} }
    const create = { ...usual, operation: 'create' }
    const made = await run(create, items({ account_name: 'One' }, { account_name: 'Two' }), by)
    assert.deepEqual(
      made.map(({ status }) => status),
      ['created', 'created'],
    )
    assert.deepEqual(
      relay.seen.map(({ path }) => path.split('?')[0]),
      ['/automation/account/bulk'],
    )
    const [one] = made
    assert.equal(
      (await only({ resource: 'account', operation: 'get', recordId: one?.id })).account_name,
      'One',
    )
    const update = { ...usual, operation: 'update', recordId: one?.id }
    const [changed] = await run(update, items({ region: 'West' }))
    assert.deepEqual(changed, { status: 'updated', id: one?.id })
    const wrong = items({ account_name: 'Three' }, { account_name: '' })
    await assert.rejects(run(create, wrong), /account_name: is required/)
    const each = await run(create, { ...wrong, continueOnFail: true })
    assert.deepEqual([each[0]?.status, typeof each[1]?.error], ['created', 'string'])
    const upsert = { ...usual, resource: 'company', operation: 'createOrUpdate' }
    const company = { company_name: 'Once', domain: 'once-together.test' }
    const [first] = await run(upsert, items(company))
    const [second] = await run(upsert, items({ ...company, industry: 'Retail' }))
    assert.deepEqual([first?.status, second], ['created', { status: 'updated', id: first?.id }])
  })
})

describe('the trigger that asks', () => {
  const asking = new PerennialChangesTrigger()
  const poll = async (parameters: Values, state: Values, by = credential): Promise<Values[]> => {
    const answer = await asking.poll.call(platform(by, parameters, state))
    return (answer?.[0] ?? []).map(({ json }: Values) => json)
  }
  const all = { changes: ['created', 'updated', 'deleted'] }

  test('tells of each change once, with its record, from when it was switched on', async () => {
    const state: Values = {}
    const parameters = { ...all, resources: ['companies', 'accounts'] }
    const create = { resource: 'company', operation: 'create' }
    await only({ ...create, fields: { company_name: 'Before it was on' } })
    assert.deepEqual(await poll(parameters, state), [])
    assert.ok(state.since)
    const { company_id } = await only({ ...create, fields: { company_name: 'Asked for' } })
    const update = { resource: 'company', operation: 'update', recordId: company_id }
    await only({ ...update, fields: { description: 'Changed' } })
    const account = { resource: 'account', operation: 'create' }
    const { account_id } = await only({ ...account, fields: { account_name: 'Asked for' } })
    await only({
      resource: 'contact',
      operation: 'create',
      fields: { full_name: 'Of another kind' },
    })
    const told = await poll(parameters, state)
    assert.deepEqual(
      told.map(({ id, type, record }) => [id, type, record.company_name ?? record.account_name]),
      [
        [company_id, 'created', 'Asked for'],
        [company_id, 'updated', 'Asked for'],
        [account_id, 'created', 'Asked for'],
      ],
    )
    assert.deepEqual(await poll(parameters, state), [])
    await only({ ...update, fields: { description: 'Again' } })
    const since = state.since
    assert.deepEqual(await poll({ ...parameters, changes: ['deleted'] }, state), [])
    assert.notEqual(state.since, since)
    const test = { mode: 'manual', since: state.since }
    const shown = await poll({ ...parameters, includeRecord: false }, test)
    assert.ok(shown.length > 2 && shown.every((each) => !('record' in each)))
    assert.equal(test.since, state.since)
  })

  test('has every kind of the catalogue, each as a trigger of its own', async () => {
    const [resources] = asking.description.properties
    const state: Values = {}
    const names = resources.options.map(({ value }: Values) => value)
    await poll({ ...all, resources: names }, state)
    const project_id = (
      await only({ resource: 'deal', operation: 'create', fields: { project_name: 'D' } })
    ).project_id
    const task = { resource: 'task', operation: 'create', fields: { title: 'T', project_id } }
    await only(task)
    const fields = { title: 'M', start: '2040-03-01T09:00:00Z', end: '2040-03-01T10:00:00Z' }
    await only({ resource: 'meeting', operation: 'create', fields })
    await only({ resource: 'document', operation: 'create', fields: { document_name: 'O' } })
    const about = { module: 'deals', record_id: project_id, content: 'Called' }
    await only({ resource: 'comment', operation: 'create', fields: about })
    const told = await poll({ ...all, resources: names }, state)
    for (const module of ['deals', 'tasks', 'calendar', 'documents', 'interactions']) {
      const its = told.filter((each) => each.module === module)
      assert.ok(its.length && its.every(({ record }) => record), module)
    }
    assert.ok(resources.options.every(({ action }: Values) => action.endsWith(' changed')))
  })

  test('begins again where the database was replaced, and says so', async () => {
    const state: Values = { since: 'x' }
    await assert.rejects(poll({ ...all, resources: ['companies'] }, state), /next_cursor/)
    assert.equal(state.since, undefined)
  })
})

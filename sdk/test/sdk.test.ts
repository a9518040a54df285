import assert from 'node:assert/strict'
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
import { makeOrganization, rows, sql, startService } from '../../server/test/support/service.ts'
import { roleKinds } from '../../server/src/model/users/roles/permissions.ts'
import type { Tokens } from '../src/index.ts'
import {
  authorizeUrl,
  exchangeCode,
  Perennial,
  PerennialError,
  verifyWebhook,
  WebhookVerificationError,
} from '../src/index.ts'
import type { Made } from './calls.ts'
import { startRelay } from './relay.ts'
import { idOf, right, sentenceOf } from './calls.ts'

let service: TestService
let org: TestOrganization
/** what the service's clock is ahead of this machine's, in milliseconds */
let shift = 0

before(async () => {
  service = await startService({}, () => new Date(Date.now() + shift))
  org = await makeOrganization(service)
})

/** A connection, and every pair of tokens that it saved. */
function open(connection: Connection, baseUrl = service.url) {
  const saved: Tokens[] = []
  const { client_id: clientId, client_secret: clientSecret, function_key: functionKey } = connection
  const { access_token, refresh_token } = connection
  const perennial = new Perennial(
    { baseUrl, clientId, clientSecret, functionKey },
    { access_token, refresh_token },
    (tokens) => void saved.push(tokens),
  )
  return { perennial, saved }
}

const refused = (status: number, code: string) => (error: unknown) => {
  assert.ok(error instanceof PerennialError, String(error))
  assert.deepEqual([error.status, error.code], [status, code], error.message)
  assert.ok(error.requestId)
  return true
}

describe('connecting', () => {
  for (const kind of ['standard', 'signed'] as const) {
    test(`the ${kind} address leads to a code, and the code to tokens that work`, async () => {
      const app = await makeApp(service, org, { standard_authorize: kind === 'standard' })
      const credentials = {
        baseUrl: `${service.url}/`,
        clientId: app.client_id,
        clientSecret: app.client_secret,
        functionKey: app.function_key,
      }
      const request = { redirectUri: callback, state: 'from here', scopes: ['company.read'] }
      const { url, codeVerifier } = authorizeUrl(credentials, kind, request)
      const reply = await service.call('GET', url.slice(service.url.length), {
        token: org.users.admin.token,
      })
      const landing = new URL(reply.headers.get('location') ?? '')
      assert.equal(landing.searchParams.get('state'), 'from here')
      const code = landing.searchParams.get('code') ?? ''
      const tokens = await exchangeCode(credentials, { code, codeVerifier, redirectUri: callback })
      assert.equal(tokens.scope, 'company.read')
      const perennial = new Perennial(credentials, tokens, () => {})
      assert.equal((await perennial.test()).organisation, org.name)
      await assert.rejects(perennial.contacts.list().first(), refused(403, 'missing_scope'))
      await perennial.disconnect()
      await assert.rejects(perennial.test(), refused(401, 'grant_ended'))
    })
  }
})

test('the eleven calls of a user work, one after the other', async () => {
  const { perennial } = open(await makeConnection(service, org))
  const made: Made = { company: '', contact: '', deal: '', task: '' }
  for (const [name, call] of Object.entries(right)) {
    await call(perennial, made).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`, { cause: error })
    })
  }
  assert.deepEqual((await perennial.companies.get(made.company)).tags, ['vip'])
})

describe('requests', () => {
  test('20 at once with an expired token refresh it once, and save it before its use', async () => {
    shift = -2 * 3_600_000
    const connection = await makeConnection(service, org)
    shift = 0
    const { perennial, saved } = open(connection)
    const answers = await Promise.all(Array.from({ length: 20 }, () => perennial.test()))
    assert.equal(answers.length, 20)
    assert.equal(saved.length, 1)
    assert.notEqual(saved[0]?.refresh_token, connection.refresh_token)
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(
      service,
      sql`select count(*)::int as count from refresh_tokens
        where app_id = ${connection.app.id} and replaced_at is not null`,
    )
    assert.equal(count, 1)
  })

  test('tokens that could not be saved are saved before the next request', async () => {
    shift = -2 * 3_600_000
    const { client_id, client_secret, function_key, ...tokens } = await makeConnection(service, org)
    shift = 0
    const saved: Tokens[] = []
    let isFull = true
    const perennial = new Perennial(
      {
        baseUrl: service.url,
        clientId: client_id,
        clientSecret: client_secret,
        functionKey: function_key,
      },
      tokens,
      async (fresh) => {
        if (isFull) throw new Error('the disk is full')
        saved.push(fresh)
      },
    )
    await assert.rejects(perennial.test(), /the disk is full/)
    isFull = false
    await perennial.test()
    assert.equal(saved.length, 1)
  })

  test('429 is waited for as long as it says, and signed anew', async () => {
    let isBusy = true
    const relay = await startRelay(service.url, {
      refuse(response) {
        if (!isBusy) return false
        isBusy = false
        response
          .writeHead(429, { 'retry-after': '1' })
          .end('{"message": "slowly", "code": "limit"}')
        return true
      },
    })
    const { perennial } = open(await makeConnection(service, org), relay.url)
    const start = performance.now()
    await perennial.test()
    assert.ok(performance.now() - start >= 990)
    const [first, second] = relay.seen.map(({ headers }) => headers['x-oauth-signature'])
    assert.equal(relay.seen.length, 2)
    assert.notEqual(first, second)
  })

  test('503 is repeated three times and no more; other refusals are not', async () => {
    const relay = await startRelay(service.url, {
      refuse(response) {
        const body = '{"message": "Later", "code": "busy", "request_id": "r"}'
        response.writeHead(503, { 'retry-after': '0' }).end(body)
        return true
      },
    })
    const { perennial } = open(await makeConnection(service, org), relay.url)
    await assert.rejects(perennial.test(), refused(503, 'busy'))
    assert.equal(relay.seen.length, 4)
    const passing = await startRelay(service.url)
    const { perennial: direct } = open(await makeConnection(service, org), passing.url)
    await assert.rejects(direct.companies.get('nobody'), refused(404, 'not_found'))
    assert.equal(passing.seen.length, 1)
  })

  test('a POST whose answer is lost is repeated, and one record is created', async () => {
    let losses = 1
    const relay = await startRelay(service.url, { isLost: () => losses-- > 0 })
    const { perennial } = open(await makeConnection(service, org), relay.url)
    const created = await perennial.projects.create({ project_name: 'Lost and found' })
    assert.equal(relay.seen.length, 2)
    const [first, second] = relay.seen.map(({ headers }) => headers['idempotency-key'])
    assert.ok(first)
    assert.equal(first, second)
    const filter = [{ field: 'project_name', operator: 'eq' as const, value: 'Lost and found' }]
    const found = await perennial.projects.list({ filter }).toArray()
    assert.deepEqual(
      found.map(({ project_id }) => project_id),
      [created.project_id],
    )
  })

  test('an update of a version whose answer is lost is repeated, and not refused for what it did', async () => {
    let losses = 0
    const relay = await startRelay(service.url, { isLost: () => losses-- > 0 })
    const { perennial } = open(await makeConnection(service, org), relay.url)
    const { project_id } = await perennial.projects.create({ project_name: 'Before' })
    const { version } = await perennial.projects.get(project_id)
    losses = 1
    const patch = { project_name: 'After' }
    const changed = await perennial.projects.update(project_id, patch, { version })
    assert.equal(changed.version, version + 1)
    await assert.rejects(
      perennial.projects.update(project_id, { project_name: 'Stale' }, { version }),
      refused(412, 'stale'),
    )
  })

  test('a refusal says its status, code, fields and data', async () => {
    const { perennial } = open(await makeConnection(service, org))
    await assert.rejects(
      perennial.contacts.create({ full_name: 'Eve', primary_email: 'not an address' }),
      (error: unknown) => {
        refused(400, 'invalid_input')(error)
        assert.deepEqual(
          (error as PerennialError).fields.map(({ field }) => field),
          ['primary_email'],
        )
        return true
      },
    )
    const draft = { company_name: 'Twice', domain: 'twice.example' }
    const { company_id } = await perennial.companies.create(draft)
    await assert.rejects(perennial.companies.create(draft), (error: unknown) => {
      assert.ok(error instanceof PerennialError)
      assert.equal(error.status, 409)
      assert.match(JSON.stringify(error.data), new RegExp(company_id))
      return true
    })
    const again = await perennial.companies.create(draft, { onDuplicate: 'update' })
    assert.equal(again.company_id, company_id)
    await assert.rejects(
      perennial.companies.update(company_id, { industry: null }, { version: 99 }),
      (error: unknown) => error instanceof PerennialError && error.status === 412,
    )
  })

  test('a connection that has ended says so with invalid_grant', async () => {
    shift = -2 * 3_600_000
    const connection = await makeConnection(service, org)
    shift = 0
    const { perennial, saved } = open(connection)
    const { refresh_token: token, client_id, client_secret } = connection
    await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
    await assert.rejects(perennial.test(), refused(401, 'invalid_grant'))
    assert.equal(saved.length, 0)
  })
})

test('an id that is empty is refused, and not taken for the whole list', async () => {
  const { perennial } = open(await makeConnection(service, org))
  await assert.rejects(perennial.companies.get(''), TypeError)
  await assert.rejects(perennial.tasks.get(''), TypeError)
  await assert.rejects(perennial.webhooks.rotateSecret(''), TypeError)
  await assert.rejects(perennial.tasks.update('', { title: 'All of them' }), TypeError)
})

test('a path without a slash in front is refused, as it would name another host', async () => {
  const { perennial } = open(await makeConnection(service, org))
  await assert.rejects(perennial.request('GET', '.evil.example/automation/test'), TypeError)
})

test('an answer that is not the API’s is an error that names the address', async () => {
  const relay = await startRelay(service.url, {
    refuse(response) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
      return true
    },
  })
  const { perennial } = open(await makeConnection(service, org), relay.url)
  await assert.rejects(perennial.test(), (error: PerennialError) => {
    assert.deepEqual([error.status, error.code], [200, 'not_json'])
    assert.ok(error.message.startsWith(`${relay.url}/automation/test is not an address of`))
    return true
  })
})

test('a record is known by a unique custom field, and a subscription by its name', async () => {
  const { perennial } = open(await makeConnection(service, org))
  const { url } = await startReceiver()
  const field = { key: 'erp', label: 'ERP', type: 'text', unique: true }
  const body = { fields: [field] }
  await perennial.request('PUT', '/automation/company/field-config', { body })
  const match = 'custom_fields.erp'
  const draft = { company_name: 'Matched', custom_fields: { erp: 'E-1' } }
  const { company_id } = await perennial.companies.create(draft, { match })
  await assert.rejects(perennial.companies.create(draft, { match }), refused(409, 'duplicate'))
  const renamed = { ...draft, company_name: 'Matched again' }
  const same = await perennial.companies.create(renamed, { match, onDuplicate: 'update' })
  assert.deepEqual([same.company_id, same.company_name], [company_id, 'Matched again'])

  const { id } = await perennial.webhooks.subscribe({
    events: ['deal_won'],
    url,
    name: 'Big deals',
    where: [{ field: 'expected_deal_value', operator: 'gte', value: 10_000 }],
    fields: ['project_name'],
  })
  const [subscription] = await perennial.webhooks.list().toArray()
  assert.deepEqual([subscription?.id, subscription?.name], [id, 'Big deals'])
})

test('every page of a list is read, once each', async () => {
  const { perennial } = open(await makeConnection(service, await makeOrganization(service)))
  const names = Array.from({ length: 7 }, (_, i) => `Company ${i}`)
  for (const company_name of names) await perennial.companies.create({ company_name })
  for (const project_name of names) await perennial.projects.create({ project_name })
  const companies = perennial.companies.list({ limit: 3, sort: 'company_name' })
  assert.deepEqual(
    (await companies.toArray()).map((each) => each.company_name),
    names,
  )
  const sizes: number[] = []
  for await (const page of companies.pages()) sizes.push(page.length)
  assert.deepEqual(sizes, [3, 3, 1])
  const projects = perennial.projects.list({ limit: 2, sort: 'project_name' })
  assert.deepEqual(
    (await projects.toArray()).map((each) => each.project_name),
    names,
  )
  assert.equal((await projects.toArray(5)).length, 5)
  assert.equal((await projects.first())?.project_name, 'Company 0')
  assert.equal(await perennial.deals.list().first(), undefined)
  assert.equal((await perennial.users({ limit: 2 }).toArray()).length, roleKinds.length)
})

describe('webhooks', () => {
  test('a sample of every event is delivered, verified, and has what its type says', async () => {
    const { perennial } = open(await makeConnection(service, org))
    const receiver = await startReceiver()
    const events = Object.keys(idOf) as (keyof typeof idOf)[]
    const { id, secret } = await perennial.webhooks.subscribe({ events, url: receiver.url })
    const known = (await perennial.webhooks.events()).map(({ event }) => event)
    assert.deepEqual(known.toSorted(), events.toSorted())
    for (const event of events) {
      await perennial.webhooks.sendTest({ subscriptionId: id, event })
      const arrival = receiver.arrivals.at(-1)
      assert.ok(arrival)
      const received = verifyWebhook(secret, arrival.headers, arrival.text)
      assert.equal(received.type, event)
      const read = idOf[event] as (data: object) => unknown
      assert.equal(typeof read(received.data), 'string', event)
      assert.ok(sentenceOf(received) !== '')
    }
    const { secret: next } = await perennial.webhooks.rotateSecret(id)
    const { headers, text } = receiver.arrivals[0]!
    assert.ok(verifyWebhook([next, secret], new Headers(headers as {}), Buffer.from(text)))
    await perennial.webhooks.unsubscribe(id)
    assert.deepEqual(await perennial.webhooks.list().toArray(), [])
  })

  test('headers are read in any case, and from lists of one', async () => {
    const { perennial } = open(await makeConnection(service, org))
    const receiver = await startReceiver()
    const draft = { events: ['company_created' as const], url: receiver.url }
    const { id, secret } = await perennial.webhooks.subscribe(draft)
    await perennial.webhooks.sendTest({ subscriptionId: id })
    const { headers, text } = receiver.arrivals[0]!
    const pairs = Object.entries(headers)
    // as API gateways pass them on
    const capital = pairs.map(([name, value]) => [name.toUpperCase(), [String(value)]])
    assert.equal(verifyWebhook(secret, Object.fromEntries(capital), text).type, 'company_created')
    const web = new Headers(pairs.map(([name, value]) => [name, String(value)]))
    assert.equal(verifyWebhook(secret, web, Buffer.from(text)).type, 'company_created')
    const twice = { ...headers, 'webhook-id': ['1', '2'] }
    assert.throws(() => verifyWebhook(secret, twice, text), /webhook-id is missing/)
  })

  test('what is forged, changed, old or without a signature is refused', async () => {
    const { perennial } = open(await makeConnection(service, org))
    const receiver = await startReceiver()
    const draft = { events: ['company_created' as const], url: receiver.url }
    const { id, secret } = await perennial.webhooks.subscribe(draft)
    await perennial.webhooks.sendTest({ subscriptionId: id })
    const { headers, text } = receiver.arrivals[0]!
    assert.equal(verifyWebhook(secret, headers, text).type, 'company_created')
    const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const forgeries: [Parameters<typeof verifyWebhook>, RegExp][] = [
      [[other, headers, text], /signature is not ours/],
      [[secret, headers, `${text} `], /signature is not ours/],
      [[secret, { ...headers, 'webhook-signature': 'v1,' }, text], /signature is not ours/],
      [[secret, { ...headers, 'webhook-signature': undefined }, text], /signature is missing/],
      [[secret, { ...headers, 'webhook-id': 'another' }, text], /signature is not ours/],
      [[secret, { ...headers, 'webhook-timestamp': '1700000000' }, text], /5 minutes off/],
    ]
    for (const [forged, message] of forgeries) {
      assert.throws(
        () => verifyWebhook(...forged),
        (error: Error) => {
          assert.ok(error instanceof WebhookVerificationError)
          assert.match(error.message, message)
          return true
        },
      )
    }
  })
})

test('accounts, meetings, documents, comments and surveys are reached alike, and many at once', async () => {
  const { perennial } = open(await makeConnection(service, org))
  const made = await perennial.accounts.create({ account_name: 'Okafor Foods' })
  const { account_id } = made
  const written = await perennial.accounts.writeMany([
    { account_name: 'Second of two' },
    { account_id, region: 'West' },
    { account_name: '' },
  ])
  assert.deepEqual(
    written.map(({ status }) => status),
    ['created', 'updated', 'failed'],
  )
  assert.equal((await perennial.accounts.get(account_id)).region, 'West')
  const [found] = await perennial.search('okafor', { modules: 'accounts' })
  assert.equal(found?.id, account_id)
  const { attach_id } = await perennial.documents.create({ document_name: 'Offer', account_id })
  assert.equal((await perennial.documents.get(attach_id)).document_name, 'Offer')
  const comment = { module: 'accounts', record_id: account_id, content: 'They called' } as const
  await perennial.comments.create(comment)
  const comments = perennial.comments.list({ of_module: 'accounts', record_id: account_id })
  assert.deepEqual(
    (await comments.toArray()).map(({ content }) => content),
    ['They called'],
  )
  assert.equal(await perennial.meetings.list({ q: 'okafor' }).first(), undefined)
  const filter = [{ field: 'region', operator: 'eq', value: 'west' }] as const
  const csv = await perennial.export('accounts', { filter: [...filter], fields: 'account_name' })
  assert.equal(csv, 'account_name\r\nOkafor Foods\r\n')
  assert.ok((await perennial.surveys.fields()).some(({ key }) => key === 'name'))
})

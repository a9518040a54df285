import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { issueApp, rotateApp } from '../../../records/apps/app.ts'
import type { AppRequest } from '../../../records/apps/app.ts'
import { allOrganizations } from '../../../kit/ground/context.ts'
import {
  authorizeQuery,
  callback,
  codeFor,
  makeApp,
  postForm,
  signature,
  until,
} from '../../../../test/support/integration.ts'
import { startReceiver } from '../../../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import {
  makeOrganization,
  password as known,
  rows,
  sql,
  startService,
} from '../../../../test/support/service.ts'

// One app of the operator, which any organization may connect.

type App = Awaited<ReturnType<typeof makeApp>>

describe('an app that is listed for every organization', () => {
  let service: TestService
  let home: TestOrganization
  let one: TestOrganization
  let other: TestOrganization

  before(async () => {
    service = await startService()
    home = await makeOrganization(service)
    one = await makeOrganization(service)
    other = await makeOrganization(service)
  })

  const scopes = ['company.read', 'company.write', 'survey.read']
  const listed = (request: Partial<AppRequest> = {}) =>
    makeApp(service, home, { is_listed: true, scopes, description: 'Sends letters', ...request })
  const reissue = (app: App, request: Partial<AppRequest>) =>
    service.runtime.database.transaction(allOrganizations, (queries) =>
      issueApp(queries, service.runtime.secrets, home.id, {
        name: app.name,
        client_id: app.client_id,
        redirect_uris: [callback],
        scopes,
        is_listed: true,
        ...request,
      }),
    )

  /** Exchanges a code as the app does, once a user of the organization approved it. */
  async function connect(app: App, org: TestOrganization, to = service) {
    const code = await codeFor(to, app, org.users.admin.token)
    const { client_id, client_secret } = app
    const reply = await postForm(to, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id,
      client_secret,
    })
    assert.equal(reply.status, 200, reply.text)
    return reply.body as { access_token: string; refresh_token: string }
  }
  const call = (
    app: App,
    token: string,
    method: string,
    path: string,
    body?: object,
    to = service,
  ) =>
    to.call(method, path, {
      token,
      body,
      headers: {
        'x-functions-key': app.function_key,
        ...signature(app.client_id, app.client_secret, service.runtime.now()),
      },
    })

  test('is connected by each on its own, and reaches of each what its user sees', async () => {
    const app = await listed()
    for (const org of [one, other, home]) {
      const { access_token } = await connect(app, org)
      const made = await call(app, access_token, 'POST', '/automation/company', {
        company_name: `Of ${org.name}`,
      })
      assert.equal(made.status, 201, made.text)
      const { body } = await call(app, access_token, 'GET', '/automation/company')
      assert.deepEqual(
        body.results.map((each: { company_name: string }) => each.company_name),
        [`Of ${org.name}`],
      )
    }
    const rights = await rows<{ organization_id: string }>(
      service,
      sql`select organization_id from apps where client_id = ${app.client_id}`,
    )
    assert.equal(rights.length, 3)
  })

  test('says on the page of consent whose it is and what it reads, in plain words', async () => {
    const app = await listed()
    const cookies = new Map<string, string>()
    const open = async (path: string, form?: { [name: string]: string }) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}) }
      const reply = form
        ? await postForm(service, path, form, headers)
        : await service.call('GET', path, { headers })
      for (const each of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        cookies.set(name, value)
      }
      return reply
    }
    const query = authorizeQuery(app, {}, service.runtime.now())
    const page = await open(`/oauth/authorize?${query}`)
    assert.equal(page.status, 200, page.text)
    assert.ok(page.text.includes(`${app.name} is an app of ${home.name}`), page.text)
    assert.ok(page.text.includes('would like to connect to your organization'))
    const [, request = ''] = /name="request"\s+value="([^"]+)"/.exec(page.text) ?? []
    const person = { email: one.users.admin.email, password: known }
    const signed = await open('/oauth/authorize/sign-in', { request, ...person })
    assert.equal(signed.status, 303, signed.text)
    const consent = await open(signed.headers.get('location')!)
    for (const words of [
      `Connect ${app.name} to ${one.name}?`,
      `${app.name} is an app of ${home.name}`,
      'See, add and change companies and their accounts',
      'See surveys and their responses',
    ]) {
      assert.ok(consent.text.includes(words), `${words}: ${consent.text}`)
    }
  })

  test('is refreshed and revoked in one organization without the others', async () => {
    const app = await listed()
    const { client_id, client_secret } = app
    const first = await connect(app, one)
    const second = await connect(app, other)
    const refreshed = await postForm(service, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      client_id,
      client_secret,
    })
    assert.equal(refreshed.status, 200, refreshed.text)
    const wrong = await postForm(service, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshed.body.refresh_token,
      client_id,
      client_secret: 'another',
    })
    assert.equal(wrong.status, 401, wrong.text)
    const token = refreshed.body.access_token as string
    const reads = (bearer: string) => call(app, bearer, 'GET', '/automation/company')
    assert.equal((await reads(token)).status, 200)
    const revoked = await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
    assert.equal(revoked.status, 200, revoked.text)
    await until(401, () => reads(token))
    assert.equal((await reads(second.access_token)).status, 200)
  })

  test('is removed by an organization for itself alone, which cannot change it', async () => {
    const app = await listed()
    const [first, second] = [await connect(app, one), await connect(app, other)]
    const { token } = one.users.admin
    const { body: apps } = await service.call('GET', '/api/apps/', { token })
    const own = apps.find((each: App) => each.client_id === app.client_id)
    assert.equal(own.name, app.name)
    const path = `/api/apps/${own.app_id}/`
    const rotated = await service.call('POST', `${path}rotate/`, { token, body: {} })
    assert.equal(rotated.status, 409, rotated.text)
    assert.equal((await service.call('DELETE', path, { token })).status, 204)
    await until(401, () => call(app, first.access_token, 'GET', '/automation/company'))
    assert.equal((await call(app, second.access_token, 'GET', '/automation/company')).status, 200)
    for (const [method, at, body] of [
      ['PATCH', `/api/apps/${app.id}/`, { scopes: ['contact.read'] }],
      ['POST', `/api/apps/${app.id}/rotate/`, {}],
      ['DELETE', `/api/apps/${app.id}/`],
    ] as const) {
      const atHome = await service.call(method, at, {
        token: home.users.admin.token,
        body,
      })
      assert.deepEqual([atHome.status, atHome.body.code], [409, 'listed_app'], method)
    }
  })

  test('has of an organization the scopes that it leaves it, which only become fewer', async () => {
    const app = await listed()
    const { access_token } = await connect(app, one)
    const { token } = one.users.admin
    const { body: apps } = await service.call('GET', '/api/apps/', { token })
    const { app_id } = apps.find((each: App) => each.client_id === app.client_id)
    const put = (wanted: string[]) =>
      service.call('PATCH', `/api/apps/${app_id}/`, { token, body: { scopes: wanted } })
    const fewer = await put(['company.read'])
    assert.equal(fewer.status, 200, fewer.text)
    await until(403, () => call(app, access_token, 'POST', '/automation/company', {}))
    assert.equal((await call(app, access_token, 'GET', '/automation/company')).status, 200)
    const more = await put(scopes)
    assert.equal(more.status, 400, more.text)
    assert.match(more.text, /scopes.+company\.write, survey\.read/)
  })

  test('proves itself with its secret, whatever its client id looks like', async () => {
    const app = await listed({ client_id: `prc_${one.id}` })
    const { client_id, client_secret } = app
    const exchange = async (proof: object) =>
      postForm(service, '/oauth/token', {
        grant_type: 'authorization_code',
        code: await codeFor(service, app, one.users.admin.token),
        redirect_uri: callback,
        client_id,
        ...proof,
      })
    const bare = await exchange({})
    assert.equal(bare.status, 400, bare.text)
    const own = await exchange({ client_secret })
    assert.equal(own.status, 200, own.text)
    const token = own.body.access_token as string
    await postForm(service, '/oauth/revoke', { token, client_id })
    assert.equal((await call(app, token, 'GET', '/automation/company')).status, 200)
  })

  test('is limited in each organization by itself', async () => {
    const limited = await startService({
      rateLimits: {
        ...service.runtime.config.rateLimits,
        integration: { count: 2, seconds: 3600 },
      },
    })
    const [theirs, busy, calm] = [
      await makeOrganization(limited),
      await makeOrganization(limited),
      await makeOrganization(limited),
    ]
    const app = await makeApp(limited, theirs, { is_listed: true, scopes })
    const [first, second] = [await connect(app, busy, limited), await connect(app, calm, limited)]
    const read = async ({ access_token }: { access_token: string }) =>
      (await call(app, access_token, 'GET', '/automation/company', undefined, limited)).status
    const answers = [await read(first), await read(first), await read(first)]
    assert.deepEqual(answers, [200, 200, 429])
    assert.deepEqual([await read(second), await read(second), await read(second)], answers)
    const own = await connect(app, theirs, limited)
    assert.equal(await read(own), 200)
  })

  test('has deliveries of each organization to itself', async () => {
    const app = await listed()
    const receiver = await startReceiver()
    const [first, second] = [await connect(app, one), await connect(app, other)]
    for (const [{ access_token }, name] of [
      [first, 'one'],
      [second, 'other'],
    ] as const) {
      const body = { events: ['company_created'], url: `${receiver.url}/${name}` }
      const made = await call(app, access_token, 'POST', '/webhook/subscribe', body)
      assert.equal(made.status, 201, made.text)
    }
    const company_name = 'Heard by one'
    await call(app, first.access_token, 'POST', '/automation/company', { company_name })
    await call(app, second.access_token, 'POST', '/automation/company', {
      company_name: 'Heard by the other',
    })
    const arrivals = await receiver.arrived(2, () => true)
    assert.deepEqual(
      arrivals.map(({ path, json }) => [path, (json as any).data.company_name]).toSorted(),
      [
        ['/one', company_name],
        ['/other', 'Heard by the other'],
      ],
    )
  })

  test('loses what the operator takes from it everywhere, and is gone where it is no longer listed', async () => {
    const app = await listed()
    const { access_token } = await connect(app, one)
    const write = () => call(app, access_token, 'POST', '/automation/company', {})
    await reissue(app, { scopes: ['company.read'] })
    await until(403, write)
    const rotated = await service.runtime.database.transaction(allOrganizations, (queries) =>
      rotateApp(queries, service.runtime.secrets, app.client_id, { function_key: true }),
    )
    await until(401, () => call(app, access_token, 'GET', '/automation/company'))
    const keyed = { ...app, function_key: rotated.function_key! }
    assert.equal((await call(keyed, access_token, 'GET', '/automation/company')).status, 200)
    await reissue(app, { is_listed: false })
    await until(401, () => call(keyed, access_token, 'GET', '/automation/company'))
    const left = await rows(service, sql`select from apps where client_id = ${app.client_id}`)
    assert.equal(left.length, 1)
  })

  test('an app that is not listed is connected by its own organization alone', async () => {
    const app = await makeApp(service, home, { scopes })
    const query = authorizeQuery(app, {}, service.runtime.now())
    const { token } = one.users.admin
    const reply = await service.call('GET', `/oauth/authorize?${query}`, { token })
    assert.equal(reply.status, 403, reply.text)
    const listedOne = await listed()
    const { access_token } = await connect(listedOne, one)
    const stolen = await call(app, access_token, 'GET', '/automation/company')
    assert.equal(stolen.status, 401, stolen.text)
    const code = await codeFor(service, listedOne, token)
    const { client_id, client_secret } = app
    const exchanged = await postForm(service, '/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id,
      client_secret,
    })
    assert.equal(exchanged.status, 400, exchanged.text)
  })
})

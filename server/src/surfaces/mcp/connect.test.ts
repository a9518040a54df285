import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { atEnd } from '../../../test/support/finally.ts'
import { makeApp, postForm } from '../../../test/support/integration.ts'
import { callTool, eras, reaching } from '../../../test/support/mcp.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

const redirect = 'http://127.0.0.1:4711/callback'
const documentUrl = 'https://assistant.test/client.json'

describe('clients of MCP connect', () => {
  let service: TestService
  let org: TestOrganization
  let issuer: string

  before(async () => {
    service = await startService({ oauthRegistration: true })
    issuer = service.runtime.config.publicUrl
    org = await makeOrganization(service)
  })

  type Stored = { client?: any; tokens?: any; verifier?: string; found?: any; at?: URL }

  /** How a program with the official client stores what it gets; `at` is where it sends its user. */
  function provider(stored: Stored, own: Partial<OAuthClientProvider> = {}): OAuthClientProvider {
    return {
      redirectUrl: redirect,
      clientMetadata: { client_name: 'Assistant', redirect_uris: [redirect] },
      clientInformation: () => stored.client,
      saveClientInformation: (client) => void (stored.client = client),
      tokens: () => stored.tokens,
      saveTokens: (tokens) => void (stored.tokens = tokens),
      redirectToAuthorization: (url) => void (stored.at = url),
      saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
      codeVerifier: () => stored.verifier ?? '',
      saveDiscoveryState: (state) => void (stored.found = state),
      discoveryState: () => stored.found,
      invalidateCredentials: (what) => {
        if (what === 'tokens' || what === 'all') stored.tokens = undefined
      },
      ...own,
    }
  }

  /** The official client from the first 401 to its tokens, its user approving with a session. */
  async function walk(
    own: Partial<OAuthClientProvider>,
    era: string,
    stored: Stored = {},
    token = org.users.admin.token,
  ) {
    const options = { fetch: reaching(service), authProvider: provider(stored, own) }
    const address = new URL(`${issuer}/mcp`)
    const connect = async () => {
      const client = new Client({ name: 'walk', version: '1' }, { versionNegotiation: eras[era] })
      const transport = new StreamableHTTPClientTransport(address, options)
      await client.connect(transport)
      return client
    }
    const transport = new StreamableHTTPClientTransport(address, options)
    const first = new Client({ name: 'walk', version: '1' }, { versionNegotiation: eras[era] })
    await assert.rejects(first.connect(transport), /Unauthorized/i)
    assert.equal(stored.at?.searchParams.get('resource'), `${issuer}/mcp`)
    const approved = await service.call('GET', `${stored.at?.pathname}${stored.at?.search}`, {
      token,
    })
    assert.equal(approved.status, 302, approved.text)
    const back = new URL(approved.headers.get('location') ?? '')
    assert.equal(back.searchParams.get('iss'), issuer)
    await transport.finishAuth(back.searchParams)
    return { stored, connect }
  }

  const kinds: [string, () => Promise<[Partial<OAuthClientProvider>, Stored]>][] = [
    [
      'that an admin issued',
      async () => {
        const app = await makeApp(service, org, {
          standard_authorize: true,
          redirect_uris: [redirect],
        })
        const { client_id, client_secret } = app
        return [{}, { client: { client_id, client_secret, issuer } }]
      },
    ],
    ['that registers itself', async () => [{}, {}]],
    [
      'that describes itself at its address',
      async () => {
        describeClients(service, { [documentUrl]: [redirect] })
        return [{ clientMetadataUrl: documentUrl }, {}]
      },
    ],
  ]

  for (const era of Object.keys(eras)) {
    for (const [kind, begin] of kinds) {
      test(`one ${kind}, in the revision of ${era}`, async () => {
        const [own, begun] = await begin()
        const { stored, connect } = await walk(own, era, begun)
        const client = await connect()
        assert.ok((await client.listTools()).tools.length > 20)
        await client.close()

        // an access token that is over is refreshed without asking anybody
        const { refresh_token } = stored.tokens
        stored.tokens = { ...stored.tokens, access_token: 'x.y.z' }
        stored.at = undefined
        const again = await connect()
        await again.listTools()
        assert.equal(stored.at, undefined)
        assert.notEqual(stored.tokens.refresh_token, refresh_token)

        // and one whose connection was ended leads to consent again
        const [grant] = await rows(
          service,
          sql`select id from grants where organization_id = ${org.id} order by id desc limit 1`,
        )
        const ended = await service.call('DELETE', `/api/connections/${grant.id}/`, {
          token: org.users.admin.token,
        })
        assert.equal(ended.status, 204, ended.text)
        await assert.rejects(connect(), /Unauthorized/i)
        assert.ok(stored.at)
      })
    }
  }

  test('an app that nobody issued is written down where it was approved, listed and removed', async () => {
    const other = await makeOrganization(service)
    describeClients(service, { [documentUrl]: [redirect] })
    const own = { clientMetadataUrl: documentUrl }
    for (const each of [org, other]) {
      const stored: Stored = {}
      await walk(own, '2026-07-28', stored, each.users.manager.token)
      const made = await callTool(service, stored.tokens.access_token, 'create_company', {
        company_name: 'Made by it',
      })
      const read = await service.call('GET', `/api/company/${made.value.company_id}/`, {
        token: each.users.admin.token,
      })
      assert.equal(read.status, 200)
      const listed = await service.call('GET', '/api/apps/', { token: each.users.admin.token })
      const found = listed.body.filter((app: any) => app.client_id === documentUrl)
      assert.equal(found.length, 1)
      assert.equal(found[0].is_dynamic, true)
      assert.equal(found[0].name, 'Assistant')
      const rotated = await service.call('POST', `/api/apps/${found[0].app_id}/rotate/`, {
        token: each.users.admin.token,
        body: {},
      })
      assert.equal(rotated.status, 409)
      const gone = await service.call('DELETE', `/api/apps/${found[0].app_id}/`, {
        token: each.users.admin.token,
      })
      assert.equal(gone.status, 204)
      const after = await callTool(service, stored.tokens.access_token, 'search', { q: 'it' })
      assert.match(after.text, /has ended: connect again/)
    }
  })

  test('an app that may do less gets what it may, though the challenge names more', async () => {
    const app = await makeApp(service, org, {
      standard_authorize: true,
      redirect_uris: [redirect],
      scopes: ['company.read', 'deal.read'],
    })
    const { client_id, client_secret } = app
    const stored: Stored = { client: { client_id, client_secret, issuer } }
    await walk({}, '2026-07-28', stored)
    assert.equal(stored.tokens.scope, 'company.read deal.read')
    await assert.rejects(authorize({ scope: 'nothing.read' }), /400 .*invalid_scope/)
  })

  test('its tokens are for MCP alone, and its code for itself', async () => {
    describeClients(service, { [documentUrl]: [redirect], 'https://other.test/c.json': [redirect] })
    for (const resource of [issuer, 'https://another.test/mcp'])
      await assert.rejects(authorize({ resource }), /400 .*invalid_target/)
    const code = (await authorize()).searchParams.get('code') ?? ''
    const exchange = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
      client_id: documentUrl,
    }
    const foreign = { ...exchange, client_id: 'https://other.test/c.json' }
    assert.equal((await postForm(service, '/oauth/token', foreign)).status, 400)
    const wrong = { ...exchange, code_verifier: 'w'.repeat(43) }
    assert.equal((await postForm(service, '/oauth/token', wrong)).status, 400)
    const target = { ...exchange, resource: issuer }
    const refused = await postForm(service, '/oauth/token', target)
    assert.equal(refused.body.error, 'invalid_target')
    const issued = await postForm(service, '/oauth/token', {
      ...exchange,
      resource: `${issuer}/mcp`,
    })
    assert.equal(issued.status, 200, issued.text)
    const { access_token, refresh_token } = issued.body
    assert.equal((await callTool(service, access_token, 'search', { q: 'x' })).isError, false)
    const revoked = await postForm(service, '/oauth/revoke', {
      client_id: documentUrl,
      token: refresh_token,
    })
    assert.equal(revoked.status, 200)
    const after = await postForm(service, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: documentUrl,
    })
    assert.equal(after.body.error, 'invalid_grant')
  })

  test('it goes back to its own addresses alone, on this machine to any port', async () => {
    describeClients(service, { [documentUrl]: ['http://127.0.0.1/callback', redirect] })
    const port = await authorize({ redirect_uri: 'http://127.0.0.1:50123/callback' })
    assert.ok(port.searchParams.get('code'))
    for (const redirect_uri of ['https://evil.test/callback', 'http://127.0.0.1:1/other']) {
      await assert.rejects(authorize({ redirect_uri }), /400/)
    }
  })

  test('a document is read through the guard, within bounds, and must name itself', async () => {
    const fresh = await startService()
    const { clientDocuments } = fresh.runtime.services
    const answers: { [path: string]: (url: string) => [number, string] } = {
      '/good': (url) => [200, JSON.stringify({ client_id: url, redirect_uris: [redirect] })],
      '/other': () => [200, JSON.stringify({ client_id: 'https://x.test/y' })],
      '/html': () => [200, '<html>'],
      '/gone': () => [404, '{}'],
      '/moved': () => [302, ''],
      '/large': (url) => [200, JSON.stringify({ client_id: url, pad: 'x'.repeat(40_000) })],
    }
    let requests = 0
    const host = createServer((request, response) => {
      requests++
      const path = request.url ?? ''
      const [status, body] = answers[path]?.(`${base}${path}`) ?? [500, '']
      response.writeHead(status, { location: `${base}/good` }).end(body)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    atEnd(async () => void host.close())
    const base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    const read = await clientDocuments.read(`${base}/good`)
    assert.equal(read.client_id, `${base}/good`)
    await clientDocuments.read(`${base}/good`)
    assert.equal(requests, 1)
    for (const path of ['/other', '/html', '/gone', '/moved', '/large']) {
      await assert.rejects(clientDocuments.read(`${base}${path}`), { code: 'invalid_client' })
    }
    // where the installation is reached from outside, addresses inside are none
    const outside = await startService({ publicUrl: 'https://crm.test' })
    await assert.rejects(outside.runtime.services.clientDocuments.read(`${base}/good`), {
      code: 'invalid_client',
    })
    assert.equal(requests, 6)
  })

  test('registration is off unless the operator allows it, and bounded', async () => {
    const closed = await startService()
    const body = { client_name: 'Assistant', redirect_uris: [redirect] }
    assert.equal((await closed.call('POST', '/oauth/register', { body })).status, 404)
    const metadata = (path: TestService) =>
      path.call('GET', '/.well-known/oauth-authorization-server')
    assert.equal((await metadata(closed)).body.registration_endpoint, undefined)
    assert.equal((await metadata(service)).body.registration_endpoint, `${issuer}/oauth/register`)
    for (const wrong of [
      {},
      { redirect_uris: [] },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['mailto:ann@evil.test'] },
      { redirect_uris: ['intent://evil.test/'] },
      { redirect_uris: ['http://evil.test/'] },
      { redirect_uris: [redirect], client_name: 'x'.repeat(5000) },
      [],
    ]) {
      const reply = await service.call('POST', '/oauth/register', { body: wrong })
      assert.equal(reply.status, 400, reply.text)
    }
    const made = await service.call('POST', '/oauth/register', { body })
    assert.equal(made.status, 201)
    const forged = `${made.body.client_id}x`
    await assert.rejects(authorize({ client_id: forged }), /401/)
  })

  test('no browser is sent to an address that a client gave itself before its user has decided', async () => {
    const evil = 'https://evil.test/landing'
    describeClients(service, { [documentUrl]: [evil] })
    const registered = await service.call('POST', '/oauth/register', {
      body: { client_name: 'Assistant', redirect_uris: [evil] },
    })
    const issued = await makeApp(service, org, { standard_authorize: true, redirect_uris: [evil] })
    const wrong: { [error: string]: { [name: string]: string | undefined } } = {
      'invalid_scope of an unknown scope': { scope: 'nothing.read' },
      'invalid_target of another resource': { resource: 'https://another.test/mcp' },
      'invalid_request without a challenge': {
        code_challenge: undefined,
        code_challenge_method: undefined,
      },
      'invalid_request of the plain method': { code_challenge_method: 'plain' },
      'invalid_request of a short challenge': { code_challenge: 'short' },
      'invalid_request of a method alone': { code_challenge: undefined },
    }
    const enter = (
      client_id: string,
      accept: string,
      changes: { [name: string]: string | undefined },
    ) => {
      const asked = {
        client_id,
        response_type: 'code',
        redirect_uri: evil,
        state: 's',
        ...pkce,
        ...changes,
      }
      const sent = Object.entries(asked).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      return service.call('GET', `/oauth/connect?${new URLSearchParams(sent)}`, {
        headers: { accept },
      })
    }
    for (const client_id of [documentUrl, registered.body.client_id]) {
      for (const [name, changes] of Object.entries(wrong)) {
        for (const accept of ['text/html', '*/*']) {
          const reply = await enter(client_id, accept, changes)
          assert.equal(reply.status, 400, name)
          assert.equal(reply.headers.get('location'), null, name)
          assert.match(reply.headers.get('content-type') ?? '', accept === '*/*' ? /json/ : /html/)
          if (accept === '*/*') assert.equal(reply.body.error, name.split(' ')[0])
        }
      }
      // nor by the button of the sign-in page
      const page = await enter(client_id, 'text/html', {})
      const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      const [, request = ''] = /name="request" value="([^"]+)"/.exec(page.text) ?? []
      const cancelled = await postForm(
        service,
        '/oauth/authorize/consent',
        { request, decision: 'deny' },
        { cookie, accept: 'text/html' },
      )
      assert.equal(cancelled.status, 200, cancelled.text)
      assert.equal(cancelled.headers.get('location'), null)
      assert.match(cancelled.text, /Assistant was not connected/)
    }
    // an app that somebody vouched for learns of it, as RFC 6749 has it
    for (const [name, changes] of Object.entries(wrong)) {
      const reply = await enter(issued.client_id, 'text/html', changes)
      assert.equal(reply.status, 302, name)
      const back = new URL(reply.headers.get('location') ?? '')
      assert.equal(`${back.origin}${back.pathname}`, evil)
      assert.equal(back.searchParams.get('error'), name.split(' ')[0])
      assert.equal(back.searchParams.get('state'), 's')
    }
  })

  const verifier = 'v'.repeat(43)
  const pkce = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }

  /** The redirect of an approval by a script; rejects with the status of a refusal. */
  async function authorize(changes: { [name: string]: string } = {}): Promise<URL> {
    const query = new URLSearchParams({
      client_id: documentUrl,
      response_type: 'code',
      redirect_uri: redirect,
      ...pkce,
      ...changes,
    })
    const reply = await service.call('GET', `/oauth/connect?${query}`, {
      token: org.users.admin.token,
    })
    if (reply.status !== 302) throw new Error(`${reply.status} ${reply.text}`)
    return new URL(reply.headers.get('location') ?? '')
  }
})

/** Has the service find these documents, with their redirect addresses, where it would request them. */
function describeClients(service: TestService, known: { [url: string]: string[] }) {
  service.runtime.services.clientDocuments = {
    isKnown: () => true,
    read: async (url) => {
      const redirect_uris = known[url]
      if (!redirect_uris) throw new Error(`no document at ${url}`)
      return { client_id: url, client_name: 'Assistant', redirect_uris }
    },
  }
}

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { OAuth2Client, OAuth2Error } from '@badgateway/oauth2-client'
import * as openid from 'openid-client'
import { AuthorizationCode } from 'simple-oauth2'
import { callback, makeApp, postForm } from '../../server/test/support/integration.ts'
import type { TestOrganization, TestService } from '../../server/test/support/service.ts'
import { makeOrganization, startService } from '../../server/test/support/service.ts'
import { startRelay } from './relay.ts'

// OAuth libraries, used as their own manuals say, against the standard entry. Their users learn from
// `invalid_grant` that a person has to connect again.

let service: TestService
let org: TestOrganization

before(async () => {
  // the metadata names addresses, so that the service has to know its own before it starts
  const relay = await startRelay('')
  service = await startService({ publicUrl: relay.url })
  relay.target = service.url
  service.url = relay.url
  org = await makeOrganization(service)
})

/** What a person's browser does: opens the address, approves, and lands at the app. */
async function approve(address: string | URL): Promise<URL> {
  const { origin, pathname, search } = new URL(address)
  assert.equal(origin, service.url)
  const reply = await service.call('GET', pathname + search, { token: org.users.admin.token })
  assert.equal(reply.status, 302, reply.text)
  return new URL(reply.headers.get('location') ?? '')
}

/** Ends the connection of a refresh token, as the app itself does. */
async function end(app: { client_id: string; client_secret: string }, token = '') {
  const { client_id, client_secret } = app
  const reply = await postForm(service, '/oauth/revoke', { token, client_id, client_secret })
  assert.equal(reply.status, 200, reply.text)
}

test('openid-client', async () => {
  const app = await makeApp(service, org, { standard_authorize: true })
  const config = await openid.discovery(
    new URL(service.url),
    app.client_id,
    app.client_secret,
    undefined,
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: 'a state',
  })
  const checks = { pkceCodeVerifier, expectedState: 'a state' }
  const first = await openid.authorizationCodeGrant(config, await approve(address), checks)
  const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '')
  assert.notEqual(second.access_token, first.access_token)
  await end(app, second.refresh_token)
  await assert.rejects(openid.refreshTokenGrant(config, second.refresh_token ?? ''), (error) => {
    assert.ok(error instanceof openid.ResponseBodyError, String(error))
    assert.equal(error.error, 'invalid_grant')
    return true
  })
})

test('simple-oauth2', async () => {
  const app = await makeApp(service, org, { standard_authorize: true })
  const client = new AuthorizationCode({
    client: { id: app.client_id, secret: app.client_secret },
    auth: {
      tokenHost: service.url,
      tokenPath: '/oauth/token',
      authorizePath: '/oauth/connect',
      revokePath: '/oauth/revoke',
    },
  })
  const code_verifier = openid.randomPKCECodeVerifier()
  const pkce = {
    code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  }
  const address = client.authorizeURL({ redirect_uri: callback, state: 'a state', ...pkce })
  const code = (await approve(address)).searchParams.get('code') ?? ''
  const exchange = { code, redirect_uri: callback, code_verifier }
  const first = await client.getToken(exchange)
  assert.equal(first.expired(), false)
  const second = await first.refresh()
  assert.notEqual(second.token.access_token, first.token.access_token)
  await second.revokeAll()
  await assert.rejects(second.refresh(), (error: { data?: { payload?: { error?: string } } }) => {
    assert.equal(error.data?.payload?.error, 'invalid_grant')
    return true
  })
})

test('@badgateway/oauth2-client', async () => {
  const app = await makeApp(service, org, { standard_authorize: true })
  const client = new OAuth2Client({
    server: service.url,
    discoveryEndpoint: '/.well-known/oauth-authorization-server',
    clientId: app.client_id,
    clientSecret: app.client_secret,
  })
  const codeVerifier = openid.randomPKCECodeVerifier()
  const request = { redirectUri: callback, state: 'a state', codeVerifier }
  const address = await client.authorizationCode.getAuthorizeUri(request)
  const landing = String(await approve(address))
  const first = await client.authorizationCode.getTokenFromCodeRedirect(landing, request)
  const second = await client.refreshToken(first)
  assert.notEqual(second.accessToken, first.accessToken)
  await end(app, second.refreshToken ?? undefined)
  await assert.rejects(client.refreshToken(second), (error) => {
    assert.ok(error instanceof OAuth2Error, String(error))
    assert.equal(error.oauth2Code, 'invalid_grant')
    return true
  })
})

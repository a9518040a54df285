import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { callback, makeApp, sign, signature } from '../support/integration.ts'
import type { TestService } from '../support/service.ts'
import { makeOrganization, startService } from '../support/service.ts'

// an independent client library; nothing of ours but the signature in the address of the signed entry
describe('an OAuth client library', () => {
  let service: TestService
  let options: object
  let server: oauth.AuthorizationServer

  before(async () => {
    service = await startService()
    const issuer = service.runtime.config.publicUrl
    // the address that the service calls its own, on the port that this test got
    const reach = (url: string, init: object) => fetch(url.replace(issuer, service.url), init)
    options = { [oauth.customFetch]: reach, [oauth.allowInsecureRequests]: true }
    const found = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...options })
    server = await oauth.processDiscoveryResponse(new URL(issuer), found)
  })

  for (const [way, prove, entry] of [
    ['client_secret_basic', oauth.ClientSecretBasic, 'authorization_endpoint'],
    ['client_secret_post', oauth.ClientSecretPost, 'authorization_endpoint'],
    ['client_secret_basic', oauth.ClientSecretBasic, 'signed_authorization_endpoint'],
  ] as const) {
    test(`completes the authorization-code flow with ${way} at the ${entry}`, async () => {
      const org = await makeOrganization(service)
      const isStandard = entry === 'authorization_endpoint'
      const app = await makeApp(service, org, { standard_authorize: isStandard })
      const client: oauth.Client = { client_id: app.client_id }
      const proof = prove(app.client_secret)

      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const timestamp = String(Math.floor(Date.now() / 1000))
      const address = new URL(String(server[entry]).replace(server.issuer, service.url))
      address.search = new URLSearchParams({
        client_id: app.client_id,
        response_type: 'code',
        redirect_uri: callback,
        state,
        scope: 'company.read contact.write',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isStandard
          ? {}
          : { timestamp, signature: sign(app.client_id, app.client_secret, timestamp) }),
      }).toString()
      const redirect = await fetch(address, {
        redirect: 'manual',
        headers: { authorization: `Bearer ${org.users.admin.token}` },
      })
      const back = new URL(redirect.headers.get('location')!)
      const parameters = oauth.validateAuthResponse(server, client, back, state)
      // it checks who answers, and refuses the answer of another service (RFC 9207)
      assert.equal(server.authorization_response_iss_parameter_supported, true)
      const foreign = new URL(back)
      foreign.searchParams.set('iss', 'https://another.test')
      assert.throws(() => oauth.validateAuthResponse(server, client, foreign, state), /iss/)

      const issued = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          parameters,
          callback,
          verifier,
          options,
        ),
      )
      assert.equal(issued.token_type, 'bearer')
      assert.equal(issued.expires_in, 3600)
      assert.equal(issued.scope, 'company.read contact.write')

      // its own reading of the token, against our published keys (RFC 9068)
      const request = new Request('https://resource.test/', {
        headers: { authorization: `Bearer ${issued.access_token}` },
      })
      const claims = await oauth.validateJwtAccessToken(server, request, 'integration', options)
      assert.equal(claims.client_id, app.client_id)
      assert.equal(claims.sub, org.users.admin.user_id)

      const places = [server, { ...server, token_endpoint: server.refresh_endpoint as string }]
      let { refresh_token } = issued
      for (const place of places) {
        const renewed = await oauth.processRefreshTokenResponse(
          place,
          client,
          await oauth.refreshTokenGrantRequest(place, client, proof, refresh_token!, options),
        )
        assert.notEqual(renewed.refresh_token, refresh_token)
        assert.equal(await status(renewed.access_token), 200)
        refresh_token = renewed.refresh_token
      }

      const wrong = prove('guess')
      await assert.rejects(
        async () =>
          oauth.processRefreshTokenResponse(
            server,
            client,
            await oauth.refreshTokenGrantRequest(server, client, wrong, refresh_token!, options),
          ),
        (error: any) => error.status === 401,
      )

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, proof, refresh_token!, options),
      )
      assert.equal(await status(issued.access_token), 401)
      // what an app has to learn to ask its user to connect again
      await assert.rejects(
        async () =>
          oauth.processRefreshTokenResponse(
            server,
            client,
            await oauth.refreshTokenGrantRequest(server, client, proof, refresh_token!, options),
          ),
        (error: any) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
      )

      async function status(token: string) {
        const headers = {
          'x-functions-key': app.function_key,
          ...signature(app.client_id, app.client_secret),
        }
        return (await service.call('GET', '/automation/test', { token, headers })).status
      }
    })
  }
})

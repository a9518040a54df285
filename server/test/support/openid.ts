import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWTPayload } from 'jose'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { atEnd } from './finally.ts'

/** What a sign-in at the provider was begun with. */
type Begun = { redirect_uri: string; nonce: string; challenge: string; client_id: string }

/** An OpenID provider, on a free port of this machine. */
export type Provider = {
  issuer: string
  client_id: string
  client_secret: string
  /** who signs in next */
  claims: JWTPayload & { [claim: string]: unknown }
  /** what it does wrong, for a test of what must be refused */
  wrong: {
    issuer?: string
    nonce?: string
    audience?: string
    expired?: boolean
    foreignKey?: boolean
    /** accepts a code repeatedly, with any verifier */
    careless?: boolean
    /** sends the browser elsewhere in place of an answer */
    redirectsTo?: string
    /** bytes in front of the token's answer */
    padding?: number
  }
  /** signs in at an authorization address: where the browser is sent back to */
  signIn(authorization_url: string): Promise<URL>
  requests: string[]
}

/** Starts a provider; it stops when the test file is done. */
export async function startProvider(): Promise<Provider> {
  const [ours, others] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Begun>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', provider.issuer)
    provider.requests.push(`${request.method} ${pathname}`)
    const answer = (status: number, body: object) => {
      const text = ' '.repeat(provider.wrong.padding ?? 0) + JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    }
    if (provider.wrong.redirectsTo) {
      return response.writeHead(302, { location: provider.wrong.redirectsTo }).end()
    }
    const { issuer } = provider
    if (pathname === '/.well-known/openid-configuration') {
      return answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      })
    }
    if (pathname === '/jwks') return answer(200, { keys: [jwk] })
    if (pathname === '/authorize') {
      const code = randomBytes(16).toString('hex')
      const [redirect_uri = '', nonce = '', challenge = '', client_id = '', state = ''] = [
        'redirect_uri',
        'nonce',
        'code_challenge',
        'client_id',
        'state',
      ].map((name) => query.get(name) ?? '')
      codes.set(code, { redirect_uri, nonce, challenge, client_id })
      const back = new URL(redirect_uri)
      for (const [name, value] of Object.entries({ code, state, iss: issuer }))
        back.searchParams.set(name, value)
      return response.writeHead(302, { location: back.href }).end()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const code = form.get('code') ?? ''
    const begun = codes.get(code)
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const { client_id, client_secret } = provider
    const sent = request.headers.authorization?.replace(/^Basic /, '') ?? ''
    // each half is form-encoded (RFC 6749, 2.3.1)
    const basic = decodeURIComponent(Buffer.from(sent, 'base64').toString())
    if (basic !== `${client_id}:${client_secret}`) return answer(401, { error: 'invalid_client' })
    const isRight = begun?.challenge === verifier && begun.redirect_uri === form.get('redirect_uri')
    if (!begun || (!isRight && !provider.wrong.careless)) {
      return answer(400, { error: 'invalid_grant' })
    }
    if (!provider.wrong.careless) codes.delete(code)
    const { wrong } = provider
    const now = Math.floor(Date.now() / 1000)
    const id_token = await new SignJWT({ nonce: wrong.nonce ?? begun.nonce, ...provider.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(wrong.issuer ?? issuer)
      .setAudience(wrong.audience ?? client_id)
      .setIssuedAt(wrong.expired ? now - 7200 : now)
      .setExpirationTime(wrong.expired ? now - 3600 : now + 300)
      .sign(wrong.foreignKey ? others.privateKey : ours.privateKey)
    answer(200, { access_token: 'of no use here', token_type: 'Bearer', id_token })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const provider: Provider = {
    issuer: `http://127.0.0.1:${port}`,
    client_id: 'perennial-at-home',
    client_secret: randomBytes(16).toString('hex'),
    claims: {},
    wrong: {},
    requests: [],
    async signIn(authorization_url) {
      const reply = await fetch(authorization_url, { redirect: 'manual' })
      return new URL(reply.headers.get('location')!)
    },
  }
  return provider
}

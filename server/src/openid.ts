import type { Dispatcher } from 'undici'
import { fetch } from 'undici'
import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import { boundedBody } from './kit/ground/bounded-body.ts'
import { badField, unauthorized, unavailable } from './kit/ground/errors.ts'
import type { OpenIdClient, OpenIdProvider } from './kit/ground/services.ts'
import type { Log } from './kit/ground/context.ts'

// loaded by the first sign-in at a provider
const library = () => import('openid-client')

const timeoutSeconds = 10
/** The maximum size of a provider's answer: descriptions and keys have a few kilobytes. */
const mostBytes = 256 * 1024
/** The maximum bytes of answers whose parsed contents are cached, which take some twenty times as much memory. */
const mostCached = 4 * 1024 * 1024
const tenMinutes = 600_000
const halfAMinute = 30_000

/**
 * OpenID Connect by the code flow with PKCE, state and nonce. Addresses in a provider's description
 * are requested through `agent`, which guards where requests may go, since tenants choose them.
 */
export function openIdClient(agent: Dispatcher, log: Log): OpenIdClient {
  const known = new LRUCache<string, Known>({
    maxSize: mostCached,
    ttl: tenMinutes,
    sizeCalculation: ({ bytes }) => bytes + 1000,
  })

  /** Reads the description of a provider; its keys, read later, count towards the limit too. */
  function discovered(provider: OpenIdProvider): Known {
    const key = JSON.stringify(provider)
    const found: Known = { bytes: 0, configuration: discover(agent, provider, received) }
    function received(bytes: number) {
      found.bytes += bytes
      if (known.peek(key)?.configuration !== found.configuration) return
      // only a new entry is measured
      known.set(key, { ...found }, { noUpdateTTL: true })
    }
    return found
  }

  function configurationOf(provider: OpenIdProvider): Promise<Configuration> {
    const key = JSON.stringify(provider)
    const cached = known.get(key)
    if (cached) return cached.configuration
    const found = discovered(provider)
    known.set(key, found)
    // an unreachable provider is not tried again for each sign-in
    found.configuration.catch(() => known.set(key, found, { ttl: halfAMinute }))
    return found.configuration
  }

  return {
    async check(provider) {
      try {
        const found = discovered(provider)
        await found.configuration
        known.set(JSON.stringify(provider), found)
      } catch (err) {
        log.warn(reasonOf(err, provider), 'an OpenID provider was refused')
        const shown = 'must be the address of an OpenID provider that can be reached from here'
        throw badField('issuer', `${shown}, as its own description names it`)
      }
    },
    async begin(provider, { redirect_uri, state, nonce, verifier }) {
      const configuration = await configurationOf(provider).catch((err: unknown) => {
        log.warn(reasonOf(err, provider), 'an OpenID provider cannot be reached')
        throw unavailable('The OpenID provider cannot be reached', 5)
      })
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      return buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },
    async finish(provider, url, { state, nonce, verifier }) {
      try {
        const { authorizationCodeGrant } = await library()
        const tokens = await authorizationCodeGrant(await configurationOf(provider), url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('the answer has no claims')
        const { email_verified } = claims
        const subject = textOf(claims.sub, 255)
        if (subject === null) throw new Error('the subject is longer than 255 characters')
        return {
          subject,
          email: textOf(claims.email, 320),
          // Amazon Cognito, among others, writes it as text
          email_verified: email_verified === true || email_verified === 'true',
          name: textOf(claims.name, 255),
        }
      } catch (err) {
        log.warn(reasonOf(err, provider), 'a sign-in by OpenID was refused')
        throw unauthorized('The OpenID provider did not sign you in: begin again', 'openid_failed')
      }
    },
  }
}

/** The description of a provider, and its size in bytes. */
type Known = { bytes: number; configuration: Promise<Configuration> }

/** A claim that is text of at most so many characters, and can be stored; else null. */
function textOf(claim: unknown, most: number): string | null {
  if (typeof claim !== 'string' || claim.length > most || !claim.isWellFormed()) return null
  // oxlint-disable-next-line no-control-regex -- exactly what is looked for
  return /[\0-\x1f\x7f]/.test(claim) ? null : claim
}

/** The text for the log, because the library's errors contain whole answers, with tokens and people. */
function reasonOf(error: unknown, { issuer }: OpenIdProvider) {
  const { message, code } = error as Error & { code?: string }
  return { issuer, reason: message, code }
}

/** Reads the description of a provider, whose `issuer` must be the requested one. */
async function discover(
  agent: Dispatcher,
  { issuer, client_id, client_secret }: OpenIdProvider,
  received: (bytes: number) => void,
): Promise<Configuration> {
  const {
    ClientSecretBasic,
    ClientSecretPost,
    allowInsecureRequests,
    customFetch,
    discovery,
    enableNonRepudiationChecks,
  } = await library()
  const url = new URL(issuer)
  const [post, basic] = [ClientSecretPost(client_secret), ClientSecretBasic(client_secret)]
  return discovery(
    url,
    client_id,
    { client_secret },
    (server, client, body, headers) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const way = methods.includes('client_secret_post') ? post : basic
      return way(server, client, body, headers)
    },
    {
      timeout: timeoutSeconds,
      // the signature of the ID token is checked, though it comes from the provider itself; plain
      // http is refused by the agent, except for addresses that the operator allowed
      execute: [
        enableNonRepudiationChecks,
        ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
      [customFetch]: (target: string, options: unknown) =>
        guarded(agent, target, options as Sent, received),
    },
  )
}

type Sent = {
  method: string
  headers: { [name: string]: string }
  body?: { toString(): string } | null
}

/** One request through the agent: no redirects, ten seconds, a quarter of a mebibyte. */
async function guarded(
  agent: Dispatcher,
  url: string,
  { method, headers, body }: Sent,
  received: (bytes: number) => void,
) {
  const response = await fetch(url, {
    method,
    headers,
    body: body?.toString(),
    redirect: 'manual',
    dispatcher: agent,
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  })
  const content = await boundedBody(
    response.body,
    mostBytes,
    () => new Error('the answer of the provider is too large'),
  )
  // for descriptions and keys; tokens are not cached
  if (method === 'GET') received(content.length)
  const { status } = response
  const hasBody = ![101, 204, 205, 304].includes(status)
  const type = response.headers.get('content-type')
  return new Response(hasBody ? content : null, {
    status,
    headers: type ? { 'content-type': type } : {},
  })
}

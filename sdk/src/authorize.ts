import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The credentials of an app, and the address of the installation. */
export type Credentials = {
  /** such as `https://crm.example.com` */
  baseUrl: string
  clientId: string
  clientSecret: string
  functionKey: string
}

/** The parameters of both ways to consent; `state` is returned unchanged, `scopes` are the app's by default. */
export type AuthorizeOptions = { redirectUri: string; state: string; scopes?: string[] }

/** The address for a person's browser; keep `codeVerifier` until the code is returned. */
export type AuthorizeRequest = { url: string; codeVerifier: string }

/**
 * The address where a person approves the app. `standard` opens `/oauth/connect`, for apps issued with
 * `--standard`; `signed` opens `/oauth/authorize`, and the address is valid for 5 minutes. Both use PKCE.
 */
export function authorizeUrl(
  credentials: Pick<Credentials, 'baseUrl' | 'clientId' | 'clientSecret'>,
  kind: 'standard' | 'signed',
  { redirectUri, state, scopes }: AuthorizeOptions,
): AuthorizeRequest {
  const { baseUrl, clientId, clientSecret } = credentials
  const codeVerifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  if (scopes) query.set('scope', scopes.join(' '))
  if (kind === 'signed') {
    const { timestamp, signature } = sign(clientId, clientSecret)
    query.set('timestamp', timestamp)
    query.set('signature', signature)
  }
  const path = kind === 'signed' ? '/oauth/authorize' : '/oauth/connect'
  return { url: `${baseUrl.replace(/\/+$/, '')}${path}?${query}`, codeVerifier }
}

/** The hex HMAC-SHA256 over `<client id>:<timestamp>`, and the timestamp in seconds; valid for 5 minutes. */
export function sign(clientId: string, clientSecret: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', clientSecret)
    .update(`${clientId}:${timestamp}`)
    .digest('hex')
  return { timestamp, signature }
}

/** The credentials of a call of the integration surface; docs/guide/signing.md describes them. */
export type Credentials = {
  clientId: string
  clientSecret: string
  functionKey: string
  accessToken: string
}

/** HMAC-SHA256 over `<client id>:<timestamp>` with the client secret as key, in hex. */
export async function signatureOf(
  clientId: string,
  clientSecret: string,
  timestamp: number,
): Promise<string> {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    bytes.encode(clientSecret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const made = await crypto.subtle.sign('HMAC', key, bytes.encode(`${clientId}:${timestamp}`))
  return [...new Uint8Array(made)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The headers with the credentials; `now` in milliseconds. */
export async function signedHeaders(
  { clientId, clientSecret, functionKey, accessToken }: Credentials,
  now: number,
): Promise<{ [name: string]: string }> {
  const timestamp = Math.floor(now / 1000)
  return {
    authorization: `Bearer ${accessToken}`,
    'x-oauth-timestamp': String(timestamp),
    'x-oauth-signature': await signatureOf(clientId, clientSecret, timestamp),
    'x-functions-key': functionKey,
  }
}

/** The same request for a shell; valid for five minutes, like its signature. */
export function curlLine(
  url: string,
  method: string,
  headers: { [name: string]: string },
  body?: string,
): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** The address where a person lets the app act for them, signed like a call. */
export async function consentAddress(
  { clientId, clientSecret }: Pick<Credentials, 'clientId' | 'clientSecret'>,
  redirectUri: string,
  state: string,
  now: number,
): Promise<string> {
  const timestamp = Math.floor(now / 1000)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    timestamp: String(timestamp),
    signature: await signatureOf(clientId, clientSecret, timestamp),
  })
  return `/oauth/authorize?${query}`
}

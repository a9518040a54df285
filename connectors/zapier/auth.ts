import { createHmac } from 'node:crypto'
import type { Authentication, Bundle, ZObject } from 'zapier-platform-core'
import { errorOf, refusalIn } from './refusals.ts'

type Values = { [name: string]: string }
type Tokens = { access_token: string; refresh_token: string }

/** The fields that a person fills in; Zapier adds the tokens. */
export type AuthData = {
  address: string
  client_id: string
  client_secret: string
  function_key: string
  access_token?: string
  refresh_token?: string
}

/** The fields are part of the input while consent is open, and of the connection afterwards. */
export function authDataOf({ authData, inputData }: Bundle): AuthData {
  const data = { ...inputData, ...authData } as AuthData
  const address = String(data.address ?? '')
    .trim()
    .replace(/\/+$/, '')
  const hasScheme = !address || /^https?:\/\//i.test(address)
  return { ...data, address: hasScheme ? address : `https://${address}` }
}

/** The address of the installation, with a scheme and without a trailing slash. */
export function addressOf(bundle: Bundle): string {
  return authDataOf(bundle).address
}

/** The hex HMAC over the client id and the time in seconds; valid for 5 minutes. */
export function sign({ client_id, client_secret }: AuthData) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', client_secret)
    .update(`${client_id}:${timestamp}`)
    .digest('hex')
  return { timestamp, signature }
}

async function authorizeUrl(_z: ZObject, bundle: Bundle): Promise<string> {
  const auth = authDataOf(bundle)
  const { state, redirect_uri } = bundle.inputData as Values
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: auth.client_id,
    redirect_uri: redirect_uri ?? '',
    state: state ?? '',
    ...sign(auth),
  })
  return `${auth.address}/oauth/authorize?${query}`
}

function getAccessToken(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const { code, redirect_uri } = bundle.inputData as Values
  return exchange(z, authDataOf(bundle), '/oauth/token', {
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: redirect_uri ?? '',
  })
}

function refreshAccessToken(z: ZObject, bundle: Bundle): Promise<Tokens> {
  const auth = authDataOf(bundle)
  return exchange(z, auth, '/auth_refresh/', {
    grant_type: 'refresh_token',
    token: auth.refresh_token ?? '',
  })
}

/** A refusal here is final: the person is asked to connect again. */
async function exchange(z: ZObject, auth: AuthData, path: string, form: Values): Promise<Tokens> {
  const response = await z.request({
    method: 'POST',
    url: auth.address + path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { ...form, client_id: auth.client_id, client_secret: auth.client_secret },
    skipThrowForStatus: true,
  })
  const { message, error_description } = refusalIn(response)
  const reason = message ?? error_description
  if (reason && (response.status === 400 || response.status === 401)) {
    throw new z.errors.ExpiredAuthError(`${reason}. Please connect Perennial again.`)
  }
  if (response.status >= 400) throw errorOf(response, z)
  const { access_token, refresh_token } = (response.data ?? {}) as Partial<Tokens>
  if (!access_token || !refresh_token) throw strange(z, auth)
  return { access_token, refresh_token }
}

/** The error for an address where something else answers. */
function strange(z: ZObject, { address }: AuthData): Error {
  return new z.errors.Error(`${address} is not the address of a Perennial`, 'wrong_address')
}

async function testConnection(z: ZObject, bundle: Bundle): Promise<{ organisation: string }> {
  const response = await z.request({ url: `${addressOf(bundle)}/automation/test` })
  const { organisation } = (response.data ?? {}) as { organisation?: string }
  if (organisation === undefined) throw strange(z, authDataOf(bundle))
  return { organisation }
}

// without autoRefresh, which treats every 401 as an expired token: requests.ts distinguishes them
export const authentication = {
  type: 'oauth2',
  test: testConnection,
  connectionLabel: '{{organisation}}',
  fields: [
    {
      key: 'address',
      label: 'Address',
      required: true,
      placeholder: 'https://crm.example.com',
      helpText: 'Where your Perennial is, without a path.',
    },
    {
      key: 'client_id',
      label: 'Client ID',
      required: true,
      helpText: 'Of the app that your administrator issued.',
    },
    { key: 'client_secret', label: 'Client Secret', type: 'password', required: true },
    { key: 'function_key', label: 'Function Key', type: 'password', required: true },
  ],
  oauth2Config: { authorizeUrl, getAccessToken, refreshAccessToken },
} satisfies Authentication

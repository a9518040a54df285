import { createHmac } from 'node:crypto'
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IPollFunctions,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'

export const credentialName = 'perennialOAuth2Api'

export type Caller = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | IPollFunctions

type Sent = {
  query?: { [name: string]: string | number }
  body?: object
  idempotencyKey?: string
  itemIndex?: number
}

/** The body of a refusal. */
type Refusal = { message?: string; code?: string; data?: IDataObject; error?: string }

/** Codes of a 401 because the entered credentials are not, or no longer, those of the app. */
const mistyped = ['invalid_signature', 'invalid_function_key', 'invalid_client']

type FullResponse = { statusCode: number; headers: IDataObject; body: unknown }

/**
 * Sends one signed request; n8n adds and refreshes the access token. Throws a NodeApiError with the
 * API's message, and for a connection that has ended one that says to connect again.
 */
export async function request<T>(
  caller: Caller,
  method: IHttpRequestMethods,
  path: string,
  sent: Sent = {},
): Promise<T> {
  const { statusCode, headers, body } = await send(caller, method, path, sent)
  if (statusCode >= 400) throw refused(caller, statusCode, body, headers, sent.itemIndex)
  return body as T
}

/** The same, but undefined if the API answers with that status. */
export async function requestUnless<T>(
  status: number,
  caller: Caller,
  method: IHttpRequestMethods,
  path: string,
  sent: Sent = {},
): Promise<T | undefined> {
  const { statusCode, headers, body } = await send(caller, method, path, sent)
  if (statusCode === status) return undefined
  if (statusCode >= 400) throw refused(caller, statusCode, body, headers, sent.itemIndex)
  return body as T
}

async function send(
  caller: Caller,
  method: IHttpRequestMethods,
  path: string,
  { query, body, idempotencyKey, itemIndex }: Sent,
): Promise<FullResponse> {
  const { baseUrl, functionKey, clientId, clientSecret } =
    await caller.getCredentials(credentialName)
  const options = {
    method,
    url: `${String(baseUrl).replace(/\/+$/, '')}${path}`,
    qs: query,
    body: body as IDataObject | undefined,
    json: true,
    returnFullResponse: true,
    // n8n refreshes the token when it sees a 401; the other refusals are read here
    ignoreHttpStatusErrors: { ignore: true as const, except: [401] },
    headers: {
      'x-functions-key': String(functionKey),
      ...signature(String(clientId), String(clientSecret)),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
  }
  try {
    return (await caller.helpers.httpRequestWithAuthentication.call(
      caller,
      credentialName,
      options,
    )) as FullResponse
  } catch (error) {
    throw failed(caller, error, itemIndex)
  }
}

/** The two signature headers, valid for 5 minutes. */
function signature(clientId: string, clientSecret: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return {
    'x-oauth-timestamp': timestamp,
    'x-oauth-signature': createHmac('sha256', clientSecret)
      .update(`${clientId}:${timestamp}`)
      .digest('hex'),
  }
}

/** An error of n8n itself: no answer, a refused refresh, or a status for which this version of n8n throws. */
function failed(caller: Caller, error: unknown, itemIndex?: number): NodeApiError {
  const { response, httpCode, message } = error as {
    response?: { status?: number; statusCode?: number; data?: unknown; headers?: IDataObject }
    httpCode?: string | number
    message?: string
  }
  const status = Number(response?.status ?? response?.statusCode ?? httpCode ?? 0)
  const said = `${message} ${textOf(response?.data)}`
  // n8n's refresh reports it with OAuth's code, or with its own message
  if (/invalid_client|client authentication failed/i.test(said)) {
    const body = { code: 'invalid_client', message: 'The client ID or client secret is not valid' }
    return refused(caller, 401, body, {}, itemIndex)
  }
  if (status === 401 || /invalid_grant|refresh token/i.test(said)) {
    return refused(caller, 401, response?.data, {}, itemIndex)
  }
  if (status) return refused(caller, status, response?.data, response?.headers ?? {}, itemIndex)
  return new NodeApiError(caller.getNode(), error as JsonObject, {
    message: 'Perennial cannot be reached',
    description: `${message ?? ''} Check the address in the credential.`.trim(),
    itemIndex,
  })
}

function refused(
  caller: Caller,
  status: number,
  body: unknown,
  headers: IDataObject,
  itemIndex?: number,
): NodeApiError {
  const refusal = (typeof body === 'object' && body ? body : {}) as Refusal
  const message = refusal.message ?? `Perennial answered ${status}`
  return new NodeApiError(caller.getNode(), { status, ...refusal } as JsonObject, {
    httpCode: String(status),
    itemIndex,
    ...sentences(status, message, refusal, headers),
  })
}

function sentences(status: number, message: string, refusal: Refusal, headers: IDataObject) {
  if (status === 401 && mistyped.includes(refusal.code ?? '')) {
    const description =
      'Compare the client ID, client secret and function key in the credential with those of the app.'
    return { message, description }
  }
  if (status === 401) {
    return {
      message: 'The connection to Perennial has ended',
      description: 'Open the Perennial credential and connect again.',
    }
  }
  if (status === 429) {
    const seconds = headers['retry-after']
    return { message, description: seconds ? `Try again in ${seconds} s.` : 'Try again later.' }
  }
  if (status === 409 && refusal.data) {
    const ids = Object.entries(refusal.data).map(([name, value]) => `${name} ${value}`)
    return { message, description: `The one that exists has ${ids.join(', ')}.` }
  }
  return { message, description: '' }
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data ?? '')
}

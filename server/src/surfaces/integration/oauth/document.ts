import type { Described } from '../../openapi.ts'
import type { Method } from '../../route.ts'
import type { clientParameters } from './clients.ts'
import type { JSONSchema } from '../../../kit/ground/json-schema.ts'

/** An identity endpoint as the API document describes it. */
export type IdentityEndpoint = {
  method: Method
  path: string
  summary: string
  description?: string
  /** query parameters */
  parameters: { name: string; required: boolean; description: string; schema: JSONSchema }[]
  /** a form; JSON of the same properties is accepted too */
  form?: JSONSchema
  responses: { [status: number]: { description: string; schema?: JSONSchema } }
}

const error: JSONSchema = {
  title: 'IdentityError',
  type: 'object',
  properties: {
    error: { type: 'string', description: 'a code of RFC 6749' },
    error_description: { type: 'string' },
    message: { type: 'string' },
    code: { type: 'string', description: 'stable, for programs' },
    request_id: { type: 'string' },
  },
  required: ['error', 'message', 'code', 'request_id'],
}

/** Either envelope: what RFC 6749 has no word for is said as everywhere. */
const refused: JSONSchema = {
  title: 'IdentityRefusal',
  type: 'object',
  properties: { ...(error.properties as object), status: { type: 'string', const: 'error' } },
  required: ['message', 'code', 'request_id'],
  anyOf: [{ required: ['error'] }, { required: ['status'] }],
}

const text: JSONSchema = { type: 'string' }

const issued = {
  access_token: { type: 'string', description: 'a JWT' },
  refresh_token: text,
  token_type: { type: 'string', const: 'Bearer' },
  expires_in: { type: 'integer', description: 'seconds until the access token expires' },
  refresh_expires_in: { type: 'integer', description: 'seconds the refresh token lives unused' },
  scope: { type: 'string', description: 'the granted scopes, separated by blanks' },
}

const proofs: { [name in (typeof clientParameters)[number]]: JSONSchema } = {
  client_id: { type: 'string', description: 'may come from HTTP Basic' },
  client_secret: { type: 'string', description: 'unless it comes from HTTP Basic' },
  timestamp: { type: 'string', description: 'Unix time in seconds, with signature' },
  signature: {
    type: 'string',
    description: 'hex HMAC-SHA256 over <client_id>:<timestamp>, instead of the secret',
  },
}

const proving =
  'The client proves itself in exactly one way: HTTP Basic, `client_secret`, or the signature pair ' +
  '(headers `X-OAuth-Timestamp` and `X-OAuth-Signature`, or form `timestamp` and `signature`).'

function query(name: string, description: string, required = true) {
  return { name, required, description, schema: text }
}

/** The identity endpoints, for the API document and for refusing other methods. */
export const identityDocument: IdentityEndpoint[] = [
  {
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Ask a user to connect an app: sign-in and consent in the browser',
    description:
      'The address is signed by the app. With an application bearer token, or when the user has ' +
      'approved the same scopes before, the redirect comes at once.',
    parameters: [
      query('client_id', 'the app'),
      query('response_type', 'must be `code`'),
      query('redirect_uri', 'one of the app’s registered addresses, character by character'),
      query('state', 'given back unchanged'),
      query('timestamp', 'Unix time in seconds, at most 300 off'),
      query(
        'signature',
        'hex HMAC-SHA256 over `<client_id>:<timestamp>`, keyed by the client secret',
      ),
      query(
        'scope',
        'a subset of the app’s scopes, separated by blanks; all of them without it',
        false,
      ),
      query('code_challenge', 'PKCE (RFC 7636)', false),
      query('code_challenge_method', 'must be `S256` where there is a challenge', false),
    ],
    responses: {
      200: { description: 'The sign-in or consent page, as HTML' },
      302: {
        description: 'To `redirect_uri` with `code` and `state`, or with `error` and `state`',
      },
      400: { description: 'A parameter is missing or wrong', schema: error },
      401: { description: 'Unknown client, wrong signature or wrong bearer token', schema: error },
      403: { description: 'The user may not connect apps' },
    },
  },
  {
    method: 'POST',
    path: '/oauth/authorize/sign-in',
    summary: 'The form of the sign-in page',
    parameters: [],
    form: {
      type: 'object',
      properties: { request: text, email: text, password: text },
      required: ['request', 'email', 'password'],
    },
    responses: {
      303: { description: 'To the consent page' },
      401: { description: 'The sign-in page again, with what was wrong' },
      403: { description: 'The form is not this browser’s, or the user is deactivated' },
      429: { description: 'Too many failures' },
    },
  },
  {
    method: 'GET',
    path: '/oauth/authorize/consent',
    summary: 'The consent page',
    parameters: [query('request', 'the app’s request, sealed')],
    responses: {
      200: { description: 'The page, as HTML' },
      302: { description: 'To `redirect_uri`, where the user has approved before' },
      403: { description: 'The request is not this browser’s, or the user may not connect apps' },
    },
  },
  {
    method: 'POST',
    path: '/oauth/authorize/consent',
    summary: 'The form of the consent page',
    parameters: [],
    form: {
      type: 'object',
      properties: { request: text, decision: { type: 'string', enum: ['approve', 'deny'] } },
      required: ['request', 'decision'],
    },
    responses: {
      302: { description: 'To `redirect_uri` with `code` and `state`, or `error=access_denied`' },
      401: { description: 'The sign-in page: the session has ended' },
      403: { description: 'The form is not this browser’s, or the user may not connect apps' },
    },
  },
  {
    method: 'POST',
    path: '/oauth/authorize/sign-out',
    summary: 'Sign in as somebody else',
    parameters: [],
    form: { type: 'object', properties: { request: text }, required: ['request'] },
    responses: {
      200: { description: 'The sign-in page' },
      403: { description: 'The form is not this browser’s' },
    },
  },
  {
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange an authorization code for tokens',
    description:
      `${proving} A code lives 60 seconds and is good once; using it again revokes everything ` +
      'issued from it. With `grant_type=refresh_token` and `refresh_token` it refreshes, as ' +
      '/auth_refresh/ does.',
    parameters: [],
    form: {
      type: 'object',
      properties: {
        grant_type: { type: 'string', description: 'must be `authorization_code`' },
        code: text,
        redirect_uri: { type: 'string', description: 'the same as in authorize' },
        code_verifier: { type: 'string', description: 'where there was a code_challenge' },
        ...proofs,
      },
      required: ['grant_type', 'code', 'redirect_uri', 'client_id'],
    },
    responses: {
      200: {
        description: 'The tokens',
        schema: {
          type: 'object',
          properties: issued,
          required: ['access_token', 'refresh_token', 'token_type', 'expires_in'],
        },
      },
      400: { description: 'A parameter is missing or wrong', schema: error },
      401: { description: 'Wrong client credentials, or the code is late or used', schema: error },
      429: { description: 'Too many failures' },
    },
  },
  {
    method: 'POST',
    path: '/auth_refresh/',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'Each use rotates the token. The one before works for 60 seconds more, for answers that were ' +
      'lost; after that its use ends the whole connection. The client secret is checked when it is ' +
      'sent, and required only of apps issued with `require_client_auth_on_refresh`.',
    parameters: [],
    form: {
      type: 'object',
      properties: {
        grant_type: { type: 'string', description: 'must be `refresh_token`' },
        token: { type: 'string', description: 'the refresh token; `refresh_token` works too' },
        ...proofs,
      },
      required: ['grant_type', 'token'],
    },
    responses: {
      200: {
        description: 'The new tokens',
        schema: {
          type: 'object',
          properties: {
            ...issued,
            refresh: { type: 'string', description: 'the new refresh token' },
          },
          required: ['access_token', 'refresh'],
        },
      },
      400: { description: 'A parameter is missing or wrong', schema: error },
      401: { description: 'The token is unknown, expired or revoked', schema: error },
      429: { description: 'Too many failures' },
    },
  },
  {
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'End a connection by one of its tokens (RFC 7009)',
    description: proving,
    parameters: [],
    form: {
      type: 'object',
      properties: { token: text, token_type_hint: text, ...proofs },
      required: ['token', 'client_id'],
    },
    responses: {
      200: {
        description: 'The token is good no more, if it ever was',
        schema: { type: 'object', properties: { status: { type: 'string', const: 'success' } } },
      },
      400: { description: 'A parameter is missing or wrong', schema: error },
      401: { description: 'Wrong client credentials', schema: error },
      429: { description: 'Too many failures' },
    },
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Metadata of the authorization server (RFC 8414)',
    parameters: [],
    responses: {
      200: { description: 'The metadata', schema: { type: 'object', additionalProperties: true } },
    },
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys of the access tokens (RFC 7517)',
    parameters: [],
    responses: {
      200: {
        description: 'The keys',
        schema: {
          type: 'object',
          properties: { keys: { type: 'array', items: { type: 'object' } } },
          required: ['keys'],
        },
      },
    },
  },
]

/** What every endpoint may answer beside what it says itself. */
function refusals(method: Method): IdentityEndpoint['responses'] {
  const unreadable: IdentityEndpoint['responses'] = {
    403: { description: 'The caller is known and may not' },
    413: { description: 'The body is too large' },
    415: { description: 'The body is neither a form nor JSON' },
  }
  return {
    400: { description: 'A parameter is missing or wrong' },
    ...(method === 'POST' ? unreadable : {}),
    429: { description: 'Too many failures' },
    503: { description: 'The service cannot answer now; try again' },
  }
}

/** A redirect has no body; pages are HTML, and their refusals either. */
function contentOf(status: number, isPage: boolean, schema?: JSONSchema) {
  if (status >= 300 && status < 400) return undefined
  const html = isPage ? { 'text/html': { schema: text } } : {}
  const isJson = status >= 400 || schema
  return { ...html, ...(isJson ? { 'application/json': { schema: schema ?? refused } } : {}) }
}

/** The same for the API document. */
export function describedIdentity(): Described {
  const paths: Described['paths'] = {}
  for (const {
    method,
    path,
    summary,
    description,
    parameters,
    form,
    responses,
  } of identityDocument) {
    const isPage = path.startsWith('/oauth/authorize')
    const answers = Object.entries({ ...refusals(method), ...responses }).map(
      ([status, { description: says, schema }]) => {
        const content = contentOf(Number(status), isPage, schema)
        return [status, { description: says, ...(content && { content }) }]
      },
    )
    const body = form && {
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema: form },
        'application/json': { schema: form },
      },
    }
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: `${method.toLowerCase()}_${path.replace(/[^a-z]+/gi, '_').replace(/^_|_$/g, '')}`,
        summary,
        ...(description ? { description } : {}),
        tags: ['identity'],
        security: [],
        parameters: parameters.map((parameter) => ({ in: 'query', ...parameter })),
        ...(body ? { requestBody: body } : {}),
        responses: Object.fromEntries(answers),
      },
    }
  }
  const says = 'OAuth 2.0 for apps: authorization code, token, refresh, revocation, keys.'
  return { name: 'identity', description: says, paths }
}

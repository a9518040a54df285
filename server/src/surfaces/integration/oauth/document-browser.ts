import type { IdentityEndpoint } from './endpoint.ts'
import { error, query, text } from './endpoint.ts'

const redirected: IdentityEndpoint['responses'] = {
  200: { description: 'The sign-in or consent page, as HTML' },
  302: {
    description:
      'Redirect to `redirect_uri` with `code` and `state`, or with `error` and `state`, except for clients that nobody issued; `iss` is this service (RFC 9207)',
  },
  400: { description: 'A parameter is missing or wrong', schema: error },
  403: { description: 'The user may not connect apps' },
}

const client = [
  query('client_id', 'the app'),
  query('response_type', 'must be `code`'),
  query('redirect_uri', 'one of the app’s registered addresses, character by character'),
]
const scope = query(
  'scope',
  'a subset of the app’s scopes, separated by spaces; all of them by default',
  false,
)

const resource = query(
  'resource',
  'what the tokens are for (RFC 8707): the address of MCP, else the integration surface',
  false,
)

/** The two entries to consent and the pages behind them, for the API document. */
export const browserEndpoints: IdentityEndpoint[] = [
  {
    name: 'authorize_app',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Authorize an app by a signed request',
    description:
      'Starts sign-in and consent in the browser. The app signs the request. With an application ' +
      'bearer token, or when the user has approved the same scopes before, it redirects at once.',
    parameters: [
      ...client,
      query('state', 'returned unchanged'),
      query('timestamp', 'Unix time in seconds, at most 300 off'),
      query(
        'signature',
        'hex HMAC-SHA256 over `<client_id>:<timestamp>`, keyed by the client secret',
      ),
      scope,
      query('code_challenge', 'PKCE (RFC 7636)', false),
      query('code_challenge_method', 'must be `S256` with a challenge', false),
    ],
    responses: {
      ...redirected,
      401: { description: 'Unknown client, wrong signature or wrong bearer token', schema: error },
    },
  },
  {
    name: 'connect_app',
    method: 'GET',
    path: '/oauth/connect',
    summary: 'Authorize an app by a standard request',
    description:
      'The same without a signature, as OAuth libraries send it, for apps issued with ' +
      '`standard_authorize`. PKCE with S256 is required; without it the app receives `error=invalid_request`. A client for MCP needs no app: its `client_id` may be the https ' +
      'address of a document that describes it, or come from its registration.',
    parameters: [
      ...client,
      query('state', 'returned unchanged', false),
      scope,
      query('code_challenge', 'PKCE (RFC 7636)'),
      query('code_challenge_method', 'must be `S256`'),
      resource,
    ],
    responses: {
      ...redirected,
      401: { description: 'Unknown client or wrong bearer token', schema: error },
    },
  },
  {
    name: 'sign_in_to_authorize',
    method: 'POST',
    path: '/oauth/authorize/sign-in',
    summary: 'Submit the sign-in form',
    parameters: [],
    form: {
      type: 'object',
      properties: { request: text, email: text, password: text, organization: text },
      required: ['request', 'email', 'password'],
    },
    responses: {
      200: { description: 'The page that asks for a one-time code' },
      303: { description: 'Redirect to the consent page' },
      401: { description: 'The sign-in page again, with the error' },
      403: {
        description:
          'The form belongs to another browser, the user is deactivated, or has to set up one-time codes first',
      },
      429: { description: 'Too many failures' },
    },
  },
  {
    name: 'send_code_to_authorize',
    method: 'POST',
    path: '/oauth/authorize/code',
    summary: 'Submit the one-time code',
    parameters: [],
    form: {
      type: 'object',
      properties: { request: text, challenge: text, code: text },
      required: ['request', 'challenge', 'code'],
    },
    responses: {
      303: { description: 'Redirect to the consent page' },
      401: { description: 'The page again, with the error; the sign-in page after five minutes' },
      403: { description: 'The form belongs to another browser' },
      429: { description: 'Too many failures' },
    },
  },
  {
    name: 'authorize_with_openid',
    method: 'GET',
    path: '/oauth/authorize/openid',
    summary: 'Sign in at the OpenID provider instead',
    parameters: [query('request', 'the app’s request, encrypted')],
    responses: {
      303: { description: 'Redirect to the provider' },
      403: { description: 'The request belongs to another browser' },
    },
  },
  {
    name: 'finish_openid',
    method: 'GET',
    path: '/openid/callback',
    summary: 'Return from the OpenID provider',
    description:
      'A sign-in that began with `POST /api/login/openid/` continues at `/sign-in` with the same query; one that began on the sign-in page continues at the consent page.',
    parameters: [
      query('state', 'of the sign-in'),
      query('code', 'of the provider', false),
      query('iss', 'the provider', false),
      query('error', 'why the provider refused', false),
    ],
    responses: {
      303: { description: 'Redirect to the consent page, or to `/sign-in`' },
      401: { description: 'The sign-in page, with the error' },
      403: { description: 'The sign-in page, with the reason, or another browser began this' },
    },
  },
  {
    name: 'read_consent',
    method: 'GET',
    path: '/oauth/authorize/consent',
    summary: 'Show the consent page',
    parameters: [query('request', 'the app’s request, encrypted')],
    responses: {
      200: { description: 'The page, as HTML' },
      302: { description: 'Redirect to `redirect_uri`, where the user has approved before' },
      403: {
        description: 'The request belongs to another browser, or the user may not connect apps',
      },
    },
  },
  {
    name: 'decide_consent',
    method: 'POST',
    path: '/oauth/authorize/consent',
    summary: 'Submit the consent form',
    parameters: [],
    form: {
      type: 'object',
      properties: {
        request: text,
        decision: { title: 'ConsentDecision', type: 'string', enum: ['approve', 'deny'] },
      },
      required: ['request', 'decision'],
    },
    responses: {
      200: {
        description:
          'The sign-in was cancelled; a client that nobody issued is not redirected to before somebody signs in',
      },
      302: {
        description: 'Redirect to `redirect_uri` with `code` and `state`, or `error=access_denied`',
      },
      401: { description: 'The sign-in page: the session has ended' },
      403: { description: 'The form belongs to another browser, or the user may not connect apps' },
    },
  },
  {
    name: 'sign_out_of_authorize',
    method: 'POST',
    path: '/oauth/authorize/sign-out',
    summary: 'Switch to another user',
    parameters: [],
    form: { type: 'object', properties: { request: text }, required: ['request'] },
    responses: {
      200: { description: 'The sign-in page' },
      403: { description: 'The form belongs to another browser' },
    },
  },
]

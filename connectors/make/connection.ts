/**
 * The parts of the Make app that every request needs: how it is signed, how refusals are shown, and how a
 * person connects. Expressions are IML, Make's own; `timestamp` is the time in seconds.
 */
const hmac = (id: string, secret: string) => `{{sha256(${id} + ':' + timestamp, 'hex', ${secret})}}`

const signature = {
  'x-oauth-timestamp': '{{timestamp}}',
  'x-oauth-signature': hmac('connection.clientId', 'connection.clientSecret'),
}
const credentials = {
  authorization: 'Bearer {{connection.accessToken}}',
  'x-functions-key': '{{connection.functionKey}}',
  ...signature,
}

/** Values that must never be in the log of a scenario. */
const secretHeaders = Object.keys(credentials).map((name) => `request.headers.${name}`)
const secretBody = [
  'request.body.code',
  'request.body.token',
  'request.body.client_secret',
  'response.body.access_token',
  'response.body.refresh_token',
]

const again = 'Open the connection and reauthorize it.'

/** Refusals as sentences, with the kinds of error that scenarios can handle. */
const errors = {
  message: '[{{statusCode}}] {{body.message}}',
  type: 'RuntimeError',
  '400': { message: '[400] {{body.message}}', type: 'DataError' },
  '401': { message: `[401] {{body.message}}. ${again}`, type: 'InvalidAccessTokenError' },
  '409': {
    message:
      '[409] {{body.message}} {{ifempty(body.data.company_id, ifempty(body.data.contact_id, emptystring))}}',
    type: 'DuplicateDataError',
  },
  '429': {
    message: "[429] {{body.message}}. Try again in {{ifempty(headers['retry-after'], 60)}} s.",
    type: 'RateLimitError',
  },
  // Make tries again later by itself
  '503': { message: '[503] {{body.message}}', type: 'ConnectionError' },
}

/** The base that every module, webhook and RPC inherits. */
export const base = {
  baseUrl: '{{connection.address}}',
  headers: credentials,
  response: { error: errors },
  log: { sanitize: secretHeaders },
}

/** The client of the connection, as typed by the person. */
const client = {
  client_id: '{{parameters.clientId}}',
  client_secret: '{{parameters.clientSecret}}',
}

/** What a connection stores besides its tokens, for the modules. */
const stored = {
  address: '{{parameters.address}}',
  clientId: '{{parameters.clientId}}',
  clientSecret: '{{parameters.clientSecret}}',
  functionKey: '{{parameters.functionKey}}',
}

const tokens = {
  accessToken: '{{body.access_token}}',
  refreshToken: '{{body.refresh_token}}',
  expires: '{{addSeconds(now, body.expires_in)}}',
}

const refusedTokens = { message: `[{{statusCode}}] {{body.message}}. ${again}` }

/** The calls of a connection: authorize (signed), tokens, identity, refresh, and revoke. */
export const communication = {
  authorize: {
    url: '{{parameters.address}}/oauth/authorize',
    qs: {
      response_type: 'code',
      client_id: '{{parameters.clientId}}',
      redirect_uri: '{{oauth.redirectUri}}',
      timestamp: '{{timestamp}}',
      signature: hmac('parameters.clientId', 'parameters.clientSecret'),
    },
    response: { temp: { code: '{{query.code}}' } },
  },
  token: {
    url: '{{parameters.address}}/oauth/token',
    method: 'POST',
    type: 'urlencoded',
    body: {
      grant_type: 'authorization_code',
      code: '{{temp.code}}',
      redirect_uri: '{{oauth.redirectUri}}',
      ...client,
    },
    response: { data: { ...tokens, ...stored }, error: refusedTokens },
    log: { sanitize: secretBody },
  },
  info: {
    url: '{{connection.address}}/automation/test',
    headers: credentials,
    response: {
      uid: '{{body.id}}',
      metadata: { type: 'text', value: '{{body.organisation}}' },
      error: errors,
    },
    log: { sanitize: secretHeaders },
  },
  refresh: {
    condition: '{{data.expires < addMinutes(now, 5)}}',
    url: '{{parameters.address}}/auth_refresh/',
    method: 'POST',
    type: 'urlencoded',
    body: { grant_type: 'refresh_token', token: '{{data.refreshToken}}', ...client },
    response: { data: { ...tokens, ...stored }, error: refusedTokens },
    log: { sanitize: secretBody },
  },
  invalidate: {
    url: '{{parameters.address}}/oauth/revoke',
    method: 'POST',
    type: 'urlencoded',
    body: { token: '{{data.refreshToken}}', ...client },
    log: { sanitize: secretBody },
  },
}

/** The fields that a person fills in to connect. */
export const parameters = [
  {
    name: 'address',
    type: 'url',
    label: 'Address',
    required: true,
    help: 'Where your Perennial is, without a path and without a slash at the end, such as https://crm.example.com',
    validate: { pattern: '^https?://[^/]+$' },
  },
  { name: 'clientId', type: 'text', label: 'Client ID', required: true },
  { name: 'clientSecret', type: 'password', label: 'Client Secret', required: true },
  { name: 'functionKey', type: 'password', label: 'Function Key', required: true },
]

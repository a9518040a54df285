import { allScopes, inPlainWords } from '../records/apps/scopes.ts'
import { ref } from './openapi-components.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

type Parts = { [name: string]: JSONSchema }

/** The specification's own list (part 5.1); `url` goes before the paths of the flow. */
export const securitySchemes = (url: string): Parts => ({
  oauth2: {
    type: 'oauth2',
    description: 'Authorization code; the token is sent as a bearer token.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${url}/oauth/connect`,
        tokenUrl: `${url}/oauth/token/`,
        refreshUrl: `${url}/auth_refresh/`,
        scopes: Object.fromEntries(allScopes.map((scope) => [scope, inPlainWords([scope])[0]])),
      },
    },
  },
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An access token of a sign-in, on the integration surface of the OAuth flow. The application surface takes a personal access token too: `pat_…`.',
  },
  oauthTimestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-OAuth-Timestamp',
    description: 'The current Unix time in seconds, at most 300 s off.',
  },
  oauthSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-OAuth-Signature',
    description:
      'Hex HMAC-SHA256 of `<client_id>:<X-OAuth-Timestamp>`, keyed by the client secret.',
  },
  functionsKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-functions-key',
    description: 'The function key of the app; the query parameter `code` is accepted too.',
  },
})

export const parameters: Parts = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes retries safe: for 24 hours, a request with the same key to the same path gets the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ViewAs: {
    name: 'X-View-As',
    in: 'header',
    description:
      'The id of a user: administrators get exactly what this user would see. Only for reads; recorded in the activity log.',
    schema: { type: 'string', maxLength: 25 },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With `return=representation` the answer is the record; without it there is no body.',
    schema: { type: 'string', maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag of the version to change, or `*`; 412 if the record has another version.',
    schema: { type: 'string' },
  },
  WebhookId: sent('webhook-id', 'One per event and subscription, the same on every attempt.'),
  WebhookTimestamp: sent('webhook-timestamp', 'Unix time of this attempt, in seconds.'),
  WebhookSignature: sent(
    'webhook-signature',
    'Standard Webhooks: one or two `v1,…`, separated by a blank.',
  ),
}

export const headers: Parts = {
  ETag: text('The version of the record, for If-Match.'),
  'Preference-Applied': text('`return=representation` if the record is returned as preferred.'),
  Location: text('The path of the new record.'),
  'X-Record-Id': text('The id of the record written.'),
  'X-Links': text('What a removed user is still responsible for, by kind: `companies=2, tasks=5`.'),
  'X-Hand-Over-Id': text('The hand-over made with the removal, to undo it.'),
  Link: text(
    'The first, previous and next page (RFC 8288); left out where the query is very long.',
  ),
  'X-Page': integer('The number of this page, from 1.'),
  'X-Items-Per-Page': integer('Records a page.'),
  'X-Total-Count': integer('All records that match; only with include_count=true.'),
  'RateLimit-Policy': text('The limit: requests and seconds; absent when limits are off.'),
  RateLimit: text('The remaining requests, and the time until they are reset.'),
  'Content-Range': {
    description: 'Which bytes of how many, such as `bytes */500`.',
    schema: { type: 'string' },
  },
  'Retry-After': integer('Whole seconds to wait.'),
  'Idempotency-Replayed': text('`true` when this answer was stored by an earlier request.'),
  'X-Request-Id': text('Names this request in the log.'),
  'WWW-Authenticate': text('How to sign in.'),
}

const refusalTexts: { [status: string]: [text: string, ...headers: string[]] } = {
  308: ['The record was merged into another one, which `data` names', 'Location'],
  400: ['The input is wrong; `errors` names the fields'],
  401: ['Credentials are missing, wrong, expired or revoked', 'WWW-Authenticate'],
  403: ['The caller is known and may not'],
  404: ['There is no such record, or the caller may not see it'],
  408: ['The body did not arrive in time'],
  409: ['The current state does not allow it; `data` names the conflicting record'],
  412: ['If-Match named another version; `data` is the record as it is now'],
  413: ['The body is larger than 1 MiB, or its file than the route takes'],
  414: ['A part of the path is longer than 500 characters'],
  415: ['The body is not of an accepted content type'],
  416: ['The range begins after the end of the file', 'Content-Range'],
  429: ['Too many requests', 'Retry-After', 'RateLimit-Policy', 'RateLimit'],
  503: ['The service cannot answer now; try again', 'Retry-After'],
}

/** The refusals, all with the same Error body, which a 412 extends. */
export const errorResponses: Parts = Object.fromEntries(
  Object.entries(refusalTexts).map(([status, [description, ...names]]) => [
    status,
    {
      description,
      headers: Object.fromEntries(
        ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      ),
      content: { 'application/json': { schema: ref('schemas', bodyOf(status)) } },
    },
  ]),
)

function bodyOf(status: string): string {
  return status === '412' ? 'StaleError' : 'Error'
}

/** A header that every delivery has. */
function sent(name: string, description: string): JSONSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

function text(description: string): JSONSchema {
  return { description, schema: { type: 'string' } }
}

function integer(description: string): JSONSchema {
  return { description, schema: { type: 'integer' } }
}

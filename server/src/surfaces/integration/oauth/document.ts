import type { JSONSchema } from '../../../kit/ground/json-schema.ts'
import type { Described } from '../../openapi.ts'
import type { Method } from '../../route.ts'
import { browserEndpoints } from './document-browser.ts'
import { metadataEndpoints, tokenEndpoints } from './document-tokens.ts'
import type { IdentityEndpoint } from './endpoint.ts'
import { error, text } from './endpoint.ts'

/** The identity endpoints, for the API document and for refusing other methods. */
export const identityDocument: IdentityEndpoint[] = [
  ...browserEndpoints,
  ...tokenEndpoints,
  ...metadataEndpoints,
]

/** The two envelopes: errors without a code in RFC 6749 have the common envelope of all surfaces. */
const refused: JSONSchema = {
  title: 'IdentityRefusal',
  type: 'object',
  properties: { ...(error.properties as object), status: { type: 'string', const: 'error' } },
  required: ['message', 'code', 'request_id'],
}

/** The errors that every endpoint may return besides its own. */
function refusals(method: Method): IdentityEndpoint['responses'] {
  const unreadable: IdentityEndpoint['responses'] = {
    403: { description: 'The caller has no right to do this' },
    408: { description: 'The body did not arrive in time' },
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

/** The content types of a response: a redirect has none; pages and their errors are HTML or JSON. */
function contentOf(status: number, isPage: boolean, schema?: JSONSchema) {
  if (status >= 300 && status < 400) return undefined
  const html = isPage ? { 'text/html': { schema: text } } : {}
  const isJson = status >= 400 || schema
  return { ...html, ...(isJson ? { 'application/json': { schema: schema ?? refused } } : {}) }
}

/** The identity endpoints as paths of the API document. */
export function describedIdentity(): Described {
  const paths: Described['paths'] = {}
  for (const {
    name,
    method,
    path,
    summary,
    description,
    parameters,
    form,
    responses,
  } of identityDocument) {
    const isPage = /^\/(oauth\/(authorize|connect)|openid\/)/.test(path)
    const answers = Object.entries({ ...refusals(method), ...responses }).map(
      ([status, { description: meaning, schema }]) => {
        const content = contentOf(Number(status), isPage, schema)
        return [status, { description: meaning, ...(content && { content }) }]
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
        operationId: name,
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
  const description = 'OAuth 2.0 for apps: authorization code, tokens, refresh, revocation, keys.'
  return { name: 'identity', description, paths }
}

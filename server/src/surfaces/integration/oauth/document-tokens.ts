import type { JSONSchema } from '../../../kit/ground/json-schema.ts'
import type { clientParameters } from './clients.ts'
import type { IdentityEndpoint } from './endpoint.ts'
import { error, text } from './endpoint.ts'
import { registrationPath } from './registration.ts'

const issued = {
  access_token: { type: 'string', description: 'a JWT' },
  refresh_token: text,
  token_type: { type: 'string', const: 'Bearer' },
  expires_in: { type: 'integer', description: 'seconds until the access token expires' },
  refresh_expires_in: {
    type: 'integer',
    description: 'seconds until an unused refresh token expires',
  },
  scope: { type: 'string', description: 'the granted scopes, separated by spaces' },
}

/** A public key of Ed25519 (RFC 8037). */
const publicKey = {
  type: 'object',
  properties: {
    kty: { type: 'string', const: 'OKP' },
    crv: { type: 'string', const: 'Ed25519' },
    x: { type: 'string', description: 'the key, base64url' },
    kid: text,
    alg: { type: 'string', const: 'EdDSA' },
    use: { type: 'string', const: 'sig' },
  },
  required: ['kty', 'crv', 'x', 'kid', 'alg', 'use'],
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

const resource = {
  type: 'string',
  description: 'the same as in the request for consent, where it is repeated (RFC 8707)',
}

const proving =
  'The client authenticates in exactly one way: HTTP Basic, `client_secret`, or the signature pair ' +
  '(headers `X-OAuth-Timestamp` and `X-OAuth-Signature`, or form `timestamp` and `signature`).'

/** Exchanging, refreshing and revoking tokens, for the API document. */
export const tokenEndpoints: IdentityEndpoint[] = [
  {
    name: 'exchange_token',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange an authorization code for tokens',
    description:
      `${proving} A code is valid for 60 seconds and for one use; using it again revokes everything ` +
      'issued from it. With `grant_type=refresh_token` and `refresh_token` it refreshes, as ' +
      '`/auth_refresh/` does.',
    parameters: [],
    form: {
      oneOf: [
        {
          title: 'TokenOfCode',
          type: 'object',
          properties: {
            grant_type: { type: 'string', const: 'authorization_code', description: 'the grant' },
            code: { type: 'string', description: 'the code of the redirect' },
            redirect_uri: { type: 'string', description: 'the same as in authorize' },
            code_verifier: { type: 'string', description: 'required after a code_challenge' },
            resource,
            ...proofs,
          },
          required: ['grant_type', 'code', 'redirect_uri'],
        },
        {
          title: 'TokenOfRefresh',
          type: 'object',
          properties: {
            grant_type: { type: 'string', const: 'refresh_token', description: 'the grant' },
            refresh_token: { type: 'string', description: 'the refresh token' },
            resource,
            ...proofs,
          },
          required: ['grant_type', 'refresh_token'],
        },
      ],
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
      401: {
        description: 'Wrong client credentials, or the code is expired or used',
        schema: error,
      },
      429: { description: 'Too many failures' },
    },
  },
  {
    name: 'refresh_token',
    method: 'POST',
    path: '/auth_refresh/',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'Each use rotates the token. The previous one works for 60 seconds more, for responses that were ' +
      'lost; after that its use ends the whole connection. The client secret is checked when it is ' +
      'sent, and required only of apps created with `require_client_auth_on_refresh`.',
    parameters: [],
    form: {
      type: 'object',
      properties: {
        grant_type: { type: 'string', const: 'refresh_token', description: 'the grant' },
        token: {
          type: 'string',
          description: 'the refresh token; `refresh_token` is accepted too',
        },
        resource,
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
    name: 'revoke_token',
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke a token (RFC 7009)',
    description: `Ends the whole connection that the token belongs to. ${proving}`,
    parameters: [],
    form: {
      type: 'object',
      properties: { token: text, token_type_hint: text, ...proofs },
      required: ['token', 'client_id'],
    },
    responses: {
      200: {
        description: 'The token is no longer valid, or never was',
        schema: { type: 'object', properties: { status: { type: 'string', const: 'success' } } },
      },
      400: { description: 'A parameter is missing or wrong', schema: error },
      401: { description: 'Wrong client credentials', schema: error },
      429: { description: 'Too many failures' },
    },
  },
  {
    name: 'register_client',
    method: 'POST',
    path: registrationPath,
    summary: 'Register a client for MCP (RFC 7591)',
    description:
      'Takes JSON. Open where the operator has set `OAUTH_REGISTRATION`. The client is public and uses PKCE without a secret. Its id is its encrypted registration; nothing is stored before somebody approves it.',
    parameters: [],
    form: {
      type: 'object',
      properties: {
        client_name: { type: 'string', description: 'the name that people see' },
        redirect_uris: {
          type: 'array',
          items: text,
          minItems: 1,
          maxItems: 20,
          description: 'where people are sent back to after consent',
        },
      },
      required: ['redirect_uris'],
    },
    responses: {
      201: {
        description: 'The registration',
        schema: {
          type: 'object',
          properties: {
            client_id: text,
            client_id_issued_at: { type: 'integer', description: 'Unix time in seconds' },
            client_name: text,
            redirect_uris: { type: 'array', items: text },
            token_endpoint_auth_method: { type: 'string', const: 'none' },
            grant_types: { type: 'array', items: text },
            response_types: { type: 'array', items: text },
          },
          required: ['client_id', 'redirect_uris', 'token_endpoint_auth_method'],
        },
      },
      400: { description: 'A member is missing or wrong', schema: error },
      404: { description: 'Clients may not register here' },
      429: { description: 'Too many requests of this address' },
    },
  },
]

/** What apps and receivers discover, for the API document. */
export const metadataEndpoints: IdentityEndpoint[] = [
  {
    name: 'read_authorization_server',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Retrieve the authorization server metadata (RFC 8414)',
    parameters: [],
    responses: {
      200: { description: 'The metadata', schema: { type: 'object', additionalProperties: true } },
    },
  },
  {
    name: 'list_public_keys',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'List the public keys of access tokens (RFC 7517)',
    parameters: [],
    responses: {
      200: {
        description: 'The keys',
        schema: {
          type: 'object',
          properties: { keys: { type: 'array', items: publicKey } },
          required: ['keys'],
        },
      },
    },
  },
]

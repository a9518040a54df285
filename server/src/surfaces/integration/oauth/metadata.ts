import type { FastifyInstance } from 'fastify'
import { allScopes } from '../../../records/apps/scopes.ts'
import type { Runtime } from '../../../runtime.ts'
import { registrationPath } from './registration.ts'
import type { Tokens } from '../../tokens.ts'

/** Metadata for clients: the server's (RFC 8414) and the keys of its tokens (RFC 7517). */
export function wellKnown(scope: FastifyInstance, runtime: Runtime, tokens: Tokens) {
  const { config } = runtime
  const issuer = config.publicUrl
  // public clients are those without a secret, which nobody issued
  const methods = ['client_secret_basic', 'client_secret_post', 'none']
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/connect`,
    // the specification's endpoint, where the app signs its request
    signed_authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    // the specification's endpoint for refreshing; the token endpoint also does it
    refresh_endpoint: `${issuer}/auth_refresh/`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    ...(config.oauthRegistration ? { registration_endpoint: `${issuer}${registrationPath}` } : {}),
    service_documentation: `${issuer}/docs`,
  }
  scope.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(metadata),
  )
  // short, so that a new key is known before its first token arrives
  scope.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').send(await tokens.jwks()),
  )
}

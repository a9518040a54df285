import type { FastifyInstance } from 'fastify'
import { refuseOtherMethods } from '../methods.ts'
import { toolScopes } from './scopes.ts'

const path = '/.well-known/oauth-protected-resource'

/** The address where clients find out how to get tokens for MCP (RFC 9728). */
export function metadataUrl(publicUrl: string): string {
  return `${publicUrl}${path}/mcp`
}

/** The metadata of the surface as a resource, at its own address and at that of the whole service. */
export function protectedResource(scope: FastifyInstance, publicUrl: string): void {
  const metadata = {
    resource: `${publicUrl}/mcp`,
    authorization_servers: [publicUrl],
    scopes_supported: toolScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Perennial',
    resource_documentation: `${publicUrl}/docs`,
  }
  const places = [`${path}/mcp`, path]
  for (const place of places) {
    scope.get(place, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .send(metadata),
    )
  }
  refuseOtherMethods(
    scope,
    places.map((each) => ({ method: 'GET', path: each })),
  )
}

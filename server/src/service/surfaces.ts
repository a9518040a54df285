import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { applicationAuthenticator } from '../surfaces/application/authenticate.ts'
import { applicationRoutes, applicationSurface } from '../surfaces/application/routes.ts'
import { allowOtherOrigins } from '../surfaces/cors.ts'
import { integrationAuthenticator } from '../surfaces/integration/authenticate.ts'
import { integrationRoutes, integrationSurface } from '../surfaces/integration/routes.ts'
import { rateLimiter } from '../surfaces/limits.ts'
import { mcp } from '../surfaces/mcp/plugin.ts'
import { mount } from '../surfaces/mount.ts'
import type { Surface } from '../surfaces/openapi.ts'
import type { Tokens } from '../surfaces/tokens.ts'
import { takeUploads } from '../surfaces/upload.ts'

/** The two surfaces with their route tables, for the document and the tests. */
export type Surfaces = { application: Surface; integration: Surface }

/** The route tables of this installation. */
export function surfacesOf({ automationSegment }: Config): Surfaces {
  return {
    application: { ...applicationSurface, routes: applicationRoutes() },
    integration: { ...integrationSurface, routes: integrationRoutes(automationSegment) },
  }
}

/** Mounts the surfaces, each with its authenticator and rate limit. */
export async function registerSurfaces(
  app: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  { application, integration }: Surfaces,
): Promise<void> {
  const { rateLimits } = runtime.config
  const { counts } = runtime.database
  await app.register(async (scope) => {
    allowOtherOrigins(scope)
    takeUploads(scope)
    const limit = rateLimiter(counts, 'application', rateLimits.application)
    mount(scope, runtime, applicationAuthenticator(runtime, tokens, limit), application.routes)
  })
  await app.register(async (scope) => {
    allowOtherOrigins(scope)
    const limit = rateLimiter(counts, 'integration', rateLimits.integration)
    mount(scope, runtime, integrationAuthenticator(runtime, tokens, limit), integration.routes)
  })
  await app.register(async (scope) =>
    mcp(scope, runtime, tokens, rateLimiter(counts, 'mcp', rateLimits.integration)),
  )
}

import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { applicationAuthenticator } from '../surfaces/application/authenticate.ts'
import { applicationRoutes, applicationSurface } from '../surfaces/application/routes.ts'
import { allowOtherOrigins } from '../surfaces/cors.ts'
import { overloaded } from '../surfaces/in-flight.ts'
import { integrationAuthenticator } from '../surfaces/integration/authenticate.ts'
import { integrationRoutes, integrationSurface } from '../surfaces/integration/routes.ts'
import { rateLimiter } from '../surfaces/limits.ts'
import { mcp } from '../surfaces/mcp/plugin.ts'
import { mount } from '../surfaces/mount.ts'
import type { Surface } from '../surfaces/openapi.ts'
import type { Tokens } from '../surfaces/tokens.ts'
import { takeUploads } from '../surfaces/upload.ts'

/** How long after the start the start itself delays the event loop, in milliseconds. */
const settlingMs = 3000

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

/** 503 while the event loop lags; MAX_IN_FLIGHT=0 turns load shedding off altogether. */
export async function registerGuards(app: FastifyInstance, { maxInFlight }: Config): Promise<void> {
  if (!maxInFlight) return
  let listensSince = Infinity
  app.addHook('onListen', async () => void (listensSince = performance.now()))
  await app.register(underPressure, {
    maxEventLoopDelay: 1000,
    retryAfter: 2,
    pressureHandler: () => {
      // the start itself blocks the event loop, which is no sign of load
      if (performance.now() - listensSince > settlingMs) throw overloaded(2)
    },
  })
}

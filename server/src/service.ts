import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import { readinessOf } from './database/ready.ts'
import type { Queue } from './jobs/queue.ts'
import { unavailable } from './kit/ground/errors.ts'
import { newId } from './kit/ground/ids.ts'
import type { Job } from './kit/ground/job.ts'
import type { Runtime } from './runtime.ts'
import { anonymousCaller, publicContext } from './runtime.ts'
import {
  deliverForWebProcesses,
  startJobs,
  wakeWorkers,
  watchDeliveries,
  watchJobs,
} from './service/background.ts'
import { registerPages } from './service/pages.ts'
import { ownPaths, serveWorkspace } from './surfaces/workspace/plugin.ts'
import type { Workspace } from './workspace/workspace.ts'
import { noWorkspace, whilePreparing } from './workspace/workspace.ts'
import type { Secrets } from './secrets.ts'
import { offerCompression } from './surfaces/compression.ts'
import { healthOf } from './surfaces/health.ts'
import { documentOf, readDocument } from './service/document.ts'
import { buildParts } from './service/runtime.ts'
import { buildServer } from './service/server.ts'
import { type Listeners, listenersOf } from './service/listeners.ts'
import { refuseConnections, stopServing } from './service/stop.ts'
import { registerSurfaces, surfacesOf } from './service/surfaces.ts'
import type { Origin, SignInMethod } from './records/users/sign-ins.ts'
import type { Identity, Session } from './surfaces/application/sign-in.ts'
import { startSession } from './surfaces/application/sign-in.ts'
import type { Monitoring, Siblings } from './surfaces/monitoring.ts'
import type { Replies } from './surfaces/inbound/replies.ts'
import { listenForReplies } from './surfaces/inbound/replies.ts'
import { addMonitoring } from './surfaces/monitoring.ts'
import type { OpenApi, Surface } from './surfaces/openapi.ts'
import type { Route } from './surfaces/route.ts'
import type { Tokens } from './surfaces/tokens.ts'
import type { Tracing } from './tracing/opentelemetry.ts'
import type { DeliveryMetrics } from './webhooks/worker.ts'

export type ServiceOptions = {
  config: Config
  database: Database
  secretKey: string
  /** the secrets, if they depend on more than `secretKey` */
  secrets?: Secrets
  log: Logger
  now?: () => Date
  /** jobs besides the service's own, for tests */
  jobs?: Job[]
  /** called with the new server, so that tests can check every answer */
  prepare?: (app: FastifyInstance) => void
  /** the screens; none by default */
  workspace?: Workspace
  /** removes an organization for good, where the start may */
  removeOrganization?: Runtime['removeOrganization']
  /** the processes that share the port with this one */
  siblings?: Siblings
  /** what the start still writes: until it is there, `/readyz` answers 503 and the screens wait */
  preparing?: Promise<unknown> | undefined
  /** traces, if configured */
  tracing?: Tracing
}

export type Service = {
  app: FastifyInstance
  runtime: Runtime
  routes: Route[]
  surfaces: Surface[]
  /** the API document, the same for every installation; built at the first call */
  document(): OpenApi
  /** starts sessions of users without their passwords, for tests and benchmarks */
  signIn: {
    start(identity: Identity, origin?: Origin & { method: SignInMethod }): Promise<Session>
  }
  tokens: Tokens
  operations: Monitoring
  /** the state of webhook deliveries */
  deliveries: DeliveryMetrics
  /** the port for replies by mail, once it has started; undefined if they are not received */
  repliesPort(): number | undefined
  /** background work, unless the role is `web`: deliveries, replies by mail and, unless `jobs` is false, the job queue */
  start(options?: { jobs?: boolean }): Promise<void>
  /** accepts connections; throws if the address is in use or invalid */
  listen: Listeners['listen']
  /** stops accepting connections; requests over open ones are still answered */
  refuse(): Promise<void>
  /**
   * Stops accepting, lets requests in flight finish for at most `deadline` ms, then ends the
   * background work. Idle connections stay open for `linger` ms, because a request may be on its way.
   */
  close(stop?: { linger?: number; deadline?: number }): Promise<void>
}

/** Builds the service from its parts. Nothing listens yet and no background work runs. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, database, log } = options
  const parts = buildParts(options)
  const { runtime, tokens, deliverer, computations } = parts
  const { app, connections } = buildServer(config, log)
  const own = ownPaths(app)
  const health = healthOf(config, runtime, log)
  const { siblings } = options
  let isPreparing = options.preparing !== undefined
  const prepared = () => void (isPreparing = false)
  options.preparing?.then(prepared, prepared)
  const isMigrated = readinessOf(database)
  const ready = async () => {
    if (isPreparing)
      throw unavailable('The service is starting: its demonstration is being written')
    await isMigrated()
  }
  const monitoring = addMonitoring(app, runtime, ready, health, connections, siblings)
  options.tracing?.traceRequests(app)
  options.prepare?.(app)
  const { application, integration } = surfacesOf(config)
  const surfaces = [application, integration]
  const document = () => documentOf(surfaces, config)
  await offerCompression(app)
  if (config.role !== 'worker') {
    await registerSurfaces(app, runtime, tokens, { application, integration })
    await registerPages(app, runtime, tokens, () => readDocument(surfaces, config))
    const { state } = options.workspace ?? noWorkspace
    const screens = () => (isPreparing ? whilePreparing(state()) : state())
    await serveWorkspace(app, runtime, tokens, screens, own)
  }
  watchDeliveries(monitoring, deliverer.metrics)
  let queue: Queue | undefined
  let replies: Replies | undefined
  const listeners = listenersOf(app)
  const refuse = () => refuseConnections(app, listeners)
  return {
    app,
    runtime,
    routes: surfaces.flatMap(({ routes }) => routes),
    surfaces,
    document,
    signIn: {
      start: (user, origin = { address: '127.0.0.1', method: 'password' }) =>
        startSession(publicContext(runtime, anonymousCaller(newId())), user, origin),
    },
    tokens,
    operations: monitoring,
    deliveries: deliverer.metrics,
    async start({ jobs = true } = {}) {
      if (config.role === 'web') return wakeWorkers(runtime)
      deliverer.start()
      deliverForWebProcesses(runtime, deliverer)
      if (jobs) {
        queue = await startJobs(parts, options.jobs ?? [])
        watchJobs(monitoring, queue)
      }
      replies = await listenForReplies(runtime)
    },
    repliesPort: () => replies?.port,
    listen: listeners.listen,
    refuse,
    async close(stop) {
      await refuse()
      monitoring.stopping()
      await stopServing(app, listeners, stop)
      await Promise.all([deliverer.stop(), queue?.close(), replies?.close()])
      await computations.close()
      await options.tracing?.close()
    },
  }
}

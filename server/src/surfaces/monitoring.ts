import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
} from 'prom-client'
import { Failure, unavailable } from '../kit/ground/errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Health } from './health.ts'
import { addressOf, addressReader } from './address.ts'
import type { Bodies } from './bodies.ts'
import type { ConnectionState } from './connections.ts'
import { Admission } from './admission.ts'
import { InFlight } from './in-flight.ts'
import { apiPaths } from './pages/failure.ts'
import { DelayedRefusals, refuseEarly } from './refusals.ts'

/** What the operator sees of the running service. */
export type Monitoring = {
  /** adds a gauge of another part to the metrics, read when they are requested */
  watch(name: string, help: string, reading: () => number): void
  /** the same for counters, one per label */
  count(name: string, help: string, label: string, reading: () => Counts): void
  /** numbers that rise and fall, one a label */
  measure(name: string, help: string, label: string, reading: () => Promise<Counts>): void
  /** what this process has measured, as data for another one's metrics page */
  measured(): Promise<object[]>
  /** from here on `/readyz` answers 503 and every response closes its connection */
  stopping(): void
}

/** The processes that share a port with this one, whose number among them is `process`. */
export type Siblings = {
  process: number
  /** the metrics of each, including this one; undefined if they cannot be collected */
  measured(): Promise<object[][] | undefined>
}

type Counts = { [label: string]: number }

/** Requests slower than this are logged; in milliseconds. */
const slow = 1000
/** The status in log and metrics if the caller disconnected before the answer, as in nginx. */
const goneAway = 499
/** The maximum number of refused requests that are logged per second. */
const mostRefusals = 50
/** The database must answer `/readyz` within this; in milliseconds. */
const patience = 2000

/**
 * Adds `/livez`, `/readyz` and `/metrics` to the server, measures every request, and keeps those in
 * flight within max_in_flight and related limits: above them the answer is 503 or 429 with `Retry-After`, at
 * once. `checkReady` throws while the database cannot be used; parts without which the service is only
 * degraded are in `health`.
 */
export function addMonitoring(
  app: FastifyInstance,
  runtime: Runtime,
  checkReady: () => Promise<void>,
  health: () => Promise<Health>,
  connections: ConnectionState,
  siblings?: Siblings,
): Monitoring {
  const { maxInFlight, bounds } = runtime.config
  const inFlight = new InFlight(maxInFlight, bounds)
  const admission = maxInFlight
    ? new Admission(runtime.database, inFlight, bounds.inFlightAlways)
    : undefined
  const delayed = new DelayedRefusals(bounds.excessMs)
  const metrics = new Registry()
  if (siblings) metrics.setDefaultLabels({ process: String(siblings.process) })
  const duration = requestDuration(metrics)
  const isVerbose = ['debug', 'trace'].includes(app.log.level)
  let isStopping = false
  let measuresProcess = false
  const refusals = new LineBudget(app.log)

  // callbacks instead of promises, because every request runs this
  app.addHook('onRequest', (request, reply, done) => {
    const work = inFlight.workOf(addressOf(request))
    request.work = work
    const begun = performance.now()
    // unlike Fastify's onResponse, this is also called if the caller disconnected
    reply.raw.once('close', () => {
      work.end()
      const ended = performance.now()
      const status = reply.raw.headersSent ? reply.raw.statusCode : goneAway
      const labels = { operation: operationOf(request), method: request.method, status }
      duration.observe(labels, (ended - begun) / 1000)
      const { isStream } = request.routeOptions.config as RouteConfig
      const isNotable = (ended - begun > slow && !isStream) || status >= 400
      if (!isNotable && !isVerbose) return
      const isRefusal = status === 503 || (status >= 400 && status < 500)
      if (isRefusal && !isVerbose && !refusals.take(ended)) return
      logRequest(request, status, ended - begun, isNotable)
    })
    try {
      if (admission && !isLetIn(request.routeOptions)) {
        admission.admit(work.address)
        work.admittedAt = begun
      }
      work.begin(isProbe(request))
    } catch (refusal) {
      return done(refusal as Error)
    }
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // a caller that reads the answer slowly only occupies the memory of its bytes
    const { work } = request
    work?.end()
    if (work?.admittedAt !== undefined) {
      admission?.done(performance.now() - work.admittedAt)
      work.admittedAt = undefined
    }
    if (isStopping) {
      reply.header('connection', 'close')
      return done(null, payload)
    }
    if (!work?.isExcess) return done(null, payload)
    delayed.send(() => done(null, payload))
  })

  for (const [name, help, reading] of numbers(runtime, inFlight, connections, app.bodies)) {
    watch(metrics, name, help, reading)
  }
  measure(
    metrics,
    'part_works',
    'Whether a part beside the database works: 1 or 0',
    'part',
    async () =>
      Object.fromEntries(
        Object.entries(await health()).map(([part, state]) => [part, Number(state === 'ok')]),
      ),
  )
  // of every route from here on, the probes first
  const always: string[] = []
  app.addHook('onRoute', (route) => {
    // up to its first parameter, without a trailing slash
    if (isLetIn(route)) always.push(route.url.replace(/\/?(:.*|\*)?$/, ''))
  })
  probe(app, '/livez', async () => ({ status: 'alive' }))
  probe(app, '/readyz', async () => {
    if (isStopping) throw unavailable('The service is stopping')
    const [parts] = await Promise.all([health(), Promise.race([checkReady(), tooLate()])])
    const isWhole = Object.values(parts).every((state) => state === 'ok')
    return { status: isWhole ? 'ready' : 'degraded', parts: { database: 'ok', ...parts } }
  })
  probe(app, '/metrics', async (_request, reply) => {
    const all = await siblings?.measured()
    const text = all?.length ? AggregatorRegistry.aggregate(all).metrics() : complete().metrics()
    return reply.type(metrics.contentType).send(await text)
  })
  // created at the first request: a service that nobody scrapes need not watch its event loop
  function complete(): Registry {
    if (!measuresProcess) collectDefaultMetrics({ register: metrics })
    measuresProcess = true
    return metrics
  }

  const closed = 'Connections closed from here: full, room, unread, body'
  count(metrics, 'http_connections_closed_total', closed, 'reason', () => connections.closed)

  if (admission) {
    const report = (request: IncomingMessage, id: string) => {
      duration.observe({ operation: 'none', method: request.method, status: 503 }, 0)
      if (!refusals.take(performance.now())) return
      const [path = ''] = (request.url ?? '').split('?')
      const { method } = request
      const line = { request_id: id, method, path: withoutSecrets(path), status: 503 }
      app.log.info({ ...line, failure: 'overloaded', ms: 0 }, 'refused request')
    }
    const addressOf = addressReader(runtime.config.trustProxy)
    const api = apiPaths(runtime.config)
    refuseEarly(app, { admission, inFlight, delayed, addressOf, report, api }, always)
    app.addHook('onClose', async () => admission.close())
    count(metrics, 'http_requests_refused_total', 'Refused, by reason', 'reason', () => ({
      overload: admission.refused,
    }))
  }

  return {
    watch: (name, help, reading) => watch(metrics, name, help, reading),
    count: (name, help, label, reading) => count(metrics, name, help, label, reading),
    measure: (name, help, label, reading) => measure(metrics, name, help, label, reading),
    measured: () => complete().getMetricsAsJSON(),
    stopping() {
      isStopping = true
    },
  }
}

function requestDuration(metrics: Registry) {
  return new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from a request to the end of its answer',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics],
  })
}

function watch(metrics: Registry, name: string, help: string, reading: () => number) {
  new Gauge({
    name,
    help,
    registers: [metrics],
    collect() {
      this.set(reading())
    },
  })
}

function measure(
  metrics: Registry,
  name: string,
  help: string,
  label: string,
  reading: () => Promise<Counts>,
) {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    async collect() {
      const counts = await reading()
      this.reset()
      for (const [value, number] of Object.entries(counts)) this.set({ [label]: value }, number)
    },
  })
}

function count(
  metrics: Registry,
  name: string,
  help: string,
  label: string,
  reading: () => Counts,
) {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect() {
      this.reset()
      for (const [value, number] of Object.entries(reading())) this.inc({ [label]: value }, number)
    },
  })
}

/** The gauges of this process. */
function numbers(
  { database }: Runtime,
  inFlight: InFlight,
  connections: ConnectionState,
  bodies: Bodies,
): [name: string, help: string, reading: () => number][] {
  const { state } = database
  return [
    ['http_requests_in_flight', 'Requests being worked on', () => inFlight.all],
    ['http_connections', 'Open connections', () => connections.open],
    ['http_received_bytes', 'Bytes of bodies in memory', () => bodies.size],
    ['http_unread_bytes', 'Bytes of answers that wait for readers', () => connections.unread],
    ['database_writers_busy', 'Writing connections in use', () => state().writers.busy],
    ['database_writers_idle', 'Writing connections idle', () => state().writers.idle],
    ['database_writers_waiting', 'Writes waiting for a connection', () => state().writers.waiting],
    ['database_reads_in_flight', 'Reads not yet answered', () => state().readers.inFlight],
    [
      'database_listening',
      '1 while notifications of other processes are received',
      () => Number(database.isListening()),
    ],
    [
      'database_connections_lost',
      'Connections given up since the start, their packets were swallowed',
      () => database.lost(),
    ],
  ]
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A path for probes: without credentials, answered under any load, 405 for other methods. */
function probe(app: FastifyInstance, url: string, handler: Handler) {
  const config = { operation: url.slice(1), isProbe: true }
  app.get(url, { config }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return handler(request, reply)
  })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    config,
    handler: async ({ method }, reply) => {
      reply.header('allow', 'GET, HEAD')
      const message = `${method} is not possible here; GET, HEAD are`
      throw new Failure(405, 'method_not_allowed', message)
    },
  })
}

type RouteConfig = { operation?: string; isProbe?: boolean; isStream?: boolean; lane?: string }

function isProbe({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as RouteConfig).isProbe === true
}

type Route = { config?: unknown; url?: string | undefined }

/** Probes and sign-ins are admitted whatever the load: passwords have their own queue. */
function isLetIn({ config, url = '' }: Route): boolean {
  const { isProbe, lane } = (config ?? {}) as RouteConfig
  return isProbe === true || lane === 'sign_in' || /^\/(oauth|auth_refresh)\b/.test(url)
}

function operationOf({ routeOptions }: FastifyRequest): string {
  return (routeOptions.config as RouteConfig).operation ?? 'none'
}

async function tooLate(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, patience).unref())
  throw unavailable('The database does not answer in time')
}

function logRequest(request: FastifyRequest, status: number, ms: number, isNotable: boolean) {
  const line = {
    request_id: request.id,
    method: request.method,
    path: loggable(request),
    operation: operationOf(request),
    organization: request.caller?.organization.id,
    status,
    failure: request.failureCode,
    ms: Math.round(ms),
  }
  if (!isNotable) request.log.debug(line, 'request')
  else if (status >= 500) request.log.info(line, 'failed request')
  else request.log.info(line, status >= 400 ? 'refused request' : 'slow request')
}

/** Counts the log lines about refused requests in each second. */
class LineBudget {
  readonly #log: FastifyBaseLogger
  #second = 0
  #lines = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** Whether another line is allowed at this time, in milliseconds; reports how many were suppressed. */
  take(time: number): boolean {
    const second = Math.floor(time / 1000)
    if (second !== this.#second) {
      const requests = this.#lines - mostRefusals
      if (requests > 0) this.#log.info({ requests }, 'more refused requests in a second')
      this.#second = second
      this.#lines = 0
    }
    return ++this.#lines <= mostRefusals
  }
}

/** The path without its query, and without the tokens that some paths carry. */
function loggable(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?')
  const route = request.routeOptions.url
  if (!route) return withoutSecrets(path)
  return /:\w*token/.test(route) ? route : path
}

function withoutSecrets(path: string): string {
  return path.replace(/[^/]{40,}/g, '[redacted]')
}

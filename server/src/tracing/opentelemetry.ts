import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import {
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  diag,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import type { SentStatement } from '../database/queries.ts'
import type { RunJob } from '../jobs/workers.ts'
import type { Log } from '../kit/ground/context.ts'
import type { SentDelivery } from '../webhooks/attempt.ts'
import { nameOf } from './statement-name.ts'

/** Traces of one process, sent to the operator's collector. */
export type Tracing = {
  /** creates a span for each request of the server; call it before routes are registered */
  traceRequests(app: FastifyInstance): void
  /** sends the queued spans, for two seconds at most, and creates no more */
  close(): Promise<void>
}

/** Milliseconds for sending queued spans at the end. */
const patience = 2000
/** The minimum milliseconds between two log lines about an unreachable collector. */
const silenceMs = 60_000

/** The methods that OpenTelemetry knows; all others are recorded as one. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

/**
 * Creates spans for requests, statements, jobs and delivery attempts with OpenTelemetry's library, which
 * reads the rest of the OTEL_ variables itself. They wait in a queue of OTEL_BSP_MAX_QUEUE_SIZE (2048) at
 * most: if the collector is slow or unreachable, spans beyond that are dropped. No span contains an organization, a
 * person or a value; `traceparent` of a caller is used, and nothing is passed on to receivers.
 */
export function startTracing(version: string, log: Log): Tracing {
  logFailures(log)
  const own = resourceFromAttributes({
    'service.name': 'perennial',
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  const named = detectResources({ detectors: [envDetector] })
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(named),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('perennial', version)
  const propagator = new W3CTraceContextPropagator()
  const takesParents = (process.env.OTEL_PROPAGATORS ?? 'tracecontext').includes('tracecontext')
  const current = new AsyncLocalStorage<Context>()

  const begin = (name: string, kind: SpanKind, attributes: Attributes, parent = ROOT_CONTEXT) =>
    tracer.startSpan(name, { kind, attributes }, parent)

  function onStatement(message: unknown) {
    // statements outside requests, jobs and attempts, such as heartbeats, would be most of the spans
    const parent = current.getStore()
    // a worker woken by a request continues in its context long after the request has ended
    if (!parent || !trace.getSpan(parent)?.isRecording()) return
    const { text, answer } = message as SentStatement
    const { operation, table } = nameOf(text)
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table && { 'db.collection.name': table }),
    }
    const name = table ? `${operation} ${table}` : operation
    const span = begin(name, SpanKind.CLIENT, attributes, parent)
    answer.then(
      () => span.end(),
      (error: unknown) => fail(span, error),
    )
  }
  subscribe('perennial:statement', onStatement)

  const closeJobs = traced<RunJob>('perennial:job', ({ name, id }) =>
    begin(`job ${name}`, SpanKind.CONSUMER, { 'perennial.job.name': name, 'perennial.job.id': id }),
  )
  const closeDeliveries = traced<SentDelivery>(
    'perennial:delivery',
    ({ host, attempt }) =>
      begin('POST webhook', SpanKind.CLIENT, {
        'http.request.method': 'POST',
        'server.address': host,
        'http.request.resend_count': attempt - 1,
      }),
    (span, { result }) => {
      if (result?.status) span.setAttribute('http.response.status_code', result.status)
      const isTaken = result?.status !== undefined && result.status < 300
      if (isTaken || result?.error === 'stopped') return
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', result?.error ?? String(result?.status))
    },
  )

  /** A span around what a channel traces, which is the parent of spans within. */
  function traced<Message extends object>(
    channel: string,
    start: (message: Message) => Span,
    finish?: (span: Span, message: Message) => void,
  ): () => void {
    const {
      start: begins,
      error: fails,
      asyncEnd: ends,
    } = tracingChannel<Context, Message>(channel)
    const spans = new WeakMap<Message, Span>()
    begins.bindStore(current, (message) => {
      const span = start(message)
      spans.set(message, span)
      return trace.setSpan(ROOT_CONTEXT, span)
    })
    const failed = (message: unknown) => {
      const span = spans.get(message as Message)
      if (span) fail(span, (message as { error: unknown }).error, false)
    }
    const ended = (message: unknown) => {
      const span = spans.get(message as Message)
      if (!span) return
      finish?.(span, message as Message)
      span.end()
    }
    fails.subscribe(failed)
    ends.subscribe(ended)
    return () => {
      begins.unbindStore(current)
      fails.unsubscribe(failed)
      ends.unsubscribe(ended)
    }
  }

  return {
    traceRequests(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        const { routeOptions } = request
        const { operation, isProbe } = routeOptions.config as RouteConfig
        if (isProbe) return done()
        const parent = takesParents
          ? propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
          : ROOT_CONTEXT
        const method = methods.has(request.method) ? request.method : '_OTHER'
        const route = routeOptions.url
        const attributes = {
          'http.request.method': method,
          'url.scheme': request.protocol,
          ...(route && { 'http.route': route }),
          ...(operation && { 'perennial.operation': operation }),
        }
        const name = route ? `${method} ${route}` : method
        const span = begin(name, SpanKind.SERVER, attributes, parent)
        reply.raw.once('close', () => {
          const { headersSent, statusCode } = reply.raw
          if (headersSent) span.setAttribute('http.response.status_code', statusCode)
          else span.setAttribute('error.type', 'caller went away')
          if (headersSent && statusCode >= 500) {
            span.setAttribute('error.type', String(statusCode))
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        })
        current.run(trace.setSpan(parent, span), done)
      })
    },
    async close() {
      unsubscribe('perennial:statement', onStatement)
      closeJobs()
      closeDeliveries()
      const sent = provider.shutdown().catch(() => {})
      await Promise.race([sent, sleep(patience, undefined, { ref: false })])
    },
  }
}

type RouteConfig = { operation?: string; isProbe?: boolean }

/** Marks a span as failed, with the kind of the error, never its message, which may contain values. */
function fail(span: Span, error: unknown, ends = true) {
  const { code, name } = error as { code?: string; name?: string }
  span.setAttribute('error.type', code ?? name ?? 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
  if (ends) span.end()
}

function logFailures(log: Log) {
  let saidAt = -Infinity
  const warn = (message: string) => {
    if (performance.now() - saidAt < silenceMs) return
    saidAt = performance.now()
    log.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  }
  const nothing = () => {}
  const logger = { error: warn, warn, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Log } from '../kit/ground/context.ts'

/** Traces of one process, sent to the operator's collector. */
export type Tracing = {
  /** creates a span for each request of the server; call it before routes are registered */
  traceRequests(app: FastifyInstance): void
  /** sends the queued spans, for two seconds at most, and creates no more */
  close(): Promise<void>
}

/**
 * Starts OpenTelemetry if OTEL_EXPORTER_OTLP_ENDPOINT is set. Without it nothing of OpenTelemetry is
 * loaded, and nobody subscribes to the channels from which spans are created.
 */
export async function openTracing(
  config: Config,
  version: string,
  log: Log,
): Promise<Tracing | undefined> {
  if (!config.isTracing) return undefined
  const { startTracing } = await import('./opentelemetry.ts')
  return startTracing(version, log)
}

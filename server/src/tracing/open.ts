import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Log } from '../kit/ground/context.ts'

/** Traces of one process, which go to the operator's collector. */
export type Tracing = {
  /** makes a span of each request of the server; before routes are registered */
  traceRequests(app: FastifyInstance): void
  /** sends what waits, for two seconds at most, and makes no more spans */
  close(): Promise<void>
}

/**
 * Starts OpenTelemetry where OTEL_EXPORTER_OTLP_ENDPOINT says so. Without it nothing of OpenTelemetry is
 * loaded, and nobody subscribes to the channels that spans are made of.
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

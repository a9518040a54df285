import type { Tracing } from './opentelemetry.ts'
import type { Config } from '../config.ts'
import type { Log } from '../kit/ground/context.ts'

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

import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Config } from '../../config.ts'
import { forbidden } from '../../kit/ground/errors.ts'

/**
 * Refuses, with 403, requests that another site made a browser send by DNS rebinding (its own name resolves to our
 * address): `Host` and `Origin` must be ours, or loopback, which proxies often use.
 */
export function checkHost(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  request: Request,
): void {
  const { hostname } = new URL(publicUrl)
  const names = [hostname, host, ...localhostAllowedHostnames()]
  if (hostHeaderValidationResponse(request, names)) {
    throw forbidden(`The Host header must be that of ${publicUrl}`, 'foreign_host')
  }
  if (originValidationResponse(request, names)) {
    throw forbidden('Pages of other sites may not call this address', 'foreign_origin')
  }
}

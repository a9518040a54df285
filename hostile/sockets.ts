import type { Socket } from 'node:net'
import { connect } from 'node:net'

/** A raw connection to the service, for requests that no client would send; its end is no error. */
export function dial(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

/** The bytes of a request without a body. */
export function request(method: string, path: string, token?: string): string {
  const authorization = token ? `authorization: Bearer ${token}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\n${authorization}\r\n`
}

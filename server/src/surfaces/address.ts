import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isWithin, parseRanges } from '../kit/ground/address.ts'
import type { SignInAttempt } from '../kit/ground/services.ts'

/**
 * The address under which a caller's requests are counted. One who has an IPv6 address has all of its
 * network's 2^64, so the network is the name; what a proxy reports that is no address is not believed.
 */
export function addressOf(request: FastifyRequest): string {
  return counted(request.ip) ?? counted(request.raw.socket.remoteAddress) ?? 'unknown'
}

/** A caller's address as it is recorded: what a proxy reports that is no address is the proxy's. */
export function callerAddress({ ip, raw }: FastifyRequest): string {
  return counted(ip) ? ip : (raw.socket.remoteAddress ?? 'unknown')
}

/** An attempt to sign in, or to choose a password, as it is counted. */
export function attemptOf(address: string, account = ''): SignInAttempt {
  return { address: counted(address) ?? address, account }
}

/** The key under which the failures of an address are counted. */
export function failuresOf(address: string): string {
  return `address ${counted(address) ?? address}`
}

/** The name under which an address is counted; undefined for what is no address. */
export function counted(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!address.includes(':')) return isIP(address) ? address : undefined
  // IPv4 over a listener for both, and what some proxies send with the port
  const plain = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address)?.[1]
  if (plain) return isIP(plain) ? plain : undefined
  const bare = address.replace(/%.*$/, '')
  return isIP(bare) ? networkOf(bare) : undefined
}

/** Whether a peer is a proxy of the operator's, whose connections carry many callers. */
export function proxyCheck(trustProxy: number | readonly string[]): (peer: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const ranges = parseRanges(trustProxy)
  return (peer) => isWithin(peer.replace(/^::ffff:(?=\d+\.)/i, ''), ranges)
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const first = head ? head.split(':') : []
  const last = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { counted, isWithin, parseRanges } from '../kit/ground/address.ts'

/** How many proxies are in front of the service, or their addresses. */
type TrustProxy = Config['trustProxy']

/**
 * The address under which a caller's requests are counted, an IPv6 network as one; a value from a proxy
 * that is not an address is ignored.
 */
export function addressOf(request: FastifyRequest): string {
  return counted(request.ip) ?? counted(request.raw.socket.remoteAddress) ?? 'unknown'
}

/**
 * A caller's address as it is recorded: the proxy's, if the proxy reports a value that is not an
 * address.
 */
export function callerAddress({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  return counted(ip) ? ip : (raw.socket.remoteAddress ?? 'unknown')
}

/** Which peers are trusted about a caller's address, by address and by number of hops from here. */
export function trusted(trustProxy: TrustProxy): (address: string, hop: number) => boolean {
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  return proxyAddress.compile([...trustProxy])
}

/** `addressOf` for a request that the framework has not seen. */
export function addressReader(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  const trust = trusted(trustProxy)
  return (request) =>
    counted(proxyAddress(request, trust)) ?? counted(request.socket.remoteAddress) ?? 'unknown'
}

/** Whether a peer is one of the operator's proxies, whose connections have many callers. */
export function proxyCheck(trustProxy: TrustProxy): (peer: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const ranges = parseRanges(trustProxy)
  return (peer) => isWithin(peer.replace(/^::ffff:(?=\d+\.)/i, ''), ranges)
}

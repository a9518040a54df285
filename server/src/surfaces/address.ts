import type { FastifyRequest } from 'fastify'
import { counted, isWithin, parseRanges } from '../kit/ground/address.ts'

/**
 * The address under which a caller's requests are counted, an IPv6 network as one; what a proxy reports
 * that is no address is not believed.
 */
export function addressOf(request: FastifyRequest): string {
  return counted(request.ip) ?? counted(request.raw.socket.remoteAddress) ?? 'unknown'
}

/** A caller's address as it is recorded: what a proxy reports that is no address is the proxy's. */
export function callerAddress({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  return counted(ip) ? ip : (raw.socket.remoteAddress ?? 'unknown')
}

/** Whether a peer is a proxy of the operator's, whose connections carry many callers. */
export function proxyCheck(trustProxy: number | readonly string[]): (peer: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const ranges = parseRanges(trustProxy)
  return (peer) => isWithin(peer.replace(/^::ffff:(?=\d+\.)/i, ''), ranges)
}

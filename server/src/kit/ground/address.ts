import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { SignInAttempt } from './services.ts'

/** An address range: its first address and the length of its prefix in bits. */
export type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * What an IP address is, in words such as `a private address`, or null for a public one. Anything
 * that is not global unicast counts, also what is no IP address at all.
 */
export function unreachableKind(address: string): string | null {
  if (isIP(address) === 0) return 'not an IP address'
  const ip = ipaddr.parse(address)
  const range = ip.range()
  if (range !== 'unicast') return kinds[range] ?? 'a reserved address'
  if (contains(azureMetadata, ip)) return 'a metadata address'
  return ip.kind() === 'ipv6' && !contains(globalUnicast, ip) ? 'a reserved address' : null
}

/** Whether an address lies in one of the ranges. */
export function isWithin(address: string, ranges: readonly Range[]): boolean {
  if (isIP(address) === 0) return false
  const ip = ipaddr.parse(address)
  return ranges.some((range) => contains(range, ip))
}

/** 127.0.0.0/8 and ::1. */
export const loopback: readonly Range[] = ['127.0.0.0/8', '::1/128'].map(rangeOf)

/**
 * Reads ranges such as `10.0.0.0/8`, `fd00::/8` or a single address. Throws an Error that names the
 * first invalid one.
 */
export function parseRanges(cidrs: readonly string[]): Range[] {
  return cidrs.map(rangeOf)
}

/** An attempt to sign in, or to choose a password, as it is counted. */
export function attemptOf(address: string, account = ''): SignInAttempt {
  return { address: counted(address) ?? address, account }
}

/** The key under which the failures of an address are counted; a `kind` is counted separately. */
export function failuresOf(address: string, kind = 'address'): string {
  return `${kind} ${counted(address) ?? address}`
}

/**
 * The name under which an address is counted; undefined for anything else. The owner of an IPv6 address
 * has all 2^64 of its network, so the network is the name.
 */
export function counted(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!address.includes(':')) return isIP(address) ? address : undefined
  // IPv4 over a listener for both, and what some proxies send with the port
  const plain = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address)?.[1]
  if (plain) return isIP(plain) ? plain : undefined
  const bare = address.replace(/%.*$/, '')
  return isIP(bare) ? networkOf(bare) : undefined
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

function rangeOf(text: string): Range {
  // ipaddr.js would read `10/8` as 0.0.0.10/8, which opens another range than was meant.
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  const length = bits === undefined ? width : Number(bits)
  if (width < 0 || length > width || address.includes('%')) {
    throw new Error(`"${text}" is no address range: give one such as 10.0.0.0/8 or fd00::/8`)
  }
  return [ipaddr.parse(address), length]
}

// IANA has handed out nothing else for use on the public network (RFC 4291, 2.4). This also covers
// IPv4-compatible addresses (::7f00:1), whose ipaddr.js range is plain unicast.
const globalUnicast = rangeOf('2000::/3')

// Azure answers for a machine's own metadata and settings here, on an address that looks public.
const azureMetadata = rangeOf('168.63.129.16/32')

const kinds: Record<string, string> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  ipv4Mapped: 'an IPv4-mapped address',
  rfc6052: 'a NAT64 address',
  rfc6145: 'an IPv4-translated address',
  '6to4': 'a 6to4 address',
  teredo: 'a Teredo address',
}

function contains([first, bits]: Range, ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ip.kind() === first.kind() && ip.match(first, bits)
}

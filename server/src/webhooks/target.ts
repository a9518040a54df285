import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Agent, buildConnector } from 'undici'
import { isWithin, loopback, parseRanges, unreachableKind } from '../kit/ground/address.ts'

/**
 * Where webhooks may be sent besides public https addresses. `allowedCidrs` allows address ranges, for
 * http only together with `allowHttp`; `allowLoopbackHttp` allows loopback, for http and https.
 */
export type TargetPolicy = {
  allowHttp: boolean
  allowLoopbackHttp: boolean
  allowedCidrs: readonly string[]
}

/** A forbidden URL for webhooks; the message says why without revealing a resolved address. */
export class TargetError extends Error {
  override name = 'TargetError'
  readonly code: 'invalid_url' | 'not_https' | 'unresolved' | 'forbidden_address'

  constructor(code: TargetError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** All addresses of a host name; rejects if there are none. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/**
 * Checks a webhook's URL and every address that its name resolves to, and returns the parsed URL. Throws
 * TargetError. A name may resolve differently later, so `guardedAgent` checks again (contract 6, 10).
 */
export async function checkTarget(
  text: string,
  policy: TargetPolicy,
  { resolve = systemResolve }: { resolve?: Resolve } = {},
): Promise<URL> {
  const rules = rulesOf(policy)
  const url = parseTarget(text)
  if (url.protocol === 'http:' && !policy.allowHttp && !policy.allowLoopbackHttp) throw notHttps()

  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(hostname)) check(url.protocol, hostname, hostname, rules)
  else await checkedAddresses(url.protocol, hostname, rules, resolve)
  return url
}

/**
 * An undici dispatcher that connects only to addresses the policy allows. It resolves each name once
 * per connection, checks all its addresses and connects to exactly those, so a name that changes
 * between check and connection (DNS rebinding) has no effect. HTTP/1.1, no redirects, no proxy.
 */
export function guardedAgent(
  policy: TargetPolicy,
  {
    resolve = systemResolve,
    connectTimeoutMs = 10_000,
    onInternal = () => {},
  }: {
    resolve?: Resolve
    connectTimeoutMs?: number
    /** called with the host, as URLs write it, before it is connected to at an address that
     * `allowedCidrs` alone opens */
    onInternal?: (hostname: string) => void
  } = {},
): Agent {
  const rules = { ...rulesOf(policy), onInternal }
  const open = (protocol: string) =>
    buildConnector({
      allowH2: false,
      timeout: connectTimeoutMs,
      autoSelectFamily: true,
      // Node's default of 250 ms gives up on the first of several addresses across an ocean.
      autoSelectFamilyAttemptTimeout: 2000,
      lookup: checkedLookup(protocol, rules, resolve),
    })
  const connectors: Record<string, buildConnector.connector> = {
    'http:': open('http:'),
    'https:': open('https:'),
  }

  return new Agent({
    // No limit of connections: in a full pool, one receiver's hanging requests would delay
    // another's on the same host. Requests in flight are limited where they are started.
    connections: null,
    // A receiver's own keep-alive hint may ask for ten minutes by default.
    keepAliveMaxTimeout: 30_000,
    connect({ servername, ...options }, callback) {
      const { hostname, protocol } = options
      if (isIP(hostname)) {
        // Node connects to a literal without a lookup, so the one above never sees it.
        const refusal = caught(() => check(protocol, hostname, hostname, rules))
        if (refusal) return queueMicrotask(() => callback(refusal, null))
      } else if (protocol === 'https:') {
        // A certificate and SNI know no trailing dot (RFC 6066, 3).
        servername = hostname.replace(/\.$/, '')
      }
      connectors[protocol]!({ ...options, servername }, callback)
    },
  })
}

type Rules = TargetPolicy & {
  opened: ReturnType<typeof parseRanges>
  onInternal?: (hostname: string) => void
}

function rulesOf(policy: TargetPolicy): Rules {
  return { ...policy, opened: parseRanges(policy.allowedCidrs) }
}

function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url) throw invalid('is not an absolute URL such as https://example.com/hook')
  if (Math.max(text.length, url.href.length) > 2048) throw invalid('is longer than 2048 characters')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw notHttps()
  if (url.username || url.password) throw invalid('must not contain a user name or a password')
  if (url.port === '0') throw invalid('must not name port 0')
  return url
}

function checkedLookup(protocol: string, rules: Rules, resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    checkedAddresses(protocol, hostname, rules, resolve).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (error: Error) => callback(error, []),
    )
  }
}

async function checkedAddresses(
  protocol: string,
  hostname: string,
  rules: Rules,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const addresses = await inTime(resolve(hostname)).catch(() => [])
  if (addresses.length === 0) {
    throw new TargetError('unresolved', `The host ${hostname} cannot be found`)
  }
  for (const { address } of addresses) check(protocol, hostname, address, rules)
  return addresses
}

// The system's resolver may take half a minute over a name whose servers do not answer.
async function inTime(addresses: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
  const timer = new AbortController()
  const none = setTimeout(5000, [], { signal: timer.signal })
  none.catch(() => {})
  return Promise.race([addresses, none]).finally(() => timer.abort())
}

// The message names the kind of address, not the address: a tenant must not learn the addresses behind internal
// names.
function check(protocol: string, hostname: string, address: string, rules: Rules): void {
  const isLoopback = isWithin(address, loopback)
  if (isLoopback && rules.allowLoopbackHttp) return
  const kind = unreachableKind(address)
  if (kind && !isWithin(address, rules.opened)) {
    const is = hostname === address ? 'is' : 'resolves to'
    throw new TargetError(
      'forbidden_address',
      `The host ${hostname} ${is} ${kind}; webhooks go to public addresses only`,
    )
  }
  if (protocol === 'http:' && !rules.allowHttp) throw notHttps()
  if (kind) rules.onInternal?.(isIP(hostname) === 6 ? `[${hostname}]` : hostname)
}

// Requests for one name share one lookup. The system's resolver runs on few threads, and so a name
// whose server hangs occupies one of them, not as many as there are requests.
const lookups = new Map<string, Promise<LookupAddress[]>>()

function systemResolve(hostname: string): Promise<LookupAddress[]> {
  const known = lookups.get(hostname)
  if (known) return known
  const addresses = lookup(hostname, { all: true, order: 'verbatim' })
  lookups.set(hostname, addresses)
  const release = () => void lookups.delete(hostname)
  addresses.then(release, release)
  return addresses
}

function caught(run: () => void): Error | null {
  try {
    run()
    return null
  } catch (error) {
    return error as Error
  }
}

function invalid(what: string): TargetError {
  return new TargetError('invalid_url', `The webhook URL ${what}`)
}

function notHttps(): TargetError {
  return new TargetError('not_https', 'The webhook URL must begin with https://')
}

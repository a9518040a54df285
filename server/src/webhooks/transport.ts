import type { Agent } from 'undici'
import { LRUCache } from 'lru-cache'
import { atMost } from '../kit/ground/cache-bound.ts'
import type { Config } from '../config.ts'
import { isLoopback } from '../config.ts'
import type { HostLimits } from './limits.ts'
import { hostLimits } from './limits.ts'
import type { PostResult } from './post.ts'
import { post } from './post.ts'
import type { TargetPolicy } from './target.ts'
import { guardedAgent } from './target.ts'

/** How requests to receivers leave: where they may go, over what, how many at once to one host. */
export type Transport = {
  policy: TargetPolicy
  agent: Agent
  limits: HostLimits
  /** hosts that have led to an address that is not public and that the operator opened */
  internal: Pick<LRUCache<string, true>, 'has'>
}

/** The transport of a process, by its configuration. */
export function makeTransport(config: Config): Transport {
  const policy = targetPolicy(config)
  const { webhookHostRate: ratePerSecond, webhookHostConcurrency: concurrency } = config
  // more than connections can be open, and each connection notes its host again
  const internal = new LRUCache<string, true>(atMost(100_000))
  return {
    policy,
    agent: guardedAgent(policy, { onInternal: (hostname) => void internal.set(hostname, true) }),
    limits: hostLimits({ ratePerSecond, concurrency }),
    internal,
  }
}

/**
 * One POST to a receiver; see `post`. What a host of the operator's own network answers is not passed
 * on: tenants choose the URL, and the network is none of theirs.
 */
export async function postTo(
  { agent, internal }: Pick<Transport, 'agent' | 'internal'>,
  request: Parameters<typeof post>[1],
): Promise<PostResult> {
  const result = await post(agent, request)
  const { hostname } = new URL(request.url)
  return internal.has(hostname) ? { ...result, responseExcerpt: '' } : result
}

/**
 * Where webhooks may go. Loopback is open, over http too, to a development installation: one that
 * listens on loopback and is reached there. Behind a proxy on the same machine it listens there as
 * well, but its public address says that others reach it (contract, section 6).
 */
export function targetPolicy(config: Config): TargetPolicy {
  return {
    allowHttp: config.webhookAllowHttp,
    allowLoopbackHttp: isLoopback(config.host) && isLoopback(new URL(config.publicUrl).hostname),
    allowedCidrs: config.webhookAllowedCidrs,
  }
}

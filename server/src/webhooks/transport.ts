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

/** How requests are sent to receivers: the allowed targets, the agent, and the limits per host. */
export type Transport = {
  policy: TargetPolicy
  agent: Agent
  limits: HostLimits
  /** hosts that resolved to a non-public address allowed by the operator */
  internal: Pick<LRUCache<string, true>, 'has'>
}

/** The transport of a process, by its configuration. */
export function makeTransport(config: Config): Transport {
  const policy = targetPolicy(config)
  const { webhookHostRate: ratePerSecond, webhookHostConcurrency: concurrency } = config
  // more than there can be open connections, and each connection adds its host again
  const internal = new LRUCache<string, true>(atMost(100_000))
  return {
    policy,
    agent: guardedAgent(policy, { onInternal: (hostname) => void internal.set(hostname, true) }),
    limits: hostLimits({ ratePerSecond, concurrency }),
    internal,
  }
}

/**
 * One POST to a receiver; see `post`. Answers from hosts in the operator's own network are not passed
 * on: tenants choose the URL, and must not see into that network.
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
 * Where webhooks may be sent. A development installation may also use loopback, with http: one that
 * listens on loopback and is reached there. An installation behind a proxy on the same machine also listens there,
 * but its public address shows that others reach it (contract, section 6).
 */
export function targetPolicy(config: Config): TargetPolicy {
  return {
    allowHttp: config.webhookAllowHttp,
    allowLoopbackHttp: isLoopback(config.host) && isLoopback(new URL(config.publicUrl).hostname),
    allowedCidrs: config.webhookAllowedCidrs,
  }
}

import type { Agent } from 'undici'
import type { Config } from '../config.ts'
import type { HostLimits } from './limits.ts'
import { hostLimits } from './limits.ts'
import type { TargetPolicy } from './target.ts'
import { guardedAgent } from './target.ts'

/** How requests to receivers leave: where they may go, over what, how many at once to one host. */
export type Transport = { policy: TargetPolicy; agent: Agent; limits: HostLimits }

/** The transport of a process, by its configuration. */
export function makeTransport(config: Config): Transport {
  const policy = targetPolicy(config)
  const { webhookHostRate: ratePerSecond, webhookHostConcurrency: concurrency } = config
  return {
    policy,
    agent: guardedAgent(policy),
    limits: hostLimits({ ratePerSecond, concurrency }),
  }
}

/**
 * Where webhooks may go. A server that listens on loopback only is one machine's own, so its
 * loopback is open to it over http too (contract, section 6).
 */
export function targetPolicy(config: Config): TargetPolicy {
  return {
    allowHttp: config.webhookAllowHttp,
    allowLoopbackHttp: /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/i.test(config.host),
    allowedCidrs: config.webhookAllowedCidrs,
  }
}

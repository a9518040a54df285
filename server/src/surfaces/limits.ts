import type { FastifyReply } from 'fastify'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { RateLimit } from '../config.ts'
import { tooMany } from '../kit/ground/errors.ts'
import type { FailureLimiter } from '../kit/ground/services.ts'

/** A limit on the requests of one caller, counted in this process. */
export type Limiter = (reply: FastifyReply, caller: string) => Promise<void>

/**
 * Counts requests and reports the state in `RateLimit-Policy` and `RateLimit` (the IETF draft of these
 * names); 429 with `Retry-After` above the limit. Each process counts for itself.
 */
export function rateLimiter(name: string, { count, seconds }: RateLimit): Limiter {
  if (!count) return async () => {}
  const limiter = new RateLimiterMemory({ points: count, duration: seconds })
  const policy = `"${name}";q=${count};w=${seconds}`
  return async (reply, caller) => {
    const state = await limiter.consume(caller).catch((rejected: RateLimiterRes) => rejected)
    const wait = Math.ceil(state.msBeforeNext / 1000)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"${name}";r=${Math.max(0, state.remainingPoints)};t=${wait}`)
    if (state.consumedPoints > count) throw tooMany(Math.max(1, wait))
  }
}

/** Counts failed attempts by key, at most `count` in `seconds`; a `count` of 0 is no limit. */
export function failureLimiter({ count, seconds }: RateLimit): FailureLimiter {
  if (!count) return { check: async () => {}, failed: async () => {} }
  const limiter = new RateLimiterMemory({ points: count, duration: seconds })
  const refuse = ({ msBeforeNext }: RateLimiterRes) =>
    tooMany(Math.max(1, Math.ceil(msBeforeNext / 1000)), 'Too many failed attempts')
  return {
    async check(...keys) {
      for (const key of keys) {
        const state = await limiter.get(key)
        if (state && state.consumedPoints >= count) throw refuse(state)
      }
    },
    async failed(...keys) {
      const states = await Promise.all(keys.map((key) => limiter.penalty(key)))
      const over = states.find(({ consumedPoints }) => consumedPoints > count)
      if (over) throw refuse(over)
    },
  }
}

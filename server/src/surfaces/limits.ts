import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { atMost } from '../kit/ground/cache-bound.ts'
import type { RateLimit } from '../config.ts'
import type { Counted, SharedCounts } from '../database/shared-counts.ts'
import type { Runtime } from '../runtime.ts'
import { tooMany } from '../kit/ground/errors.ts'
import type { FailureLimiter, SignInAttempt, SignInLimiter } from '../kit/ground/services.ts'

/** A limit on the requests of one caller. */
export type Limiter = (reply: FastifyReply, caller: string) => Promise<void>

/**
 * Counts requests and reports the state in `RateLimit-Policy` and `RateLimit` (the IETF draft of these
 * names); 429 with `Retry-After` above the limit. All processes count together.
 */
export function rateLimiter(
  counts: SharedCounts,
  name: string,
  { count, seconds }: RateLimit,
): Limiter {
  if (!count) return async () => {}
  const counter = counts.counter(name, { count, seconds })
  const policy = `"${name}";q=${count};w=${seconds}`
  return async (reply, caller) => {
    const state = counter.add(caller)
    const wait = Math.ceil(state.leftMs / 1000)
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"${name}";r=${Math.max(0, count - state.count)};t=${wait}`)
    if (state.count > count) throw tooMany(Math.max(1, wait))
  }
}

/** The key by which submissions of an address to public pages are counted. */
export function submitting(address: string): string {
  return `submit ${address}`
}

/** The same for opening pages that count who opens them. */
export function viewing(address: string): string {
  return `view ${address}`
}

/** The counters of attempts of a service. */
export function attemptsOf({
  database,
  secrets,
}: Pick<Runtime, 'database' | 'secrets'>): AttemptCounts {
  return { counts: database.counts, hash: (key) => secrets.hash(key) }
}

/** The counters, and the hash function for their keys, which may be people's addresses. */
export type AttemptCounts = { counts: SharedCounts; hash(key: string): Buffer }

/**
 * Counts failed attempts, or others that `message` names, by key: at most `count` in `seconds` over all
 * processes; a `count` of 0 is no limit. `name` distinguishes its keys from those of other limits.
 */
export function failureLimiter(
  { counts, hash }: AttemptCounts,
  name: string,
  { count, seconds }: RateLimit,
  message = 'Too many failed attempts',
): FailureLimiter {
  if (!count) return { check: async () => {}, failed: async () => {} }
  const counter = counts.counter(name, { count, seconds })
  const hidden = (key: string) => hash(key).toString('base64url')
  const refuse = ({ leftMs }: Counted) => tooMany(Math.max(1, Math.ceil(leftMs / 1000)), message)
  return {
    async check(...keys) {
      for (const key of keys) {
        const state = await counter.look(hidden(key))
        if (state && state.count >= count) throw refuse(state)
      }
    },
    async failed(...keys) {
      const states = await Promise.all(keys.map((key) => counter.addNow(hidden(key))))
      const over = states.find((state) => state.count > count)
      if (over) throw refuse(over)
    },
  }
}

/** How long after a sign-in an address counts as known for the account, in milliseconds. */
const familiarMs = 30 * 86_400_000

/**
 * Limits failed sign-ins, with counters per address shared with other failures. `account`
 * limits guesses from many addresses together; it does not apply to addresses that signed in before, so that
 * nobody is locked out of their own account by others.
 */
export function signInLimiter(
  failures: FailureLimiter,
  attempts: AttemptCounts,
  account: RateLimit,
): SignInLimiter {
  const strangers = failureLimiter(attempts, 'account', account)
  const familiar = new LRUCache<string, true>({ ...atMost(100_000), ttl: familiarMs })
  const pair = (attempt: SignInAttempt) => `account ${attempt.account} ${attempt.address}`
  const near = (attempt: SignInAttempt) => [`address ${attempt.address}`, pair(attempt)]
  return {
    async check(attempt) {
      await failures.check(...near(attempt))
      if (!familiar.has(pair(attempt))) await strangers.check(attempt.account)
    },
    async failed(attempt) {
      await failures.failed(...near(attempt))
      if (!familiar.has(pair(attempt))) await strangers.failed(attempt.account)
    },
    succeeded: (attempt) => void familiar.set(pair(attempt), true),
  }
}

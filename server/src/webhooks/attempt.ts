import type { KeyObject } from 'node:crypto'
import { tracingChannel } from 'node:diagnostics_channel'
import type { Context } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { bodyOf, headersOf } from './message.ts'
import type { Transport } from './transport.ts'
import { postTo } from './transport.ts'
import type { PostResult } from './post.ts'
import type { Claimed, Due } from './queue.ts'
import { nextAttempt } from '../kit/ground/retry.ts'
import type { Outcome } from './settle.ts'
import { signingKey } from './signature.ts'

/** What `tracing:perennial:delivery` publishes about an attempt; with the result at the end. */
export type SentDelivery = { host: string; attempt: number; result?: PostResult }

const attempts = tracingChannel<SentDelivery, SentDelivery>('perennial:delivery')

/** Sends one delivery once; the outcome says what to do next. Never throws. */
export async function attempt(
  runtime: Runtime,
  transport: Transport,
  delivery: Claimed,
  subscription: Due,
  onCancel?: (cancel: () => void) => void,
): Promise<Outcome> {
  let result: PostResult
  try {
    const body = bodyOf(delivery)
    const keys = signingKeysOf(runtime, subscription)
    const headers = headersOf(delivery.id, body, keys, runtime.now())
    const request = { url: subscription.url, headers, body, ...(onCancel && { onCancel }) }
    const about = { host: new URL(subscription.url).hostname, attempt: delivery.attempts + 1 }
    result = await attempts.tracePromise(() => postTo(transport, request), about)
  } catch (error) {
    // such as a secret encrypted with another SECRET_KEY, which is not the receiver's fault
    runtime.log.error({ err: error, delivery: delivery.id }, 'a webhook could not be built')
    result = { error: 'failed', durationMs: 0, responseExcerpt: '' }
  }
  // broken off by a stop or for others, which counts as no attempt
  if (result.error === 'stopped') return { delivery, subscription, state: 'released' }
  return outcomeOf(runtime, delivery, subscription, result)
}

type Signing = Pick<Due, 'secret' | 'previous_secret' | 'previous_until'>

/** The signing secrets: after a rotation the previous one also signs for a day. */
export function secretsOf(
  { now, secrets }: Pick<Context, 'now' | 'secrets'>,
  signing: Signing,
): string[] {
  return encryptedOf(signing, now()).map((each) => secrets.decrypt(each))
}

function encryptedOf({ secret, previous_secret, previous_until }: Signing, at: Date): Buffer[] {
  const isRotating = previous_secret && previous_until && Date.parse(previous_until) > +at
  return isRotating ? [secret, previous_secret] : [secret]
}

/** The keys of the secrets, each decrypted once for all deliveries of a claim. */
const signingKeys = new WeakMap<Buffer, KeyObject>()

function signingKeysOf({ now, secrets }: Runtime, subscription: Due): KeyObject[] {
  return encryptedOf(subscription, now()).map((encrypted) => {
    const key = signingKeys.get(encrypted) ?? signingKey(secrets.decrypt(encrypted))
    signingKeys.set(encrypted, key)
    return key
  })
}

function outcomeOf(
  runtime: Runtime,
  delivery: Claimed,
  subscription: Due,
  result: PostResult,
): Outcome {
  const next = nextAttempt({
    attempt: delivery.attempts + 1,
    schedule: runtime.config.webhookRetrySchedule,
    outcome: result,
    random: Math.random(),
  })
  const outcome: Outcome = { delivery, subscription, state: next.state, result }
  if (next.state === 'retry') {
    outcome.retry_ms = next.afterMs
  }
  return outcome
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { components, webhooks } from './schema.d.ts'

/** The names of all events. */
export type EventName = keyof webhooks & components['schemas']['EventName']

type Published<E extends EventName> =
  webhooks[E]['post']['requestBody']['content']['application/json']

/** A delivery of one event: `data` is the record after the event. */
export type EventOf<E extends EventName> = Omit<
  components['schemas']['Delivery'],
  'type' | 'data'
> & { type: E; data: NonNullable<Published<E>['data']> }

/** A delivery of any event; comparing `type` narrows `data`. */
export type WebhookEvent = { [E in EventName]: EventOf<E> }[EventName]

/** Thrown for a request that is not a delivery of the subscription; answer with 401. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
}

type Headers = { [name: string]: string | string[] | undefined } | globalThis.Headers

/** The maximum age of a delivery in seconds, also how far it may be ahead of this machine's clock. */
const tolerance = 300

/**
 * Verifies the signature of a delivery (Standard Webhooks), in constant time, and returns its event. `rawBody` is
 * the body as it arrived, not parsed and serialized again. Several secrets are accepted while one is
 * rotated. Throws WebhookVerificationError.
 */
export function verifyWebhook(
  secret: string | readonly string[],
  headers: Headers,
  rawBody: string | Uint8Array,
): WebhookEvent {
  const read = reader(headers)
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')]
  const signatures = read('webhook-signature').split(' ').map(bytesOf)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - +timestamp) > tolerance) {
    throw new WebhookVerificationError('webhook-timestamp is more than 5 minutes off')
  }
  const expected = [secret].flat().map((each) => {
    const key = Buffer.from(each.replace(/^whsec_/, ''), 'base64')
    if (!key.length) throw new TypeError('A webhook secret is whsec_ and base64')
    return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  })
  // every pair is compared, so that the time does not reveal which one matches
  const matching = expected.flatMap((right) => signatures.filter((each) => equal(each, right)))
  if (!matching.length) throw new WebhookVerificationError('webhook-signature is not ours')
  const text = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8')
  return JSON.parse(text) as WebhookEvent
}

/** Reads a header from `fetch`, Node or gateways, which preserve case; throws if it is missing. */
function reader(headers: Headers) {
  const entries = headers instanceof globalThis.Headers ? [...headers] : Object.entries(headers)
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), [value].flat()]))
  return (name: string): string => {
    const [value, ...others] = values.get(name) ?? []
    if (value && !others.length) return value
    throw new WebhookVerificationError(`${name} is missing`)
  }
}

/** The bytes of one `v1,<base64>`; of other versions none. */
function bytesOf(signature: string): Buffer {
  return Buffer.from(signature.startsWith('v1,') ? signature.slice(3) : '', 'base64')
}

function equal(received: Buffer, expected: Buffer): boolean {
  return received.length === expected.length && timingSafeEqual(received, expected)
}

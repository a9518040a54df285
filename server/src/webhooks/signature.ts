import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

/** A new signing secret: `whsec_` and the base64 of 24 random bytes (Standard Webhooks). */
export function newSecret(): string {
  return prefix + randomBytes(24).toString('base64')
}

/**
 * The value of the `webhook-signature` header: one `v1,<base64>` per secret, blank-separated, so
 * that an old and a new secret can both sign during a rotation. `timestamp` is in whole seconds and
 * equals the `webhook-timestamp` header. A secret that signs often can be passed as its key (see
 * `signingKey`). Throws for a secret without a key. (Standard Webhooks)
 */
export function sign(message: {
  id: string
  timestamp: number
  body: string | Uint8Array
  secrets: readonly (string | KeyObject)[]
}): string {
  if (message.secrets.length === 0) throw new Error('A webhook is signed with at least one secret')
  if (!Number.isSafeInteger(message.timestamp)) {
    throw new Error(`A webhook's timestamp is in whole seconds, not ${message.timestamp}`)
  }
  return message.secrets
    .map((secret) => {
      const key = typeof secret === 'string' ? signingKey(secret) : secret
      return `v1,${signature(message, key)}`
    })
    .join(' ')
}

const prefix = 'whsec_'

/** The key in a secret, to sign many messages. Throws for a secret without one. */
export function signingKey(secret: string): KeyObject {
  const key = Buffer.from(
    secret.startsWith(prefix) ? secret.slice(prefix.length) : secret,
    'base64',
  )
  // An empty key would sign without an error, and anyone could forge the result.
  if (key.length === 0) throw new Error('A webhook secret must hold a base64 key')
  return createSecretKey(key)
}

function signature(
  { id, timestamp, body }: { id: string; timestamp: number; body: string | Uint8Array },
  key: KeyObject,
): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

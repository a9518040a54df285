import { badField, tooMany } from '../kit/ground/errors.ts'
import type { Context } from '../kit/ground/context.ts'
import { hostOf } from '../kit/ground/web-address.ts'
import { checkTarget, TargetError } from './target.ts'
import type { Transport } from './transport.ts'
import { postTo } from './transport.ts'

type WebhookSender = Context['services']['webhooks']

/** Sending for operations, over the transport and within the limits that deliveries use too. */
export function webhookSender(
  transport: Transport,
  wake: WebhookSender['wake'],
  bodyShownTo: WebhookSender['bodyShownTo'],
): WebhookSender {
  const { limits, policy } = transport
  return {
    async checkUrl(url) {
      try {
        await checkTarget(url, policy)
      } catch (error) {
        throw error instanceof TargetError ? badField('url', error.message) : error
      }
    },
    async post(organization, request) {
      const permit = limits.acquire(organization, hostOf(request.url))
      if (permit.granted) return postTo(transport, request).finally(() => permit.release())
      const seconds = Math.max(1, Math.ceil((permit.waitMs ?? 1000) / 1000))
      throw tooMany(seconds, 'Too many requests to this host at the moment')
    },
    wake,
    bodyShownTo,
  }
}

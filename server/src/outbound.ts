import type { Agent } from 'undici'
import { fetch } from 'undici'
import { boundedBody } from './kit/ground/bounded-body.ts'
import type { Outbound } from './kit/ground/services.ts'
import { OutboundError } from './kit/ground/services.ts'
import { TargetError } from './webhooks/target.ts'

const timeoutMs = 20_000
/** The maximum size of an answer: fifty events have some hundred kilobytes. */
const mostBytes = 4 * 1024 * 1024

/** Requests through `agent`, which guards where they may go; who asks bounds how many there are. */
export function outbound(agent: Agent): Outbound {
  return {
    async ask({ url, method, headers, body }) {
      try {
        const response = await fetch(url, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          redirect: 'manual',
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        })
        const content = await boundedBody(
          response.body,
          mostBytes,
          () => new OutboundError('the answer is too large', false, true),
        )
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: content.toString('utf8'),
        }
      } catch (error) {
        if (error instanceof OutboundError) throw error
        const { cause = error } = error as Error
        throw new OutboundError(
          (cause as Error).message,
          cause instanceof TargetError && cause.code !== 'unresolved',
        )
      }
    },
  }
}

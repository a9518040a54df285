import type { Agent } from 'undici'
import { fetch } from 'undici'
import { boundedBody } from './kit/ground/bounded-body.ts'
import type { TimestampServices } from './kit/ground/services.ts'

const timeoutMs = 10_000
/** The maximum size of an answer: tokens with their certificates have some ten kilobytes. */
const mostBytes = 64 * 1024

/** Time stamp services by HTTP (RFC 3161, 3.4), asked through `agent`, which guards where requests may go. */
export function timestampServices(agent: Agent): TimestampServices {
  return {
    async ask(url, request) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: Uint8Array.from(request),
        redirect: 'manual',
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer = await boundedBody(
        response.body,
        mostBytes,
        () => new Error('the answer of the time stamp service is too large'),
      )
      if (response.status !== 200) {
        throw new Error(`the time stamp service answered with status ${response.status}`)
      }
      return answer
    },
  }
}

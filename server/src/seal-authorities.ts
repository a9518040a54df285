import type { Agent } from 'undici'
import { fetch } from 'undici'
import { boundedBody } from './kit/ground/bounded-body.ts'
import type { SealAuthorities } from './kit/ground/services.ts'

const timeoutMs = 10_000
/** The maximum size of an answer: tokens with their certificates have some ten kilobytes, lists of revoked ones more. */
const mostBytes = { query: 64 * 1024, download: 1024 * 1024 }

/**
 * Time stamp services by HTTP (RFC 3161, 3.4), OCSP responders (RFC 6960, appendix A) and what certificates name for
 * download, asked through `agent`, which guards where requests may go.
 */
export function sealAuthorities(agent: Agent): SealAuthorities {
  return {
    async ask(url, query) {
      const sent = query && {
        method: 'POST',
        headers: { 'content-type': `application/${query.type}` },
        body: Uint8Array.from(query.content),
      }
      const response = await fetch(url, {
        ...sent,
        redirect: 'manual',
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer = await boundedBody(
        response.body,
        query ? mostBytes.query : mostBytes.download,
        () => new Error('the answer is too large'),
      )
      if (response.status !== 200) throw new Error(`the answer has status ${response.status}`)
      return answer
    },
  }
}

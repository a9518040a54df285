import type { Agent } from 'undici'
import { fetch } from 'undici'
import type { Config } from './config.ts'
import { boundedBody } from './kit/ground/bounded-body.ts'
import { unavailable } from './kit/ground/errors.ts'
import type { Log } from './kit/ground/context.ts'

const timeoutMs = 5000
/** The maximum size of an answer; one of a hundred submitters is well below. */
const mostBytes = 2 * 1024 * 1024

/** A submission as DocuSeal's own API shows it, undefined where it has none; 503 where it gives no answer. */
export type ReadSubmission = (id: number) => Promise<unknown>

/** Reads submissions through `agent`, which guards where requests may go; undefined where no API is configured. */
export function submissionsFrom(
  { docusealApiUrl, docusealApiKey }: Config,
  agent: Agent,
  log: Log,
): ReadSubmission | undefined {
  if (!docusealApiUrl || !docusealApiKey) return undefined
  return async (id) => {
    try {
      const response = await fetch(`${docusealApiUrl}/submissions/${id}`, {
        headers: { accept: 'application/json', 'x-auth-token': docusealApiKey },
        redirect: 'manual',
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const content = await boundedBody(
        response.body,
        mostBytes,
        () => new Error('the answer is too large'),
      )
      const text = content.toString('utf8')
      if (response.status === 404) return undefined
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      return JSON.parse(text) as unknown
    } catch (err) {
      log.warn({ submission: id, err }, 'DocuSeal did not say what became of a submission')
      throw unavailable('DocuSeal’s API cannot be asked now; send the event again', 60)
    }
  }
}

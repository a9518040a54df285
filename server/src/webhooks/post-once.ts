import type { Job } from '../kit/ground/job.ts'
import type { Posting } from '../records/surveys/automations/perform.ts'
import { postOnceJob } from '../records/surveys/automations/perform.ts'
import type { Transport } from './transport.ts'
import { post } from './post.ts'

/** Errors that a retry would not change. */
const lasting = ['forbidden_address', 'not_https', 'invalid_url']

/**
 * Posts JSON to a user-defined address, through the same guard as webhooks. Retried
 * until it is accepted; `webhook-id` is the same each time, so that receivers recognize retries.
 */
export function postOnce(transport: Transport): Job<Posting> {
  return {
    ...postOnceJob,
    retries: 8,
    async run({ id, reads }, { url, payload }) {
      const headers = { 'content-type': 'application/json', 'webhook-id': id }
      const { status, error } = await post(transport.agent, {
        url,
        headers,
        body: JSON.stringify(payload),
      })
      if (status !== undefined && status < 300) return
      const { host } = new URL(url)
      if (status === 410 || (error && lasting.includes(error))) {
        reads.log.warn({ host, status, error }, 'a webhook of an automation was given up')
        return
      }
      throw new Error(`${host} answered ${status ?? error}`)
    },
  }
}

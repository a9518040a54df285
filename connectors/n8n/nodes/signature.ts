import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = { [name: string]: string | string[] | undefined }

/** The maximum age of a delivery, in seconds. */
const tolerance = 300

/** Whether a delivery was signed by Perennial and is recent: Standard Webhooks, over the received bytes. */
export function isAuthentic(secret: string, headers: Headers, rawBody: Buffer): boolean {
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= tolerance)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((each) => {
      const sent = Buffer.from(each.replace(/^v1,/, ''), 'base64')
      return (
        each.startsWith('v1,') && sent.length === expected.length && timingSafeEqual(sent, expected)
      )
    })
}

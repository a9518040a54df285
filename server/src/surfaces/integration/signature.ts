import type { KeyObject } from 'node:crypto'
import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../secrets.ts'

/** Seconds that a caller's clock may differ from ours. */
const skew = 300

/** Whether a Unix time in whole seconds is within the skew. */
export function isFresh(timestamp: string, now: Date): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(+now / 1000) - +timestamp) <= skew
}

/** Whether it is the hex HMAC-SHA256 over `<client_id>:<timestamp>` (specification 5.1). */
export function isSigned(
  key: KeyObject,
  client_id: string,
  timestamp: string,
  signature: string,
): boolean {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false
  const expected = createHmac('sha256', key).update(`${client_id}:${timestamp}`).digest()
  return equalInConstantTime(expected, Buffer.from(signature, 'hex'))
}

import type { Recipient } from '../../data/signatures.ts'
import { hasActed, mustAct, waitedFor } from '../../data/signatures.ts'
import type { Format } from './format.ts'
import { relative } from './format.ts'

/** The state of a document's signatures in words; null if nobody is asked. */
export function stateOfSigners(
  recipients: Recipient[],
  format: Format,
  now?: number,
): { words: string; tone: 'good' | 'wait' | 'bad' } | null {
  const signers = recipients.filter(mustAct)
  if (!signers.length) return null
  const refusing = signers.find(({ status }) => status === 'declined')
  if (refusing) return { words: `Declined by ${refusing.name}`, tone: 'bad' }
  if (signers.every(hasActed)) return { words: 'Signed by everybody', tone: 'good' }
  const waiting = waitedFor(signers)
  const since = waiting.flatMap(({ sent_at }) => sent_at ?? []).toSorted()[0]
  const words = `Waits for ${namesOf(waiting.map(({ name }) => name))}`
  const isLong = since !== undefined && (now ?? Date.now()) - Date.parse(since) > 3_600_000
  return { words: isLong ? `${words}, asked ${relative(since, format, now)}` : words, tone: 'wait' }
}

/** `Ada`, `Ada and Bob`, `Ada and 2 others`. */
export function namesOf(names: string[]): string {
  const [first = 'nobody', second] = names
  if (second === undefined) return first
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`
}

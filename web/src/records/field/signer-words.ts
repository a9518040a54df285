import type { Recipient } from '../../data/signatures.ts'
import { hasActed, mustAct, waitedFor } from '../../data/signatures.ts'
import type { Format } from './format.ts'
import { relative } from './format.ts'
import { language, t } from '../../locales/text.ts'

/** The state of a document's signatures in words; null if nobody is asked. */
export function stateOfSigners(
  recipients: Recipient[],
  format: Format,
  now?: number,
): { words: string; tone: 'good' | 'wait' | 'bad' } | null {
  const signers = recipients.filter(mustAct)
  if (!signers.length) return null
  const refusing = signers.find(({ status }) => status === 'declined')
  if (refusing) return { words: t('Declined by {name}', { name: refusing.name }), tone: 'bad' }
  if (signers.every(hasActed)) return { words: t('Signed by everybody'), tone: 'good' }
  const waiting = waitedFor(signers)
  const since = waiting.flatMap(({ sent_at }) => sent_at ?? []).toSorted()[0]
  const names = namesOf(waiting.map(({ name }) => name))
  const isLong = since !== undefined && (now ?? Date.now()) - Date.parse(since) > 3_600_000
  return {
    words: isLong
      ? t('Waits for {names}, asked {ago}', { names, ago: relative(since, format, now) })
      : t('Waits for {names}', { names }),
    tone: 'wait',
  }
}

const list = new Intl.ListFormat(language)

/** `Ada`, `Ada and Bob`, `Ada and 2 others`. */
export function namesOf(names: string[]): string {
  const [first = t('nobody'), second] = names
  if (second === undefined) return first
  return names.length === 2
    ? list.format(names)
    : t('{name} and {count} other | {name} and {count} others', {
        name: first,
        count: names.length - 1,
      })
}

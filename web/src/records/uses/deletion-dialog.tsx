import type { components } from '../../api/schema.d.ts'
import { countWords } from '../../data/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { t } from '../../locales/text.ts'

/** What uses something that is to be deleted, of one kind. */
export type Use = components['schemas']['Use']

type Props = {
  name: string
  uses: Use[]
  busy: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Says what uses something, and what will happen, before it is deleted. */
export default function DeletionDialog({ name, uses, busy, onConfirm, onCancel }: Props) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onCancel()
      }}
      title={t('Delete {name}?', { name })}
      description={uses.length ? t('It is used:') : undefined}
      confirm={t('Delete')}
      busy={busy}
      onConfirm={onConfirm}
    >
      {uses.length ? (
        <ul>
          {uses.map((use) => (
            <li key={`${use.word} ${use.field}`}>{sentenceOf(use)}</li>
          ))}
        </ul>
      ) : null}
    </ConfirmDialog>
  )
}

/** Such as `2 dashboards (Sales, Renewals): without effect there until it is restored`. */
function sentenceOf({ word, count, hidden, records, effect }: Use): string {
  const all = count + hidden
  const noun = word.replaceAll('_', ' ')
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  const names = records.flatMap(({ name }) => (name ? [name] : []))
  const others = count - names.length
  const left = [
    ...(others > 0 ? [t('{countWords} more', { countWords: countWords(others) })] : []),
    ...(hidden ? [t('{countWords} that you may not see', { countWords: countWords(hidden) })] : []),
  ]
  const listed = names.length ? [...names, ...left].join(', ') : hidden ? left.join(', ') : ''
  return `${countWords(all)} ${all === 1 ? noun : many}${listed ? ` (${listed})` : ''}: ${effects[effect]}`
}

const effects: { [effect in Use['effect']]: string } = {
  shown_empty: t('shown without it'),
  without_effect: t('what they say of it has no effect'),
}

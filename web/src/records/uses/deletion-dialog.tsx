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
  const names = records.flatMap(({ name }) => (name ? [name] : []))
  const others = count - names.length
  const left = [
    ...(others > 0 ? [t('{count} more', { count: countWords(others) })] : []),
    ...(hidden ? [t('{count} that you may not see', { count: countWords(hidden) })] : []),
  ]
  const listed = names.length ? [...names, ...left].join(', ') : hidden ? left.join(', ') : ''
  return `${recordsOf(word, all)}${listed ? ` (${listed})` : ''}: ${effects[effect]}`
}

/** Such as `2 dashboards`. */
function recordsOf(word: string, count: number): string {
  switch (word) {
    case 'account':
      return t('{count} account | {count} accounts', { count })
    case 'company':
      return t('{count} company | {count} companies', { count })
    case 'contact':
      return t('{count} contact | {count} contacts', { count })
    case 'dashboard':
      return t('{count} dashboard | {count} dashboards', { count })
    case 'deal':
      return t('{count} deal | {count} deals', { count })
    case 'document':
      return t('{count} document | {count} documents', { count })
    case 'filter':
      return t('{count} filter | {count} filters', { count })
    case 'meeting':
      return t('{count} meeting | {count} meetings', { count })
    case 'project':
      return t('{count} project | {count} projects', { count })
    case 'survey':
      return t('{count} survey | {count} surveys', { count })
    case 'survey_automation':
      return t('{count} survey automation | {count} survey automations', { count })
    case 'task':
      return t('{count} task | {count} tasks', { count })
    case 'template':
      return t('{count} template | {count} templates', { count })
    case 'user':
      return t('{count} user | {count} users', { count })
    default: {
      const one = word.replaceAll('_', ' ')
      return `${countWords(count)} ${count === 1 ? one : `${one}s`}`
    }
  }
}

const effects: { [effect in Use['effect']]: string } = {
  shown_empty: t('shown without it'),
  without_effect: t('what they say of it has no effect'),
}

import type { ReactNode } from 'react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { notifyRefusal } from '../../data/change.ts'
import { countWords } from '../../data/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Use = components['schemas']['Use']

/** What is to be deleted: `module` and `id` as the API names it among uses. */
export type Deletion = {
  module: string
  id: string
  name: string
  /** asks also if nothing uses it; for what has no undo */
  isAsked?: boolean
  remove: () => Promise<unknown>
}

/**
 * Deletes at once what nothing uses, and otherwise says first what uses it and what will happen. `dialog` is to
 * be rendered.
 */
export function useDeletion(): { start: (of: Deletion) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ of: Deletion; uses: Use[] }>()
  const [isBusy, setBusy] = useState(false)
  const start = (of: Deletion) => {
    void usesOf(of)
      .then((uses) => {
        if (uses.length || of.isAsked) setAsked({ of, uses })
        else return of.remove()
      })
      .catch(notifyRefusal)
  }
  const confirm = async () => {
    setBusy(true)
    await asked?.of.remove().catch(notifyRefusal)
    setBusy(false)
    setAsked(undefined)
  }
  const dialog = (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={(isOpen) => {
        if (!isOpen) setAsked(undefined)
      }}
      title={`Delete ${asked?.of.name ?? ''}?`}
      description={asked?.uses.length ? 'It is used:' : undefined}
      confirm="Delete"
      busy={isBusy}
      onConfirm={() => void confirm()}
    >
      {asked?.uses.length ? (
        <ul>
          {asked.uses.map((use) => (
            <li key={`${use.word} ${use.field}`}>{sentenceOf(use)}</li>
          ))}
        </ul>
      ) : null}
    </ConfirmDialog>
  )
  return { start, dialog }
}

/** What uses it; nothing where the person may not ask, since the delete says why it is refused. */
async function usesOf({ module, id }: Deletion): Promise<Use[]> {
  try {
    return (await api.get('/api/uses/{module}/{id}/', { path: { module, id } })).data
  } catch {
    return []
  }
}

/** Such as `2 dashboards (Sales, Renewals): without effect there until it is restored`. */
function sentenceOf({ word, count, hidden, records, effect }: Use): string {
  const all = count + hidden
  const noun = word.replaceAll('_', ' ')
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  const names = records.flatMap(({ name }) => (name ? [name] : []))
  const others = count - names.length
  const left = [
    ...(others > 0 ? [`${countWords(others)} more`] : []),
    ...(hidden ? [`${countWords(hidden)} that you may not see`] : []),
  ]
  const listed = names.length ? [...names, ...left].join(', ') : hidden ? left.join(', ') : ''
  return `${countWords(all)} ${all === 1 ? noun : many}${listed ? ` (${listed})` : ''}: ${effects[effect]}`
}

const effects: { [effect in Use['effect']]: string } = {
  shown_empty: 'shown without it',
  without_effect: 'what they say of it has no effect',
}

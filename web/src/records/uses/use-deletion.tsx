import type { ReactNode } from 'react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { Use } from './deletion-dialog.tsx'
import { later } from '../later.tsx'

const DeletionDialog = later(() => import('./deletion-dialog.tsx'), 'shown')

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
  const dialog = asked && (
    <DeletionDialog
      name={asked.of.name}
      uses={asked.uses}
      busy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={() => setAsked(undefined)}
    />
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

import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { notify } from './notices.ts'
import type { Kind } from './stored-draft.ts'
import { storedDraft } from './stored-draft.ts'
import { t } from '../locales/text.ts'

type Edited<Stored extends { version: number }, Draft> = Omit<
  Kind<Stored, Draft>,
  'onBoth' | 'onLost'
>

const changedToo = {
  draft: t('Somebody else changed this draft, too: your changes are kept'),
  preparation: t('Somebody else changed this preparation, too: your changes are kept'),
  survey: t('Somebody else changed this survey, too: your changes are kept'),
  form: t('Somebody else changed this form, too: your changes are kept'),
  document: t('Somebody else changed this document, too: your changes are kept'),
}
type What = keyof typeof changedToo

/**
 * A draft that is edited, of what was read as `data`, by its id; `what` it is called. It stores itself, keeps what
 * others change, can be taken back, and sends what is not stored yet when the page is left.
 */
export function useStoredDraft<Stored extends { version: number }, Draft>(
  id: string,
  what: What,
  data: Stored | undefined,
  kindOf: (id: string) => Edited<Stored, Draft>,
) {
  const begin = () => ({ id, own: storedDraft(withNotices(what, kindOf(id))) })
  const [begun, setBegun] = useState(begin)
  if (begun.id !== id) setBegun(begin)
  const held = begun.own
  const state = useSyncExternalStore(held.subscribe, held.state)
  useLayoutEffect(() => {
    if (data) held.take(data)
  }, [held, data])
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    held.show(true)
    addEventListener('online', held.online, { signal })
    addEventListener('pagehide', held.leave, { signal })
    addEventListener(
      'beforeunload',
      (event) => {
        if (held.mustAsk()) event.preventDefault()
      },
      { signal },
    )
    return () => {
      stopping.abort()
      held.show(false)
    }
  }, [held])
  const { change, undo, redo, flush, retry, forget, end } = held
  return {
    draft: state?.draft,
    stored: state?.stored,
    isDirty: held.saving() !== 'saved',
    saving: held.saving(),
    savedAt: state?.savedAt,
    problem: state?.problem,
    mayUndo: Boolean(state?.past.length),
    mayRedo: Boolean(state?.future.length),
    change,
    undo,
    redo,
    flush,
    retry,
    forget,
    end,
  }
}

function withNotices<Stored extends { version: number }, Draft>(
  what: What,
  kind: Edited<Stored, Draft>,
): Kind<Stored, Draft> {
  return {
    ...kind,
    onBoth: () => notify({ message: changedToo[what] }),
    onLost: (problem) => notify({ message: problem.message, problem }),
  }
}

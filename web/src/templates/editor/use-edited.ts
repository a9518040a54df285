import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import { notify } from '../../data/notices.ts'
import type { TemplateDraft } from '../../data/templates.ts'
import { draftQuery, storeDraft } from '../../data/templates.ts'
import type { Draft } from './merge.ts'
import { merged } from './merge.ts'
import { configOf, linesOf } from './lines.ts'

/** A draft as it is stored. */
type Stored = { draft: Draft; version: number; published: number; isDraft: boolean }
type Step = { before: Draft; after: Draft }
type State = { stored: Stored; draft: Draft; past: Step[]; future: Step[] }

/** What became of the last change. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'offline' | 'refused'

/** How many steps can be taken back. */
const deepest = 100

function storedFrom(data: TemplateDraft): Stored {
  const { version, published_version: published, is_draft: isDraft } = data
  const draft = { lines: linesOf(data.template_config), roles: data.roles }
  return { draft, version, published, isDraft }
}

/** The state after somebody else, or this page, has stored the draft; what is not stored yet stays as it is here. */
function withStored(state: State, next: Stored): State {
  if (next.version <= state.stored.version) return state
  const isOwn = state.draft === state.stored.draft
  const draft = isOwn ? next.draft : merged(state.stored.draft, state.draft, next.draft)
  return { ...state, stored: next, draft }
}

/** The draft of a template while it is edited: it saves itself, keeps what others change, and can be taken back. */
export function useEdited(id: string) {
  const query = useQuery(draftQuery(id))
  const [state, setState] = useState<State>()
  const [problem, setProblem] = useState<Problem>()
  const [isSending, setSending] = useState(false)
  const [savedAt, setSavedAt] = useState<number>()
  const [tries, setTries] = useState(0)
  const { data, refetch } = query
  if (data) {
    if (!state) {
      const stored = storedFrom(data)
      setState({ stored, draft: stored.draft, past: [], future: [] })
    } else if (data.version > state.stored.version && !isSending) {
      setState(withStored(state, storedFrom(data)))
    }
  }
  const isDirty = state !== undefined && state.draft !== state.stored.draft

  async function send({ draft, stored }: State): Promise<void> {
    setSending(true)
    try {
      const body = { template_config: configOf(draft.lines), roles: draft.roles }
      const { version, published_version: published } = await storeDraft(id, body, stored.version)
      setState((now) => now && { ...now, stored: { draft, version, published, isDraft: true } })
      setProblem(undefined)
      setSavedAt(Date.now())
    } catch (error) {
      const refusal = asProblem(error)
      if (refusal.status === 412) {
        notify({ message: 'Somebody else changed this draft, too: your changes are kept' })
        await refetch()
      } else setProblem(refusal)
    }
    setSending(false)
  }

  const isHeld = problem !== undefined && problem.status !== 0
  useEffect(() => {
    if (!state || !isDirty || isSending || isHeld) return
    const timer = setTimeout(() => void send(state), problem ? 3000 : 500)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const again = () => setTries(tries + 1)
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [tries])

  /** Changes the draft; the change is shown at once. */
  function change(next: (before: Draft) => Draft) {
    setProblem((before) => (before?.status === 0 ? before : undefined))
    setState((now) => {
      if (!now) return now
      const after = next(now.draft)
      if (after === now.draft) return now
      const past = [...now.past, { before: now.draft, after }].slice(-deepest)
      return { ...now, draft: after, past, future: [] }
    })
  }

  /** Takes a step back, or again, without what others have changed since. */
  function step(from: 'past' | 'future') {
    setProblem((before) => (before?.status === 0 ? before : undefined))
    setState((now) => {
      const last = now?.[from].at(-1)
      if (!now || !last) return now
      const { before, after } = last
      const draft =
        from === 'past' ? merged(after, before, now.draft) : merged(before, after, now.draft)
      const to = from === 'past' ? 'future' : 'past'
      return { ...now, draft, [from]: now[from].slice(0, -1), [to]: [...now[to], last] }
    })
  }

  const saving: Saving = !isDirty
    ? 'saved'
    : isHeld
      ? 'refused'
      : problem
        ? 'offline'
        : isSending
          ? 'saving'
          : 'waiting'
  return {
    error: query.error,
    refetch,
    draft: state?.draft,
    published: state?.stored.published ?? 1,
    version: state?.stored.version ?? 0,
    isDraft: isDirty || (state?.stored.isDraft ?? false),
    saving,
    savedAt,
    problem,
    change,
    undo: () => step('past'),
    redo: () => step('future'),
    /** forgets the steps, once the draft is published or discarded */
    reset: () => setState(undefined),
  }
}

export type Edited = ReturnType<typeof useEdited>

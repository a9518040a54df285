import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnswerOf } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import { rememberOwnChange } from '../../data/change.ts'
import { keys } from '../../data/keys.ts'
import { notify } from '../../data/notices.ts'
import { queryClient } from '../../data/query-client.ts'
import type { Draft, QuestionPage, Texts } from './draft.ts'
import { merged, named } from './draft.ts'

type StoredDraft = AnswerOf<'/api/surveys/{id}/draft/', 'get'>
type Stored = { draft: Draft; version: number; isDraft: boolean }
type Step = { before: Draft; after: Draft; at: number; label: string | undefined }
type State = { stored: Stored; draft: Draft; past: Step[]; future: Step[] }

/** What became of the last change. */
export type Saving = 'saved' | 'waiting' | 'saving' | 'offline' | 'refused'

/** How many steps can be taken back, and for how long what is typed is one of them. */
const deepest = 200
const typingMs = 1000

const textNames = [
  'name',
  'description',
  'closing_text',
  'background_color',
  'action_color',
] as const

/** The draft of a survey, or what is published where it has none. */
export function draftQuery(id: string) {
  return queryOptions({
    queryKey: keys.list('surveys', { draft: id }),
    queryFn: async () => (await api.get('/api/surveys/{id}/draft/', { path: { id } })).data,
    staleTime: 0,
  })
}

/** What the builder changes, of a survey or its draft. */
export function draftFrom(data: object): Draft {
  const { form_structure: structure, ...rest } = data as Partial<Texts> & {
    form_structure?: { pages?: QuestionPage[] }
  }
  const texts = Object.fromEntries(textNames.map((name) => [name, rest[name] ?? null]))
  const pages = (structure?.pages ?? []).map((page) => ({
    ...page,
    fields: page.fields.map((field) => ({ ...field, label: field.label ?? '' })),
  }))
  return { pages, texts: { ...(texts as Texts), name: rest.name ?? '' } }
}

/** A draft in the form of a body; choices without words are not sent. */
export function bodyFrom({ pages, texts: { name, ...texts } }: Draft) {
  const form_structure = pages.map((page) => ({
    ...page,
    fields: page.fields.map(({ options, rows, ...field }) => ({
      ...field,
      ...(options ? { options: named(options) } : {}),
      ...(rows ? { rows: named(rows) } : {}),
    })),
  }))
  return { form_structure, ...texts, ...(name.trim() ? { name } : {}) }
}

function storedFrom(data: StoredDraft): Stored {
  return { draft: draftFrom(data), version: data.version, isDraft: data.is_draft }
}

/** The state after somebody else has stored the draft; what is not stored yet stays as it is here. */
function withStored(state: State, next: Stored): State {
  const isOwn = state.draft === state.stored.draft
  const draft = isOwn ? next.draft : merged(state.stored.draft, state.draft, next.draft)
  return { ...state, stored: next, draft }
}

/** The draft of a survey while it is edited: it saves itself, keeps what others change, and can be taken back. */
export function useDraft(id: string) {
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
      const { data: saved } = await api.put('/api/surveys/{id}/draft/', {
        path: { id },
        body: bodyFrom(draft),
        headers: { 'if-match': `"${stored.version}"` },
      })
      rememberOwnChange('surveys', id, saved.version)
      queryClient.setQueryData(draftQuery(id).queryKey, saved)
      const next = { draft, version: saved.version, isDraft: true }
      setState((now) => now && { ...now, stored: next })
      setProblem(undefined)
      setSavedAt(Date.now())
    } catch (error) {
      const refusal = asProblem(error)
      if (refusal.status === 412) {
        notify({ message: 'Somebody else changed this survey, too: your changes are kept' })
        await refetch()
      } else setProblem(refusal)
    }
    setSending(false)
  }

  const isHeld = problem !== undefined && problem.status !== 0
  useEffect(() => {
    if (!state || !isDirty || isSending || isHeld) return
    const timer = setTimeout(() => void send(state), problem ? 3000 : 400)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const again = () => setTries(tries + 1)
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [tries])
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])

  /** Changes the draft, shown at once; changes of one label that follow each other closely are one step. */
  function change(next: (before: Draft) => Draft, label?: string) {
    setProblem((before) => (before?.status === 0 ? before : undefined))
    setState((now) => {
      if (!now) return now
      const after = next(now.draft)
      if (after === now.draft) return now
      const at = Date.now()
      const last = now.past.at(-1)
      const isJoined = label !== undefined && last?.label === label && at - last.at < typingMs
      const step = { before: isJoined ? last.before : now.draft, after, at, label }
      const past = [...(isJoined ? now.past.slice(0, -1) : now.past), step].slice(-deepest)
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
    version: state?.stored.version ?? 0,
    isDraft: isDirty || (state?.stored.isDraft ?? false),
    saving,
    savedAt,
    problem,
    change,
    mayUndo: Boolean(state?.past.length),
    mayRedo: Boolean(state?.future.length),
    undo: () => step('past'),
    redo: () => step('future'),
    retry: () => setProblem(undefined),
    /** forgets the steps, once the draft is published or discarded */
    reset: () => setState(undefined),
  }
}

export type Edited = ReturnType<typeof useDraft>

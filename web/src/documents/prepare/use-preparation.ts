import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { asProblem } from '../../api/problem.ts'
import { notify } from '../../data/notices.ts'
import { preparationQuery, storePreparation } from '../../data/preparations.ts'
import type { Preparation } from './preparation.ts'
import { fromStored, merged, toStored } from './preparation.ts'

/** The most steps that can be undone. */
const most = 200

type Step = { before: Preparation; after: Preparation }
type State = {
  stored: Preparation
  version: number
  now: Preparation
  past: Step[]
  future: Step[]
}

/** What became of the last change. */
export type Saving = 'saved' | 'saving' | 'offline' | 'refused'

/**
 * What is prepared for a document, for everybody who may change it: it stores itself, keeps what others change, and
 * its steps can be undone. `now` is undefined until it is read.
 */
export function usePreparation(id: string, isEnabled: boolean) {
  const query = useQuery({ ...preparationQuery(id), enabled: isEnabled })
  const [state, setState] = useState<State>()
  const [problem, setProblem] = useState<Problem>()
  const [isSending, setSending] = useState(false)
  const [isEnded, setEnded] = useState(false)
  const [tries, setTries] = useState(0)
  const { data, refetch } = query
  if (data && !isSending && data.version !== state?.version) {
    const stored = fromStored(data)
    if (!state) setState({ stored, version: data.version, now: stored, past: [], future: [] })
    else if (data.version > state.version) {
      const now = state.now === state.stored ? stored : merged(state.stored, state.now, stored)
      setState({ ...state, stored, version: data.version, now })
    }
  }
  const isDirty = state !== undefined && state.now !== state.stored && !isEnded

  async function send({ now, version }: State): Promise<void> {
    setSending(true)
    try {
      const { version: next } = await storePreparation(id, toStored(now), version)
      setState((before) => before && { ...before, stored: now, version: next })
      setProblem(undefined)
    } catch (error) {
      const refusal = asProblem(error)
      if (refusal.status === 412) {
        notify({ message: 'Somebody else changed this preparation, too: your changes are kept' })
        await refetch()
      } else setProblem(refusal)
    }
    setSending(false)
  }

  const isHeld = problem !== undefined && problem.status !== 0
  useEffect(() => {
    if (!state || !isDirty || isSending || isHeld) return undefined
    const timer = setTimeout(() => void send(state), problem ? 3000 : 500)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    const again = () => setTries(tries + 1)
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [tries])
  const leave = useEffectEvent(() => {
    if (state && isDirty && !isHeld)
      void storePreparation(id, toStored(state.now), state.version).catch(() => {})
  })
  useEffect(() => () => leave(), [])
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  function change(how: (before: Preparation) => Preparation) {
    setProblem((before) => (before?.status === 0 ? before : undefined))
    setState((before) => {
      if (!before) return before
      const after = how(before.now)
      if (after === before.now) return before
      const past = [...before.past, { before: before.now, after }].slice(-most)
      return { ...before, now: after, past, future: [] }
    })
  }

  /** Takes a step back, or again, without what others have changed since. */
  function step(from: 'past' | 'future') {
    setState((all) => {
      const last = all?.[from].at(-1)
      if (!all || !last) return all
      const [was, to] = from === 'past' ? [last.after, last.before] : [last.before, last.after]
      const other = from === 'past' ? 'future' : 'past'
      const now = all.now === was ? to : merged(was, to, all.now)
      return { ...all, now, [from]: all[from].slice(0, -1), [other]: [...all[other], last] }
    })
  }

  const waiting = problem ? 'offline' : 'saving'
  const saving: Saving = !isDirty ? 'saved' : isHeld ? 'refused' : waiting
  return {
    now: state?.now,
    error: query.error,
    refetch,
    saving,
    problem,
    hasChanged: (state?.version ?? 0) > 0,
    change,
    undo: () => step('past'),
    redo: () => step('future'),
    /** stores nothing any more: it is sent */
    end: () => setEnded(true),
    mayUndo: (state?.past.length ?? 0) > 0,
    mayRedo: (state?.future.length ?? 0) > 0,
  }
}

import { useCallback, useEffect, useRef, useState } from 'react'

/** Finds options for a query; for an empty one the initial options. */
export type Load<T> = (query: string, signal: AbortSignal) => Promise<T[]>

/** What was found last, and the query that is searched since, while `busy`. */
type State<T> = { options: T[]; query: string; busy: boolean; fault: string | null }

/** The debounce time of a search. */
const restMs = 160

/**
 * Searches while typing: a search that is superseded by a newer one is aborted, and its answer ignored.
 * Nothing is loaded before `search` is called first.
 */
export function useOptions<T>(load: Load<T>) {
  const [state, setState] = useState<State<T>>({
    options: [],
    query: '',
    busy: false,
    fault: null,
  })
  const running = useRef<AbortController>(null)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  useEffect(() => () => running.current?.abort(), [])
  const search = useCallback((query: string) => {
    running.current?.abort()
    const stopping = new AbortController()
    const { signal } = stopping
    running.current = stopping
    setState((old) => ({ ...old, query, busy: true, fault: null }))
    const start = () => {
      if (signal.aborted) return
      latest.current(query, signal).then(
        (options) => {
          if (!signal.aborted) setState({ options, query, busy: false, fault: null })
        },
        (error: unknown) => {
          if (signal.aborted) return
          const fault = error instanceof Error ? error.message : String(error)
          setState({ options: [], query, busy: false, fault })
        },
      )
    }
    setTimeout(start, query ? restMs : 0)
  }, [])
  return { ...state, search }
}

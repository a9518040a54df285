import { useCallback, useEffect, useState } from 'react'
import type { Preparation } from './preparation.ts'
import { nothing } from './preparation.ts'

/** The most steps that can be undone. */
const most = 200

type History = { past: Preparation[]; now: Preparation; future: Preparation[] }

/** What is prepared for a document, stored on this device until it is sent or the person signs out, with its steps. */
export function usePreparation(name: string) {
  const [history, setHistory] = useState<History>(() => ({ past: [], now: read(name), future: [] }))
  const { past, now, future } = history
  useEffect(() => write(name, now), [name, now])
  const change = useCallback((how: (before: Preparation) => Preparation) => {
    setHistory((before) => {
      const next = how(before.now)
      if (next === before.now) return before
      return { past: [...before.past, before.now].slice(-most), now: next, future: [] }
    })
  }, [])
  const undo = useCallback(() => {
    setHistory((before) => {
      const last = before.past.at(-1)
      if (!last) return before
      return { past: before.past.slice(0, -1), now: last, future: [before.now, ...before.future] }
    })
  }, [])
  const redo = useCallback(() => {
    setHistory((before) => {
      const [next, ...rest] = before.future
      if (!next) return before
      return { past: [...before.past, before.now], now: next, future: rest }
    })
  }, [])
  return { now, change, undo, redo, mayUndo: past.length > 0, mayRedo: future.length > 0 }
}

/** Removes what was prepared, once it is sent. */
export function removePreparation(name: string): void {
  localStorage.removeItem(name)
}

function read(name: string): Preparation {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? 'null') as Partial<Preparation> | null
    return { ...nothing, ...stored }
  } catch {
    return nothing
  }
}

function write(name: string, preparation: Preparation): void {
  try {
    if (preparation === nothing) return
    localStorage.setItem(name, JSON.stringify(preparation))
  } catch {
    // if the storage is full, it just does not survive closing the page
  }
}

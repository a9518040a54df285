import { useEffect, useState } from 'react'
import type { Dashboard, DashboardWidget } from '../../data/dashboards.ts'
import { settled } from '../grid.ts'

type Widgets = DashboardWidget[]

type State = {
  /** what was read when the edit began, and its version */
  base: Widgets
  version: number
  past: Widgets[]
  now: Widgets
  future: Widgets[]
}

/** How many steps can be taken back. */
const deepest = 200

const placeOf = (id: string) => `draft:dashboard:${id}`

/**
 * The widgets of a dashboard while they are edited: steps that can be taken back, stored on this device until they are
 * saved or discarded.
 */
export function useEdited({ dashboard_id: id, widgets, version }: Dashboard) {
  const [{ begun, isFound }] = useState(() => {
    const found = storedAt(id)
    const base = settled(widgets)
    const fresh: State = { base, version, past: [], now: base, future: [] }
    return { begun: found ? { ...fresh, ...found } : fresh, isFound: found !== undefined }
  })
  const [state, setState] = useState(begun)
  const { base, version: since, now } = state
  const isChanged = JSON.stringify(base) !== JSON.stringify(now)
  useEffect(() => {
    if (isChanged) {
      const stored: Stored = { base, version: since, now }
      localStorage.setItem(placeOf(id), JSON.stringify(stored))
    } else localStorage.removeItem(placeOf(id))
  }, [id, base, since, now, isChanged])
  return {
    ...state,
    isChanged,
    /** whether it began with what was not saved at an earlier visit */
    isFound,
    change: (next: Widgets) =>
      setState((before) =>
        next === before.now
          ? before
          : {
              ...before,
              past: [...before.past, before.now].slice(-deepest),
              now: next,
              future: [],
            },
      ),
    undo: () =>
      setState((before) => {
        const last = before.past.at(-1)
        if (!last) return before
        const { past: steps, now: shown, future: undone } = before
        return { ...before, past: steps.slice(0, -1), now: last, future: [shown, ...undone] }
      }),
    redo: () =>
      setState((before) => {
        const [next, ...rest] = before.future
        if (!next) return before
        return { ...before, past: [...before.past, before.now], now: next, future: rest }
      }),
    /** goes on from what somebody else has saved */
    rebase: (theirs: Widgets, version: number, next: Widgets) =>
      setState({ base: settled(theirs), version, past: [], now: settled(next), future: [] }),
    /** forgets what is not saved */
    forget: () => localStorage.removeItem(placeOf(id)),
  }
}

type Stored = Pick<State, 'base' | 'version' | 'now'>

function storedAt(id: string): Stored | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(placeOf(id)) ?? 'null') as Partial<Stored> | null
    const isWhole =
      Array.isArray(found?.now) && Array.isArray(found.base) && typeof found.version === 'number'
    return isWhole ? (found as Stored) : undefined
  } catch {
    return undefined
  }
}

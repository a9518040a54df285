import { useState } from 'react'
import type { PlanRow } from './tree.ts'

/** The rows on which an act works, as they were selected. */
export type Selected = {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** from the row where the selection began to this one, besides what was selected before */
  extend: (from: string, to: string) => void
  only: (ids: Iterable<string>) => void
  clear: () => void
}

/** The selected rows among those that are shown. */
export function useSelected(rows: PlanRow[]): Selected {
  const [state, setState] = useState<{ ids: ReadonlySet<string>; anchor?: string }>({
    ids: new Set(),
  })
  // those before the range that is being extended
  const [base, setBase] = useState<ReadonlySet<string>>(new Set())
  const shown = new Set(rows.flatMap(({ id, kind }) => (kind === 'loose' ? [] : id)))
  const ids = new Set([...state.ids].filter((id) => shown.has(id)))
  const put = (next: ReadonlySet<string>, anchor?: string) => {
    setState({ ids: next, ...(anchor === undefined ? {} : { anchor }) })
    setBase(next)
  }
  return {
    ids,
    toggle(id) {
      if (!shown.has(id)) return
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      put(next, id)
    },
    extend(from, to) {
      const anchor = state.anchor !== undefined && ids.size > 0 ? state.anchor : from
      const [one, other] = [anchor, to].map((id) => rows.findIndex((row) => row.id === id))
      if (one === undefined || other === undefined || one < 0 || other < 0) return
      const range = rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id)
      setState({
        ids: new Set([...(ids.size ? base : []), ...range].filter((id) => shown.has(id))),
        anchor,
      })
    },
    only: (next) => put(new Set(next)),
    clear: () => put(new Set()),
  }
}

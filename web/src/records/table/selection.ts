import { useState } from 'react'

/** The selected rows, by id; a range starts at the row that was selected last. */
export type Selection = {
  ids: ReadonlySet<string>
  toggle: (id: string, isRange?: boolean) => void
  all: () => void
  /** selects these and no others */
  only: (ids: string[]) => void
  clear: () => void
}

/** A selection over the rows of a page, in their order. */
export function useSelection(order: string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  return {
    ids,
    toggle(id, isRange = false) {
      const from = last === undefined ? -1 : order.indexOf(last)
      const to = order.indexOf(id)
      setLast(id)
      setIds((before) => {
        const next = new Set(before)
        if (isRange && from >= 0 && to >= 0) {
          for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(each)
        } else if (!next.delete(id)) next.add(id)
        return next
      })
    },
    all: () => setIds((before) => (before.size === order.length ? new Set() : new Set(order))),
    only: (next) => setIds(new Set(next)),
    clear: () => setIds(new Set()),
  }
}

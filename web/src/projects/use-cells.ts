import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { notify } from '../data/notices.ts'
import type { Cell, Column } from './columns.ts'
import { nameOfCell } from './row-props.ts'
import { t } from '../locales/text.ts'

/**
 * A cell that is edited: with what was typed already, or what was refused and why; `was` is the row when the edit began,
 * and `regardless` whether what others have set meanwhile is overwritten.
 */
export type Editing<Name extends string = Column> = Cell<Name> & {
  text?: string
  error?: string
  was?: { version: number; start_date: string | null; due_date: string | null }
  regardless?: boolean
}

/**
 * The cell that keys act on, and the one that is edited. The focus follows it: when an edit ends, when its row has been
 * moved, or is gone, then to what stands in its place. `real` gives the id of a row that was stored meanwhile.
 */
export function useCells<Name extends string = Column>(
  table: RefObject<HTMLTableElement | null>,
  rows: { id: string }[],
  real: (id: string) => string,
  first: Name,
) {
  const [visited, setVisited] = useState<Cell<Name>>()
  const [place, setPlace] = useState(0)
  const [editing, setEditing] = useState<Editing<Name>>()
  const isWanted = useRef(false)
  const isEditing = useRef(false)
  useLayoutEffect(() => {
    isEditing.current = editing !== undefined
  })
  const at = rows.findIndex(({ id }) => visited && id === real(visited.id))
  if (at >= 0 && at !== place) setPlace(at)
  if (visited && real(visited.id) !== visited.id) setVisited({ ...visited, id: real(visited.id) })
  const row = rows[at >= 0 ? at : Math.min(place, rows.length - 1)]
  const active: Cell<Name> | undefined = row && { id: row.id, column: visited?.column ?? first }
  const elementOf = (cell: Cell<Name>) =>
    table.current?.querySelector<HTMLElement>(
      `[data-cell="${CSS.escape(nameOfCell(cell.id, cell.column))}"]`,
    )
  const hadFocus = useRef(false)
  useEffect(() => {
    // the element of a row that was stored meanwhile is another one
    const isLost = hadFocus.current && document.activeElement === document.body
    if ((!isWanted.current && !isLost) || editing || !active) return
    const element = elementOf(active)
    if (!element) return
    isWanted.current = false
    element.focus()
  })
  return {
    active,
    setActive: setVisited,
    editing,
    edit: setEditing,
    /** opens an editor again, unless the person is already in another one */
    refuse: (refused: Editing<Name>) => {
      const { error = '', text } = refused
      if (isEditing.current)
        notify({ message: error, ...(text ? { detail: t('You typed: {text}', { text }) } : {}) })
      else setEditing(refused)
    },
    /** gives the active cell the focus after the next change */
    keepFocus: () => (isWanted.current = true),
    /** makes a cell the active one and gives it the focus, now or when it is there */
    go: (cell: Cell<Name>) => {
      setVisited(cell)
      const element = elementOf(cell)
      if (element) element.focus()
      else isWanted.current = true
    },
    elementOf,
    /** whether the focus is in the grid, or was when its element went */
    onFocus: () => void (hadFocus.current = true),
    onBlur: () => void (hadFocus.current = false),
  }
}

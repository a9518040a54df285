import type { KeyboardEvent } from 'react'
import { directions, wayKeys } from '../../projects/grid-keys.ts'
import { movedToward, withShare, withoutLine } from './acts.ts'
import type { Cell } from './columns.ts'
import { names } from './columns.ts'
import type { LineRow } from './lines.ts'
import type { TemplateWork } from './use-template-work.ts'

type KeyActs = {
  work: TemplateWork
  edit: (cell: Cell, text?: string) => void
  /** a new line behind a row */
  line: (behind: string | null, level: number) => void
  go: (cell: Cell) => void
  menu: (cell: Cell) => void
  /** gives the cell the focus again once the rows have changed */
  keepFocus: () => void
}

/** Handles a key while a cell of a template's grid has the focus. */
export function onLineKey(
  event: KeyboardEvent,
  cell: Cell,
  rows: LineRow[],
  { work, edit, line, go, menu, keepFocus }: KeyActs,
): void {
  const { apply, mayEdit } = work
  const { key } = event
  const row = rows.find(({ id }) => id === cell.id)
  if (!row) return
  const done = (run: () => void) => {
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const direction = directions[key]
  if (direction && mayEdit && (event.altKey || key === '<' || key === '>')) {
    return done(() => {
      keepFocus()
      apply((now) => movedToward(now, row.id, direction))
    })
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const writing: { [key: string]: () => void } = {
    Enter: () => edit(cell),
    e: () => edit(cell),
    F2: () => edit(cell),
    c: () => line(row.id, row.level === 1 ? 2 : row.level),
    m: () => menu(cell),
    h: () => apply((now) => withShare(now, row)),
    l: () => edit({ id: row.id, column: 'after' }),
    a: () => edit({ id: row.id, column: 'role' }),
    d: () => edit({ id: row.id, column: 'day' }),
    Delete: () => {
      keepFocus()
      work.remove(row, (now) => withoutLine(now, row))
    },
  }
  const ways = wayKeys({ rows, names, active: cell, go, toggle: work.toggle })
  const run = ways[key] ?? (mayEdit ? writing[key] : undefined)
  if (run) done(run)
  else if (/^\d$/.test(key) && ['day', 'days', 'after'].includes(cell.column)) {
    done(() => edit(cell, key))
  }
}

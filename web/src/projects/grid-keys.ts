import type { KeyboardEvent } from 'react'
import type { Cell, Column } from './columns.ts'
import { columns } from './columns.ts'
import type { PlanActions } from './plan-actions.ts'
import { isReal } from './plan-actions.ts'
import type { Direction } from './places.ts'
import type { PlanRow, TreeRow } from './tree.ts'

/** What the keys of the grid do besides what the plan's actions do. */
export type KeyActs = {
  go: (cell: Cell) => void
  edit: (cell: Cell, text?: string) => void
  toggle: (id: string) => void
  open: (id: string) => void
  menu: (id: string) => void
  /** a new line behind a row */
  line: (behind: string | null, level: number) => void
  /** whether the person may change a row */
  may: (row: PlanRow) => boolean
  /** gives the cell the focus again once the rows have changed */
  keepFocus: () => void
}

/** The keys that move a row. */
export const directions: { [key: string]: Direction } = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
  '>': 'in',
  '<': 'out',
}

const names: Column[] = columns.map(({ name }) => name)
/** Letters that edit a column of the row. */
const letters: { [key: string]: Column } = { a: 'owner', s: 'status', d: 'due', l: 'after' }

type Way<Name extends string> = {
  rows: TreeRow[]
  /** the columns, of which the first is the title */
  names: readonly Name[]
  active: { id: string; column: Name }
  go: (cell: { id: string; column: Name }) => void
  toggle: (id: string) => void
}

/** The keys that lead through the cells of a tree, and open and close its rows. */
export function wayKeys<Name extends string>({
  rows,
  names,
  active,
  go: goTo,
  toggle,
}: Way<Name>): { [key: string]: () => void } {
  const at = rows.findIndex(({ id }) => id === active.id)
  const row = rows[at]
  const column = names.indexOf(active.column)
  const go = (to: number, across = column) => {
    const next = rows[Math.max(0, Math.min(to, rows.length - 1))]
    const name = names[Math.max(0, Math.min(across, names.length - 1))]
    if (next && name) goTo({ id: next.id, column: name })
  }
  const right = () => {
    if (column === 0 && row?.children && !row.isOpen) toggle(row.id)
    else go(at, column + 1)
  }
  const left = () => {
    const above = rows.findIndex(({ id }) => id === row?.above)
    if (column > 0) go(at, column - 1)
    else if (row?.children && row.isOpen) toggle(row.id)
    else if (above >= 0) go(above, 0)
  }
  const close = (isOpen: boolean) => () => {
    if (row?.children && row.isOpen !== isOpen) toggle(row.id)
  }
  return {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    j: () => go(at + 1),
    k: () => go(at - 1),
    ArrowRight: right,
    ArrowLeft: left,
    Home: () => go(at, 0),
    End: () => go(at, names.length - 1),
    PageDown: () => go(at + 15),
    PageUp: () => go(at - 15),
    '+': close(true),
    '-': close(false),
  }
}

/** Handles a key while a cell has the focus. */
export function onGridKey(
  event: KeyboardEvent,
  {
    rows,
    active,
    actions,
    acts,
  }: { rows: PlanRow[]; active: Cell; actions: PlanActions; acts: KeyActs },
): void {
  const { key } = event
  const at = rows.findIndex(({ id }) => id === active.id)
  const row = rows[at]
  const target = event.target
  if (!row || !(target instanceof HTMLElement) || target.dataset.cell === undefined) return
  const real = isReal(row) && acts.may(row) ? row : undefined
  const done = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  const direction = directions[key]
  if (direction && (event.altKey || key === '<' || key === '>')) {
    if (!real) return
    done()
    acts.keepFocus()
    void actions.move(real, direction)
    return
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const edit = () => acts.edit(active)
  const moves: { [key: string]: () => void } = {
    ...wayKeys({ rows, names, active, go: acts.go, toggle: acts.toggle }),
    Enter: edit,
    e: edit,
    F2: edit,
    c: () => acts.line(row.id, row.level === 1 ? 2 : row.level),
    C: () => acts.line(rows[at - 1]?.id ?? null, row.level),
    m: () => acts.menu(row.id),
    ...(row.kind === 'task' ? { o: () => acts.open(row.id) } : {}),
    ...(real
      ? {
          ' ': () => actions.quietly(actions.tick(real)),
          h: () => actions.quietly(actions.share(real)),
          Delete: () => {
            acts.keepFocus()
            void actions.remove(real)
          },
        }
      : {}),
  }
  const run = moves[key]
  const letter = letters[key]
  if (run) {
    done()
    run()
  } else if (letter) {
    done()
    acts.edit({ id: row.id, column: letter })
  } else if (/^\d$/.test(key) && (active.column === 'days' || active.column === 'after')) {
    done()
    acts.edit(active, key)
  }
}

import type { KeyboardEvent } from 'react'
import type { Cell, Column } from './columns.ts'
import type { PlanActions } from './plan-actions.ts'
import type { Direction } from './places.ts'
import type { PlanRow, RealRow, TaskRow, TreeRow } from './tree.ts'
import type { Selected } from './use-selected.ts'
import { isReal } from './tree.ts'

/** What the keys of the grid do besides what the plan's actions do. */
export type KeyActs = {
  go: (cell: Cell) => void
  edit: (cell: Cell, text?: string) => void
  toggle: (id: string) => void
  open: (id: string) => void
  menu: (id: string) => void
  /** a new line behind a row */
  line: (behind: string | null, level: number) => void
  /** what the person may do to a row */
  may: (row: RealRow) => { change: boolean; delete: boolean }
  /** gives the cell the focus again once the rows have changed */
  keepFocus: () => void
  collapse: (level: number | undefined) => void
  /** starts or stops the timer of a row */
  time: (row: TaskRow) => void
  /** a dialog for a field of the selected rows */
  bulk: (column: Column) => void
  duplicate: () => void
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

/** Letters that edit a column of the row, or of the selection. */
const letters: { [key: string]: Column } = {
  a: 'owner',
  s: 'status',
  d: 'due',
  p: 'priority',
  l: 'after',
}

type Of = {
  rows: PlanRow[]
  columns: Column[]
  active: Cell
  selected: Selected
  actions: PlanActions
  acts: KeyActs
}

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
export function onGridKey(event: KeyboardEvent, of: Of): void {
  const { rows, columns: names, active, selected, actions, acts } = of
  const { key } = event
  const at = rows.findIndex(({ id }) => id === active.id)
  const row = rows[at]
  const target = event.target
  if (!row || !(target instanceof HTMLElement) || target.dataset.cell === undefined) return
  const done = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  // what an act works on: the selection, or else the row
  const meant = rows
    .filter(isReal)
    .filter((each) => (selected.ids.size ? selected.ids.has(each.id) : each.id === row.id))
  const chosen = meant.filter((each) => acts.may(each).change)
  const removable = meant.filter((each) => acts.may(each).delete)
  const real = isReal(row) && acts.may(row).change ? row : undefined
  const direction = directions[key]
  if (direction && (event.altKey || key === '<' || key === '>')) {
    if (!chosen.length) return
    done()
    acts.keepFocus()
    actions.quietly(actions.move(chosen, direction))
    return
  }
  if (event.altKey) return
  if (event.ctrlKey || event.metaKey) {
    const withControl: { [key: string]: () => void } = {
      a: () => selected.only(rows.map(({ id }) => id)),
      d: acts.duplicate,
    }
    const run = withControl[key.toLowerCase()]
    if (!run || event.shiftKey) return
    done()
    run()
    return
  }
  const extend = (to: number) => {
    const next = rows[Math.max(0, Math.min(to, rows.length - 1))]
    if (!next) return
    selected.extend(row.id, next.id)
    acts.go({ id: next.id, column: active.column })
  }
  if (event.shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
    done()
    extend(key === 'ArrowDown' ? at + 1 : at - 1)
    return
  }
  const edit = () => acts.edit(active)
  const moves: { [key: string]: () => void } = {
    ...wayKeys({ rows, names, active, go: acts.go, toggle: acts.toggle }),
    Enter: edit,
    e: edit,
    F2: edit,
    '*': () => acts.collapse(undefined),
    _: () => acts.collapse(1),
    x: () => selected.toggle(row.id),
    c: () => acts.line(row.id, row.level === 1 ? 2 : row.level),
    C: () => acts.line(rows[at - 1]?.id ?? null, row.level),
    m: () => acts.menu(row.id),
    ...(row.kind === 'task' ? { o: () => acts.open(row.id), t: () => acts.time(row) } : {}),
    ...(selected.ids.size ? { Escape: selected.clear } : {}),
    ...(real ? { ' ': () => actions.quietly(actions.tick(real)) } : {}),
    ...(chosen.length ? { h: () => actions.quietly(actions.share(chosen)) } : {}),
    ...(removable.length
      ? {
          Delete: () => {
            acts.keepFocus()
            actions.quietly(actions.remove(removable))
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
    if (selected.ids.size && letter !== 'after') acts.bulk(letter)
    else acts.edit({ id: row.id, column: letter })
  } else if (isTyped(key, active.column)) {
    done()
    acts.edit(active, key)
  }
}

/** Whether a key begins the new value of a cell: digits of numbers, and what days are written with. */
function isTyped(key: string, column: Column): boolean {
  if (column === 'start' || column === 'due') return /^[\p{L}\d+=]$/u.test(key)
  return /^\d$/.test(key) && (column === 'days' || column === 'after')
}

import type { KeyboardEvent } from 'react'
import type { PlanRow } from '../tree.ts'
import type { Edge } from './bars.ts'

/** What keys do to the bar that has the focus. */
export type BarActs = {
  go: (id: string) => void
  /** by so many working days, or weeks */
  step: (row: PlanRow, by: number, edge: Edge) => void
  toggle: (id: string) => void
  open: (id: string) => void
  link: (row: PlanRow) => void
  pin: (row: PlanRow) => void
  tick: (row: PlanRow) => void
  menu: (row: PlanRow) => void
  /** gives dates to a task that has none; whether it did */
  schedule: (row: PlanRow) => boolean
  /** applies or leaves what waits for the person to agree; whether something does */
  apply: () => boolean
  cancel: () => boolean
  mayMove: (row: PlanRow) => boolean
}

/** Handles a key while a bar has the focus. */
export function onBarKey(event: KeyboardEvent, rows: PlanRow[], acts: BarActs): void {
  const { key, target, shiftKey, ctrlKey, altKey, metaKey } = event
  if (!(target instanceof HTMLElement) || altKey || metaKey) return
  const at = rows.findIndex(({ id }) => id === target.dataset.bar)
  const row = rows[at]
  if (!row) return
  const done = () => {
    event.preventDefault()
    event.stopPropagation()
  }
  const arrow = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
  if (arrow) {
    done()
    if (acts.mayMove(row)) {
      if (ctrlKey) acts.step(row, arrow * 5, 'move')
      else acts.step(row, arrow, shiftKey ? 'end' : 'move')
    }
    return
  }
  if (ctrlKey) return
  const to = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (next) acts.go(next.id)
  }
  const close = (isOpen: boolean) => {
    if (row.children && row.isOpen !== isOpen) acts.toggle(row.id)
  }
  const keys: { [name: string]: () => void } = {
    ArrowDown: () => to(at + 1),
    ArrowUp: () => to(at - 1),
    j: () => to(at + 1),
    k: () => to(at - 1),
    Home: () => to(0),
    End: () => to(rows.length - 1),
    PageDown: () => to(at + 15),
    PageUp: () => to(at - 15),
    '+': () => close(true),
    '-': () => close(false),
    ' ': () => acts.tick(row),
    o: () => acts.open(row.id),
    m: () => acts.menu(row),
    l: () => acts.link(row),
    D: () => acts.pin(row),
    Enter: () => {
      if (!acts.apply() && !acts.schedule(row)) acts.open(row.id)
    },
  }
  if (key === 'Escape') {
    if (acts.cancel()) done()
    return
  }
  // with the lock of capitals, too
  const run = keys[shiftKey && key.length === 1 ? key.toUpperCase() : key]
  if (!run) return
  done()
  run()
}

import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useEffectEvent } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import { isEditable } from '../field/editable.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import type { Cell } from './active-cell.ts'
import type { Selection } from './selection.ts'
import { t } from '../../locales/text.ts'

type Options = {
  module: Module
  rows: AnyRecord[]
  fields: Field[]
  peek?: string
  selection: Selection
  table: RefObject<HTMLTableElement | null>
  active: Cell | undefined
  setActive: (cell: Cell) => void
  editing: Cell | undefined
  onEdit: (cell: Cell | undefined) => void
  onPeek: (id: string | undefined) => void
}

/** What marks a cell in the page. */
export const nameOfCell = ({ id, field }: Cell): string => `${id} ${field}`

const coarse = matchMedia('(pointer: coarse)')

/** Keys within a table: arrows move, Enter and letters edit or open, Space peeks, x selects. */
export function useTableKeys(options: Options) {
  const { rows, fields, active, editing, setActive, onEdit, table, module, selection } = options
  const isInside = () => table.current?.contains(document.activeElement) === true
  const elementOf = (cell: Cell | undefined) =>
    cell &&
    table.current?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(nameOfCell(cell))}"]`)
  const takeFocus = useEffectEvent(() => {
    // the cell gets the focus back after an edit
    // and has it at first, except on touch devices, so that keys work at once; its ring is shown from the first key on
    const isFree = document.activeElement === document.body && !coarse.matches
    if (isFree) table.current?.setAttribute('data-awaits-keys', '')
    if (isInside() || isFree) {
      elementOf(active)?.focus({ preventScroll: false })
    }
  })
  useEffect(() => {
    if (!editing) takeFocus()
  }, [editing])

  const enter = () => elementOf(active)?.focus()
  useShortcuts([
    // these keys move back into the table
    { keys: 'j', label: t('Next row'), group: t('Table'), run: enter },
    { keys: 'k', label: t('Previous row'), group: t('Table'), run: enter },
    { keys: 'Enter', label: t('Open, or edit the cell'), group: t('Table') },
    { keys: 'Space', label: t('Show in the side panel'), group: t('Table') },
    { keys: 'x', label: t('Select'), group: t('Table') },
    { keys: 'Shift+x', label: t('Select up to here'), group: t('Table') },
    { keys: 'e', label: t('Edit the cell'), group: t('Table') },
  ])

  function go(row: number, column: number) {
    const record = rows[Math.min(rows.length - 1, Math.max(0, row))]
    const field = fields[Math.min(fields.length - 1, Math.max(0, column))]
    if (!record || !field) return
    const next = { id: idOf(module, record), field: field.name }
    setActive(next)
    elementOf(next)?.focus()
    if (options.peek && next.id !== active?.id) options.onPeek(next.id)
  }

  return (event: KeyboardEvent) => {
    table.current?.removeAttribute('data-awaits-keys')
    const target = event.target as HTMLElement
    if (
      editing ||
      !active ||
      !target.dataset.cell ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return
    const { id } = active
    const row = rows.findIndex((record) => idOf(module, record) === id)
    const column = fields.findIndex(({ name }) => name === active.field)
    const field = fields[column]
    const edit = () => field && isEditable(field) && onEdit(active)
    const moves: { [key: string]: () => void } = {
      ArrowDown: () => go(row + 1, column),
      ArrowUp: () => go(row - 1, column),
      ArrowLeft: () => go(row, column - 1),
      ArrowRight: () => go(row, column + 1),
      Home: () => go(row, 0),
      End: () => go(row, fields.length - 1),
      PageDown: () => go(row + 15, column),
      PageUp: () => go(row - 15, column),
      j: () => go(row + 1, column),
      k: () => go(row - 1, column),
      ' ': () => options.onPeek(options.peek === id ? undefined : id),
      x: () => selection.toggle(id),
      X: () => selection.toggle(id, true),
      e: edit,
      F2: edit,
      Enter: () =>
        column === 0
          ? target
              .querySelector('a')
              ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
          : edit(),
    }
    const run = moves[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
}

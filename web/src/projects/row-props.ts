import type { DragEvent, MouseEvent, ReactNode } from 'react'
import type { Format } from '../records/field/format.ts'
import type { Column } from './columns.ts'
import type { Trouble } from './late.ts'
import type { PlanRow, Span } from './tree.ts'

/** What a row does, by its id: the same functions for all rows. */
export type RowActs = {
  onActive: (id: string, column: Column) => void
  /** a click with Ctrl or Shift selects */
  onSelect: (id: string, event: MouseEvent) => void
  onEdit: (id: string, column: Column) => void
  onDrag: (id: string, event: DragEvent<HTMLElement>) => void
  onTick: (id: string) => void
  onToggle: (id: string) => void
  onOpen: (id: string) => void
  onMenu: (id: string, button: Element) => void
}

export type RowProps = {
  row: PlanRow
  /** its place among the rows that are shown */
  index: number
  columns: Column[]
  span: Span
  trouble: Trouble | undefined
  /** the predecessors, as they are written */
  after: string
  isLate: boolean
  mayTick: boolean
  isOpened: boolean
  isChanged: boolean
  isSelected: boolean
  /** it only leads to what is searched for */
  isFaint: boolean
  active: Column | undefined
  /** the editor that stands in a cell */
  editor: { column: Column; node: ReactNode } | undefined
  format: Format
  acts: RowActs
}

/** What marks a cell in the page. */
export const nameOfCell = (id: string, column: string): string => `${id} ${column}`

/** Whether a row would be shown the same: rows, spans and troubles are made anew at each change. */
export function isSame(one: RowProps, other: RowProps): boolean {
  const isShallow = (a: object = {}, b: object = {}) => {
    const [left, right]: { [name: string]: unknown }[] = [{ ...a }, { ...b }]
    const names = Object.keys(left ?? {})
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => left?.[name] === right?.[name])
    )
  }
  const { row, span, trouble, ...rest } = one
  const { row: itsRow, span: itsSpan, trouble: itsTrouble, ...others } = other
  return (
    isShallow(row, itsRow) &&
    isShallow(span, itsSpan) &&
    isShallow(trouble, itsTrouble) &&
    isShallow(rest, others)
  )
}

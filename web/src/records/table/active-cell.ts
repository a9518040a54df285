import { useState } from 'react'
import type { Field, Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'

/** A cell by its record and field: others' changes may move rows and columns at any time. */
export type Cell = { id: string; field: string }

/**
 * The cell that keys act on: the one visited last, wherever others' changes have moved it. If its record is gone, the
 * cell at its place; before any was visited, the first one.
 */
export function useActiveCell(
  module: Module,
  rows: AnyRecord[],
  fields: Field[],
): [Cell | undefined, (cell: Cell) => void] {
  const [visited, setVisited] = useState<Cell>()
  const [place, setPlace] = useState(0)
  const at = rows.findIndex((record) => idOf(module, record) === visited?.id)
  if (at >= 0 && at !== place) setPlace(at)
  const record = rows[at >= 0 ? at : Math.min(place, rows.length - 1)]
  const field = fields.find(({ name }) => name === visited?.field) ?? fields[0]
  const cell = record && field && { id: idOf(module, record), field: field.name }
  return [cell, setVisited]
}

import { useState } from 'react'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import type { Cell } from './active-cell.ts'

/**
 * The rows of a list, with the one that is being edited at its place even if the list no longer has it: somebody else
 * deleted it, or it no longer matches. Otherwise what is typed there would vanish with it.
 */
export function useEditedRow(
  module: Module,
  rows: AnyRecord[],
  editing: Cell | undefined,
): AnyRecord[] {
  const [held, setHeld] = useState<{ record: AnyRecord; at: number }>()
  const at = editing ? rows.findIndex((record) => idOf(module, record) === editing.id) : -1
  const record = rows[at]
  if (!editing && held) setHeld(undefined)
  if (record && (held?.record !== record || held.at !== at)) setHeld({ record, at })
  if (!editing || record || !held) return rows
  const before = rows.slice(0, held.at)
  return [...before, held.record, ...rows.slice(before.length)]
}

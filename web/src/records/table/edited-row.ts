import { useEffect, useRef } from 'react'
import type { Module } from '../../data/modules.ts'
import type { Record } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import type { Cell } from './table.tsx'

/**
 * The rows of a list, with the one that is being edited at its place even if the list no longer has it: somebody else
 * deleted it, or it no longer matches. Otherwise what is typed there would vanish with it.
 */
export function useEditedRow(module: Module, rows: Record[], editing: Cell | undefined): Record[] {
  const held = useRef<{ record: Record; at: number }>(undefined)
  const at = editing ? rows.findIndex((record) => idOf(module, record) === editing.id) : -1
  const record = rows[at]
  useEffect(() => {
    if (!editing) held.current = undefined
    else if (record) held.current = { record, at }
  })
  if (!editing || record || !held.current) return rows
  const before = rows.slice(0, held.current.at)
  return [...before, held.current.record, ...rows.slice(before.length)]
}

import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import type { Record } from '../../data/record.ts'
import type { Selection } from '../table/selection.ts'

type Props = {
  module: Module
  selection: Selection
  rows: Record[]
  params: ListParams
  total: number | null
}

/** What one does with the selected rows together. */
export default function BulkBar(_props: Props) {
  return null
}

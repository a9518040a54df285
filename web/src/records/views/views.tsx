import type { Module } from '../../data/modules.ts'
import type { Screens } from '../definition.ts'
import type { ListSearch } from '../search.ts'

type Props = {
  module: Module
  screens: Screens
  search: ListSearch
  onChange: (change: Partial<ListSearch>) => void
}

/** The saved views of a list, as tabs. */
export function Views(_props: Props) {
  return null
}

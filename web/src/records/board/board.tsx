import type { ListParams } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import type { Screens } from '../definition.ts'

type Props = {
  module: Module
  screens: Screens
  params: ListParams
  peek?: string
  onPeek: (id: string | undefined) => void
}

/** Records in lanes, by the value of a field. */
export function Board(_props: Props) {
  return null
}

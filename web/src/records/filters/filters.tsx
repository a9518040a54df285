import type { Clause } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'

type Props = { module: Module; filter: Clause[]; onChange: (filter: Clause[]) => void }

/** The conditions of a list, as chips. */
export function Filters(_props: Props) {
  return null
}

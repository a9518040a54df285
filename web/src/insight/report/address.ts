import type { Clause } from '../../data/list.ts'
import { listSearch, textsIn } from '../../records/search.ts'

/** What the address of a report holds: the whole question. */
export type Question = {
  /** the module, by its name */
  of?: string
  f?: Clause[]
  by?: string
  unit?: string
  /** the size of ranges of numbers */
  width?: string
  then?: string
  then_unit?: string
  /** measures, separated by commas: `sum:revenue` */
  show?: string
  as?: string
  /** the currency of amounts */
  in?: string
  /** the saved report */
  report?: string
}

/** What of it is text: all but the conditions. */
export const questionTexts = [
  'of',
  'by',
  'unit',
  'width',
  'then',
  'then_unit',
  'show',
  'as',
  'in',
  'report',
] as const

/** Reads the address of a report; what is unknown or wrong is dropped. */
export function questionIn(search: { [name: string]: unknown }): Question {
  const { f } = listSearch(search)
  return { ...textsIn(questionTexts)(search), ...(f ? { f } : {}) }
}

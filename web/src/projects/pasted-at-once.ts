import { fieldOf } from '../data/modules.ts'
import type { PlanPlace } from '../data/plan-places.ts'
import { beginIn } from './new-values.ts'
import type { Known } from './pasted-table.ts'
import { kindsOf, linesIn } from './pasted-table.ts'
import type { Words } from './title-words.ts'
import type { Work } from './use-work.ts'

/** Rows of a spreadsheet that are pasted into a plan, and where their first one goes. */
export type Pasting = { rows: string[][]; place: PlanPlace }

/** What the values of pasted rows are found in. */
export function knownIn({ rights }: Work, words: Words): Known {
  const options = fieldOf(rights.tasks, 'status')?.options ?? []
  const statuses = options.map(({ value, label }) => ({ value: String(value), label }))
  return { ...words, isTask: true, statuses }
}

/** Adds pasted rows at once where nothing about them is in doubt; whether it did. */
export function addPasted(work: Work, words: Words, { rows, place }: Pasting): boolean {
  const known = knownIn(work, words)
  const found = kindsOf(rows, known)
  if (!found.hasHeader) return false
  const begin = beginIn(work.plan, place.milestone_id, words.almanac.today)
  const { lines, faults } = linesIn(rows.slice(1), found.kinds, known, { plan: work.plan, begin })
  if (faults.length || !lines.length) return false
  work.addAll(lines, place, 'task')
  return true
}

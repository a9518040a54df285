import { beginIn, valuesOf } from './new-values.ts'
import type { Pasting } from './pasted-at-once.ts'
import { addPasted } from './pasted-at-once.ts'
import { linesOf, mostLines } from './pasted.ts'
import { cellsOf } from './pasted-table.ts'
import type { Words } from './title-words.ts'
import { setsOf } from './title-words.ts'
import type { PlanRow } from './tree.ts'
import type { TypedInto } from './use-draft.ts'
import type { Work } from './use-work.ts'

/** A plan into which lines are typed and pasted; rows of several columns that leave something open go to `onTable`. */
export function typedInto(
  work: Work,
  words: Words,
  onTable: (pasting: Pasting) => void,
): TypedInto<PlanRow> {
  return {
    ...work,
    add(title, chips, place) {
      const begin = beginIn(work.plan, place.milestone_id, words.almanac.today)
      return work.add({ title, more: valuesOf(setsOf(chips), work.plan, begin) }, place)
    },
    addText(text, place) {
      const table = cellsOf(text)
      // a list that is indented by tabs has no second column
      const isTable = table.some((row) =>
        row.slice(1).some((cell, n) => cell.trim() && row[n]?.trim()),
      )
      const pasting = { rows: table.slice(0, mostLines), place }
      if (!isTable) work.addAll(linesOf(text), place)
      else if (!addPasted(work, words, pasting)) onTable(pasting)
    },
  }
}

import type { PlanPlace } from '../data/plan-places.ts'
import { placeBehind } from './places.ts'
import type { How } from './title-editor.tsx'
import type { Chip } from './title-words.ts'
import type { TreeRow } from './tree.ts'
import { deepest } from './tree.ts'

/** A line that is typed and not yet added: behind which row, and on which level. */
export type Draft = {
  behind: string | null
  level: number
  text: string
  chips: Chip[]
  serial: number
}

/** The place among the rows of the one above a draft: behind all that is below the one it is behind; -1 at the top. */
export function aboveDraft(rows: TreeRow[], { behind, level }: Draft): number {
  let at = rows.findIndex(({ id }) => id === behind)
  while ((rows[at + 1]?.level ?? 0) > level) at++
  return at
}

/** Where a draft will be; `all` are the rows of the whole plan, `above` the one that is shown above it. */
export function placeOfDraft(all: TreeRow[], above: TreeRow | undefined, level: number): PlanPlace {
  if (!above && level > 1) {
    return { kind: 'task', milestone_id: null, parent_id: null, after: null, before: null }
  }
  return placeBehind(all, above?.id ?? null, level)
}

/**
 * The draft after a key that adds nothing: one level in or out, or none. `least` is the lowest level that the person may
 * add to.
 */
export function nextDraft(
  draft: Draft,
  text: string,
  how: How,
  { above, least }: { above: TreeRow | undefined; least: number },
): Draft | undefined {
  const { behind, level, chips, serial } = draft
  const to = (next: number) => ({
    behind: above?.id ?? behind,
    level: next,
    text,
    chips,
    serial: serial + 1,
  })
  const highest = Math.min((above?.level ?? 0) + 1, deepest)
  switch (how) {
    case 'in':
      return level < highest ? to(level + 1) : draft
    case 'out':
      return level > least ? to(level - 1) : draft
    case 'enter':
      return level > least ? to(level - 1) : undefined
    default:
      return undefined
  }
}

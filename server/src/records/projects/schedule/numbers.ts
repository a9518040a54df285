import type { StoredPlan, StoredRow } from './stored.ts'

/**
 * The number of each readable row: milestones 1, 2, …, their tasks 1.1, 1.2, … with subtasks 1.1.1; tasks without a
 * readable milestone are 0.1, 0.2, …
 */
export function numbersOf({
  milestones,
  tasks,
}: Pick<StoredPlan, 'milestones' | 'tasks'>): Map<string, string> {
  const numbers = new Map<string, string>()
  const readable = tasks.filter(({ is_readable }) => is_readable)
  const ids = new Set(readable.map(({ id }) => id))
  const children = Map.groupBy(readable, ({ parent_id }) =>
    ids.has(parent_id ?? '') ? parent_id : null,
  )
  const shown = milestones.filter(({ is_readable }) => is_readable)
  const shownIds = new Set(shown.map(({ id }) => id))
  const tops = Map.groupBy(children.get(null) ?? [], ({ milestone_id }) =>
    shownIds.has(milestone_id ?? '') ? milestone_id : null,
  )
  const number = (rows: StoredRow[] | undefined, above: string, levels: number) => {
    for (const [at, { id }] of (rows ?? []).entries()) {
      const own = `${above}.${at + 1}`
      numbers.set(id, own)
      if (levels) number(children.get(id), own, levels - 1)
    }
  }
  for (const [at, { id }] of shown.entries()) {
    numbers.set(id, `${at + 1}`)
    number(tops.get(id), `${at + 1}`, 6)
  }
  number(tops.get(null), '0', 6)
  return numbers
}

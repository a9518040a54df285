import { mergedList } from '../../data/merged-list.ts'
import type { Lines, MilestoneLine, Role, TaskLine } from './lines.ts'

/** What the editor changes. */
export type Draft = { lines: Lines; roles: Role[] }

/**
 * What I made of a draft that somebody else has changed, too: my lines where I changed them, theirs where they did, mine
 * where both did. A line that they deleted comes back if I changed it.
 */
export function merged(base: Draft, mine: Draft, theirs: Draft): Draft {
  const milestones = mergedList<MilestoneLine>(
    [base, mine, theirs].map(({ lines }) => lines.milestones),
    ({ milestone_id }) => milestone_id,
  )
  const known = new Set(milestones.map(({ milestone_id }) => milestone_id))
  const tasks = mergedList<TaskLine>(
    [base, mine, theirs].map(({ lines }) => lines.tasks),
    ({ item_id }) => item_id,
  ).filter(({ milestone_id }) => known.has(milestone_id))
  const ids = new Set(tasks.map(({ item_id }) => item_id))
  return {
    roles: mergedList<Role>(
      [base, mine, theirs].map(({ roles }) => roles),
      ({ key }) => key,
    ),
    lines: {
      milestones,
      tasks: tasks.map((task) => ({
        ...task,
        parent_id: task.parent_id !== null && ids.has(task.parent_id) ? task.parent_id : null,
        links: task.links.filter(({ predecessor_id }) => ids.has(predecessor_id)),
      })),
    },
  }
}

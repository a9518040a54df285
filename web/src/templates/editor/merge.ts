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

function mergedList<Line>(sides: Line[][], idOf: (line: Line) => string): Line[] {
  const [base, mine, theirs] = sides.map((list) => new Map(list.map((line) => [idOf(line), line])))
  if (!base || !mine || !theirs) return []
  const isSame = (a: Line | undefined, b: Line | undefined) =>
    JSON.stringify(a) === JSON.stringify(b)
  const chosen = (id: string) => {
    const [was, own, other] = [base.get(id), mine.get(id), theirs.get(id)]
    return isSame(own, was) ? other : own
  }
  const order = (list: Map<string, Line>) =>
    [...list.keys()].filter((id) => base.has(id)).join('\n')
  // whoever moved something decides the order; the other's new lines stand behind those before them
  const [first, second] = order(mine) === order(base) ? [theirs, mine] : [mine, theirs]
  const ids = [...first.keys()]
  let last = -1
  for (const id of second.keys()) {
    const at = ids.indexOf(id)
    if (at >= 0) last = at
    else ids.splice(++last, 0, id)
  }
  return ids.flatMap((id) => chosen(id) ?? [])
}

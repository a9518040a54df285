import type { PlanPlace } from '../../data/plan-places.ts'
import { linesOf as pastedLines } from '../../projects/pasted.ts'
import type { Direction } from '../../projects/places.ts'
import { movedIn, placeToward } from '../../projects/places.ts'
import { rowsOf } from '../../projects/tree.ts'
import { below } from './days.ts'
import type { LineRow, Lines, MilestoneLine, TaskLine } from './lines.ts'
import { lengthOf, newRef, ranged } from './lines.ts'

/** Some lines with a new one in a place; a task begins with what is before it there, or with its milestone. */
export function withLine(lines: Lines, id: string, title: string, place: PlanPlace): Lines {
  if (place.kind === 'milestone') {
    const milestone: MilestoneLine = {
      milestone_id: id,
      name: title,
      start: lengthOf(lines),
      days: 1,
      is_shared: false,
      stage: { name: title },
      isStage: true,
    }
    return movedIn({ ...lines, milestones: [...lines.milestones, milestone] }, id, place)
  }
  const at = (of: string | null) => lines.tasks.find(({ item_id }) => item_id === of)
  const milestone = lines.milestones.find((each) => each.milestone_id === place.milestone_id)
  const near = at(place.after) ?? at(place.parent_id) ?? milestone
  const task: TaskLine = {
    item_id: id,
    title,
    milestone_id: place.milestone_id ?? lines.milestones.at(-1)?.milestone_id ?? '',
    parent_id: place.parent_id,
    start: near?.start ?? 0,
    days: 1,
    role: null,
    is_shared: false,
    form_id: null,
    document_id: null,
    minutes: null,
    links: [],
    rest: {},
  }
  const moved = movedIn({ ...lines, tasks: [...lines.tasks, task] }, id, {
    ...place,
    milestone_id: task.milestone_id,
  })
  return ranged(moved)
}

/** Some lines with the lines of a text in a place, the deeper ones below those before them. */
export function withText(lines: Lines, text: string, first: PlanPlace): Lines {
  const last: string[] = []
  let next = lines
  for (const { title, depth } of pastedLines(text)) {
    const id = newRef()
    const isInMilestone = first.kind === 'milestone' && depth === 1
    const above = last[depth - 1]
    const place: PlanPlace = above
      ? {
          kind: 'task',
          milestone_id: first.kind === 'milestone' ? (last[0] ?? null) : first.milestone_id,
          parent_id: isInMilestone ? null : above,
          after: last[depth] ?? null,
          before: null,
        }
      : { ...first, after: last[0] ?? first.after }
    next = withLine(next, id, title, place)
    last.splice(depth, last.length, id)
  }
  return next
}

/** Some lines with a row one place further in a direction; the same where it cannot go. */
export function movedToward(lines: Lines, id: string, to: Direction): Lines {
  const place = placeToward(rowsOf(lines), id, to)
  // a task belongs to a milestone
  if (!place || (place.kind === 'task' && place.milestone_id === null)) return lines
  return ranged(movedIn(lines, id, place))
}

/** Some lines without a row and what is below it, which nothing waits for any more. */
export function withoutLine(lines: Lines, row: LineRow): Lines {
  const gone = new Set([
    row.id,
    ...(row.kind === 'milestone'
      ? lines.tasks.flatMap((task) => (task.milestone_id === row.id ? task.item_id : []))
      : below(lines, row.id)),
  ])
  return ranged({
    milestones: lines.milestones.filter(({ milestone_id }) => !gone.has(milestone_id)),
    tasks: lines.tasks
      .filter(({ item_id }) => !gone.has(item_id))
      .map((task) => ({
        ...task,
        links: task.links.filter(({ predecessor_id }) => !gone.has(predecessor_id)),
      })),
  })
}

/** Some lines of which one is other than before. */
export function withTask(lines: Lines, id: string, set: Partial<TaskLine>): Lines {
  const tasks = lines.tasks.map((task) => (task.item_id === id ? { ...task, ...set } : task))
  return { ...lines, tasks }
}

/** The same of a milestone. */
export function withMilestone(lines: Lines, id: string, set: Partial<MilestoneLine>): Lines {
  const milestones = lines.milestones.map((milestone) =>
    milestone.milestone_id === id ? { ...milestone, ...set } : milestone,
  )
  return { ...lines, milestones }
}

/** Some lines with a row shared, or not any more. */
export function withShare(lines: Lines, row: LineRow): Lines {
  if (row.kind === 'task') return withTask(lines, row.id, { is_shared: !row.task.is_shared })
  if (row.kind === 'loose') return lines
  return withMilestone(lines, row.id, { is_shared: !row.milestone.is_shared })
}

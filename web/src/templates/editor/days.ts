import type { Plan } from '../../../../server/src/schedule/plan.ts'
import { move } from '../../../../server/src/schedule/move.ts'
import type { Lines, Link } from './lines.ts'
import { ranged } from './lines.ts'
import { t } from '../../locales/text.ts'

/** Lines after a change of days or dependencies, or why that cannot be. */
export type Outcome = { lines: Lines } | { error: string }

/** In a template every day is a working day. */
const everyDay = { working_days: [1, 2, 3, 4, 5, 6, 7], holidays: [] }

function planOf({ milestones, tasks }: Lines): Plan {
  return {
    tasks: tasks.map(({ item_id: id, parent_id: parent, milestone_id: milestone, ...line }) => ({
      id,
      parent,
      milestone,
      state: 'open',
      isPinned: false,
      isFixed: false,
      start: line.start,
      due: line.start + line.days - 1,
    })),
    milestones: milestones.map(({ milestone_id: id, start, days }) => ({
      id,
      isDone: false,
      isFixed: false,
      start,
      due: start + days - 1,
    })),
    links: tasks.flatMap(({ item_id: task, links }) =>
      links.map(({ predecessor_id: predecessor, type, lag_days: lag }) => ({
        task,
        predecessor,
        type,
        lag,
      })),
    ),
    calendar: everyDay,
    today: 0,
    agreed: null,
    goLive: null,
  }
}

function withDays(lines: Lines, plan: Plan): Lines {
  const spans = new Map([...plan.tasks, ...plan.milestones].map((each) => [each.id, each]))
  const placed = <Line extends { start: number; days: number }>(line: Line, id: string): Line => {
    const { start, due } = spans.get(id) ?? {}
    if (start === undefined || start === null || due === undefined || due === null) return line
    return { ...line, start, days: due - start + 1 }
  }
  return ranged({
    milestones: lines.milestones.map((line) => placed(line, line.milestone_id)),
    tasks: lines.tasks.map((line) => placed(line, line.item_id)),
  })
}

/**
 * A line on another first day, or as long as `days`; what depends on it moves only as far as it must. A first day that
 * contradicts what the line waits for is refused. `numbers` are those of the rows.
 */
export function setDays(
  lines: Lines,
  id: string,
  set: { start: number; days: number },
  numbers: ReadonlyMap<string, string>,
): Outcome {
  const dates = new Map([[id, { start: set.start, due: set.start + set.days - 1 }]])
  const { plan, conflicts } = move(planOf(lines), { dates }, 'use_gaps')
  const broken = conflicts.find((each) => each.kind === 'broken_link' && each.id === id)
  if (broken) {
    const other = plan.tasks.find((task) => task.id === broken.other)
    const number = numbers.get(broken.other ?? '') ?? ''
    const start = set.start + broken.days + 1
    const due = other?.due ?? null
    return {
      error:
        due === null
          ? t('{number}: not before day {start}', { number, start })
          : t('{number} ends on day {end}: not before day {start}', {
              number,
              end: due + 1,
              start,
            }),
    }
  }
  return { lines: withDays(lines, plan) }
}

/** A task with other predecessors, behind which it moves if it must; a circle is refused and named. */
export function setLinks(
  lines: Lines,
  id: string,
  links: Link[],
  numbers: ReadonlyMap<string, string>,
): Outcome {
  const own = new Set([id, ...above(lines, id), ...below(lines, id)])
  const within = links.find(({ predecessor_id }) => own.has(predecessor_id))
  if (within) {
    const number = numbers.get(within.predecessor_id) ?? ''
    return {
      error: t('{number} is the task itself, or a part of it, or what it is a part of', { number }),
    }
  }
  const tasks = lines.tasks.map((task) => (task.item_id === id ? { ...task, links } : task))
  const linked = { ...lines, tasks }
  const added = links.map(({ predecessor_id: predecessor, type, lag_days: lag }) => ({
    task: id,
    predecessor,
    type,
    lag,
  }))
  const { plan, cycle } = move(planOf(linked), { dates: new Map(), links: added }, 'use_gaps')
  if (cycle) {
    const named = cycle.map((each) => numbers.get(each) ?? '').join(' → ')
    return { error: t('would close a circle: {tasks}', { tasks: named }) }
  }
  return { lines: withDays(linked, plan) }
}

function above({ tasks }: Lines, id: string): string[] {
  const parent = tasks.find(({ item_id }) => item_id === id)?.parent_id
  return parent ? [parent, ...above({ milestones: [], tasks }, parent)] : []
}

/** The ids of what is below a task. */
export function below(lines: Lines, id: string): string[] {
  const its = lines.tasks.filter(({ parent_id }) => parent_id === id)
  return its.flatMap(({ item_id }) => [item_id, ...below(lines, item_id)])
}

import { bound } from '../../../../server/src/schedule/network.ts'
import type { Follow } from '../../../../server/src/schedule/move.ts'
import { move } from '../../../../server/src/schedule/move.ts'
import type { Plan } from '../../../../server/src/schedule/plan.ts'
import { WorkDays, dayNumber, dayText } from '../../../../server/src/schedule/workdays.ts'
import type { PlanOp } from '../../data/plan-moves.ts'

/** Where everything goes that moves with some operations, by its id; computed here, until the service has answered. */
export function movedHere(plan: Plan, ops: PlanOp[], follow: Follow) {
  const rows = new Map([...plan.tasks, ...plan.milestones].map((row) => [row.id, row]))
  const dates = new Map<string, { start: number | null; due: number | null }>()
  for (const { op, id, set } of ops) {
    const row = rows.get(id ?? '')
    if (op !== 'set' || !row || !set) continue
    const { start_date, due_date } = set
    dates.set(row.id, {
      start: start_date === undefined ? row.start : start_date ? dayNumber(start_date) : null,
      due: due_date === undefined ? row.due : due_date ? dayNumber(due_date) : null,
    })
  }
  const links = ops.flatMap(({ op, id, predecessor_id, type = 'FS', lag_days = 0 }) =>
    op === 'link' && id && predecessor_id
      ? [{ task: id, predecessor: predecessor_id, type, lag: lag_days }]
      : [],
  )
  const closesGaps = ops.some(({ op }) => op === 'close_gaps')
  const { moved } = move(plan, { dates, links, closesGaps }, follow)
  return new Map(
    moved.flatMap(({ id, to }) => {
      const [start, due] = [to.start ?? to.due, to.due ?? to.start]
      if (start === null || due === null) return []
      return [[id, { start: dayText(start) ?? '', due: dayText(due) ?? '' }] as const]
    }),
  )
}

/** By how many working days a task is too early for what it waits for, by task and predecessor; those that hold are left out. */
export function brokenLinks({ tasks, links, calendar, today }: Plan): Map<string, number> {
  const days = new WorkDays(calendar, today)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const groups = new Set(tasks.map(({ parent }) => parent))
  const broken = new Map<string, number>()
  for (const link of links) {
    const [task, predecessor] = [byId.get(link.task), byId.get(link.predecessor)]
    if (!task || !predecessor || predecessor.state === 'done' || task.state === 'done') continue
    if (groups.has(task.id) || groups.has(predecessor.id)) continue
    const place = ({ start, due }: typeof task) => {
      const [first, last] = [start ?? due, due ?? start]
      if (first === null || last === null) return undefined
      return { start: days.from(first), end: Math.max(days.until(last), days.from(first)) }
    }
    const [own, its] = [place(task), place(predecessor)]
    if (!own || !its) continue
    const { of, at } = bound(link, its.start, its.end)
    if (of === 'start' && task.state === 'started') continue
    const missing = at - own[of]
    if (missing > 0) broken.set(`${link.task} ${link.predecessor}`, missing)
  }
  return broken
}

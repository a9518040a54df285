import type { WorkDays } from '../../../../server/src/schedule/workdays.ts'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { counted } from '../../ui/counted.ts'
import type { Bar } from './bars.ts'

type Known = {
  after: string[]
  workdays: WorkDays
  format: Format
  /** working days since a baseline, such as `+5 d` */
  baseline: string
}

/** A bar in words: what it is, from when to when, whose, after what, and what is the matter with it. */
export function nameOfBar({ row, start, due, isCritical, late }: Bar, of: Known): string {
  const { after, workdays, format, baseline } = of
  const days = workdays.length(dayNumber(start), dayNumber(due))
  const task = row.kind === 'task' ? row.task : undefined
  const totals = row.kind === 'milestone' ? row.milestone.totals : undefined
  const cause = task?.late?.cause
  return [
    [row.number, row.title].filter(Boolean).join(' '),
    start === due
      ? shortDay(start, format)
      : `${shortDay(start, format)} to ${shortDay(due, format)}`,
    counted(days, 'working day'),
    task?.owner?.full_name,
    task?.owner_side === 'customer' ? 'of the customer' : undefined,
    after.length ? `after ${after.join(', ')}` : undefined,
    totals ? `${totals.completed} of ${counted(totals.tasks, 'task')} completed` : undefined,
    isCritical ? 'critical' : undefined,
    late ? `${counted(late, 'day')} late` : undefined,
    cause?.kind === 'predecessor' ? `waits for ${cause.title}` : undefined,
    task?.is_completed ? 'completed' : task?.is_blocked ? 'blocked' : undefined,
    task?.is_pinned ? 'fixed' : undefined,
    baseline ? `${baseline} since the baseline` : undefined,
  ]
    .filter(Boolean)
    .join(', ')
}

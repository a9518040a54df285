import type { WorkDays } from '../../../../server/src/schedule/workdays.ts'
import { dayNumber } from '../../../../server/src/schedule/workdays.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import type { Bar } from './bars.ts'
import { t } from '../../locales/text.ts'

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
      : t('{start} to {end}', { start: shortDay(start, format), end: shortDay(due, format) }),
    t('{count} working day | {count} working days', { count: days }),
    task?.owner?.full_name,
    task?.owner_side === 'customer' ? t('of the customer') : undefined,
    after.length ? t('after {task}', { task: after.join(', ') }) : undefined,
    totals
      ? t('{completed} of {count} task completed | {completed} of {count} tasks completed', {
          completed: totals.completed,
          count: totals.tasks,
        })
      : undefined,
    isCritical ? t('critical') : undefined,
    late ? t('{count} day late | {count} days late', { count: late }) : undefined,
    cause?.kind === 'predecessor' ? t('waits for {title}', { title: cause.title }) : undefined,
    task?.is_completed ? t('completed') : task?.is_blocked ? t('blocked') : undefined,
    task?.is_pinned ? t('fixed') : undefined,
    baseline ? t('{days} since the baseline', { days: baseline }) : undefined,
  ]
    .filter(Boolean)
    .join(', ')
}

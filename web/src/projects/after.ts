import { WorkDays, dayNumber, dayText } from '../../../server/src/schedule/workdays.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import { t } from '../locales/text.ts'

type Link = Pick<ProjectPlan['dependencies'][number], 'predecessor_id' | 'type' | 'lag_days'>

/** A predecessor as it is written: 2.2, 2.2+1, 2.2 SS-1. */
export function wordOf({ type, lag_days }: Link, number: string): string {
  const lag = lag_days ? `${lag_days > 0 ? '+' : '−'}${Math.abs(lag_days)}` : ''
  return type === 'FS' ? `${number}${lag}` : `${number} ${type}${lag}`
}

/** The predecessors that a text names by their numbers, or what is wrong with it. */
export function readAfter(
  text: string,
  ids: ReadonlyMap<string, string>,
): { links: Link[] } | { error: string } {
  const links = new Map<string, Link>()
  for (const part of text.split(/[,;]/)) {
    const word = part.trim()
    if (!word) continue
    const [, number = '', type = 'FS', sign = '', lag = '0'] =
      /^([\d.]+)\s*(FS|SS|FF|SF)?\s*(?:([+−-])\s*(\d{1,4}))?$/i.exec(word) ?? []
    const predecessor_id = ids.get(number)
    if (!number) return { error: t('“{word}” is none: write 2.2, 2.2+1 or 2.2 SS', { word }) }
    if (predecessor_id === undefined) return { error: t('there is no task {number}', { number }) }
    const lag_days = (sign === '+' ? 1 : -1) * Number(lag)
    links.set(predecessor_id, {
      predecessor_id,
      type: type.toUpperCase() as Link['type'],
      lag_days: lag_days || 0,
    })
  }
  return { links: [...links.values()] }
}

/** What makes some predecessors of a task into others, as operations of a change of the plan. */
export function linkOps(id: string, before: Link[], after: Link[]) {
  const of = (links: Link[]) => new Map(links.map((link) => [link.predecessor_id, link]))
  const [old, wanted] = [of(before), of(after)]
  return [
    ...before.flatMap(({ predecessor_id }) =>
      wanted.has(predecessor_id) ? [] : [{ op: 'unlink' as const, id, predecessor_id }],
    ),
    ...after.flatMap((link) => {
      const known = old.get(link.predecessor_id)
      const isSame = known?.type === link.type && known.lag_days === link.lag_days
      return isSame ? [] : [{ op: 'link' as const, id, ...link }]
    }),
  ]
}

/** The working day after all that a task waits for from their end, with the lags; null where it waits for nothing. */
export function earliestOf(
  { tasks, dependencies, calendar }: Pick<ProjectPlan, 'tasks' | 'dependencies' | 'calendar'>,
  id: string,
): string | null {
  const dueOf = new Map(tasks.map(({ item_id, due_date }) => [item_id, due_date]))
  const days = dependencies.flatMap(({ task_id, predecessor_id, type, lag_days }) => {
    const due = task_id === id && type === 'FS' ? dueOf.get(predecessor_id) : null
    if (!due) return []
    const work = new WorkDays(calendar, dayNumber(due))
    return dayText(work.day(work.until(dayNumber(due)) + 1 + lag_days)) ?? []
  })
  return days.toSorted().at(-1) ?? null
}

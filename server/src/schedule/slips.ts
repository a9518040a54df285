import type { PlanLink } from './plan.ts'
import type { CalendarRules, Dates, Day } from './workdays.ts'
import { WorkDays } from './workdays.ts'

/** A finished task: when it was planned, and when it was done. */
export type Finished = Dates & { id: string; done: Day }

/**
 * By how many working days each finished task ended later than planned, less than 0 for earlier, counted from when it
 * could begin: after its planned start and after those that it waited for were done. Delays of others are not its own.
 */
export function slipsOf(
  finished: readonly Finished[],
  links: readonly PlanLink[],
  calendar: CalendarRules,
): Map<string, number> {
  const workdays = new WorkDays(calendar, finished[0]?.done ?? 0)
  const done = new Map(finished.map((task) => [task.id, workdays.until(task.done)]))
  const waits = new Map<string, number>()
  for (const { task, predecessor, type, lag } of links) {
    const before = done.get(predecessor)
    if (type !== 'FS' || before === undefined) continue
    waits.set(task, Math.max(waits.get(task) ?? before, before + 1 + lag))
  }
  const slips = new Map<string, number>()
  for (const { id, start, due } of finished) {
    const [from, until] = [start ?? due, due ?? start]
    const ended = done.get(id)
    if (from === null || until === null || ended === undefined) continue
    const begins = Math.max(workdays.from(from), waits.get(id) ?? -Infinity)
    slips.set(id, ended - (begins + workdays.length(from, until) - 1))
  }
  return slips
}

/** Fewer finished tasks than these say nothing. */
export const leastHistory = 20

/** What tasks of a kind have in common: the template of their project, their milestone in it, and who has them. */
export type Kind = { template: string | null; milestone: string | null; side: string }

/**
 * The slips of what is most like each of some tasks: of the same template, milestone and side, else without the milestone,
 * else of the side alone, else of all, the first of which there are enough. Undefined where there are too few of all.
 */
export function samplesFor(
  past: readonly (Kind & { days: number })[],
  wanted: readonly Kind[],
): { samples: number[][]; of: number[] } | undefined {
  if (past.length < leastHistory) return undefined
  const known = new Map<string, number[]>()
  for (const each of past) {
    for (const key of keysOf(each)) {
      const its = known.get(key)
      if (its) its.push(each.days)
      else known.set(key, [each.days])
    }
  }
  const isEnough = (key: string) => (known.get(key)?.length ?? 0) >= leastHistory
  const used = new Map<string, number>()
  const of = wanted.map((each) => {
    const key = keysOf(each).find(isEnough) ?? ''
    if (!used.has(key)) used.set(key, used.size)
    return used.get(key) ?? 0
  })
  return { samples: [...used.keys()].map((key) => known.get(key) ?? []), of }
}

/** From the narrowest to the widest; texts of a template have no line ends. */
function keysOf({ template, milestone, side }: Kind): string[] {
  if (template === null) return [side, '']
  const within = milestone === null ? [] : [`${template}\n${milestone}\n${side}`]
  return [...within, `${template}\n${side}`, side, '']
}

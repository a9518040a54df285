import { RRuleTemporal } from 'rrule-temporal'
import { computation } from '../../kit/ground/computation.ts'
import { badField } from '../../kit/ground/errors.ts'

type Sought = { rrule: string; start: string; after: string; count: number; mustCome: boolean }

/**
 * At most so many days of a rule after a day; none if it has ended. With `mustCome`, 400 if it is no
 * rule, or has no such day.
 */
export function daysOfRule({ rrule, start, after, count, mustCome }: Sought): string[] {
  const days: string[] = []
  try {
    const rule = rruleOf(rrule, start)
    for (let last = after; days.length < count;) {
      const next = rule.next(new Date(`${last}T00:00:00Z`))
      if (!next) break
      last = next.toString().slice(0, 10)
      days.push(last)
    }
  } catch (error) {
    // if the library gave up because the next day is too far away, the series counts as ended
    if (mustCome)
      throw badField('recurrence_pattern', `is not a valid rule: ${(error as Error).message}`)
  }
  return days
}

/** Runs in a separate process: a rule with rare or no days takes up to a second. */
export const followingDays = computation(import.meta.url, daysOfRule)

function rruleOf(rrule: string, start: string): RRuleTemporal {
  const dtstart = `${start.replaceAll('-', '')}T000000Z`
  const [, frequency = ''] = /FREQ=(\w+)/.exec(rrule) ?? []
  const maxIterations = longest[frequency]
  return new RRuleTemporal({ rruleString: `DTSTART:${dtstart}\nRRULE:${rrule}`, maxIterations })
}

/** The maximum number of periods of a series from its start: about 50 years of each, 200 for yearly ones. */
const longest: { [frequency: string]: number } = {
  YEARLY: 200,
  MONTHLY: 600,
  WEEKLY: 2700,
  DAILY: 19_000,
}

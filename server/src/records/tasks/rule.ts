import { RRuleTemporal } from 'rrule-temporal'
import { computation } from '../../kit/ground/computation.ts'
import { badField } from '../../kit/ground/errors.ts'

type Sought = { rrule: string; start: string; after: string; count: number; mustCome: boolean }

/**
 * Up to so many days of a rule after a day; none where it is over. 400 where `mustCome` and it is no
 * rule, or none of its days ever comes.
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
    // where the library gave up, so far away is it, a series that goes on is over
    if (mustCome)
      throw badField('recurrence_pattern', `is not a valid rule: ${(error as Error).message}`)
  }
  return days
}

/** In a process that computes: a rule whose days come rarely or never takes up to a second. */
export const followingDays = computation(import.meta.url, daysOfRule)

function rruleOf(rrule: string, start: string): RRuleTemporal {
  const dtstart = `${start.replaceAll('-', '')}T000000Z`
  const [, frequency = ''] = /FREQ=(\w+)/.exec(rrule) ?? []
  const maxIterations = longest[frequency]
  return new RRuleTemporal({ rruleString: `DTSTART:${dtstart}\nRRULE:${rrule}`, maxIterations })
}

/** How many periods from its start a series may go on: some 50 years of each, 200 of years. */
const longest: { [frequency: string]: number } = {
  YEARLY: 200,
  MONTHLY: 600,
  WEEKLY: 2700,
  DAILY: 19_000,
}

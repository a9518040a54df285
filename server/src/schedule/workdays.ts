/** A day as the number of days since 1970-01-01. */
export type Day = number

/** The first and the last day of something. */
export type Dates = { start: Day | null; due: Day | null }

/** Which days are worked on: weekdays 1, Monday, to 7; holidays as `YYYY-MM-DD`, or `MM-DD` for every year. */
export type CalendarRules = { working_days: readonly number[]; holidays: readonly string[] }

const dayMs = 86_400_000
/** Days from the origin within which holidays count, some 40 years: beyond, days are counted by the weekday alone. */
const farthest = 15_000
/** After so many days off in a row days count as worked on, so that a search ends whatever the rules say. */
const longestBreak = 400

/** The number of a day `YYYY-MM-DD`. */
export function dayNumber(day: string): Day {
  return Date.parse(`${day}T00:00:00Z`) / dayMs
}

/** The day of a number, as `YYYY-MM-DD`; undefined outside the years 0001 to 9999. */
export function dayText(day: Day): string | undefined {
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined
}

/**
 * Working days by their number: 0 is the first one at or after the origin, -1 the last one before it. Days are
 * looked at when they are needed, each once.
 */
export class WorkDays {
  readonly #origin: Day
  readonly #weekdays: boolean[]
  readonly #once: Set<Day>
  readonly #yearly: Set<number>
  readonly #after: Side = { days: [], counts: [0], rest: 0 }
  readonly #before: Side = { days: [], counts: [0], rest: 0 }

  constructor({ working_days, holidays }: CalendarRules, origin: Day) {
    this.#origin = origin
    // day 0 was a Thursday
    this.#weekdays = [4, 5, 6, 7, 1, 2, 3].map((weekday) => working_days.includes(weekday))
    this.#once = new Set(holidays.filter((day) => day.length === 10).map(dayNumber))
    this.#yearly = new Set(holidays.filter((day) => day.length === 5).map(monthAndDay))
  }

  /** Whether it is a weekday off or a holiday. */
  isOff(day: Day): boolean {
    if (!this.#isWeekday(day) || this.#once.has(day)) return true
    if (!this.#yearly.size) return false
    const date = new Date(day * dayMs)
    return this.#yearly.has((date.getUTCMonth() + 1) * 32 + date.getUTCDate())
  }

  /** The number of the first working day at or after a day. */
  from(day: Day): number {
    const distance = day - this.#origin
    if (distance >= 0) return this.#count(this.#after, 1, distance)
    return -this.#count(this.#before, -1, -distance)
  }

  /** The number of the last working day at or before a day. */
  until(day: Day): number {
    return this.from(day + 1) - 1
  }

  /** The day of a number. */
  day(number: number): Day {
    const [side, direction, at] =
      number >= 0 ? ([this.#after, 1, number] as const) : ([this.#before, -1, -number - 1] as const)
    while (side.days.length <= at && side.counts.length <= farthest) this.#look(side, direction)
    const day = side.days[at]
    if (day !== undefined) return day
    const left = at - side.days.length
    const perWeek = this.#weekdays.filter(Boolean).length
    let far = this.#dayAt(direction, farthest + 7 * Math.floor(left / perWeek))
    for (let n = left % perWeek; n > 0 || !this.#isWeekday(far); far += direction) {
      if (this.#isWeekday(far)) n--
    }
    return far
  }

  /** How many working days there are from one day to another, at least one. */
  length(start: Day, due: Day): number {
    return Math.max(this.until(due) - this.from(start), 0) + 1
  }

  /** Dates by as many working days; the due day is never before the start, as where both are of one weekend. */
  shifted({ start, due }: Dates, by: number): Dates {
    const from = start === null ? null : this.day(this.from(start) + by)
    const until = due === null ? null : this.day(this.until(due) + by)
    return { start: from, due: until === null ? null : Math.max(until, from ?? until) }
  }

  #count(side: Side, direction: 1 | -1, distance: number): number {
    const near = Math.min(distance, farthest)
    while (side.counts.length <= near) this.#look(side, direction)
    const beyond = distance - near
    let count = side.counts[near] ?? 0
    count += Math.floor(beyond / 7) * this.#weekdays.filter(Boolean).length
    for (let n = 0; n < beyond % 7; n++) {
      if (this.#isWeekday(this.#dayAt(direction, near + n))) count++
    }
    return count
  }

  /** The day that a number of days lies on one side of the origin: 0 is the first one of that side. */
  #dayAt(direction: 1 | -1, distance: number): Day {
    return this.#origin + (direction > 0 ? distance : -1 - distance)
  }

  #isWeekday(day: Day): boolean {
    return this.#weekdays[((day % 7) + 7) % 7] ?? false
  }

  #look(side: Side, direction: 1 | -1) {
    const day = this.#dayAt(direction, side.counts.length - 1)
    if (!this.isOff(day) || side.rest >= longestBreak) {
      side.days.push(day)
      side.rest = 0
    } else side.rest++
    side.counts.push(side.days.length)
  }
}

/** The working days on one side of the origin, how many are within each distance of it, and how long the last break is. */
type Side = { days: Day[]; counts: number[]; rest: number }

function monthAndDay(text: string): number {
  return Number(text.slice(0, 2)) * 32 + Number(text.slice(3))
}

import type { TimelineEntry } from '../../data/timeline.ts'
import type { Format } from '../field/format.ts'
import { dayLabel, today } from '../field/format.ts'

export type Day = { day: string; label: string; entries: TimelineEntry[] }

/** Entries by the day on which they happened in the person's zone: today, yesterday, then dates. */
export function daysOf(entries: TimelineEntry[], format: Format, now = new Date()): Day[] {
  const days = Map.groupBy(entries, ({ at }) => today(format.timezone, new Date(at)))
  return [...days].map(([day, its]) => ({ day, label: dayLabel(day, format, now), entries: its }))
}

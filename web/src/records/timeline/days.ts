import type { TimelineEntry } from '../../data/timeline.ts'
import type { Format } from '../field/format.ts'
import { day as dayText, today } from '../field/format.ts'

export type Day = { day: string; label: string; entries: TimelineEntry[] }

/** Entries by the day on which they happened in the person's zone: today, yesterday, then dates. */
export function daysOf(entries: TimelineEntry[], format: Format, now = new Date()): Day[] {
  const days: Day[] = []
  const current = today(format.timezone, now)
  const before = today(format.timezone, new Date(now.getTime() - 86_400_000))
  for (const entry of entries) {
    const day = today(format.timezone, new Date(entry.at))
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else {
      const label = day === current ? 'Today' : day === before ? 'Yesterday' : dayText(day, format)
      days.push({ day, label, entries: [entry] })
    }
  }
  return days
}

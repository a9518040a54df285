import type { Format } from './field/format.ts'
import { dayLabel, today } from './field/format.ts'

export type Day<E> = { day: string; label: string; entries: E[] }

/** Entries by the day on which they happened in the person's zone: today, yesterday, then dates. */
export function daysOf<E extends { at: string }>(
  entries: E[],
  format: Format,
  now = new Date(),
): Day<E>[] {
  const days = Map.groupBy(entries, ({ at }) => today(format.timezone, new Date(at)))
  return [...days].map(([day, its]) => ({ day, label: dayLabel(day, format, now), entries: its }))
}

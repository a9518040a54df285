import { addDays } from '../records/field/format.ts'
import { instantAt, localTime } from '../records/field/local-time.ts'
import { minutesOf, timeOf } from './days.ts'
import type { Place } from './use-place.ts'

/** A part of a day: minutes since midnight. */
export type Slot = { day: string; from: number; to: number }

/** The instant of a minute of a day in a zone, which may be one of the days after it. */
export function instantOf(day: string, minutes: number, zone: string): string {
  return instantAt(`${addDays(day, Math.floor(minutes / 1440))}T${timeOf(minutes % 1440)}`, zone)
}

/** The part of a day in a zone between two instants; at least five minutes. */
export function slotOf(start: string, end: string, zone: string): Slot {
  const begins = localTime(start, zone)
  const from = minutesOf(begins.slice(11))
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000)
  return { day: begins.slice(0, 10), from, to: from + Math.max(minutes, 5) }
}

/** The height of an hour, in pixels. */
export const hourHeight = 48

/** How far down a minute of a day stands. */
export function y(minutes: number): string {
  return `${(minutes / 60) * hourHeight}px`
}

/** The minute of a day that is shown at a height of the window. */
export function minuteAt(day: Element, clientY: number): number {
  return ((clientY - day.getBoundingClientRect().top) / hourHeight) * 60
}

/** The slot on a day that is shown: on the chosen one, or the last before it, where its own is not. */
export function shownSlot(slot: Slot, { view, isNarrow, day, shown }: ShownPlace): Slot {
  if (view === 'list' || isNarrow) return { ...slot, day }
  if (shown.includes(slot.day)) return slot
  return { ...slot, day: shown.findLast((each) => each <= day) ?? shown[0] ?? day }
}

type ShownPlace = Pick<Place, 'view' | 'isNarrow' | 'day' | 'shown'>

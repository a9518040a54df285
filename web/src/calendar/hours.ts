import type { Place } from './use-place.ts'

/** A part of a day: minutes since midnight. */
export type Slot = { day: string; from: number; to: number }

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

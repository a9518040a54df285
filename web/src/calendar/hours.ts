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

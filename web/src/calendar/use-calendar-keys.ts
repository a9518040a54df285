import { useShortcuts } from '../shortcuts/keys.ts'
import type { Place } from './use-place.ts'

const group = 'Calendar'

/** The meetings on the page, in their order. */
function entriesOnPage(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-entry]')]
}

/** Moves the focus to the next meeting, or the one before. */
function focusEntry(by: 1 | -1): void {
  const all = entriesOnPage()
  const at = all.findIndex((each) => each === document.activeElement)
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by
  all[next]?.focus()
}

/** The keys of the calendar. */
export function useCalendarKeys({ place, make }: { place: Place; make: () => void }): void {
  const { show, step, goTo, now } = place
  useShortcuts([
    { keys: 'c', label: 'New meeting', group, run: make },
    { keys: 't', label: 'Today', group, run: () => goTo(now) },
    { keys: 'm', label: 'Month', group, run: () => show('month') },
    { keys: 'w', label: 'Week', group, run: () => show('week') },
    { keys: 'd', label: 'Day', group, run: () => show('day') },
    { keys: 'l', label: 'List', group, run: () => show('list') },
    { keys: '[', label: 'Earlier', group, run: () => step(-1) },
    { keys: ']', label: 'Later', group, run: () => step(1) },
    { keys: 'j', label: 'Next meeting', group, run: () => focusEntry(1) },
    { keys: 'k', label: 'Meeting before', group, run: () => focusEntry(-1) },
    // of the meeting that has the focus
    { keys: 'y', label: 'Answer yes', group },
    { keys: 'p', label: 'Answer maybe', group },
    { keys: 'n', label: 'Answer no', group },
    { keys: 'e', label: 'Open the meeting', group },
    { keys: 'Alt+ArrowDown', label: 'Move a quarter of an hour, or a day', group },
    { keys: 'Alt+Shift+ArrowDown', label: 'Lengthen a quarter of an hour', group },
  ])
}

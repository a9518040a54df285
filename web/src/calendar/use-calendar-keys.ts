import { useShortcuts } from '../shortcuts/keys.ts'
import type { Place } from './use-place.ts'
import { t } from '../locales/text.ts'

const group = t('Calendar')

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
    { keys: 'c', label: t('New meeting'), group, run: make },
    { keys: 't', label: t('Today'), group, run: () => goTo(now) },
    { keys: 'm', label: t('Month'), group, run: () => show('month') },
    { keys: 'w', label: t('Week'), group, run: () => show('week') },
    { keys: 'd', label: t('Day'), group, run: () => show('day') },
    { keys: 'l', label: t('List'), group, run: () => show('list') },
    { keys: '[', label: t('Earlier'), group, run: () => step(-1) },
    { keys: ']', label: t('Later'), group, run: () => step(1) },
    { keys: 'j', label: t('Next meeting'), group, run: () => focusEntry(1) },
    { keys: 'k', label: t('Meeting before'), group, run: () => focusEntry(-1) },
    // of the meeting that has the focus
    { keys: 'y', label: t('Answer yes'), group },
    { keys: 'p', label: t('Answer maybe'), group },
    { keys: 'n', label: t('Answer no'), group },
    { keys: 'e', label: t('Open the meeting'), group },
    { keys: 'Alt+ArrowDown', label: t('Move a quarter of an hour, or a day'), group },
    { keys: 'Alt+Shift+ArrowDown', label: t('Lengthen a quarter of an hour'), group },
  ])
}

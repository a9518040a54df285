import { useSyncExternalStore } from 'react'

const narrow = watched('(width < 760px)')
const withoutRail = watched('(width < 1100px)')

/** Whether the page is as narrow as a phone, where lists are two-line rows and filters a sheet. */
export function useNarrow(): boolean {
  return useSyncExternalStore(narrow.subscribe, narrow.matches)
}

/** Whether a page has no room for the details beside the work. */
export function useWithoutRail(): boolean {
  return useSyncExternalStore(withoutRail.subscribe, withoutRail.matches)
}

function watched(media: string) {
  const query = matchMedia(media)
  return {
    matches: () => query.matches,
    subscribe: (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}

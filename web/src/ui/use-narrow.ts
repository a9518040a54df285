import { useSyncExternalStore } from 'react'

const query = matchMedia('(width < 760px)')

function subscribe(listener: () => void) {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone, where lists are two-line rows and filters a sheet. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}

import type { HistoryState, RouterHistory } from '@tanstack/react-router'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** whether the entry was made by opening the side panel */
    isPeek?: boolean
  }
}

type Router = {
  state: { location: { search: object; state: HistoryState } }
  history: RouterHistory
}

/**
 * Opens a record in the side panel, or closes it without an id. The panel is one step of the history, whichever records
 * it shows in turn: Back closes it, which covers the list on a phone.
 */
export function usePeek(): (id: string | undefined) => void {
  const router: Router = useRouter()
  const navigate = useNavigate()
  return useCallback(
    (id) => {
      const { search, state } = router.state.location
      const isOpen = 'peek' in search
      if (!id && state.isPeek) return router.history.back()
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, peek: id })) as never,
        replace: isOpen,
        state: isOpen ? true : { isPeek: true },
        resetScroll: false,
      })
    },
    [router, navigate],
  )
}

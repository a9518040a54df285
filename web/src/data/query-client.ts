import { QueryClient } from '@tanstack/react-query'

/** The only cache of what the server said. `request` repeats what may be repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

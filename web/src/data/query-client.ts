import { QueryClient } from '@tanstack/react-query'

/** The only cache of the server's answers. It does not retry: `request` does. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

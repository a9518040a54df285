import type { Session } from '../api/session.ts'
import { healthQuery } from '../data/health.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { documentSession } from '../data/session.ts'

/** Reads the health of an account while the account is read, for whoever is shown it. */
export async function prefetch(id: string): Promise<void> {
  const session = queryClient.getQueryData<Session>(keys.session) ?? documentSession
  if (!session || ['customer', 'partner'].includes(session.role.kind)) return
  await queryClient.prefetchQuery(healthQuery(id))
}

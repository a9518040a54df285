import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Level, Session } from '../api/session.ts'
import { documentSession, readSession } from '../api/session.ts'

export { documentSession }
import type { Viewed } from '../api/view-as.ts'
import { viewAs } from '../api/view-as.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** The session, initially from the document. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: readSession,
  staleTime: Infinity,
  ...(documentSession ? { initialData: documentSession } : {}),
})

/** The session outside of components, as far as it is known without a request. */
export function sessionNow(): Session | null | undefined {
  const found = queryClient.getQueryData<Session | null>(keys.session)
  return found === undefined ? documentSession : found
}

/** Whether somebody is signed in, as far as is known without a request. */
export function isSignedIn(): boolean {
  return Boolean(sessionNow())
}

/** Who is signed in; only used below the shell, which otherwise shows the sign-in page. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** A count as the person writes numbers. */
export function countWords(count: number): string {
  return count.toLocaleString(queryClient.getQueryData<Session>(keys.session)?.user.locale)
}

/** The level of one of the person's permissions. */
export function levelOf(session: Session, module: string, action: string): Level {
  const rights = session.permission as { [module: string]: { [action: string]: Level } }
  return rights[module]?.[action] ?? 'none'
}

/** Whether the person may do something in a module at all. */
export function useMay(module: string, action: 'create' | 'read' | 'update' | 'delete'): boolean {
  return levelOf(useSession(), module, action) !== 'none'
}

/** Whether the person may change or delete this record, as its read says, or else by the module alone. */
export function useMayOf(module: string, record: object, action: 'update' | 'delete'): boolean {
  return useMay(module, action) && isAllowed(record, action)
}

/** What a read says that the person may do with the record; true where the read does not say it. */
export function isAllowed(record: object, action: 'update' | 'delete'): boolean {
  const { can } = record as { can?: { [action: string]: boolean } }
  return can?.[action] !== false
}

/** Whether somebody sees only what they are attached to: a customer, a partner or an observer. */
export function isConfined({ role }: Session): boolean {
  return ['customer', 'partner', 'observer'].includes(role.kind)
}

/** Whether somebody is a customer or a partner, who read neither health nor the results of surveys. */
export function isExternal({ role }: Session): boolean {
  return ['customer', 'partner'].includes(role.kind)
}

/** Whether the person is a customer or a partner. */
export function useIsExternal(): boolean {
  return isExternal(useSession())
}

/**
 * Shows everything as another person sees it, read-only, until it is called without a user; for
 * administrators. Clears everything that was read as the previous one.
 */
export async function seeAs(user?: Viewed): Promise<void> {
  const before = viewAs.current()
  viewAs.set(user)
  try {
    const session = await readSession()
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] })
    queryClient.setQueryData<Session>(keys.session, session)
  } catch (error) {
    viewAs.set(before)
    throw error
  }
}

/** Stores preferences of the person, at once: null removes one, the others stay. Throws the `Problem`. */
export async function changePreferences(values: { [name: string]: unknown }): Promise<void> {
  const before = sessionNow()?.preferences ?? {}
  showPreferences(values)
  try {
    await api.put('/api/preferences/', { body: values })
  } catch (error) {
    showPreferences(Object.fromEntries(Object.keys(values).map((name) => [name, before[name]])))
    throw error
  }
}

function showPreferences(values: { [name: string]: unknown }): void {
  queryClient.setQueryData<Session>(keys.session, (session) =>
    session ? { ...session, preferences: { ...session.preferences, ...values } } : session,
  )
}

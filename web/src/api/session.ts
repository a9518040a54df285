import type { components } from './schema.d.ts'
import { request } from './request.ts'
import { signedIn } from './signed-in.ts'
import { viewAs } from './view-as.ts'

/** Who is signed in, where, and what they may do: the answer of `GET /api/session/`. */
export type Session = components['schemas']['WebSession']

/** The level of a permission. */
export type Level = 'none' | 'own' | 'team' | 'all'

/** The values with which the sign-in page is prefilled, for a local demonstration; where one's own is made instead. */
export type DemoSignIn = { email: string; password: string; setup: string | null }

const channel = new BroadcastChannel('perennial session')

/** The session in the document; null if nobody is signed in. */
export const documentSession = embedded<Session>('session')

/** The description, in the document, of the module at whose address it was opened; null elsewhere. */
export const documentModule = embedded<components['schemas']['ModuleWithFields']>('module')

/** The demonstration's sign-in, if the document contains it. */
export const demoSignIn = embedded<DemoSignIn>('demo')

/** Signs in with a cookie; a `Problem` with the code `totp_required` asks for a one-time code, too. */
export async function signIn(credentials: {
  email: string
  password: string
  organization?: string
  code?: string
}): Promise<Session> {
  const { data } = await request<Session>('POST', '/api/session/', { body: credentials })
  signedIn.resume()
  channel.postMessage({ type: 'signed in', user_id: data.user.user_id })
  return data
}

/** The current session; while viewing as somebody else, theirs, without write permissions. */
export async function readSession(): Promise<Session> {
  const { data } = await request<Session>('GET', '/api/session/')
  if (!viewAs.current()) return data
  const permission = Object.fromEntries(
    Object.entries(data.permission).map(([module, { read }]) => [
      module,
      { read, create: 'none', update: 'none', delete: 'none' },
    ]),
  ) as Session['permission']
  return { ...data, permission }
}

/** Ends the session here and in every other tab. */
export async function signOut(): Promise<void> {
  await request('DELETE', '/api/session/')
  channel.postMessage({ type: 'signed out' })
}

/** Messages from other tabs of this browser: `signed out`, or who `signed in`. */
export function onOtherTabs(
  listener: (message: { type: string; user_id?: string }) => void,
): () => void {
  const listening = ({ data }: MessageEvent<{ type: string; user_id?: string }>) => listener(data)
  channel.addEventListener('message', listening)
  return () => channel.removeEventListener('message', listening)
}

function embedded<T>(id: string): T | null {
  const text = document.getElementById(id)?.textContent
  return text ? (JSON.parse(text) as T | null) : null
}

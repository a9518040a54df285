import { wait } from './request.ts'
import type { components } from './schema.d.ts'
import { signedIn } from './signed-in.ts'

/** A record that the person may read has changed; `actor_id` is who changed it. */
export type Changed = {
  type: 'changed'
  module: string
  id: string
  version: number
  change: 'created' | 'updated' | 'deleted'
  fields: string[]
  actor_id: string | null
}

type Notification = components['schemas']['Notification']

/** What the server sends while the workspace is open. */
export type LiveEvent =
  | Changed
  | { type: 'many'; module: string }
  | { type: 'notification'; notification: Pick<Notification, 'notification_type'> }
  | { type: 'session'; reason: string }
  /** the connection was lost for a while: what is shown may be outdated */
  | { type: 'resumed' }

/** What tabs pass on: an event, and the position after it. */
type Passed = { event: LiveEvent; position: string | undefined }

/** Milliseconds until the first retry after a refusal, and the maximum between two. */
const firstPause = 3000
const longestPause = 60_000

const listeners = new Set<(event: LiveEvent) => void>()
const channel = new BroadcastChannel('perennial live')
channel.addEventListener('message', ({ data }: MessageEvent<Passed>) => emit(data))

let leaves: (() => void) | undefined
/** this tab's position in the stream, where it continues if it takes over the connection */
let position: string | undefined

/** Calls the listener with changes made elsewhere, whichever tab receives them. */
export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Listens to the server's stream until `stopLive`, from `since` on: the `live_position` of the session,
 * which is read before anything else, so that no change between the first reads and the connection is
 * missed. One tab of a browser has the connection and forwards events to the others: over HTTP/1.1 a
 * browser opens only six connections to a server.
 */
export function startLive(since: string): void {
  position ??= since
  if (leaves) return
  const leaving = new AbortController()
  leaves = () => leaving.abort()
  void navigator.locks
    .request('perennial live', { signal: leaving.signal }, () => listen(leaving.signal))
    .catch(() => {})
}

/** Ends the connection, as at a sign-out; another tab may take over. */
export function stopLive(): void {
  leaves?.()
  leaves = undefined
  position = undefined
}

/**
 * Stays connected until the signal. A browser repairs a lost connection by itself, but gives up after any
 * answer that is no stream: of a proxy while the service restarts, of a busy service, of an ended session.
 */
async function listen(signal: AbortSignal): Promise<void> {
  for (let [pause, isFirst] = [firstPause, true]; !signal.aborted; isFirst = false) {
    if (signedIn.hasEnded()) await signedIn.again(signal)
    const hasOpened = await connect(signal, isFirst)
    pause = hasOpened ? firstPause : Math.min(2 * pause, longestPause)
    // at another time than other browsers, which were refused at the same moment
    await wait(pause * (0.5 + Math.random() / 2), signal)
  }
}

/** Keeps a connection until the signal, or until the browser gives up; resolves to whether it opened. */
function connect(signal: AbortSignal, isFirst: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const after = position ? `?after=${encodeURIComponent(position)}` : ''
    const source = new EventSource(`/api/stream/${after}`)
    let [wasLost, hasOpened] = [!isFirst, false]
    const end = () => {
      source.close()
      signal.removeEventListener('abort', end)
      resolve(hasOpened)
    }
    source.addEventListener('open', () => {
      if (wasLost) pass({ type: 'resumed' })
      wasLost = false
      hasOpened = true
    })
    source.addEventListener('error', () => {
      wasLost = true
      if (source.readyState === EventSource.CLOSED) end()
    })
    on(source, 'changed', (data) => {
      const { type: change, ...rest } = data as Omit<Changed, 'type' | 'change'> & {
        type: Changed['change']
      }
      return { ...rest, type: 'changed', change }
    })
    on(source, 'many', (data) => ({ type: 'many', module: (data as { module: string }).module }))
    on(source, 'notification', (data) => ({
      type: 'notification',
      notification: data as Notification,
    }))
    on(source, 'session', (data) => ({
      type: 'session',
      reason: (data as { reason: string }).reason,
    }))
    signal.addEventListener('abort', end)
  })
}

function on(source: EventSource, name: string, read: (data: unknown) => LiveEvent) {
  source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
    pass(read(JSON.parse(data) as unknown), lastEventId),
  )
}

/** To this tab and all others. */
function pass(event: LiveEvent, lastEventId?: string) {
  const passed = { event, position: lastEventId }
  channel.postMessage(passed)
  emit(passed)
}

function emit({ event, position: reached }: Passed) {
  if (reached) position = reached
  for (const listener of listeners) listener(event)
}

/** A record changed that the person may read; `actor_id` is who changed it. */
export type Changed = {
  type: 'changed'
  module: string
  id: string
  version: number
  change: 'created' | 'updated' | 'deleted'
  fields: string[]
  actor_id: string | null
}

/** What the server announces while the workspace is open. */
export type LiveEvent =
  | Changed
  | { type: 'many'; module: string }
  | { type: 'notification'; notification: unknown }
  | { type: 'session'; reason: string }
  /** the connection was lost for a while: whatever is shown may be old */
  | { type: 'resumed' }

const listeners = new Set<(event: LiveEvent) => void>()
const channel = new BroadcastChannel('perennial live')
channel.addEventListener('message', ({ data }: MessageEvent<LiveEvent>) => emit(data))

let leaves: (() => void) | undefined

/** Calls the listener with what changes elsewhere, in whichever tab it arrives. */
export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Listens to the server's stream until `stopLive`. One tab of a browser has the connection and passes
 * events on: over HTTP/1.1 six connections are all that a browser opens to a server.
 */
export function startLive(): void {
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
}

/** Holds the connection until the signal. */
function listen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource('/api/stream/')
    let wasLost = false
    source.addEventListener('open', () => {
      if (wasLost) pass({ type: 'resumed' })
      wasLost = false
    })
    source.addEventListener('error', () => (wasLost = true))
    on(source, 'changed', (data) => {
      const { type: change, ...rest } = data as Omit<Changed, 'type' | 'change'> & {
        type: Changed['change']
      }
      return { ...rest, type: 'changed', change }
    })
    on(source, 'many', (data) => ({ type: 'many', module: (data as { module: string }).module }))
    on(source, 'notification', (notification) => ({ type: 'notification', notification }))
    on(source, 'session', (data) => ({
      type: 'session',
      reason: (data as { reason: string }).reason,
    }))
    signal.addEventListener('abort', () => {
      source.close()
      resolve()
    })
  })
}

function on(source: EventSource, name: string, read: (data: unknown) => LiveEvent) {
  source.addEventListener(name, ({ data }: MessageEvent<string>) =>
    pass(read(JSON.parse(data) as unknown)),
  )
}

/** To this tab and all others. */
function pass(event: LiveEvent) {
  channel.postMessage(event)
  emit(event)
}

function emit(event: LiveEvent) {
  for (const listener of listeners) listener(event)
}

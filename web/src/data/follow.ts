import type { Changed } from '../api/live.ts'
import { onLive } from '../api/live.ts'
import { refreshHome, refreshModule } from './cached.ts'
import { isOwnChange, isOwnDeletion } from './change.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** The minimum time between two reads of a module on screen, in milliseconds. */
const pause = 300

/** The type of the notifications that Home shows. */
const mention = 1

const waiting = new Map<string, ReturnType<typeof setTimeout>>()
type Listener = (module: string, id: string, event: Changed) => void
const glowing = new Set<Listener>()

/** Keeps what is on screen up to date, whoever changes it. Returns a function that stops it. */
export function followChanges(): () => void {
  return onLive((event) => {
    if (event.type === 'changed') {
      if (isOwnChange(event.module, event.id, event.version)) return
      if (!isOwnDeletion(event.module, event.id)) {
        void queryClient.invalidateQueries({ queryKey: keys.record(event.module, event.id) })
      }
      void queryClient.invalidateQueries({ queryKey: ['timeline'] })
      refreshSoon(event.module)
      for (const listener of glowing) listener(event.module, event.id, event)
    } else if (event.type === 'many') {
      void queryClient.invalidateQueries({ queryKey: [event.module] })
      refreshHome()
    } else if (event.type === 'notification') {
      void queryClient.invalidateQueries({ queryKey: keys.notifications })
      // a page that is opened receives those of the last minute, too
      if (event.notification.notification_type === mention) refreshHome()
    } else if (event.type === 'session') {
      void queryClient.invalidateQueries({ queryKey: keys.session })
      void queryClient.invalidateQueries({ queryKey: keys.modules })
    } else void queryClient.invalidateQueries()
  })
}

/** Calls the listener with each record that somebody else changed. */
export function onOthersChange(listener: Listener): () => void {
  glowing.add(listener)
  return () => glowing.delete(listener)
}

function refreshSoon(module: string) {
  if (waiting.has(module)) return
  waiting.set(
    module,
    setTimeout(() => {
      waiting.delete(module)
      void refreshModule(module)
    }, pause),
  )
}

import type { Database } from '../../database/connect.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { LiveStreams } from '../../kit/ground/services.ts'

/** Streams that one user may hold in one process, and all users together. */
const most = { ofUser: 10, ofAll: 5000 }

/**
 * The live streams of this process. A write that notifies a user sends a NOTIFY with its commit, which
 * wakes the user's streams in every process; `changed` wakes those whose user may have lost access.
 */
export function liveStreams(
  database: Database,
  now: () => Date,
): LiveStreams & { changed(organization: string | null): void } {
  const waiting = new Map<string, Set<() => void>>()
  let open = 0
  const wakeAll = (keys: Iterable<string>) => {
    for (const key of keys) for (const wake of waiting.get(key) ?? []) wake()
  }
  database.listen('perennial_notified', (key) => wakeAll(key ? [key] : [...waiting.keys()]))

  return {
    now,
    checkRoom(organization, user_id) {
      const own = waiting.get(keyOf(organization, user_id))?.size ?? 0
      if (open < most.ofAll && own < most.ofUser) return
      throw new Failure(503, 'too_many_streams', 'There are too many open streams, close some', {
        retryAfter: 5,
      })
    },
    open(organization, user_id, signal) {
      const key = keyOf(organization, user_id)
      const bell = bellOf(signal)
      const own = waiting.get(key) ?? new Set()
      waiting.set(key, own.add(bell.ring))
      open++
      return {
        woken: bell.rung,
        release() {
          open--
          own.delete(bell.ring)
          if (!own.size) waiting.delete(key)
        },
      }
    },
    changed(organization) {
      const keys = [...waiting.keys()]
      wakeAll(organization ? keys.filter((key) => key.startsWith(`${organization} `)) : keys)
    },
  }
}

/** As the NOTIFY names a user. */
function keyOf(organization: string, user_id: string | null): string {
  return `${organization} ${user_id}`
}

/** Waits to be rung; a ring while nobody waits counts for the next wait. */
function bellOf(signal: AbortSignal) {
  let isRung = false
  let resolveWait: (() => void) | undefined
  const ring = () => {
    isRung = true
    resolveWait?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    /** true when it was rung, false when `ms` passed first */
    async rung(ms: number): Promise<boolean> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resolveWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        resolveWait = undefined
      }
      const wasRung = isRung
      isRung = false
      return wasRung
    },
  }
}

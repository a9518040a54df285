import type { Database } from '../../database/connect.ts'
import { namesSender, onNames } from '../../database/names.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { Tally } from '../tally.ts'
import type { LiveStreams, Quotas } from '../../kit/ground/services.ts'
import { eventTails } from './live/tail.ts'

/** How long after its place was reserved a stream must open, in milliseconds. */
const opensWithin = 2000

const channel = 'perennial_notified'
/** Notifications of users within so many milliseconds are one NOTIFY. */
const gatherMs = 5

/**
 * The live streams of this process. A write that notifies users sends their names after its commit, which
 * wakes their streams in every process; `changed` wakes those whose user may have lost access.
 */
export function liveStreams(
  database: Database,
  now: () => Date,
  most: Pick<Quotas, 'streamsPerUser' | 'streamsPerOrganization' | 'streams'>,
): LiveStreams & { changed(organization: string | null): void } {
  const waiting = new Map<string, Set<(wake: Wake) => void>>()
  /** open streams, and those about to open, by user, by organization, and in total */
  const held = new Tally()
  const hold = (organization: string, user_id: string | null, by: 1 | -1) => {
    for (const each of [keyOf(organization, user_id), organization, '']) held.add(each, by)
  }
  const wakeAll = (keys: Iterable<string>, why: Wake) => {
    for (const key of keys) for (const wake of waiting.get(key) ?? []) wake(why)
  }
  onNames(database, channel, (key) => wakeAll(key ? [key] : [...waiting.keys()], 'notified'))
  const send = namesSender(database, channel, gatherMs)

  return {
    now,
    ...eventTails(database),
    notified(organization, user_ids) {
      for (const id of user_ids) send(keyOf(organization, id))
    },
    reserve(organization, user_id) {
      const key = keyOf(organization, user_id)
      const isFull = (who: string, limit: number) => limit > 0 && held.of(who) >= limit
      if (isFull(key, most.streamsPerUser)) throw tooManyStreams(429, 'You have')
      if (isFull(organization, most.streamsPerOrganization)) {
        throw tooManyStreams(429, 'Your organization has')
      }
      if (isFull('', most.streams)) throw tooManyStreams(503, 'The service has')
      hold(organization, user_id, 1)
      // if the caller has gone, or it was a HEAD request, the stream never opens
      let isHeld = true
      const giveUp = () => {
        isHeld = false
        hold(organization, user_id, -1)
      }
      const timer = setTimeout(giveUp, opensWithin).unref()
      return (signal) => {
        clearTimeout(timer)
        if (!isHeld) hold(organization, user_id, 1)
        const bell = bellOf(signal)
        const own = waiting.get(key) ?? new Set()
        waiting.set(key, own.add(bell.ring))
        return {
          woken: bell.rung,
          wake: () => bell.ring('other'),
          release() {
            hold(organization, user_id, -1)
            own.delete(bell.ring)
            if (!own.size) waiting.delete(key)
          },
        }
      }
    },
    count: (organization) => held.of(organization),
    changed(organization) {
      const keys = [...waiting.keys()]
      const those = organization ? keys.filter((key) => key.startsWith(`${organization}/`)) : keys
      wakeAll(those, 'other')
    },
  }
}

function tooManyStreams(status: number, who: string) {
  const message = `${who} too many open streams, close some`
  return new Failure(status, 'too_many_streams', message, { retryAfter: 5 })
}

/** The name of a user in notifications to other processes. */
function keyOf(organization: string, user_id: string | null): string {
  return `${organization}/${user_id}`
}

type Wake = 'notified' | 'other'

/** A bell to wait for; a ring while nobody waits counts for the next wait. */
function bellOf(signal: AbortSignal) {
  let rung: Wake | null = null
  let resolveWait: (() => void) | undefined
  const ring = (wake: Wake) => {
    if (rung !== 'notified') rung = wake
    resolveWait?.()
  }
  signal.addEventListener('abort', () => ring('other'), { once: true })
  return {
    ring,
    /** what it was rung for, or null when `ms` passed first */
    async rung(ms: number): Promise<Wake | null> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          resolveWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        resolveWait = undefined
      }
      const wake = rung
      rung = null
      return wake
    },
  }
}

import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { timeOf } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Json, Operation } from '../../kit/ground/operation.ts'
import { Stream } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Notification } from '../../records/notifications/notification.ts'
import type { Runtime } from '../../runtime.ts'

/** Streams that one user may hold in one process, and all users together. */
const most = { ofUser: 10, ofAll: 5000 }
/** Proxies give up on connections that say nothing for a minute or so. */
const heartbeatMs = 20_000
/** A write that began earlier may be committed later by this much: it is older than others seen. */
const overlapMs = 60_000
const batch = 100

/**
 * What a user is told of, as it happens, in whichever process it happened (server-sent events). A
 * write that notifies sends a NOTIFY with its commit; every process wakes the streams of that user,
 * which read what is new. While a process cannot hear, the heartbeat's look catches up. A stream ends
 * with its session or access token; browsers come back by themselves, with the last id they had.
 */
export function notificationStream(
  runtime: Runtime,
  lifetimeSeconds: number,
): { operation: Operation; changed(organization: string | null): void } {
  const { database } = runtime
  const waiting = new Map<string, Set<() => void>>()
  const wakeAll = (keys: Iterable<string>) => {
    for (const key of keys) for (const wake of waiting.get(key) ?? []) wake()
  }
  let open = 0
  database.listen('perennial_notified', (key) => wakeAll(key ? [key] : [...waiting.keys()]))

  const operation: Operation = {
    name: 'stream_notifications',
    summary: 'Your notifications as they come, as server-sent events',
    description:
      'Each is an event `notification` with its id and the record as data. `Last-Event-ID` brings what came after it first.',
    can: 'signed_in',
    topic: 'notifications',
    writes: false,
    gives: 'text/event-stream',
    input: {
      query: {
        type: 'object',
        properties: {
          after: {
            type: 'string',
            minLength: 1,
            maxLength: 25,
            description: 'the same as Last-Event-ID: what came after this one comes first',
          },
          seconds: {
            type: 'integer',
            minimum: 0,
            maximum: lifetimeSeconds,
            description: 'how long it lasts; as long as the access token when absent',
          },
        },
      },
    },
    output: { type: 'string' },
    async run(ctx, { query }) {
      const key = `${ctx.organization.id} ${ctx.actor.user_id}`
      if (open >= most.ofAll || (waiting.get(key)?.size ?? 0) >= most.ofUser) {
        throw new Failure(503, 'too_many_streams', 'There are too many open streams, close some', {
          retryAfter: 5,
        })
      }
      const { seconds = lifetimeSeconds, after = null } = query
      return new Stream('text/event-stream', (signal) =>
        follow(ctx, key, seconds * 1000, after, signal),
      )
    },
  }

  return {
    operation,
    // a user may have been signed out or deactivated: their streams look
    changed(organization) {
      const keys = [...waiting.keys()]
      wakeAll(organization ? keys.filter((key) => key.startsWith(`${organization} `)) : keys)
    },
  }

  async function* follow(
    ctx: Context,
    key: string,
    lastsMs: number,
    last: string | null,
    signal: AbortSignal,
  ) {
    const bell = ring(signal)
    const mineHere = waiting.get(key) ?? new Set()
    waiting.set(key, mineHere.add(bell.wake))
    open++
    const ends = performance.now() + lastsMs
    const now = (less = 0): Place => ({
      time: new Date(+runtime.now() - less).toISOString(),
      id: '',
    })
    let begun = last === null ? now() : await placeOf(ctx, last, now())
    const sent = new Map<string, Place>()
    try {
      yield 'retry: 3000\n\n'
      for (;;) {
        const fresh = await newSince(ctx, begun, [...sent.keys()])
        for (const each of fresh) {
          sent.set(each.notification_id, placeIn(each))
          yield `id: ${each.notification_id}\nevent: notification\ndata: ${JSON.stringify(each)}\n\n`
        }
        if (fresh.length === batch) {
          begun = placeIn(fresh.at(-1)!)
          continue
        }
        const settled = now(overlapMs)
        if (isAfter(settled, begun)) begun = settled
        for (const [id, place] of sent) if (!isAfter(place, begun)) sent.delete(id)
        const left = ends - performance.now()
        if (left <= 0 || signal.aborted) return
        const isWoken = await bell.heard(Math.min(heartbeatMs, left))
        if (signal.aborted || !(await isLive(ctx))) return
        if (!isWoken) yield ': still here\n\n'
      }
    } finally {
      open--
      mineHere.delete(bell.wake)
      if (!mineHere.size) waiting.delete(key)
    }
  }
}

type Told = { notification_id: string; creation_time: string; [field: string]: unknown }

/** A place in the order of time. Ids alone have none: a notification may bring one of its own. */
type Place = { time: string; id: string }

function placeIn({ creation_time, notification_id }: Told): Place {
  return { time: creation_time, id: notification_id }
}

function isAfter(one: Place, other: Place): boolean {
  return one.time === other.time ? one.id > other.id : one.time > other.time
}

/** The place of a notification; of one that is gone by now what its id tells. */
async function placeOf(ctx: Context, id: string, otherwise: Place): Promise<Place> {
  const found = await ctx.one<{ time: string }>(sql`
    select t.creation_time as time from notifications t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and t.id = ${id}`)
  const time = found?.time ?? timeOf(id)?.toISOString()
  return time ? { time, id } : otherwise
}

/** What came after a place, but for what is known. */
async function newSince(ctx: Context, { time, id }: Place, known: string[]): Promise<Told[]> {
  const page = { items_per_page: batch, sort: 'creation_time', reverse: false }
  const { body } = await listPage(
    ctx,
    Notification,
    page,
    sql`t.user_id = ${ctx.actor.user_id} and (t.creation_time, t.id) > (${time}::timestamptz, ${id})
      and t.id <> all(${known})`,
  )
  return JSON.parse((body as Json).text) as Told[]
}

/** Whether the session still lives, and its user may still come in. */
async function isLive(ctx: Context): Promise<boolean> {
  const { session_id, user_id } = ctx.actor
  const found = await ctx.one(sql`
    select from sessions t join users u on u.organization_id = t.organization_id and u.id = t.user_id
    where ${mine(ctx)} and t.id = ${session_id} and t.user_id = ${user_id}
      and t.revoked_at is null and u.is_active and u.deleted_at is null`)
  return found !== undefined
}

/** Waits to be woken; a wake that nobody waits for is kept for the next who does. */
function ring(signal: AbortSignal) {
  let isRung = false
  let answer: (() => void) | undefined
  const wake = () => {
    isRung = true
    answer?.()
  }
  signal.addEventListener('abort', wake, { once: true })
  return {
    wake,
    /** true when it was woken, false when the time was up first */
    async heard(ms: number): Promise<boolean> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          answer = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        answer = undefined
      }
      const wasRung = isRung
      isRung = false
      return wasRung
    },
  }
}

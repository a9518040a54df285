import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { timeOf } from '../../kit/ground/ids.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { operation, Stream } from '../../kit/ground/operation.ts'
import type { StreamSlot } from '../../kit/ground/services.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { Notification } from '../../model/notifications/notification.ts'
import { tokenLifetime } from '../tokens.ts'
import { readerNow } from './live/reader.ts'
import { resumable } from './live/resumable.ts'

/** Proxies close connections on which nothing is sent for a minute or so. */
export const heartbeatMs = 20_000
/** How much later a write that began earlier may be committed, so that its notification is older than those already sent. */
export const overlapMs = 60_000
const batch = 100

/**
 * A user's notifications as they happen, from any process (server-sent events). While a process
 * cannot receive NOTIFY, the heartbeat looks for new ones. It reads by the rights that the user has at that moment, and
 * ends with its session or access token; browsers reconnect by themselves, with the last id they had.
 */
export const streamNotifications = operation({
  name: 'stream_notifications',
  needsSession: true,
  summary: 'Stream notifications',
  description:
    'Sends your notifications as server-sent events: each is an event `notification` with its id and the record as data. After a reconnect `Last-Event-ID` first brings what was missed.',
  can: 'signed_in',
  topic: 'notifications',
  writes: false,
  gives: 'text/event-stream',
  input: {
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 25,
          description: 'same as Last-Event-ID: the id of the last notification received',
        }),
      ),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: tokenLifetime,
          description: 'how long the stream lasts; as long as the access token by default',
        }),
      ),
    }),
  },
  output: Type.String(),
  async run(ctx, { query }) {
    const open = ctx.services.streams.reserve(ctx.organization.id, ctx.actor.user_id)
    const { seconds = tokenLifetime, after = null } = query
    return new Stream('text/event-stream', (signal) =>
      resumable(follow(ctx, { lastsMs: seconds * 1000, last: after, open, signal }), ctx.log),
    )
  },
})

type Following = {
  lastsMs: number
  last: string | null
  open: (signal: AbortSignal) => StreamSlot
  signal: AbortSignal
}

async function* follow(ctx: Context, { lastsMs, last, open, signal }: Following) {
  const slot = open(signal)
  const ends = performance.now() + lastsMs
  try {
    let reader = ctx
    const feed = await notificationFeed(ctx, last)
    yield 'retry: 3000\n\n'
    for (;;) {
      const now = await readerNow(reader, ctx.services.streams.now())
      if (!now.ctx) return
      reader = now.ctx
      for await (const each of feed.fresh(reader)) yield notificationText(each)
      const left = ends - performance.now()
      if (left <= 0 || signal.aborted) return
      const wake = await slot.woken(Math.min(heartbeatMs, left))
      if (signal.aborted) return
      if (!wake) yield ': still here\n\n'
    }
  } finally {
    slot.release()
  }
}

/** A notification as an event of a stream. */
export function notificationText(each: Sent): string {
  return `id: ${each.notification_id}\nevent: notification\ndata: ${JSON.stringify(each)}\n\n`
}

/**
 * A user's notifications after the one with the id `last`, or else after a time, by default now: each
 * comes once, though it may have been committed late.
 */
export async function notificationFeed(ctx: Context, last: string | null, since?: Date) {
  const { streams } = ctx.services
  const now = (less = 0): Place => ({ time: new Date(+streams.now() - less).toISOString(), id: '' })
  const sent = new Map<string, Place>()
  const first = since ? { time: since.toISOString(), id: '' } : now()
  let begun = last === null ? first : await placeOf(ctx, last, first)
  return {
    /** the new ones, for the current user from `reader` */
    async *fresh(reader: Context): AsyncGenerator<Sent> {
      for (;;) {
        const fresh = await newSince(reader, begun, [...sent.keys()])
        for (const each of fresh) {
          sent.set(each.notification_id, placeIn(each))
          yield each
        }
        const newest = fresh.at(-1)
        if (!newest || fresh.length < batch) break
        begun = placeIn(newest)
      }
      const settled = now(overlapMs)
      if (isAfter(settled, begun)) begun = settled
      for (const [id, place] of sent) if (!isAfter(place, begun)) sent.delete(id)
    },
  }
}

export type Sent = { notification_id: string; creation_time: string; [field: string]: unknown }

/** A position in the order of time. Ids alone have no order: callers may supply them. */
type Place = { time: string; id: string }

function placeIn({ creation_time, notification_id }: Sent): Place {
  return { time: creation_time, id: notification_id }
}

function isAfter(one: Place, other: Place): boolean {
  return one.time === other.time ? one.id > other.id : one.time > other.time
}

/** The position of a notification; for a deleted one the position that its id implies. */
async function placeOf(ctx: Context, id: string, otherwise: Place): Promise<Place> {
  const found = await ctx.one<{ time: string }>(sql`
    select t.creation_time as time from notifications t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and t.id = ${id}`)
  const time = found?.time ?? timeOf(id)?.toISOString()
  return time ? { time, id } : otherwise
}

/** The notifications after a place, without those already sent. */
async function newSince(ctx: Context, { time, id }: Place, sent: string[]): Promise<Sent[]> {
  const page = { items_per_page: batch, sort: 'creation_time', reverse: false }
  const { body } = await listPage(
    ctx,
    Notification,
    page,
    sql`t.user_id = ${ctx.actor.user_id} and (t.creation_time, t.id) > (${time}::timestamptz, ${id})
      and t.id <> all(${sent})`,
  )
  return JSON.parse((body as Json).text) as Sent[]
}

import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import type { StoredEvent } from '../../../kit/ground/event.ts'
import { firstIdAt, timeOf } from '../../../kit/ground/ids.ts'
import { operation, Stream } from '../../../kit/ground/operation.ts'
import type { StreamSlot } from '../../../kit/ground/services.ts'
import { tokenLifetime } from '../../tokens.ts'
import { heartbeatMs, notificationFeed, notificationText, overlapMs } from '../stream.ts'
import { changesFor, everything } from './changes.ts'
import type { Outgoing } from './changes.ts'
import { readerNow } from './reader.ts'
import { resumable } from './resumable.ts'

/** If more events were missed, only their modules are sent. */
const mostMissed = 1000
/** If more batches than this wait for a slow stream, only their modules are sent. */
const mostWaiting = 20

/**
 * What a workspace needs to stay up to date: the user's notifications, which records have
 * changed, and changes of the session itself (server-sent events).
 */
export const streamChanges = operation({
  name: 'stream_changes',
  needsSession: true,
  summary: 'Stream changes',
  description:
    'Sends as server-sent events: `notification` with a notification of yours as data; `changed` with `module`, `id`, `version`, `type` (created, updated or deleted), `fields` and `actor_id` of a record that you may read, without its data; `many` with a `module` of which more than 50 records changed at once; `session` with a `reason`: rights_changed, or why the session has ended, with which the stream ends: signed_out, deactivated, expired, totp_required. What another process wrote comes a second later at most. After a reconnect `Last-Event-ID` first brings what was missed; a change may then come a second time.',
  can: 'signed_in',
  topic: 'live',
  writes: false,
  isSecret: true,
  gives: 'text/event-stream',
  input: {
    query: Type.Object({
      after: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          description: 'same as Last-Event-ID: the id of the last event received',
        }),
      ),
      seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: tokenLifetime,
          description: 'how long the stream lasts; as long as an access token by default',
        }),
      ),
    }),
  },
  output: Type.String(),
  async run(ctx, { query }) {
    const open = ctx.services.streams.reserve(ctx.organization.id, ctx.actor.user_id)
    const { seconds = tokenLifetime, after = null } = query
    return new Stream('text/event-stream', (signal) =>
      resumable(
        follow(ctx, { ends: performance.now() + seconds * 1000, last: after, open, signal }),
        ctx.log,
      ),
    )
  },
})

type Following = {
  ends: number
  last: string | null
  open: (signal: AbortSignal) => StreamSlot
  signal: AbortSignal
}

type Wake = Awaited<ReturnType<StreamSlot['woken']>>

async function* follow(ctx: Context, { ends, last, open, signal }: Following) {
  const slot = open(signal)
  const waiting = new Waiting()
  let leave = () => {}
  try {
    leave = await ctx.services.streams.follow(ctx.organization.id, (events) => {
      waiting.add(events)
      slot.wake()
    })
    let reader = ctx
    const position = new Position(last)
    const feed = await notificationFeed(ctx, position.notification, position.since)
    if (last !== null) {
      const { organization, services } = ctx
      const { event: id, horizon } = position
      const missed = await services.streams.since(organization.id, { id, horizon }, mostMissed)
      waiting.prepend(missed)
    }
    position.begin()
    yield `retry: 3000\n${position.line()}\n`
    for (let wake: Wake = 'notified'; ;) {
      const now = await readerNow(reader, ctx.services.streams.now())
      if (now.reason) yield `event: session\ndata: ${JSON.stringify({ reason: now.reason })}\n\n`
      if (!now.ctx) return
      reader = now.ctx
      const { last: read, outgoing } = await waiting.take(reader, position.event)
      for (const each of outgoing) {
        position.event = each.id
        yield `${position.line()}event: ${each.event}\ndata: ${JSON.stringify(each.data)}\n\n`
      }
      position.event = read
      if (wake !== 'other') {
        for await (const each of feed.fresh(reader)) {
          position.notification = each.notification_id
          yield notificationText(each)
        }
      }
      if (!wake) yield `: still here\n${position.line()}\n`
      const left = ends - performance.now()
      if (left <= 0 || signal.aborted) return
      wake = await slot.woken(Math.min(heartbeatMs, left))
      if (signal.aborted) return
    }
  } finally {
    leave()
    slot.release()
  }
}

/** Events that a stream still has to send; if there are too many, that everything may have changed. */
class Waiting {
  reads: StoredEvent[][] = []
  isOver = false

  add(events: StoredEvent[]) {
    if (this.reads.length < mostWaiting) this.reads.push(events)
    else this.overflow()
  }

  /** What was missed before the stream began; undefined if it is too much to send. */
  prepend(events: StoredEvent[] | undefined) {
    if (!events) return this.overflow()
    const known = new Set(this.reads.flat().map(({ id }) => id))
    this.reads.unshift(events.filter(({ id }) => !known.has(id)))
  }

  overflow() {
    this.reads = []
    this.isOver = true
  }

  /** The part of them that the reader gets, and the id of the last one. */
  async take(reader: Context, before: string): Promise<{ last: string; outgoing: Outgoing[] }> {
    const { reads, isOver } = this
    this.reads = []
    this.isOver = false
    const last = reads.at(-1)?.at(-1)?.id ?? before
    if (isOver) return { last, outgoing: everything(reader, last) }
    const outgoing: Outgoing[] = []
    for (const events of reads) outgoing.push(...(await changesFor(reader, events)))
    return { last, outgoing }
  }
}

/** The position for a stream that sends everything committed after the current reads. */
export function positionNow(horizon: string): string {
  return `${firstIdAt(new Date())}::${horizon}`
}

/**
 * The position of a stream: the id of the last event that was read for it and, after a colon, that
 * of the last notification sent; after another colon the horizon of a reader without a stream. The id
 * of a notification stands alone.
 */
class Position {
  event: string
  notification: string | null = null
  /** the time of the event: if no notification is named, those from about then on are sent */
  since: Date | undefined
  /** the transaction below which everything has been seen, see `StreamPosition` */
  horizon: string | undefined

  constructor(last: string | null) {
    const [event = '', notification, horizon] = last?.split(':') ?? []
    if (/^\d{1,19}$/.test(horizon ?? '')) this.horizon = horizon
    if (notification === undefined) this.notification = last
    else this.notification = notification || null
    this.event = event
    const time = timeOf(event)
    if (time) this.since = new Date(+time - overlapMs)
  }

  /** Without an id, or with an unknown one, a stream begins now. */
  begin() {
    if (!this.since) this.event = firstIdAt(new Date())
  }

  line(): string {
    return `id: ${this.event}:${this.notification ?? ''}\n`
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { ConnectOptions } from './client.ts'
import { clientConfig, socketOf } from './client.ts'

/** Receives the payload of a NOTIFY; null after a reconnect, when some may have been missed. */
export type Notified = (payload: string | null) => void

/** Sends a NOTIFY over a connection other than the listening one. */
export type Notify = (channel: string, payload: string) => Promise<unknown>

/** Milliseconds between heartbeats. */
const beatMs = 1250
/** A heartbeat must arrive within so many milliseconds, or notifications count as lost. */
const echoMs = 2750
/** Milliseconds between checks of the heartbeat: two in a row, because a busy process reads late. */
const lookMs = 250
/** Milliseconds before a broken connection is reopened. */
const pauseMs = 100

/**
 * One connection for LISTEN, which is reopened when it breaks. It counts as listening only while it
 * receives its own heartbeats, which another connection sends: a firewall may drop its packets, and a
 * pooler may accept LISTEN without passing on notifications.
 */
export class Listener {
  isUp = false
  isClosed = false
  /** all channels are listened to */
  isOpen = false
  last: Promise<unknown> = Promise.resolve()
  client: pg.Client | undefined
  channels = new Map<string, Notified>()
  options: ConnectOptions
  notify: Notify
  /** of this process alone, so that others do not wake for it */
  beat = `perennial_beat_${randomBytes(8).toString('hex')}`
  sent = 0
  /** heartbeats that have not arrived yet, the oldest first */
  outstanding: { number: number; at: number }[] = []
  timer: NodeJS.Timeout | undefined

  constructor(options: ConnectOptions, notify: Notify) {
    this.options = options
    this.notify = notify
  }

  add(channel: string, notified: Notified) {
    this.channels.set(channel, notified)
    if (!this.client) void this.open()
    // while it opens, it comes to the new channel by itself
    else if (this.isOpen) this.listenTo(this.client, channel).catch(() => {})
  }

  async open(): Promise<void> {
    const client = new pg.Client(clientConfig(this.options, 'listen'))
    this.client = client
    const lost = () => {
      if (this.client !== client) return
      clearInterval(this.timer)
      this.client = undefined
      this.isUp = false
      this.isOpen = false
      this.missed()
      socketOf(client).destroy()
      if (!this.isClosed) setTimeout(() => void this.open(), pauseMs).unref()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload }) => {
      if (channel === this.beat) this.echoed(Number(payload))
      else this.channels.get(channel)?.(payload ?? '')
    })
    try {
      await client.connect()
      await this.listenTo(client, this.beat)
      // channels that are added meanwhile are reached by the same loop
      for (const channel of this.channels.keys()) await this.listenTo(client, channel)
      if (this.client !== client) return
      this.isOpen = true
      this.sendHeartbeats(lost)
    } catch {
      lost()
    }
  }

  /** One statement after the other: the connection takes no second one meanwhile. */
  listenTo(client: pg.Client, channel: string): Promise<unknown> {
    const text = `listen ${pg.escapeIdentifier(channel)}`
    return (this.last = this.last.catch(() => {}).then(() => client.query(text)))
  }

  /** Sends heartbeats regularly, until one does not arrive. */
  sendHeartbeats(lost: () => void): void {
    this.outstanding = []
    let sentAt = -Infinity
    let isLate = false
    const look = () => {
      const now = performance.now()
      const wasLate = isLate
      isLate = now - (this.outstanding[0]?.at ?? now) > echoMs
      if (wasLate && isLate) return lost()
      if (now - sentAt < beatMs) return
      sentAt = now
      const number = ++this.sent
      this.outstanding.push({ number, at: now })
      this.notify(this.beat, String(number)).catch(() => {})
    }
    clearInterval(this.timer)
    this.timer = setInterval(look, lookMs).unref()
    look()
  }

  echoed(number: number) {
    // a heartbeat of the previous connection does not count for this one
    if (!this.outstanding.some((each) => each.number === number)) return
    this.outstanding = this.outstanding.filter((each) => each.number > number)
    if (this.isUp) return
    this.isUp = true
    this.missed()
  }

  /** Waits until it listens, at most so many milliseconds; returns whether it does. */
  async settled(ms: number): Promise<boolean> {
    const until = performance.now() + ms
    while (!this.isUp && !this.isClosed && performance.now() < until) await sleep(20)
    return this.isUp
  }

  missed() {
    for (const notified of this.channels.values()) notified(null)
  }

  async close() {
    this.isClosed = true
    clearInterval(this.timer)
    const { client } = this
    if (!client) return
    await Promise.race([client.end().catch(() => {}), sleep(1000, undefined, { ref: false })])
    socketOf(client).destroy()
  }
}

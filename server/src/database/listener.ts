import pg from 'pg'
import type { ConnectOptions } from './client.ts'
import { clientConfig } from './client.ts'

/** Receives the payload of a NOTIFY; null after a reconnect, when some may have been missed. */
export type Notified = (payload: string | null) => void

/** One connection for LISTEN, which is opened again when it breaks. */
export class Listener {
  isUp = false
  isClosed = false
  client: pg.Client | undefined
  channels = new Map<string, Notified>()
  options: ConnectOptions

  constructor(options: ConnectOptions) {
    this.options = options
  }

  add(channel: string, notified: Notified) {
    this.channels.set(channel, notified)
    if (this.client) {
      this.client.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => {})
    } else void this.open()
  }

  async open(): Promise<void> {
    const client = new pg.Client(clientConfig(this.options, 'listen'))
    this.client = client
    const lost = () => {
      if (this.client !== client) return
      this.client = undefined
      this.isUp = false
      this.missed()
      if (!this.isClosed) setTimeout(() => void this.open(), 100).unref()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ channel, payload }) => this.channels.get(channel)?.(payload ?? ''))
    try {
      await client.connect()
      for (const channel of this.channels.keys()) {
        await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      }
      this.isUp = true
      this.missed()
    } catch {
      await client.end().catch(() => {})
      lost()
    }
  }

  missed() {
    for (const notified of this.channels.values()) notified(null)
  }

  async close() {
    this.isClosed = true
    await this.client?.end().catch(() => {})
  }
}

import pg from 'pg'
import { unavailable } from '../kit/ground/errors.ts'
import type { ConnectOptions, Rows, Send } from './client.ts'
import { clientConfig, corked } from './client.ts'

/** One pipelined connection for reads, opened at the first query and again when it breaks. */
export class Reader {
  /** what the connection is set to; undefined when that is not known */
  organization: string | undefined
  inFlight = 0
  client: pg.Client | undefined
  send: Send | undefined
  opening: Promise<void> | undefined
  isClosed = false
  options: ConnectOptions

  constructor(options: ConnectOptions) {
    this.options = options
  }

  async query(organization: string, config: pg.QueryArrayConfig | string): Promise<Rows> {
    this.inFlight++
    try {
      if (!this.send) await (this.opening ??= this.open())
      const { send } = this
      if (!send) throw unavailable('The database cannot be reached')
      if (this.organization !== organization) {
        this.organization = organization
        const text = `select set_config('app.organization', $1, false)`
        // order is guaranteed on the connection: no need to wait for the answer
        const config = {
          name: 'organization',
          text,
          values: [organization],
          rowMode: 'array' as const,
        }
        send(config).catch(() => (this.organization = undefined))
      }
      return await send(config)
    } finally {
      this.inFlight--
    }
  }

  async open() {
    const client = new pg.Client(clientConfig(this.options, 'read'))
    const gone = () => {
      if (this.client !== client) return
      this.client = undefined
      this.send = undefined
    }
    client.on('error', gone)
    client.on('end', gone)
    try {
      await client.connect()
      this.organization = undefined
      if (this.isClosed) await client.end()
      else {
        this.client = client
        this.send = corked(client)
      }
    } finally {
      this.opening = undefined
    }
  }

  async close() {
    this.isClosed = true
    await this.opening?.catch(() => {})
    const { client } = this
    this.client = undefined
    this.send = undefined
    await client?.end().catch(() => {})
  }
}

/** The least busy connection, preferring one that is already set to the organization. */
export function pick(readers: Reader[], organization: string): Reader {
  let best = readers[0]!
  let bestCost = Infinity
  for (const reader of readers) {
    const cost = reader.inFlight + (reader.organization === organization ? 0 : 1.5)
    if (cost < bestCost) [best, bestCost] = [reader, cost]
  }
  return best
}

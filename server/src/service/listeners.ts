import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:net'
import type { Server as Listener } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

/**
 * Node accepts one connection of a listener in a turn of its event loop, whatever waits: with turns of 10 ms,
 * as a busy service has, 400 new connections took 4.2 s, with 16 listeners 0.36 s. Overload is noticed only
 * once connections are accepted: with 64 of them refusals begin after 0.2 s, with 16 after 1 s.
 */
const count = 64

/** Several listeners of one address, since each accepts one connection at a time. */
export type Listeners = {
  /** throws what keeps the first of them from listening */
  listen(place: { host: string; port: number }): Promise<void>
  /** connections that were accepted so far */
  accepted(): number
  /** closes all but the service's own, with what waits in their queues */
  close(): void
  /** resolves when those that are closed have no connections left: their own are none of the service's listener */
  closed(): Promise<unknown>
}

export function listenersOf(app: FastifyInstance): Listeners {
  const server: Server = app.server
  const others: Listener[] = []
  let closed: Promise<unknown> = Promise.resolve()
  let accepted = 0
  server.on('connection', () => accepted++)
  return {
    accepted: () => accepted,
    async listen(place) {
      // a port can be shared like this on Linux alone; processes behind one port get connections from their parent
      if (process.platform !== 'linux' || cluster.isWorker) return void (await app.listen(place))
      const shared = { ...place, reusePort: true }
      await app.listen(shared)
      for (let i = 1; i < count; i++) {
        const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
          server.emit('connection', socket),
        )
        others.push(other)
        other.listen(shared)
        await once(other, 'listening')
        other.on('error', (error) => server.emit('error', error))
      }
    },
    close() {
      closed = Promise.all(others.splice(0).map((other) => promisify(other.close.bind(other))()))
    },
    closed: () => closed,
  }
}

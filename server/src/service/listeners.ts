import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:net'
import type { Server as Listener } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'

/**
 * Node accepts only one connection per listener in each turn of its event loop: with turns of 10 ms,
 * as in a busy service, 400 new connections took 4.2 s, with 16 listeners 0.36 s. Overload is noticed only
 * once connections are accepted: with 64 of them refusals begin after 0.2 s, with 16 after 1 s.
 */
const count = 64

/** Several listeners on one address, since each accepts one connection at a time. */
export type Listeners = {
  /** throws the error if the first of them cannot listen */
  listen(place: { host: string; port: number }): Promise<void>
  /** the number of connections accepted so far */
  accepted(): number
  /** closes all except the service's own, with the connections waiting in their queues */
  close(): void
  /** resolves when the closed ones have no connections left, which do not count as those of the service's listener */
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
      // sharing a port like this works only on Linux; processes behind one port get connections from their parent
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

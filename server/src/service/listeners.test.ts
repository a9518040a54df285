import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as afterPoll } from 'node:timers/promises'
import { fastify } from 'fastify'
import { listenersOf } from './listeners.ts'

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const app = fastify()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  await app.close()
  return port
}

const skip = process.platform !== 'linux' && 'a port is shared like this on Linux alone'

test('connections that wait are accepted in a few turns of the event loop', { skip }, async () => {
  const app = fastify()
  app.get('/', async () => 'served')
  const listeners = listenersOf(app)
  const place = { host: '127.0.0.1', port: await freePort() }
  await listeners.listen(place)
  const sockets = Array.from({ length: 100 }, () => connect(place))
  const ready = Promise.all(sockets.map((socket) => once(socket, 'connect')))
  let turns = 0
  while (listeners.accepted() < sockets.length) {
    turns++
    await afterPoll()
  }
  // a single listener takes a turn for each
  assert.ok(turns < 50, `${turns} turns`)
  await ready
  for (const socket of sockets) socket.destroy()

  // each of them serves, and none takes connections after the end
  for (let i = 0; i < 20; i++) {
    const reply = await fetch(`http://127.0.0.1:${place.port}/`, {
      headers: { connection: 'close' },
    })
    assert.equal(await reply.text(), 'served')
  }
  listeners.close()
  await Promise.all([app.close(), listeners.closed()])
  await assert.rejects(fetch(`http://127.0.0.1:${place.port}/`))
})

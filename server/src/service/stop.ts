import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The listener closes at once. Every answer from here on says `Connection: close`; a connection that
 * is closed while it rests may lose a request already on its way, so those get a moment.
 */
export async function stopServing(app: FastifyInstance, { linger = 0, deadline = 10_000 } = {}) {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node's and Fastify's close would do that first of all
  if (linger) server.closeIdleConnections = () => {}
  let isClosed = false
  const closed = app.close().then(() => (isClosed = true))
  const begun = performance.now()
  await Promise.race([closed, sleep(linger, undefined, { ref: false })])
  while (!isClosed) {
    closeIdle()
    if (performance.now() - begun > deadline) server.closeAllConnections()
    await Promise.race([closed, sleep(50)])
  }
  await closed
}

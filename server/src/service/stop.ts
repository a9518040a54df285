import type { FastifyInstance } from 'fastify'
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises'
import type { Listeners } from './listeners.ts'

/** After a turn of the event loop shorter than this, hardly anything is left unread; in milliseconds. */
const shortTurn = 5
/** The maximum number of turns to wait for a short one. */
const mostTurns = 50
/** The maximum number of turns to wait for one without new connections: each accepts a few of the waiting ones. */
const mostAccepting = 200
/** Milliseconds between two checks of the connections, and how late a check may be on a machine at rest. */
const lookEvery = 50
const late = 25

/**
 * Closes the listeners. Connections in their queues would be reset, so this is done right after the event loop
 * has accepted all of them, and before answers make callers reconnect.
 */
export async function refuseConnections(
  { server }: FastifyInstance,
  listeners: Listeners,
): Promise<void> {
  if (!server.listening) return
  await readEverything()
  await acceptEverything(listeners)
  listeners.close()
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node's own close would do that first
  server.closeIdleConnections = () => {}
  server.close()
  server.closeIdleConnections = closeIdle
}

/**
 * Ends the connections. From here on every answer has `Connection: close`. Closing an idle connection
 * may lose a request that is on its way, so idle connections get `linger` milliseconds in which this
 * process was never late: on a busy machine the callers are late, too. After `deadline` all are closed.
 */
export async function stopServing(
  app: FastifyInstance,
  listeners: Listeners,
  { linger = 0, deadline = 10_000 } = {},
) {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Fastify's close would do that first
  if (linger) server.closeIdleConnections = () => {}
  let isClosed = false
  const closed = Promise.all([app.close(), listeners.closed()]).then(() => (isClosed = true))
  const begun = performance.now()
  let quietSince = begun
  while (!isClosed) {
    const before = performance.now()
    if (before - begun > deadline) server.closeAllConnections()
    else if (before - quietSince >= linger) {
      await readEverything()
      closeIdle()
    }
    const asleep = performance.now()
    await Promise.race([closed, sleep(Math.min(lookEvery, linger || lookEvery))])
    const now = performance.now()
    if (now - asleep > lookEvery + late) quietSince = now
  }
  await closed
}

/** Waits for a turn of the event loop that accepted no connection: then none is waiting. */
async function acceptEverything({ accepted }: Listeners): Promise<void> {
  for (let turns = 0; turns < mostAccepting; turns++) {
    const before = accepted()
    await afterPoll()
    if (accepted() === before) return
  }
}

/** Waits for a short turn of the event loop: whatever has arrived by its end has been read. */
async function readEverything(): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns++) {
    const before = performance.now()
    await afterPoll()
    if (performance.now() - before < shortTurn) return
  }
}

import type { FastifyInstance } from 'fastify'
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises'
import type { Listeners } from './listeners.ts'

/** A turn of the event loop shorter than this has left hardly anything unread, in milliseconds. */
const shortTurn = 5
/** Turns to wait for a short one before going on without. */
const mostTurns = 50
/** Turns to wait for one that has accepted no connection: each accepts a few of those that wait. */
const mostAccepting = 200
/** Milliseconds between two looks at the connections, and how late one may be on a machine at rest. */
const lookEvery = 50
const late = 25

/**
 * Closes the listeners. What waits in their queues would be reset, so that comes right after the event loop
 * has accepted all of it, and before answers make callers connect anew.
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
  // Node's own close would do that first of all
  server.closeIdleConnections = () => {}
  server.close()
  server.closeIdleConnections = closeIdle
}

/**
 * Ends the connections. Every answer from here on says `Connection: close`; a connection that is closed
 * while it rests may lose a request already on its way, so those get `linger` milliseconds in which this
 * process was never late: on a busy machine its callers are, too. After `deadline` all are closed.
 */
export async function stopServing(
  app: FastifyInstance,
  listeners: Listeners,
  { linger = 0, deadline = 10_000 } = {},
) {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Fastify's close would do that first of all
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

/** Waits for a turn of the event loop that has accepted nothing: then nothing waits to be. */
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

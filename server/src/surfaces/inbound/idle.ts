import type { Server, Socket } from 'node:net'

/** Milliseconds without anything received, after which a connection ends while others wait. */
const idleMs = 10_000
/** Milliseconds that a connection may take as a whole while others wait. */
const wholeMs = 120_000
const lookMs = 500

type Known = { received: number; since: number; begun: number }

/**
 * Ends idle connections while as many as may are open: those that wait are refused for now, come again, and find a place.
 * Call the returned function when the server closes.
 */
export function endIdle(server: Server, places: number): () => void {
  const open = new Map<Socket, Known>()
  server.on('connection', (socket) => {
    const now = performance.now()
    open.set(socket, { received: 0, since: now, begun: now })
    socket.once('close', () => open.delete(socket))
  })
  const look = () => {
    const now = performance.now()
    for (const [socket, known] of open) {
      if (socket.bytesRead > known.received) {
        known.received = socket.bytesRead
        known.since = now
      }
      if (open.size < places) continue
      if (now - known.since >= idleMs || now - known.begun >= wholeMs) socket.destroy()
    }
  }
  const timer = setInterval(look, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}

import type { Socket } from 'node:net'
import type { Bounds } from '../bounds.ts'
import { Failure } from '../kit/ground/errors.ts'
import type { Connection, Receipt } from './connection.ts'

/** How often the connections are checked, in milliseconds. */
export const sweepMs = 500

/** How long an upload may be slow before its rate counts, in milliseconds. */
const graceMs = 10_000
/** How much of the rest of a body is read and dropped, so that its refusal can be read; in bytes. */
const mostDropped = 64 * 1024 * 1024

type Close = (connection: Connection, reason: string) => void

/**
 * Closes connections whose answer makes no progress, fails bodies that do not arrive in time, and
 * returns the bytes of waiting answers. Only progress counts: a slow reader of a large file and a
 * live stream stay open as long as something is read.
 */
export function checkProgress(
  connections: Iterable<Connection>,
  bounds: Bounds,
  now: number,
  close: Close,
): number {
  let unread = 0
  const slow: Connection[] = []
  for (const connection of connections) {
    const { socket, receipt, dropping } = connection
    if (receipt && isLate(receipt, socket, bounds, now)) receipt.fail(tooSlow())
    if (dropping && isOver(dropping, socket, bounds, now)) close(connection, 'body')
    const pending = socket.writableLength
    if (!pending) {
      connection.sentAt = 0
      continue
    }
    const sent = bytesSent(socket)
    if (!connection.sentAt || sent !== connection.sent) {
      connection.sent = sent
      connection.sentAt = now
    } else if (bounds.answerSeconds && now - connection.sentAt > bounds.answerSeconds * 1000) {
      close(connection, 'unread')
      continue
    }
    unread += pending
    slow.push(connection)
  }
  const most = bounds.unreadMib * 1024 * 1024
  if (!most || unread <= most) return unread
  // those that have read nothing for longest are closed first
  slow.sort((a, b) => a.sentAt - b.sentAt)
  for (const connection of slow) {
    if (unread <= most) break
    unread -= connection.socket.writableLength
    close(connection, 'unread')
  }
  return unread
}

/** Bytes that the operating system has accepted, also of a write in progress. */
function bytesSent(socket: Socket): number {
  const handle = (socket as { _handle?: Handle })._handle
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}

/** Node's own idle timer of sockets uses these too; they have no public property. */
type Handle = { bytesWritten: number; writeQueueSize: number }

type Received = Omit<Receipt, 'fail'>

function isLate(receipt: Received, { bytesRead }: Socket, bounds: Bounds, now: number): boolean {
  const ms = now - receipt.since
  if (!receipt.isUpload) return bounds.bodySeconds > 0 && ms > bounds.bodySeconds * 1000
  if (bounds.uploadSeconds && ms > bounds.uploadSeconds * 1000) return true
  const rate = (bytesRead - receipt.from) / (ms / 1000)
  return ms > graceMs && rate < bounds.uploadKibPerSecond * 1024
}

function isOver(dropping: Received, socket: Socket, bounds: Bounds, now: number): boolean {
  return socket.bytesRead - dropping.from > mostDropped || isLate(dropping, socket, bounds, now)
}

function tooSlow(): Failure {
  return new Failure(408, 'timeout', 'The body of the request did not arrive in time')
}

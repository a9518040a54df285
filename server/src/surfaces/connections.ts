import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Bounds } from '../bounds.ts'
import { Failure } from '../kit/ground/errors.ts'
import { Tally } from '../kit/ground/tally.ts'
import { counted } from '../kit/ground/address.ts'
import type { Connection } from './connection.ts'
import { connectionOf, newConnection } from './connection.ts'
import { sendBare } from './errors.ts'
import { checkProgress, sweepMs } from './progress.ts'

/** What the operator sees of the connections. */
export type ConnectionState = {
  open: number
  /** bytes of answers that wait in this process for their readers */
  unread: number
  /** connections closed by the service, by reason */
  closed: { [reason: string]: number }
}

type Options = {
  bounds: Bounds
  maxHeaderSize: number
  /** milliseconds that a connection may be idle between two requests */
  keepAliveTimeout: number
  /** whether a peer is the operator's own proxy */
  isProxy(peer: string): boolean
}

/** Waiting requests of all connections together may be this many times those of one. */
const crowd = 100
/** How long a connection stays open after the answer if its body has no known end, in milliseconds. */
const lingerMs = 1000
/** The fraction of connections that are closed together to make room, because finding them takes a pass over all. */
const portion = 20

/**
 * An HTTP server that serves the requests of a connection one after the other, while Node would start
 * all pipelined ones at once. It closes connections that do not send, or do not read their answers, and
 * limits how many an address may have open. `state` is updated for the operator.
 */
export function boundedServer(
  handler: RequestListener,
  state: ConnectionState,
  { bounds, maxHeaderSize, keepAliveTimeout, isProxy }: Options,
): Server {
  const connections = new Set<Connection>()
  const addresses = new Tally()
  let waiting = 0

  const server = createServer({
    maxHeaderSize,
    keepAliveTimeout,
    headersTimeout: bounds.headSeconds * 1000,
    // bodies have their own deadlines, whose refusal is answered like any other
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
  })
  server.on('connection', open)
  server.on('request', (request, response) => take(request, response))
  const sweep = setInterval(() => {
    state.unread = checkProgress(connections, bounds, performance.now(), close)
  }, sweepMs)
  sweep.unref()
  server.on('close', () => clearInterval(sweep))
  return server

  function open(socket: Socket) {
    const peer = socket.remoteAddress ?? ''
    const address = isProxy(peer) ? undefined : (counted(peer) ?? peer)
    const { connections: most, connectionsOfAddress: mostOfAddress } = bounds
    const isFull = () => most > 0 && connections.size >= most
    const hasEnough = () => mostOfAddress > 0 && count(address) >= mostOfAddress
    if (isFull()) makeRoom(undefined)
    if (hasEnough()) makeRoom(address)
    if (isFull() || hasEnough()) {
      state.closed.full = (state.closed.full ?? 0) + 1
      socket.destroy()
      return
    }
    const connection = newConnection(socket, address)
    connections.add(connection)
    state.open = connections.size
    if (address !== undefined) addresses.add(address)
    socket.once('close', () => forget(connection))
  }

  function count(address: string | undefined): number {
    return address === undefined ? 0 : addresses.of(address)
  }

  function forget(connection: Connection) {
    if (!connections.delete(connection)) return
    state.open = connections.size
    connection.isEnding = true
    waiting -= connection.waiting.length
    connection.waiting = []
    const { address } = connection
    if (address !== undefined) addresses.add(address, -1)
  }

  function close(connection: Connection, reason: string) {
    if (!connections.has(connection)) return
    state.closed[reason] = (state.closed[reason] ?? 0) + 1
    forget(connection)
    connection.socket.destroy()
  }

  /** Closes the connections with the fewest requests, of one address or of all, but never one that is being served. */
  function makeRoom(address: string | undefined) {
    const resting = [...connections].filter(
      (each) =>
        (address === undefined || each.address === address) && (!each.current || each.receipt),
    )
    // the sort is stable: among equals, the oldest come first
    resting.sort((a, b) => a.requests - b.requests)
    const portionOf = Math.ceil(resting.length / portion)
    for (const each of resting.slice(0, portionOf)) close(each, 'room')
  }

  function take(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (!connection || !bounds.pipelined) return handler(request, response)
    if (connection.isEnding) return
    if (!connection.current) return serve(connection, request, response)
    const most = bounds.pipelined
    if (connection.waiting.length < most && waiting < most * crowd) {
      connection.waiting.push([request, response])
      waiting++
      return
    }
    connection.isEnding = true
    connection.socket.pause()
    sendBare(response, tooManyWaiting())
  }

  function serve(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    connection.current = request
    connection.requests++
    connection.dropping = undefined
    response.once('close', () => served(connection, request))
    handler(request, response)
  }

  /** After an answer that came before the end of the body, which only a length makes worth reading. */
  function leave(connection: Connection, request: IncomingMessage) {
    const { socket } = connection
    connection.dropping = { since: performance.now(), from: socket.bytesRead, isUpload: true }
    if (request.headers['content-length'] !== undefined) return
    connection.isEnding = true
    request.pause()
    socket.pause()
    // so that the sender can read the answer
    setTimeout(() => close(connection, 'body'), lingerMs).unref()
  }

  function served(connection: Connection, request: IncomingMessage) {
    connection.current = undefined
    connection.receipt = undefined
    if (!request.complete) leave(connection, request)
    const next = connection.waiting.shift()
    if (!next) {
      if (connection.isEnding && !connection.dropping) connection.socket.destroySoon()
      return
    }
    waiting--
    serve(connection, ...next)
  }
}

function tooManyWaiting(): Failure {
  const message =
    'Too many requests wait on this connection: read their answers, or open another one'
  return new Failure(503, 'too_many_pipelined', message, { retryAfter: 1 })
}

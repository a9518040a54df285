import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Bounds } from '../bounds.ts'
import { Failure } from '../kit/ground/errors.ts'
import { Tally } from './tally.ts'
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
  options: Options,
): Server {
  const { bounds, maxHeaderSize, keepAliveTimeout } = options
  const server = createServer({
    maxHeaderSize,
    keepAliveTimeout,
    headersTimeout: bounds.headSeconds * 1000,
    // bodies have their own deadlines, whose refusal is answered like any other
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
  })
  const connections = new Connections(handler, state, options)
  server.on('connection', (socket) => connections.open(socket))
  server.on('request', (request, response) => connections.take(request, response))
  const sweep = setInterval(() => connections.sweep(), sweepMs)
  sweep.unref()
  server.on('close', () => clearInterval(sweep))
  return server
}

/** The open connections of a server, and the requests that wait on them. */
class Connections {
  readonly #all = new Set<Connection>()
  readonly #addresses = new Tally()
  readonly #handler: RequestListener
  readonly #state: ConnectionState
  readonly #bounds: Bounds
  readonly #isProxy: (peer: string) => boolean
  #waiting = 0

  constructor(handler: RequestListener, state: ConnectionState, { bounds, isProxy }: Options) {
    this.#handler = handler
    this.#state = state
    this.#bounds = bounds
    this.#isProxy = isProxy
  }

  /** Closes those that do not send or do not read in time. */
  sweep() {
    const close = (connection: Connection, reason: string) => this.#close(connection, reason)
    this.#state.unread = checkProgress(this.#all, this.#bounds, performance.now(), close)
  }

  open(socket: Socket) {
    const peer = socket.remoteAddress ?? ''
    const address = this.#isProxy(peer) ? undefined : (counted(peer) ?? peer)
    const { connections: most, connectionsOfAddress: mostOfAddress } = this.#bounds
    const isFull = () => most > 0 && this.#all.size >= most
    const hasEnough = () => mostOfAddress > 0 && this.#count(address) >= mostOfAddress
    if (isFull()) this.#makeRoom(undefined)
    if (hasEnough()) this.#makeRoom(address)
    if (isFull() || hasEnough()) {
      this.#state.closed.full = (this.#state.closed.full ?? 0) + 1
      socket.destroy()
      return
    }
    const connection = newConnection(socket, address)
    this.#all.add(connection)
    this.#state.open = this.#all.size
    if (address !== undefined) this.#addresses.add(address)
    socket.once('close', () => this.#forget(connection))
  }

  #count(address: string | undefined): number {
    return address === undefined ? 0 : this.#addresses.of(address)
  }

  #forget(connection: Connection) {
    if (!this.#all.delete(connection)) return
    this.#state.open = this.#all.size
    connection.isEnding = true
    this.#waiting -= connection.waiting.length
    connection.waiting = []
    const { address } = connection
    if (address !== undefined) this.#addresses.add(address, -1)
  }

  #close(connection: Connection, reason: string) {
    if (!this.#all.has(connection)) return
    this.#state.closed[reason] = (this.#state.closed[reason] ?? 0) + 1
    this.#forget(connection)
    connection.socket.destroy()
  }

  /** Closes the connections with the fewest requests, of one address or of all, but never one that is being served. */
  #makeRoom(address: string | undefined) {
    const resting = [...this.#all].filter(
      (each) =>
        (address === undefined || each.address === address) && (!each.current || each.receipt),
    )
    // the sort is stable: among equals, the oldest come first
    resting.sort((a, b) => a.requests - b.requests)
    const portionOf = Math.ceil(resting.length / portion)
    for (const each of resting.slice(0, portionOf)) this.#close(each, 'room')
  }

  /** Serves a request, or lets it wait for those before it on its connection. */
  take(request: IncomingMessage, response: ServerResponse) {
    const connection = connectionOf(request.socket)
    if (!connection || !this.#bounds.pipelined) return this.#handler(request, response)
    if (connection.isEnding) return
    if (!connection.current) return this.#serve(connection, request, response)
    const most = this.#bounds.pipelined
    if (connection.waiting.length < most && this.#waiting < most * crowd) {
      connection.waiting.push([request, response])
      this.#waiting++
      return
    }
    connection.isEnding = true
    connection.socket.pause()
    sendBare(response, tooManyWaiting())
  }

  #serve(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    connection.current = request
    connection.requests++
    connection.dropping = undefined
    response.once('close', () => this.#served(connection, request))
    this.#handler(request, response)
  }

  /** After an answer that came before the end of the body, which only a length makes worth reading. */
  #leave(connection: Connection, request: IncomingMessage) {
    const { socket } = connection
    connection.dropping = { since: performance.now(), from: socket.bytesRead, isUpload: true }
    if (request.headers['content-length'] !== undefined) return
    connection.isEnding = true
    request.pause()
    socket.pause()
    // so that the sender can read the answer
    setTimeout(() => this.#close(connection, 'body'), lingerMs).unref()
  }

  #served(connection: Connection, request: IncomingMessage) {
    connection.current = undefined
    connection.receipt = undefined
    if (!request.complete) this.#leave(connection, request)
    const next = connection.waiting.shift()
    if (!next) {
      if (connection.isEnding && !connection.dropping) connection.socket.destroySoon()
      return
    }
    this.#waiting--
    this.#serve(connection, ...next)
  }
}

function tooManyWaiting(): Failure {
  const message =
    'Too many requests wait on this connection: read their answers, or open another one'
  return new Failure(503, 'too_many_pipelined', message, { retryAfter: 1 })
}

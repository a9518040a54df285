import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Failure } from '../kit/ground/errors.ts'

/** A body that is being received; times in milliseconds of `performance.now()`. */
export type Receipt = {
  since: number
  /** the bytes that the connection had received when it began */
  from: number
  isUpload: boolean
  /** ends the wait for it; the request is answered with the failure */
  fail(failure: Failure): void
}

/** The state of an open connection. */
export type Connection = {
  socket: Socket
  /** the address by which it is counted; undefined for proxies, whose connections are not counted */
  address: string | undefined
  /** the request that is being served; others of the connection wait */
  current: IncomingMessage | undefined
  waiting: [IncomingMessage, ServerResponse][]
  /** the number of its requests so far */
  requests: number
  /** no further request is served */
  isEnding: boolean
  receipt: Receipt | undefined
  /** set while the rest of a body is dropped after its request was answered */
  dropping: Omit<Receipt, 'fail'> | undefined
  /** bytes of answers that the operating system has accepted, and when that last changed; 0 while none waits */
  sent: number
  sentAt: number
}

const known = new WeakMap<Socket, Connection>()

/** The state of a socket's connection; undefined if the server is not ours, as in tests. */
export function connectionOf(socket: Socket | null | undefined): Connection | undefined {
  return socket ? known.get(socket) : undefined
}

/** A connection that has just been opened. */
export function newConnection(socket: Socket, address: string | undefined): Connection {
  const connection: Connection = {
    socket,
    address,
    current: undefined,
    waiting: [],
    requests: 0,
    isEnding: false,
    receipt: undefined,
    dropping: undefined,
    sent: 0,
    sentAt: 0,
  }
  known.set(socket, connection)
  return connection
}

/** Marks that the body of a request is being received, until the function that it returns is called. */
export function receiving(
  request: IncomingMessage,
  isUpload: boolean,
  fail: (failure: Failure) => void,
): () => void {
  const connection = connectionOf(request.socket)
  if (!connection) return () => {}
  const from = connection.socket.bytesRead
  const receipt = { since: performance.now(), from, isUpload, fail }
  connection.receipt = receipt
  return () => {
    if (connection.receipt === receipt) connection.receipt = undefined
  }
}

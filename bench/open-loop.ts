import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The result of one request: `status` 0 if the connection broke; `due` by `performance.now()`, and `ms` since then. */
export type Answer = { status: number; due: number; ms: number; retryAfter: boolean }

/** The bytes of a request, and when it was due by `performance.now()`. */
type Sent = { bytes: string; due: number; answer: (answer: Answer) => void }

const headEnd = '\r\n\r\n'
/** Fewer than a service accepts at once, so that none waits to be accepted. */
const mostConnections = 1000

/**
 * Sends requests when they are due, without waiting for earlier ones: over a free connection, or
 * over a new one, as many callers would. A request costs the sender a tenth of the time that an HTTP client
 * takes, so that the service is measured and not the sender's queue.
 */
export class OpenLoop {
  readonly #port: number
  readonly #free: Connection[] = []
  readonly #all = new Set<Connection>()
  /** requests that are due while all connections are busy */
  readonly #waiting: Sent[] = []

  constructor(url: string) {
    this.#port = Number(new URL(url).port)
  }

  /** `bytes` is a whole request of HTTP/1.1; `due` is when it should have been sent. */
  send(bytes: string, due = performance.now()): Promise<Answer> {
    return new Promise((answer) => {
      const sent = { bytes, due, answer }
      const connection = this.#free.pop() ?? this.#open()
      if (connection) connection.send(sent)
      else this.#waiting.push(sent)
    })
  }

  /** Sends so many requests a second for some seconds; resolves to all answers. */
  async atRate(next: () => string, rate: number, seconds: number): Promise<Answer[]> {
    const answers: Promise<Answer>[] = []
    const begun = performance.now()
    while (performance.now() - begun < seconds * 1000) {
      const due = ((performance.now() - begun) / 1000) * rate
      while (answers.length < due) {
        answers.push(this.send(next(), begun + (answers.length / rate) * 1000))
      }
      await sleep(1)
    }
    return Promise.all(answers)
  }

  close(): void {
    for (const connection of this.#all) connection.close()
  }

  /** Undefined if the maximum number is open. */
  #open(): Connection | undefined {
    if (this.#all.size >= mostConnections) return undefined
    const connection: Connection = new Connection(
      this.#port,
      () => {
        const next = this.#waiting.shift()
        if (next) connection.send(next)
        else this.#free.push(connection)
      },
      () => {
        this.#all.delete(connection)
        const at = this.#free.indexOf(connection)
        if (at !== -1) this.#free.splice(at, 1)
        const next = this.#waiting.shift()
        if (next) this.#open()?.send(next)
      },
    )
    this.#all.add(connection)
    return connection
  }
}

/** A connection with at most one request in flight. */
class Connection {
  readonly #socket: Socket
  readonly #onFree: () => void
  #sent: Sent | undefined
  #received = ''
  /** remaining bytes of the answer's body; undefined before its head */
  #rest: number | undefined
  #status = 0
  #retryAfter = false
  #closes = false

  constructor(port: number, onFree: () => void, onClosed: () => void) {
    this.#onFree = onFree
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      onClosed()
      this.#status = 0
      this.#finish()
    })
  }

  send(sent: Sent): void {
    this.#sent = sent
    this.#socket.write(sent.bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer) {
    let rest = chunk.length
    if (this.#rest === undefined) {
      this.#received += chunk.toString('latin1')
      const end = this.#received.indexOf(headEnd)
      if (end === -1) return
      const head = this.#received.slice(0, end).toLowerCase()
      rest = this.#received.length - end - headEnd.length
      this.#received = ''
      this.#status = Number(head.slice(9, 12))
      this.#retryAfter = head.includes('\r\nretry-after:')
      this.#closes = head.includes('\r\nconnection: close')
      const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
      if (length === undefined) throw new Error(`An answer without a length: ${head}`)
      this.#rest = Number(length)
    }
    this.#rest -= rest
    if (this.#rest > 0) return
    this.#rest = undefined
    this.#finish()
    if (this.#closes) this.#socket.destroy()
    else this.#onFree()
  }

  #finish() {
    const sent = this.#sent
    this.#sent = undefined
    if (!sent) return
    const { due } = sent
    const ms = performance.now() - due
    sent.answer({ status: this.#status, due, ms, retryAfter: this.#retryAfter })
  }
}

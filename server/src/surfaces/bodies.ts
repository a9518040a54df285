import type { IncomingMessage } from 'node:http'
import { parse as parseForm } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bounds } from '../bounds.ts'
import { Failure } from '../kit/ground/errors.ts'
import { Tally } from './tally.ts'
import { addressOf } from './address.ts'
import { BodyTurns } from './body-turns.ts'
import { receiving } from './connection.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** receives the bodies of this server's requests */
    bodies: Bodies
  }
}

/** The maximum bytes of a body, except for a file in a form. */
export const mostBytes = 1024 * 1024

const mebibyte = 1024 * 1024

/** Bodies up to this size are never refused because of others, and do not wait for a turn; in bytes. */
const small = 16 * 1024

type Done = (error: Error | null, body?: unknown) => void

/** The bytes of one request in memory, from the first until its answer is ready. */
export type Held = {
  /** counts more bytes; false when the request has to give way to others */
  take(bytes: number): boolean
  size: number
  /** the body has arrived completely: from here on it no longer gives way */
  complete(): void
  release(): void
}

/** The bytes of a request, and the function that refuses it if it has to give way. */
type Entry = { address: string; size: number; fail: ((failure: Failure) => void) | undefined }

/**
 * Receives bodies into memory, within limits: of bytes and time for one body, and of bytes per address
 * and in total. If the total is too much, the address with the most bytes is refused.
 */
export class Bodies {
  readonly #most: number
  readonly #mostOfAddress: number
  readonly #turns: BodyTurns
  readonly #entries = new Set<Entry>()
  readonly #addresses = new Tally()
  #all = 0

  constructor({
    receivedMib,
    receivedMibOfAddress,
    bodyPercent,
  }: Pick<Bounds, 'receivedMib' | 'receivedMibOfAddress' | 'bodyPercent'>) {
    this.#most = receivedMib * mebibyte
    this.#mostOfAddress = receivedMibOfAddress * mebibyte
    this.#turns = new BodyTurns(bodyPercent)
  }

  /** Bytes of bodies in memory. */
  get size(): number {
    return this.#all
  }

  /** Receives a body and parses it; 408 if it arrives too slowly, 413 if it is too long. */
  receive(
    request: FastifyRequest,
    payload: IncomingMessage,
    done: Done,
    parse: (body: Buffer) => unknown,
  ): void {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) return done(tooLarge())
    const encoded = wrongEncoding(request)
    if (encoded) return done(encoded)
    let bytes: Buffer = nothing
    const take = (chunk: Buffer) => {
      const { size } = held
      if (size + chunk.length > mostBytes) return end(tooLarge())
      if (!held.take(chunk.length)) return end(full())
      bytes = appended(bytes, size, chunk)
    }
    const complete = () => end(null)
    const end = (error: Error | null) => {
      payload.off('data', take).off('end', complete).off('error', end)
      received()
      if (error) {
        held.release()
        // the rest is read and dropped, so that the caller gets to read the refusal
        payload.on('error', () => {}).resume()
        return done(error)
      }
      held.complete()
      const { size } = held
      const finish = () => {
        let body: unknown
        try {
          request.work?.begin()
          const whole = bytes.subarray(0, size)
          checkCharset(request, whole)
          body = parse(whole)
        } catch (refusal) {
          return done(refusal as Error)
        }
        done(null, body)
      }
      if (size > small) this.inTurn(request, finish)
      else finish()
    }
    const held = this.open(request, end)
    const received = receiving(payload, false, end)
    request.work?.pause()
    payload.on('data', take).on('end', complete).on('error', end)
  }

  /** Works on a large body, now (true) or when it is its caller's turn (false); see `BodyTurns`. */
  inTurn(request: FastifyRequest, work: () => void): boolean {
    return this.#turns.run(request.work?.organization || addressOf(request), work)
  }

  /** Counts the bytes of a request; `fail` is called if it has to give way while it arrives. */
  open(request: FastifyRequest, fail: (failure: Failure) => void): Held {
    const { work } = request
    const entry: Entry = { address: work?.address ?? addressOf(request), size: 0, fail }
    this.#entries.add(entry)
    const release = () => this.#release(entry)
    return {
      get size() {
        return entry.size
      },
      take: (bytes) => this.#take(entry, bytes),
      complete() {
        entry.fail = undefined
        if (work) work.release = release
        else release()
      },
      release,
    }
  }

  #take(entry: Entry, bytes: number): boolean {
    entry.size += bytes
    this.#all += bytes
    this.#addresses.add(entry.address, bytes)
    // strings that wait for their end are copied by each garbage collection, which blocks everything
    const mostOfAddress = this.#mostOfAddress
    const isTooMuch = mostOfAddress > 0 && this.#addresses.of(entry.address) > mostOfAddress
    if (isTooMuch && entry.size > small) return false
    while (this.#most && this.#all > this.#most && entry.size > small) {
      const heaviest = this.#addresses.highest()
      if (heaviest === entry.address) return false
      const theirs = [...this.#entries].find(
        ({ address, size, fail }) => fail && size > small && address === heaviest,
      )
      if (!theirs?.fail) return false
      theirs.fail(full())
    }
    return true
  }

  #release(entry: Entry) {
    if (!this.#entries.delete(entry)) return
    this.#all -= entry.size
    this.#addresses.add(entry.address, -entry.size)
  }
}

/** Lets the routes of a scope accept forms without files: their texts become the body. */
export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) => {
    scope.bodies.receive(request, payload, done, (body) => ({
      ...parseForm(body.toString('utf8')),
    }))
  })
}

const nothing = Buffer.alloc(0)

/** A body may come in chunks of one byte, each of which would be an object: they are put together. */
function appended(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  if (size === 0) return chunk
  const needed = size + chunk.length
  let room = bytes
  if (needed > bytes.length) {
    room = Buffer.allocUnsafe(Math.max(4096, 2 * needed))
    bytes.copy(room, 0, 0, size)
  }
  chunk.copy(room, size)
  return room
}

/** 415 for a compressed body, which would not be decompressed. */
export function wrongEncoding({ headers }: FastifyRequest): Failure | undefined {
  const encoding = headers['content-encoding']?.trim() || 'identity'
  if (/^identity$/i.test(encoding)) return undefined
  return unsupported(`The body must be sent as it is, without Content-Encoding ${encoding}`)
}

/** 415 for text in another charset than UTF-8, unless it has only characters that are the same in both. */
function checkCharset({ headers }: FastifyRequest, body: Buffer) {
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return
  if (body.some((byte) => byte === 0 || byte > 127)) {
    throw unsupported(`The body must be sent in UTF-8, not in ${charset}`)
  }
}

function unsupported(message: string): Failure {
  return new Failure(415, 'unsupported_media_type', message)
}

function tooLarge(): Failure {
  return new Failure(413, 'too_large', 'The request body is larger than 1 MiB')
}

/** 503: the bodies of others leave no room for this one. */
export function full(): Failure {
  const message = 'Too many large bodies are in memory already: try again, or send smaller ones'
  return new Failure(503, 'bodies_full', message, { retryAfter: 1 })
}

import type { IncomingMessage } from 'node:http'
import { parse as parseForm } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bounds } from '../bounds.ts'
import { Failure, badRequest } from '../kit/ground/errors.ts'
import { addressOf } from './address.ts'
import { receiving } from './connection.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** receives the bodies of this server's requests */
    bodies: Bodies
  }
}

/** A body has at most as many bytes, but for a file in a form. */
export const mostBytes = 1024 * 1024

/** Bodies up to this are never refused for what others hold; in bytes. */
const small = 16 * 1024

type Done = (error: Error | null, body?: unknown) => void

/** A body in memory, from its first byte until the answer to its request is ready. */
type Held = { address: string; size: number; fail?: (failure: Failure) => void }

/**
 * Receives bodies into memory, within bounds: a body in bytes and in time, and all of them together in
 * bytes. When all together are too much, the address that holds most of it gives way.
 */
export class Bodies {
  readonly #most: number
  readonly #held = new Set<Held>()
  readonly #addresses = new Map<string, number>()
  #all = 0

  constructor({ receivedMib }: Bounds) {
    this.#most = receivedMib * 1024 * 1024
  }

  /** Bytes of bodies in memory. */
  get size(): number {
    return this.#all
  }

  /** Receives a body and parses it; 408 when it comes too slowly, 413 when it is too long. */
  receive(
    request: FastifyRequest,
    payload: IncomingMessage,
    done: Done,
    parse: (body: Buffer) => unknown,
  ): void {
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) return done(tooLarge())
    const { work } = request
    work?.pause()
    const held: Held = { address: work?.address ?? addressOf(request), size: 0 }
    this.#held.add(held)
    let bytes: Buffer = nothing
    const take = (chunk: Buffer) => {
      const size = held.size
      if (size + chunk.length > mostBytes) return end(tooLarge())
      if (!this.#hold(held, chunk.length)) return end(full())
      bytes = appended(bytes, size, chunk)
    }
    const complete = () => end(null)
    const end = (error: Error | null) => {
      payload.off('data', take).off('end', complete).off('error', end)
      received()
      held.fail = undefined
      if (work && !error) work.release = () => this.#release(held)
      else this.#release(held)
      if (error) {
        payload.on('error', () => {}).resume()
        return done(error)
      }
      let body: unknown
      try {
        work?.begin()
        body = parse(bytes.subarray(0, held.size))
      } catch (refusal) {
        return done(refusal as Error)
      }
      done(null, body)
    }
    held.fail = end
    const received = receiving(payload, false, end)
    payload.on('data', take).on('end', complete).on('error', end)
  }

  /** Counts more bytes of a body; false when it has to give way. */
  #hold(held: Held, bytes: number): boolean {
    held.size += bytes
    this.#all += bytes
    this.#addresses.set(held.address, (this.#addresses.get(held.address) ?? 0) + bytes)
    while (this.#most && this.#all > this.#most && held.size > small) {
      const [heaviest] = [...this.#addresses].reduce((one, other) => (other[1] > one[1] ? other : one))
      if (heaviest === held.address) return false
      const theirs = [...this.#held].find((each) => each.fail && each.address === heaviest)
      if (!theirs) return false
      theirs.fail!(full())
    }
    return true
  }

  #release(held: Held) {
    if (!this.#held.delete(held)) return
    this.#all -= held.size
    const left = (this.#addresses.get(held.address) ?? 0) - held.size
    if (left > 0) this.#addresses.set(held.address, left)
    else this.#addresses.delete(held.address)
  }
}

/** Lets the routes of a scope take forms without files: their texts become the body. */
export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) => {
    scope.bodies.receive(request, payload, done, (body) => ({ ...parseForm(body.toString('utf8')) }))
  })
}

/** 400 for a body of more values than `most`: each takes time wherever it is looked at. */
export function checkCount(body: unknown, bytes: number, most: number): void {
  // a value takes two bytes at least
  if (!most || bytes < 2 * most) return
  let left = most
  const open: unknown[] = [body]
  while (open.length) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    left -= inner.length
    if (left < 0) {
      throw badRequest(`Invalid request body: more than ${most} values`, undefined, 'too_many_values')
    }
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each)
  }
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

function tooLarge(): Failure {
  return new Failure(413, 'too_large', 'The request body is larger than 1 MiB')
}

function full(): Failure {
  const message = 'Too many large bodies are in memory already: try again, or send smaller ones'
  return new Failure(503, 'bodies_full', message, { retryAfter: 1 })
}

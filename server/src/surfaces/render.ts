import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Download } from '../kit/ground/files.ts'
import { Answer, Json, Stream } from '../kit/ground/operation.ts'
import type { Route } from './route.ts'

/** A finished response: what is sent, and what is stored for an idempotency key. */
export type Rendered = {
  status: number
  headers: { [name: string]: string }
  body: string | Stream | null
  /** in place of a body */
  download?: Download
}

/** Renders the result of an operation as the route specifies. */
export async function render(
  route: Route,
  request: Pick<FastifyRequest, 'url' | 'params'>,
  result: unknown,
): Promise<Rendered> {
  const { body: content, meta } = result instanceof Answer ? result : new Answer(result)
  const headers: Rendered['headers'] = {}
  const status = meta.created === false && route.status === 201 ? 200 : route.status
  if (meta.version !== undefined) headers.etag = `"${meta.version}"`
  if (meta.id !== undefined && route.method === 'POST' && (route.location || status === 201)) {
    headers['x-record-id'] = meta.id
    if (meta.created !== false && route.location) {
      headers.location = locationOf(route.location, request.params, meta.id)
    }
  }
  if (meta.page) Object.assign(headers, pageHeaders(request.url, meta.page))
  if (route.empty || status === 204) return { status, headers, body: null }
  const body: unknown = typeof content === 'function' ? await content() : content
  if (body instanceof Download) return { status, headers, body: null, download: body }
  if (body instanceof Stream) {
    headers['content-type'] = body.type
    // proxies between must not buffer it
    headers['x-accel-buffering'] = 'no'
    if (body.name) headers['content-disposition'] = `attachment; filename="${body.name}"`
    return { status, headers, body }
  }
  headers['content-type'] = 'application/json; charset=utf-8'
  const text = body instanceof Json ? body.text : JSON.stringify(body ?? null)
  return { status, headers, body: route.envelope ? `{"${route.envelope}":${text}}` : text }
}

/** The path of a new record: the last parameter is its id, the others are those of the request. */
function locationOf(location: string, params: unknown, id: string): string {
  const names = location.match(/\{\w+\}/g) ?? []
  const known = params as { [name: string]: string }
  return location.replace(/\{(\w+)\}/g, (whole, name: string) =>
    whole === names.at(-1) ? id : (known[name] ?? whole),
  )
}

/** Sends a response; a stream is aborted when the caller goes away or `stopping` is. */
export function send(
  reply: FastifyReply,
  { status, headers, body }: Rendered,
  stopping?: AbortSignal,
): FastifyReply {
  reply.code(status).headers(headers).header('cache-control', 'no-store')
  if (body === null) return reply.send()
  if (typeof body === 'string') {
    const isLong = body.length > pieceLength && reply.request.method !== 'HEAD'
    return reply.send(isLong ? Readable.from(piecesOf(body), { objectMode: false }) : body)
  }
  // Fastify would read all of it to answer a HEAD
  if (reply.request.method === 'HEAD') return reply.send('')
  return reply.send(readableOf(reply, body, stopping))
}

/** Characters of an answer that are encoded at once: those of 8 MiB together take 40 ms. */
const pieceLength = 128 * 1024

function* piecesOf(text: string) {
  for (let at = 0; at < text.length;) {
    // a pair of surrogates is one character
    const isHalf = /[\ud800-\udbff]/.test(text[at + pieceLength - 1] ?? '')
    const end = at + pieceLength + (isHalf ? 1 : 0)
    yield Buffer.from(text.slice(at, end))
    at = end
  }
}

function readableOf(reply: FastifyReply, stream: Stream, stopping?: AbortSignal): Readable {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const signal = stopping ? AbortSignal.any([gone.signal, stopping]) : gone.signal
  return Readable.from(stream.pieces(signal), { objectMode: false })
}

function pageHeaders(
  url: string,
  { number, size, more, total }: NonNullable<Answer['meta']['page']>,
) {
  const [path, search] = url.split('?')
  const link = (page: number, rel: string) => {
    const query = new URLSearchParams(search)
    query.set('page', String(page))
    query.set('items_per_page', String(size))
    return `<${path}?${query}>; rel="${rel}"`
  }
  const links = [link(1, 'first')]
  if (number > 1) links.push(link(number - 1, 'prev'))
  if (more) links.push(link(number + 1, 'next'))
  const headers: Rendered['headers'] = {
    'x-page': String(number),
    'x-items-per-page': String(size),
  }
  // each link repeats the query, and many clients and proxies take 8 to 16 KiB of headers at most
  if (url.length <= 2000) headers.link = links.join(', ')
  if (total !== undefined) headers['x-total-count'] = String(total)
  return headers
}

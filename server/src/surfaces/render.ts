import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Download } from '../kit/ground/stored-files.ts'
import { Answer, Json, Stream } from '../kit/ground/operation.ts'
import { turns } from '../kit/ground/turns.ts'
import { otherPageProperties } from '../kit/read/page.ts'
import { isKnown } from './download.ts'
import type { Route } from './route.ts'

/** A finished response, to send and to store for an idempotency key. */
export type Rendered = {
  status: number
  headers: { [name: string]: string }
  body: string | Stream | null
  /** a stream instead of a body */
  download?: Download
}

/** Renders the result of an operation as the route specifies. */
export async function render(
  route: Route,
  request: Pick<FastifyRequest, 'url' | 'params' | 'headers'>,
  result: unknown,
): Promise<Rendered> {
  const { body: content, meta } = result instanceof Answer ? result : new Answer(result)
  const headers: Rendered['headers'] = { ...meta.headers }
  const status = meta.created === false && route.status === 201 ? 200 : route.status
  if (meta.cookie !== undefined) headers['set-cookie'] = meta.cookie
  if (meta.version !== undefined) headers.etag = `"${meta.version}"`
  if (meta.id !== undefined && route.method === 'POST' && (route.location || status === 201)) {
    headers['x-record-id'] = meta.id
    if (meta.created !== false && route.location) {
      headers.location = locationOf(route.location, request.params, meta.id)
    }
  }
  if (meta.page) Object.assign(headers, pageHeaders(request.url, meta.page))
  if (status === 204) return { status, headers, body: null }
  if (route.operation.isRevalidated && headers.etag && isKnown(request, headers.etag)) {
    return { status: 304, headers, body: null }
  }
  if (route.empty) {
    if (!route.operation.output || !prefersRecord(request)) return { status, headers, body: null }
    headers['preference-applied'] = 'return=representation'
  }
  const body: unknown = typeof content === 'function' ? await content() : content
  if (body instanceof Download) return { status, headers, body: null, download: body }
  if (body instanceof Stream) {
    headers['content-type'] = body.type
    // proxies in between must not buffer it
    headers['x-accel-buffering'] = 'no'
    if (body.name) headers['content-disposition'] = `attachment; filename="${body.name}"`
    return { status, headers, body }
  }
  headers['content-type'] = 'application/json; charset=utf-8'
  const text = body instanceof Json ? body.text : JSON.stringify(body ?? null)
  return { status, headers, body: route.envelope ? `{"${route.envelope}":${text}}` : text }
}

/** Whether a caller prefers the written record if there would be no body otherwise (RFC 7240). */
function prefersRecord({ headers: { prefer = '' } }: Pick<FastifyRequest, 'headers'>): boolean {
  return String(prefer)
    .split(',')
    .some((each) => /^\s*return\s*=\s*"?representation"?\s*(;|$)/i.test(each))
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
  if (!(body instanceof Stream)) {
    const isLarge = body.length > piece && reply.request.method !== 'HEAD'
    return reply.send(isLarge ? Readable.from(piecesOf(body), { objectMode: false }) : body)
  }
  // Fastify would read all of it to answer a HEAD
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(readableOf(reply, body, stopping))
}

/** The number of characters of an answer that are encoded at once: encoding some MiB would block other requests. */
const piece = 128 * 1024

async function* piecesOf(text: string) {
  const turn = turns()
  for (let at = 0; at < text.length;) {
    let end = at + piece
    // do not cut a surrogate pair
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    // for a fast reader everything would otherwise be encoded in one turn
    await turn(end - at)
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

function pageHeaders(url: string, page: NonNullable<Answer['meta']['page']>) {
  const [path, search] = url.split('?')
  const { number, size, total, offset } = page
  const headers: Rendered['headers'] = {
    'x-page': String(offset === undefined ? number : Math.floor(offset / size) + 1),
    'x-items-per-page': String(size),
  }
  const links = neighbours(page).map(([rel, place]) => {
    const query = new URLSearchParams(search)
    // `page` may be required, and is ignored with an offset
    if (place.page !== undefined) query.delete('offset')
    for (const [name, value] of Object.entries(place)) query.set(name, String(value))
    query.set('items_per_page', String(size))
    // they would still name the page of this request
    for (const name of Object.keys(otherPageProperties)) query.delete(name)
    return `<${path}?${query}>; rel="${rel}"`
  })
  // each link repeats the query, and many clients and proxies accept only 8 to 16 KiB of headers
  if (url.length <= 2000) headers.link = links.join(', ')
  if (total !== undefined) headers['x-total-count'] = String(total)
  return headers
}

type Place = { page?: number; offset?: number }

/** The first, previous and next page: by number, or by row if pages were cut. */
function neighbours({
  number,
  size,
  more,
  offset,
  next,
}: NonNullable<Answer['meta']['page']>): [rel: string, place: Place][] {
  const found: [string, Place][] = [['first', { page: 1 }]]
  if (offset === undefined && number > 1) found.push(['prev', { page: number - 1 }])
  if (offset) found.push(['prev', { offset: Math.max(0, offset - size) }])
  if (!more) return found
  if (offset === undefined && next === undefined) found.push(['next', { page: number + 1 }])
  else found.push(['next', { offset: next ?? (offset ?? 0) + size }])
  return found
}

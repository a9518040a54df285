import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../kit/ground/context.ts'
import { Failure, forbidden } from '../kit/ground/errors.ts'
import { Download } from '../kit/ground/files.ts'
import type { Input, Operation } from '../kit/ground/operation.ts'
import { Answer, Json, Stream } from '../kit/ground/operation.ts'
import { may } from '../kit/record/scope.ts'
import { checkBody, checkStorable, checkTexts, trimmed } from '../kit/record/validate.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { inTransaction, readingContext } from '../runtime.ts'
import { sendDownload } from './download.ts'
import { onceOnly } from './idempotency.ts'
import type { Method, Route } from './route.ts'
import { routerPath } from './route.ts'
import type { UploadLimit } from './upload.ts'
import { receive, refuseLength, refuseUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

/** A door: how its callers prove who they are, and what else is asked before an operation runs. */
export type Authenticator = {
  /** who calls; 401 when that cannot be told. Undefined where the operation lets anyone in. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Caller | undefined>
}

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Puts a route table on the server. Per request: credentials (401), rights (403), input (400), one
 * transaction for a write, the answer. The body is not even read for a caller who may not.
 */
export function mount(
  app: FastifyInstance,
  runtime: Runtime,
  door: Authenticator,
  routes: Route[],
) {
  const stopping = new AbortController()
  // before the listener closes, which waits for what is under way
  app.addHook('preClose', async () => stopping.abort())
  for (const route of routes) {
    const { operation } = route
    app.route({
      method: route.method,
      url: routerPath(route.path),
      config: { operation: operation.name, isStream: operation.gives !== undefined },
      onRequest: async (request, reply) => {
        request.caller = await door.authenticate(request, reply, operation)
        const { caller } = request
        if (caller && !may(caller.actor, operation.can)) {
          const { module, action } = operation.can as { module: string; action: string }
          throw forbidden(`Your role may not ${action} ${module}`)
        }
        if (route.upload) refuseLength(request, route.upload)
        else refuseUpload(request)
      },
      handler: async (request, reply) => {
        const work = () => answer(runtime, route, request)
        const rendered = route.upload
          ? await withUpload(runtime, route.upload, route, request, work)
          : await work()
        if (rendered.download) {
          return sendDownload(request, reply, rendered.download.file, (opened) =>
            inTransaction(runtime, request.caller!, opened),
          )
        }
        return send(reply, rendered, stopping.signal)
      },
    })
  }
  refuseOtherMethods(app, routes)
}

/** Runs the operation of a request as it is to be run: reading, in a transaction, or once for a key. */
async function answer(runtime: Runtime, route: Route, request: FastifyRequest): Promise<Rendered> {
  const { operation } = route
  const { caller } = request
  const run = (ctx: Context, input?: Input) => perform(route, request, ctx, input)
  if (!caller) return run(undefined as never)
  if (!operation.writes) return run(readingContext(runtime, caller))
  caller.expects = expected(request)
  const key = request.headers['idempotency-key']
  const ready = operation.before && (await prepared(runtime, caller, route, request))
  if (key !== undefined && route.method === 'POST') {
    // the check of the input is inside, so that its refusal is remembered too
    const once = (ctx: Context) => run(ctx, ready?.())
    return onceOnly(runtime, caller, request, String(key), once)
  }
  const input = ready?.() ?? inputOf(request, operation)
  return inTransaction(runtime, caller, (ctx) => run(ctx, input))
}

/**
 * Takes in a form with its file around the work on it. Of a refusal, and of a repeat that was
 * answered from memory, no file stays; where the outcome is not known, housekeeping looks later.
 */
async function withUpload(
  runtime: Runtime,
  limit: UploadLimit,
  { operation }: Route,
  request: FastifyRequest,
  work: () => Promise<Rendered>,
): Promise<Rendered> {
  const folder = join(runtime.config.dataDir, 'uploads')
  const discard = await receive(request, limit, operation.input.body ?? {}, folder)
  const forget = async () => {
    if (request.upload?.storedKey) await runtime.files.remove(request.upload.storedKey)
  }
  try {
    const rendered = await work()
    if (rendered.headers['idempotency-replayed']) await forget()
    return rendered
  } catch (error) {
    if (error instanceof Failure && error.status < 500) await forget()
    throw error
  } finally {
    await discard()
  }
}

/** 405 with `Allow` for the methods that a path does not have. */
export function refuseOtherMethods(app: FastifyInstance, routes: Pick<Route, 'path' | 'method'>[]) {
  const byPath = new Map<string, Set<Method>>()
  for (const { path, method } of routes) {
    // two tables may name a path's parameter differently; to the router they are one path
    const url = routerPath(path)
    byPath.set(url, (byPath.get(url) ?? new Set()).add(method))
  }
  for (const [url, known] of byPath) {
    const allow = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    app.route({
      method: [...methods.filter((method) => !known.has(method)), 'TRACE'],
      url,
      // before the body is read: nothing in it could help
      onRequest: async (request, reply) => {
        reply.header('allow', allow)
        throw new Failure(
          405,
          'method_not_allowed',
          `${request.method} is not possible here; ${allow} are`,
        )
      },
      handler: async () => undefined,
    })
    app.options(url, async (_request, reply) => reply.code(204).header('allow', allow).send())
  }
}

/** Does what comes before a transaction; the result gives the checked input or throws the refusal. */
async function prepared(
  runtime: Runtime,
  caller: Caller,
  { operation }: Route,
  request: FastifyRequest,
): Promise<() => Input> {
  try {
    const input = inputOf(request, operation)
    await operation.before!(readingContext(runtime, caller), input)
    return () => input
  } catch (error) {
    return () => {
      throw inSentWords(error, request.body, operation.aliases)
    }
  }
}

/** Runs an operation and renders what it gives; checks the input unless that is done. */
async function perform(
  route: Route,
  request: FastifyRequest,
  ctx: Context,
  checked?: Input,
): Promise<Rendered> {
  const { operation } = route
  const input = checked ?? inputOf(request, operation)
  try {
    const given = await operation.run(ctx, input)
    return render(route, request, given)
  } catch (error) {
    throw inSentWords(error, request.body, operation.aliases)
  }
}

/** Checks path, query and body, and renames what the operation knows by another name. */
function inputOf(request: FastifyRequest, operation: Operation): Input {
  const { input, aliases } = operation
  const params = { ...(request.params as object) }
  const query: { [name: string]: unknown } = { ...(request.query as object) }
  // what a browser says by itself when it comes back to a stream
  const isLive = operation.gives === 'text/event-stream'
  const last = isLive && request.headers['last-event-id']
  if (last) query.after ??= last
  const { ip: address, url, upload: file } = request
  checkStorable(params)
  checkStorable(query)
  if (input.params) checkTexts(input.params, params)
  if (input.query) checkTexts(input.query, query)
  if (!input.body) return { params, query, body: undefined, address, url, file }
  const sent: unknown = request.body === undefined ? {} : request.body
  const body = trimmed(input.body, aliases ? renamed(sent, aliases) : sent)
  try {
    checkBody(input.body, body)
  } catch (error) {
    throw inSentWords(error, sent, aliases)
  }
  return { params, query, body, address, url, file }
}

function renamed(body: unknown, aliases: { [name: string]: string }): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const copy: { [key: string]: unknown } = { ...body }
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(copy, alias)) continue
    if (!Object.hasOwn(copy, name)) copy[name] = copy[alias]
    delete copy[alias]
  }
  return copy
}

/** An error that names fields as the caller did, where a body used another name. */
function inSentWords(error: unknown, sent: unknown, aliases: Operation['aliases'] = {}): unknown {
  if (!(error instanceof Failure) || !error.errors || !sent) return error
  const used = Object.keys(aliases).filter(
    (alias) => Object.hasOwn(sent, alias) && !Object.hasOwn(sent, aliases[alias]!),
  )
  const errors = error.errors.map(({ field, message }) => {
    const [head, ...rest] = field.split('.')
    const alias = used.find((each) => aliases[each] === head)
    return { field: alias ? [alias, ...rest].join('.') : field, message }
  })
  if (used.length) error.message = errors.map((each) => `${each.field}: ${each.message}`).join('; ')
  error.errors = errors
  return error
}

/** The versions named by `If-Match`; undefined when any will do. */
function expected(request: FastifyRequest): number[] | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  // a tag that is not ours matches no version, which is 412 and not an error of form
  return header.split(',').map((tag) => Number(/^\s*"(\d+)"\s*$/.exec(tag)?.[1] ?? -1))
}

/** A finished answer: what is sent, and what an idempotency key remembers. */
export type Rendered = {
  status: number
  headers: { [name: string]: string }
  body: string | Stream | null
  /** in place of a body */
  download?: Download
}

/** Renders what an operation gave, as the route says. */
export async function render(
  route: Route,
  request: Pick<FastifyRequest, 'url' | 'params'>,
  result: unknown,
): Promise<Rendered> {
  const { body: given, meta } = result instanceof Answer ? result : new Answer(result)
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
  const body = typeof given === 'function' ? await given() : given
  if (body instanceof Download) return { status, headers, body: null, download: body }
  if (body instanceof Stream) {
    headers['content-type'] = body.type
    // what is between must pass it on as it comes
    headers['x-accel-buffering'] = 'no'
    if (body.name) headers['content-disposition'] = `attachment; filename="${body.name}"`
    return { status, headers, body }
  }
  headers['content-type'] = 'application/json; charset=utf-8'
  const text = body instanceof Json ? body.text : JSON.stringify(body ?? null)
  return { status, headers, body: route.envelope ? `{"${route.envelope}":${text}}` : text }
}

/** The path of a new record: its last name is the record, the others are those of the request. */
function locationOf(location: string, params: unknown, id: string): string {
  const names = location.match(/\{\w+\}/g) ?? []
  const known = params as { [name: string]: string }
  return location.replace(/\{(\w+)\}/g, (whole, name: string) =>
    whole === names.at(-1) ? id : known[name]!,
  )
}

export function send(
  reply: FastifyReply,
  { status, headers, body }: Rendered,
  stopping?: AbortSignal,
): FastifyReply {
  reply.code(status).headers(headers).header('cache-control', 'no-store')
  if (body === null) return reply.send()
  if (!(body instanceof Stream)) return reply.send(body)
  // Fastify would read all of it to answer a HEAD
  if (reply.request.method === 'HEAD') return reply.send('')
  return reply.send(readableOf(reply, body, stopping))
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

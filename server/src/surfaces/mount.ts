import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../kit/ground/errors.ts'
import type { Operation } from '../kit/ground/operation.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { anonymousCaller, inTransaction } from '../runtime.ts'
import { compressionOf } from './compression.ts'
import { sendDownload } from './download.ts'
import { claimOf, onceOnly, onceOutside } from './idempotency.ts'
import { refuseOtherMethodsOfTable } from './methods.ts'
import type { Parameters } from './parameters.ts'
import { queryCheck } from './parameters.ts'
import type { Once } from './perform.ts'
import { admit, laneOf, perform } from './perform.ts'
import type { Rendered } from './render.ts'
import { render, send } from './render.ts'
import type { Route } from './route.ts'
import { routerPath } from './route.ts'
import { readBeside } from './stale.ts'
import type { UploadLimit } from './upload.ts'
import { receive, refuseLength, refuseUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

/** Authenticates the callers of one surface, and counts their requests. */
export type Authenticator = {
  /** the caller; 401 without valid credentials. Undefined if anyone may call the operation. */
  authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): Promise<Caller | undefined>
  /**
   * query parameters of the surface itself, with their schemas: every route accepts them besides those of its
   * operation
   */
  parameters?(route: Route): Parameters
}

/**
 * Registers a route table on the server. Per request: credentials (401), rights (403), input (400), one
 * transaction for a write, the response. The body is not even read for a caller without the right.
 */
export function mount(
  app: FastifyInstance,
  runtime: Runtime,
  authenticator: Authenticator,
  routes: Route[],
) {
  const stopping = new AbortController()
  // before the listener closes, which waits for requests in flight
  app.addHook('preClose', async () => stopping.abort())
  for (const route of routes) {
    const read = readBeside(routes, route)
    const { operation } = route
    if (operation.can === 'anyone' && operation.writes) {
      throw new Error(`${operation.name} has to identify its caller before it writes`)
    }
    const checkQuery = queryCheck(route, authenticator.parameters?.(route))
    const own = laneOf(runtime, operation)
    app.route({
      method: route.method,
      url: routerPath(route.path),
      compress: compressionOf(operation),
      config: {
        operation: operation.name,
        isStream: operation.gives !== undefined,
        lane: operation.lane,
      },
      onRequest: async (request, reply) => {
        request.caller = await authenticator.authenticate(request, reply, operation)
        if (request.caller) identify(request, request.caller)
        admit(runtime, callerOf(request), operation)
        checkQuery(request.query)
        if (route.upload) refuseLength(request, route.upload)
        else refuseUpload(request)
      },
      handler: async (request, reply) => {
        const work = () => respond(runtime, { ...route, read }, request)
        const rendered = route.upload
          ? await withUpload(runtime, route.upload, route, request, work)
          : await work()
        if (rendered.download) {
          const caller = callerOf(request)
          return sendDownload(request, reply, rendered.download.file, async (opened) => {
            if (!caller.isViewing) await inTransaction(own, caller, opened)
          })
        }
        return send(reply, rendered, stopping.signal)
      },
    })
  }
  refuseOtherMethodsOfTable(app, routes)
}

function callerOf(request: FastifyRequest): Caller {
  return request.caller ?? anonymousCaller(request.id)
}

/** Counts the request in flight for its user or app, and for their organization. */
function identify({ work }: FastifyRequest, { actor, organization }: Caller) {
  work?.identify(actor.app?.id ?? actor.user_id ?? '', organization.id)
}

/** A route, with the read operation of the record that it changes. */
type Mounted = Route & { read: Route | undefined }

/** Runs the operation of a request and renders its result. */
function respond(runtime: Runtime, route: Mounted, request: FastifyRequest) {
  const { operation, read } = route
  const caller = callerOf(request)
  return perform<Rendered>(
    runtime,
    { caller, operation, sent: request },
    {
      answer: (result) => render(route, request, result),
      read: read?.operation,
      once: onceOf(caller, route, request),
    },
  )
}

/** How often the work of a request is done: once for its `Idempotency-Key`, which a GET has none of. */
function onceOf(
  caller: Caller,
  { method }: Route,
  request: FastifyRequest,
): Once<Rendered> | undefined {
  const { 'idempotency-key': sent } = request.headers
  if (method === 'GET' || sent === undefined) return undefined
  // a wrong key is refused before anything is done, such as a file stored or a code exchanged
  const claim = claimOf(caller, request, String(sent))
  return {
    within: (own, run) => onceOnly(own, caller, request, claim, run),
    around: (own, run) => onceOutside(own, caller, request, claim, run),
  }
}

/**
 * Receives a form with its file, then runs the work. After a refusal, or a retry that was answered
 * from the idempotency key, the file is removed; if the outcome is unknown, housekeeping removes it later.
 */
async function withUpload(
  runtime: Runtime,
  limit: UploadLimit,
  { operation }: Route,
  request: FastifyRequest,
  work: () => Promise<Rendered>,
): Promise<Rendered> {
  const { dataDir, bounds } = runtime.config
  const discard = await receive(request, limit, operation.input.body ?? {}, {
    folder: join(dataDir, 'uploads'),
    bounds,
  })
  const removeStored = async () => {
    if (request.upload?.storedKey) await runtime.files.remove(request.upload.storedKey)
  }
  try {
    const rendered = await work()
    if (rendered.headers['idempotency-replayed']) await removeStored()
    return rendered
  } catch (error) {
    if (error instanceof Failure && error.status < 500) await removeStored()
    throw error
  } finally {
    await discard()
  }
}

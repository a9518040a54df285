import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../kit/ground/context.ts'
import { Failure, forbidden, unauthorized } from '../kit/ground/errors.ts'
import type { Can, Input, Operation } from '../kit/ground/operation.ts'
import { may } from '../kit/record/scope.ts'
import type { Caller, Runtime } from '../runtime.ts'
import {
  anonymousCaller,
  inTransaction,
  onLane,
  publicContext,
  readingContext,
} from '../runtime.ts'
import { compressionOf } from './compression.ts'
import { sendDownload } from './download.ts'
import { onceOnly, onceOutside } from './idempotency.ts'
import { inputOf, namedAsSent } from './input.ts'
import { refuseOtherMethodsOfTable } from './methods.ts'
import type { Parameters } from './parameters.ts'
import { queryCheck } from './parameters.ts'
import type { Rendered } from './render.ts'
import { render, send } from './render.ts'
import type { Route } from './route.ts'
import { routerPath } from './route.ts'
import { readBeside, withRecord } from './stale.ts'
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
    const own = operation.lane ? onLane(runtime, operation.lane) : runtime
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
        checkRights(callerOf(request), operation)
        if (request.caller) {
          runtime.services.rowQuota.check(request.caller.organization.id, operation)
        }
        checkQuery(request.query)
        if (route.upload) refuseLength(request, route.upload)
        else refuseUpload(request)
      },
      handler: async (request, reply) => {
        const work = () => respond(own, { ...route, read }, request)
        const rendered = route.upload
          ? await withUpload(own, route.upload, route, request, work)
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

/** 401 for an anonymous caller and 403 for one without the right, unless anyone may call. */
function checkRights({ actor }: Caller, { can }: Operation): void {
  if (can === 'anyone') return
  if (actor.type === 'anonymous') throw unauthorized('Credentials are needed')
  if (may(actor, can)) return
  const { module, action } = can as Exclude<Can, string>
  throw forbidden(`Your role may not ${action} ${module}`)
}

/** A route, with the read operation of the record that it changes. */
type Mounted = Route & { read: Route | undefined }

/** Runs the operation of a request: as a read, in a transaction, or once per idempotency key. */
async function respond(
  runtime: Runtime,
  route: Mounted,
  request: FastifyRequest,
): Promise<Rendered> {
  const { operation } = route
  const run = (ctx: Context, input?: Input) => perform(route, request, ctx, input)
  const caller = callerOf(request)
  if (operation.can === 'anyone') return run(publicContext(runtime, caller))
  const { 'idempotency-key': sentKey } = request.headers
  const key = route.method === 'GET' || sentKey === undefined ? undefined : String(sentKey)
  if (!operation.writes) {
    const read = () => run(readingContext(runtime, caller))
    return key === undefined ? read() : onceOutside(runtime, caller, request, key, read)
  }
  const ready = operation.before && (await prepared(runtime, caller, route, request))
  if (key !== undefined) {
    // the check of the input is inside, so that its refusal is stored too
    const once = (ctx: Context) => run(ctx, ready?.())
    return onceOnly(runtime, caller, request, key, once)
  }
  const input = ready?.() ?? inputOf(request, operation)
  return inTransaction(runtime, caller, (ctx) => run(ctx, input))
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

/** Runs the operation's `before`, ahead of the transaction; the result returns the checked input or throws the refusal. */
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
      throw namedAsSent(error, request.body, operation)
    }
  }
}

/** Runs an operation and renders its result; checks the input unless that is done. */
async function perform(
  route: Mounted,
  request: FastifyRequest,
  ctx: Context,
  checked?: Input,
): Promise<Rendered> {
  const { operation } = route
  const input = checked ?? inputOf(request, operation)
  try {
    return await render(route, request, await operation.run(ctx, input))
  } catch (error) {
    const full = await withRecord(ctx, error, route.read, input)
    throw namedAsSent(full, request.body, operation)
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../kit/ground/errors.ts'
import { allowOtherOrigins } from '../cors.ts'
import { failureFrom, sendFailure } from '../errors.ts'
import type { Limiter } from '../limits.ts'
import { refuseOtherMethods } from '../methods.ts'
import type { Runtime } from '../../runtime.ts'
import type { Tokens } from '../tokens.ts'
import { mcpAuthenticator } from './authenticate.ts'
import { metadataUrl, protectedResource } from './metadata.ts'
import { toolNamed } from './routes.ts'
import { toolScopes } from './scopes.ts'
import { isInScope, toolsOf } from './tool.ts'

export const mcpPath = '/mcp'

// the protocol's library is loaded by the first request: it takes 0.2 s, and memory that most services do not need
const guarding = () => import('./guard.ts')
const speaking = () => import('./server.ts')

/**
 * POST /mcp: the Model Context Protocol over HTTP, in the revision of 2026-07-28 and, without sessions,
 * that of 2025-11-25. One message per request and one answer; there are no streams.
 */
export function mcp(
  scope: FastifyInstance,
  runtime: Runtime,
  tokens: Tokens,
  limit: Limiter,
): void {
  const bounded = withSmallPages(runtime)
  const authenticate = mcpAuthenticator(runtime, tokens, limit)
  allowOtherOrigins(scope)
  // refusals before the protocol have the common envelope, and a challenge that leads to a token
  scope.setErrorHandler((error, request, reply) => {
    const failure = failureFrom(error, request)
    if (failure.status === 401) {
      const hasToken = request.headers.authorization !== undefined
      const reason = hasToken ? 'invalid_token' : undefined
      const wanted = challenge(runtime.config.publicUrl, toolScopes.join(' '), reason)
      reply.header('www-authenticate', wanted)
    }
    return sendFailure(reply, failure)
  })
  scope.route({
    method: 'POST',
    url: mcpPath,
    onRequest: async (request, reply) => {
      const { checkHost } = await guarding()
      checkHost(runtime.config, webRequest(request, runtime.config.publicUrl))
      request.caller = await authenticate(request, reply)
      const { actor, organization } = request.caller
      request.work?.identify(actor.app?.id ?? actor.user_id ?? '', organization.id)
    },
    handler: async (request, reply) => {
      const { caller, body } = request
      if (!caller) throw new Error('the caller was identified before')
      checkMessage(body)
      challengeScope(runtime, request, reply)
      const { answer } = await speaking()
      const web = webRequest(request, runtime.config.publicUrl)
      const response = await answer(bounded, caller, request, web)
      for (const [name, value] of response.headers) reply.header(name, value)
      reply.code(response.status).header('cache-control', 'no-store')
      // in the older revision the answer is a stream with one event
      const text = await response.text()
      return text ? reply.send(text) : reply.send()
    },
  })
  refuseOtherMethods(scope, [{ method: 'POST', path: mcpPath }])
  protectedResource(scope, runtime.config.publicUrl)
}

/** The maximum bytes of a page for a model, which cannot make use of more. */
const pageBytes = 256 * 1024

function withSmallPages(runtime: Runtime): Runtime {
  const { config } = runtime
  const most = config.limits.pageBytes
  const limits = { ...config.limits, pageBytes: most ? Math.min(most, pageBytes) : pageBytes }
  return Object.create(runtime, { config: { value: { ...config, limits } } }) as Runtime
}

/** 400 for a batch, which no revision served here has, and for a subscription: nothing is streamed. */
function checkMessage(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Failure(400, 'invalid_message', 'The body must be one JSON-RPC message')
  }
  if ((body as { method?: unknown }).method === 'subscriptions/listen') {
    throw new Failure(400, 'unknown_method', 'Nothing is streamed here: list the tools again')
  }
}

type Call = {
  method?: unknown
  params?: { name?: unknown; arguments?: { module?: unknown } | null } | null
}

/**
 * 403 `insufficient_scope` for a tool that the role allows and the token does not: clients read the
 * challenge and ask their user to approve more (RFC 6750 3.1).
 */
function challengeScope({ config }: Runtime, request: FastifyRequest, reply: FastifyReply): void {
  const { method, params } = request.body as Call
  const named = method === 'tools/call' ? toolNamed(params?.name) : undefined
  const actor = request.caller?.actor
  if (!named || !actor?.app) return
  // of what models see as one, that of the module in the call
  const module = params?.arguments?.module
  const kind = 'kinds' in named ? named.kinds.get(String(module)) : undefined
  const its = kind ? [kind] : toolsOf(named)
  if (its.some((tool) => isInScope(tool, actor))) return
  const needed = [...new Set(its.flatMap(({ scopes }) => scopes))]
  const scopes = [...new Set([...actor.app.scopes, needed[0]])].join(' ')
  reply.header('www-authenticate', challenge(config.publicUrl, scopes, 'insufficient_scope'))
  const message = `${named.name} needs the scope ${needed.join(' or ')}: connect again`
  throw new Failure(403, 'missing_scope', message)
}

/** The challenge that tells a client where to get a token (RFC 9728 5.1). */
function challenge(publicUrl: string, scopes: string, error?: string): string {
  const parts = [`resource_metadata="${metadataUrl(publicUrl)}"`, `scope="${scopes}"`]
  return `Bearer ${[...(error ? [`error="${error}"`] : []), ...parts].join(', ')}`
}

/** The request as a web `Request`; its body is already parsed. */
function webRequest({ headers, url }: FastifyRequest, publicUrl: string): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) copied.append(name, each)
  }
  return new Request(new URL(url, publicUrl), { method: 'POST', headers: copied })
}

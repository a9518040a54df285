import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../../../kit/ground/errors.ts'
import type { SignInMethod } from '../../../records/users/sign-ins.ts'
import type { Runtime } from '../../../runtime.ts'
import { callerAddress } from '../../address.ts'
import type { Verified } from '../../application/sign-in.ts'
import { beginOpenId, finishOpenId, openFlow } from '../../openid/flow.ts'
import { visitorContext } from '../../pages/plugin.ts'
import { browserOf } from './browser.ts'
import { isDynamic } from './clients.ts'
import { invalidRequest, refusalOf } from './errors.ts'
import type { Failed } from './pages.ts'
import { paths } from './pages.ts'
import { readParameters } from './parameters.ts'
import type { AuthorizeRequest } from './request.ts'
import { seal, unseal, withQuery } from './request.ts'

type Signed = { user: Verified; method: SignInMethod }
type Pages = {
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    requested: AuthorizeRequest,
    signed: Signed,
  ): Promise<FastifyReply>
  showSignIn(
    reply: FastifyReply,
    requested: AuthorizeRequest,
    browser: string,
    status: number,
    failed: Failed,
  ): Promise<FastifyReply>
}

/**
 * The redirect to the organization's OpenID provider from the sign-in page, and back. The `state`
 * contains the encrypted request of the app, and is only valid in the browser that began.
 */
export function openIdEntry(scope: FastifyInstance, runtime: Runtime, pages: Pages) {
  scope.get(paths.openid, { exposeHeadRoute: false }, async (request, reply) => {
    const browser = browserOf(runtime, request, reply)
    const { request: sealed } = readParameters(request.query, ['request'])
    if (!sealed) throw invalidRequest('request missing')
    const requested = await unseal(runtime, request, sealed, browser)
    const carried = seal(runtime, requested, browser)
    const { client } = requested
    // the organization is unknown, and so is its provider
    if (isDynamic(client)) throw invalidRequest('request must be that of an app')
    const { organization } = client
    const begun = await beginOpenId(visitorContext(runtime, request), organization, carried)
    return away(reply, begun.authorization_url)
  })

  scope.get(paths.openidReturn, { exposeHeadRoute: false }, async (request, reply) => {
    const answer = readParameters(request.query, ['state', 'code', 'iss', 'error'])
    const { state, error } = answer
    if (!state) throw invalidRequest('state missing')
    const ctx = visitorContext(runtime, request)
    const flow = openFlow(ctx, state)
    if (!flow) return away(reply, withQuery('/sign-in', answer))
    const browser = browserOf(runtime, request, reply)
    const requested = await unseal(runtime, request, flow.carried, browser)
    try {
      if (error) throw unauthorized('The OpenID provider did not sign you in', 'openid_failed')
      const returned = { state, answer: new URLSearchParams(answer) }
      const user = await finishOpenId(ctx, callerAddress(request), flow, returned)
      return await pages.admit(request, reply, requested, { user, method: 'openid' })
    } catch (failure) {
      const { status, message } = refusalOf(failure, reply)
      return pages.showSignIn(reply, requested, browser, status, { message })
    }
  })
}

function away(reply: FastifyReply, to: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(to, 303)
}

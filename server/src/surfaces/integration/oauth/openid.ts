import type { FastifyInstance, FastifyReply } from 'fastify'
import { unauthorized } from '../../../kit/ground/errors.ts'
import type { Runtime } from '../../../runtime.ts'
import { callerAddress } from '../../address.ts'
import { beginOpenId, finishOpenId, openFlow } from '../../openid/flow.ts'
import { visitorContext } from '../../pages/plugin.ts'
import { isDynamic } from './clients.ts'
import { invalidRequest, refusalOf } from './errors.ts'
import { paths } from './pages.ts'
import { readParameters } from './parameters.ts'
import { seal, withQuery } from './request.ts'
import { admit, showSignIn, visitOf } from './steps.ts'

/**
 * The redirect to the organization's OpenID provider from the sign-in page, and back. The `state`
 * contains the encrypted request of the app, and is only valid in the browser that began.
 */
export function openIdEntry(scope: FastifyInstance, runtime: Runtime) {
  scope.get(paths.openid, { exposeHeadRoute: false }, async (request, reply) => {
    const { request: sealed } = readParameters(request.query, ['request'])
    const { requested, browser } = await visitOf(runtime, reply, sealed)
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
    const visit = await visitOf(runtime, reply, flow.carried)
    try {
      if (error) throw unauthorized('The OpenID provider did not sign you in', 'openid_failed')
      const returned = { state, answer: new URLSearchParams(answer) }
      const user = await finishOpenId(ctx, callerAddress(request), flow, returned)
      return await admit(visit, { user, method: 'openid' })
    } catch (failure) {
      const { status, message } = refusalOf(failure, reply)
      return showSignIn(visit, status, { message })
    }
  })
}

function away(reply: FastifyReply, to: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(to, 303)
}

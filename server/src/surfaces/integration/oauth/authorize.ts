import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../../../kit/ground/errors.ts'
import { may } from '../../../kit/record/scope.ts'
import type { Runtime } from '../../../runtime.ts'
import { callerOf } from '../../application/authenticate.ts'
import { continueSignIn, signIn } from '../../application/codes.ts'
import { sendFailurePage } from '../../pages/failure.ts'
import { sendPage } from '../../pages/page.ts'
import { visitorContext } from '../../pages/plugin.ts'
import type { Tokens } from '../../tokens.ts'
import type { AuthorizeRequest, Refused } from './request.ts'
import { readAuthorizeRequest, readStandardRequest } from './request.ts'
import { sendApproved, sendBack } from './approval.ts'
import { browserOf, originOf, signBrowserOut } from './browser.ts'
import { isDynamic } from './clients.ts'
import {
  IdentityFailure,
  identityFailure,
  invalidRequest,
  refusalOf,
  sendIdentityError,
} from './errors.ts'
import { openIdEntry } from './openid.ts'
import type { Failed } from './pages.ts'
import { cancelledPage, paths } from './pages.ts'
import { readParameters } from './parameters.ts'
import type { Visit } from './steps.ts'
import {
  admit,
  connecting,
  proceed,
  showCode,
  showConsent,
  showSignIn,
  submitted,
  visitOf,
} from './steps.ts'
import { organizationOf, signedIn } from './visitor.ts'

/**
 * GET /oauth/authorize and /oauth/connect, and the pages behind them. A user who is known and has approved as much before,
 * or who calls with an application token, is sent back to the app at once.
 */
export function authorization(scope: FastifyInstance, runtime: Runtime, tokens: Tokens) {
  scope.setErrorHandler((error, request, reply) => {
    if (!wantsPage(request)) return sendIdentityError(error, request, reply)
    return sendFailurePage(reply, request, identityFailure(error, request))
  })

  // a HEAD handled like GET could approve, or use up a sign-in; link scanners send HEAD
  const { authorize, connect, consent, openid, openidReturn } = paths
  for (const path of [authorize, connect, consent, openid, openidReturn]) {
    scope.head(path, async (_request, reply) => reply.header('cache-control', 'no-store').send())
  }

  const entries = { [authorize]: readAuthorizeRequest, [connect]: readStandardRequest }
  for (const [path, read] of Object.entries(entries)) {
    scope.get(path, { exposeHeadRoute: false }, async (request, reply) =>
      enter(runtime, tokens, reply, await read(runtime, request)),
    )
  }
  openIdEntry(scope, runtime)
  scope.get(consent, { exposeHeadRoute: false }, async (request, reply) =>
    proceed(await visitOf(runtime, reply, readParameters(request.query, ['request']).request)),
  )
  const steps = {
    [paths.signIn]: signInStep,
    [paths.code]: codeStep,
    [consent]: consentStep,
    [paths.signOut]: signOutStep,
  }
  for (const [path, step] of Object.entries(steps)) {
    scope.post(path, async (request, reply) => {
      const { visit, form } = await submitted(runtime, request, reply)
      return step(visit, form)
    })
  }
}

type Form = Awaited<ReturnType<typeof submitted>>['form']

/** The next step of a checked request. */
async function enter(
  runtime: Runtime,
  tokens: Tokens,
  reply: FastifyReply,
  requested: AuthorizeRequest | Refused,
) {
  const { request } = reply
  if ('error' in requested) {
    const { client, redirect_uri, error, description: error_description, state } = requested
    // its address is its own statement: a browser goes there only after its user has decided
    if (isDynamic(client)) throw new IdentityFailure(400, error, error_description)
    return sendBack(runtime, reply, redirect_uri, { error, error_description, state })
  }
  if (request.headers.authorization) {
    const caller = await callerOf(runtime, tokens, request)
    const { client } = requested
    if (!isDynamic(client) && caller.organization.id !== client.organization.id)
      throw forbidden('This app belongs to another organization')
    if (!may(caller.actor, connecting)) throw forbidden('Your role may not connect apps')
    return sendApproved(runtime, reply, caller, requested)
  }
  return proceed({ runtime, reply, requested, browser: browserOf(runtime, request, reply) })
}

async function signInStep(visit: Visit, form: Form) {
  const { runtime, reply, requested } = visit
  const { email, password } = form
  const failed = (status: number, failure: Failed) => showSignIn(visit, status, failure)
  if (!email || !password || email.length > 320 || password.length > 1000) {
    return failed(400, { email, message: 'Enter your e-mail and your password' })
  }
  try {
    const { client } = requested
    const organization = isDynamic(client) ? form.organization : client.organization.id
    const ctx = visitorContext(runtime, reply.request)
    const credentials = { email, password, organization }
    return await admit(visit, await signIn(ctx, originOf(reply.request), credentials))
  } catch (error) {
    const { status, message, code, data, errors } = refusalOf(error, reply)
    const several = errors?.some(({ field }) => field === 'organization')
    if (code !== 'code_required') return failed(status, { email, message, code, several })
    const { challenge } = data as { challenge: string }
    return showCode(visit, challenge)
  }
}

async function codeStep(visit: Visit, { challenge = '', code = '' }: Form) {
  const { request } = visit.reply
  try {
    const ctx = visitorContext(visit.runtime, request)
    return await admit(visit, await continueSignIn(ctx, originOf(request), { challenge, code }))
  } catch (error) {
    const { status, message, code: reason } = refusalOf(error, visit.reply)
    const failure = { message, code: reason }
    return reason === 'wrong_code'
      ? showCode(visit, challenge, status, failure)
      : showSignIn(visit, status, failure)
  }
}

async function consentStep(visit: Visit, { decision }: Form) {
  const { runtime, reply, requested, browser } = visit
  const { client, redirect_uri, state } = requested
  if (decision !== 'approve' && decision !== 'deny') {
    throw invalidRequest('decision must be approve or deny')
  }
  const user = await signedIn(runtime, reply.request, client, browser)
  if (decision === 'deny') {
    // nobody has signed in, or seen where such a client goes back to
    if (!user && isDynamic(client))
      return sendPage(reply, 200, cancelledPage(reply.request, client))
    return sendBack(runtime, reply, redirect_uri, { error: 'access_denied', state })
  }
  if (!user) {
    return showSignIn(visit, 401, { message: 'You have been signed out: sign in again' })
  }
  if (!may(user.actor, connecting)) return showConsent(visit, user)
  return sendApproved(runtime, reply, user, requested)
}

async function signOutStep(visit: Visit) {
  const { runtime, reply, requested, browser } = visit
  const organization = await organizationOf(runtime, requested.client, browser)
  const fresh = await signBrowserOut(runtime, reply, organization ?? '', browser)
  return showSignIn({ ...visit, browser: fresh })
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

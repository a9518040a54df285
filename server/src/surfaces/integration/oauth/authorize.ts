import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../../../kit/ground/errors.ts'
import { may } from '../../../kit/record/scope.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { SignInMethod } from '../../../records/users/sign-ins.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import { callerOf } from '../../application/authenticate.ts'
import { continueSignIn, signIn } from '../../application/codes.ts'
import type { Verified } from '../../application/sign-in.ts'
import { sendFailurePage } from '../../pages/failure.ts'
import { sendPage } from '../../pages/page.ts'
import { refuseForeign, visitorContext } from '../../pages/plugin.ts'
import type { Tokens } from '../../tokens.ts'
import type { AuthorizeRequest, Refused } from './request.ts'
import { readAuthorizeRequest, readStandardRequest, seal, unseal, withQuery } from './request.ts'
import { browserOf, originOf, signBrowserIn, signBrowserOut } from './browser.ts'
import { isDynamic } from './clients.ts'
import {
  IdentityFailure,
  identityFailure,
  invalidRequest,
  refusalOf,
  sendIdentityError,
} from './errors.ts'
import { approve } from './grants.ts'
import { openIdEntry } from './openid.ts'
import type { Failed } from './pages.ts'
import { cancelledPage, codePage, consentPage, mayNotPage, paths, signInPage } from './pages.ts'
import { readParameters } from './parameters.ts'
import {
  lookBefore,
  lookFor,
  organizationOf,
  providerHost,
  redirectsTo,
  signedIn,
} from './visitor.ts'

const connecting = { module: 'apps', action: 'create' } as const

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

  const entries = { [paths.authorize]: readAuthorizeRequest, [paths.connect]: readStandardRequest }
  for (const [path, read] of Object.entries(entries)) {
    scope.get(path, { exposeHeadRoute: false }, async (request, reply) =>
      enter(request, reply, await read(runtime, request)),
    )
  }

  /** The next step of a checked request. */
  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    requested: AuthorizeRequest | Refused,
  ) {
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
      return sendBack(
        runtime,
        reply,
        requested.redirect_uri,
        await approved(runtime, caller, requested),
      )
    }
    return proceed(request, reply, requested, browserOf(runtime, request, reply))
  }

  scope.post(paths.signIn, async (request, reply) => {
    const { requested, browser, form } = await submitted(request, reply)
    const { email, password } = form
    const failed = (status: number, failure: Failed) =>
      showSignIn(reply, requested, browser, status, failure)
    if (!email || !password || email.length > 320 || password.length > 1000) {
      return failed(400, { email, message: 'Enter your e-mail and your password' })
    }
    try {
      const { client } = requested
      const organization = isDynamic(client) ? form.organization : client.organization.id
      const credentials = { email, password, organization }
      const signed = await signIn(visitorContext(runtime, request), originOf(request), credentials)
      return await admit(request, reply, requested, signed)
    } catch (error) {
      const { status, message, code, data, errors } = refusalOf(error, reply)
      const several = errors?.some(({ field }) => field === 'organization')
      if (code !== 'code_required') return failed(status, { email, message, code, several })
      const { challenge } = data as { challenge: string }
      return showCode(reply, requested, browser, challenge)
    }
  })

  scope.post(paths.code, async (request, reply) => {
    const { requested, browser, form } = await submitted(request, reply)
    const { challenge = '', code = '' } = form
    try {
      const signed = await continueSignIn(visitorContext(runtime, request), originOf(request), {
        challenge,
        code,
      })
      return await admit(request, reply, requested, signed)
    } catch (error) {
      const { status, message, code: reason } = refusalOf(error, reply)
      const failure = { message, code: reason }
      if (reason === 'wrong_code') {
        return showCode(reply, requested, browser, challenge, status, failure)
      }
      return showSignIn(reply, requested, browser, status, failure)
    }
  })

  openIdEntry(scope, runtime, { admit, showSignIn })

  scope.get(paths.consent, { exposeHeadRoute: false }, async (request, reply) => {
    const browser = browserOf(runtime, request, reply)
    const { request: sealed } = readParameters(request.query, ['request'])
    if (!sealed) throw invalidRequest('request missing')
    return proceed(request, reply, await unseal(runtime, request, sealed, browser), browser)
  })

  scope.post(paths.consent, async (request, reply) => {
    const { requested, browser, form } = await submitted(request, reply)
    const { client, redirect_uri, state } = requested
    const { decision } = form
    if (decision !== 'approve' && decision !== 'deny') {
      throw invalidRequest('decision must be approve or deny')
    }
    const user = await signedIn(runtime, request, client, browser)
    if (decision === 'deny') {
      // nobody has signed in, or seen where such a client goes back to
      if (!user && isDynamic(client)) return sendPage(reply, 200, cancelledPage(request, client))
      return sendBack(runtime, reply, redirect_uri, { error: 'access_denied', state })
    }
    if (!user) {
      const message = 'You have been signed out: sign in again'
      return showSignIn(reply, requested, browser, 401, { message })
    }
    if (!may(user.actor, connecting)) return showConsent(reply, requested, browser, user)
    return sendBack(runtime, reply, redirect_uri, await approved(runtime, user, requested))
  })

  scope.post(paths.signOut, async (request, reply) => {
    const { requested, browser } = await submitted(request, reply)
    const organization = await organizationOf(runtime, requested.client, browser)
    const fresh = await signBrowserOut(runtime, reply, organization ?? '', browser)
    return showSignIn(reply, requested, fresh)
  })

  /** Signs the browser in and continues to the consent page. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    requested: AuthorizeRequest,
    signed: { user: Verified; method: SignInMethod },
  ) {
    // an organization's name may be the id of another one
    const { client } = requested
    if (!isDynamic(client) && signed.user.organization_id !== client.organization.id)
      throw unauthorized('Wrong e-mail or password')
    if (signed.user.must_enrol) {
      const message = 'Your organization requires one-time codes: set them up in the application'
      throw forbidden(message, 'totp_required')
    }
    const secret = await signBrowserIn(runtime, request, reply, signed)
    return reply.redirect(
      withQuery(paths.consent, { request: seal(runtime, requested, secret) }),
      303,
    )
  }

  async function showCode(
    reply: FastifyReply,
    requested: AuthorizeRequest,
    browser: string,
    challenge: string,
    status = 200,
    failed?: Failed,
  ) {
    const look = await lookBefore(runtime, reply, requested.client)
    const page = codePage(look, requested, seal(runtime, requested, browser), challenge, failed)
    return sendPage(reply, status, page, redirectsTo(requested.redirect_uri))
  }

  /** The request in a form of ours; 403 if it comes from another browser than the one it was created for. */
  async function submitted(request: FastifyRequest, reply: FastifyReply) {
    refuseForeign(runtime.config, request)
    const form = readParameters(request.body, [
      'request',
      'email',
      'password',
      'challenge',
      'code',
      'decision',
      'organization',
    ])
    if (!form.request) throw invalidRequest('request missing')
    const browser = browserOf(runtime, request, reply)
    return { requested: await unseal(runtime, request, form.request, browser), browser, form }
  }

  /** Sign-in, consent, or directly back to the app, by what is known of the browser. */
  async function proceed(
    request: FastifyRequest,
    reply: FastifyReply,
    requested: AuthorizeRequest,
    browser: string,
  ) {
    const { client } = requested
    const user = await signedIn(runtime, request, client, browser)
    if (!user) return showSignIn(reply, requested, browser)
    // another program can pose as a client without a secret, so its user decides each time
    if (isDynamic(client)) return showConsent(reply, requested, browser, user)
    if (may(user.actor, connecting) && (await hasApproved(runtime, user, requested))) {
      return sendBack(
        runtime,
        reply,
        requested.redirect_uri,
        await approved(runtime, user, requested),
      )
    }
    return showConsent(reply, requested, browser, user)
  }

  async function showSignIn(
    reply: FastifyReply,
    requested: AuthorizeRequest,
    browser: string,
    status = 200,
    failed?: Failed,
  ) {
    const sealed = seal(runtime, requested, browser)
    const look = await lookBefore(runtime, reply, requested.client)
    const shown = { failed, provider: await providerHost(runtime, requested.client) }
    const page = signInPage(look, requested, sealed, shown)
    return sendPage(reply, status, page, redirectsTo(requested.redirect_uri))
  }

  async function showConsent(
    reply: FastifyReply,
    requested: AuthorizeRequest,
    browser: string,
    user: Caller & { email: string },
  ) {
    const sealed = seal(runtime, requested, browser)
    const isAllowed = may(user.actor, connecting)
    const look = await lookFor(runtime, reply, user.organization)
    const page = isAllowed
      ? consentPage(look, requested, sealed, user)
      : mayNotPage(look, requested, sealed, user)
    return sendPage(reply, isAllowed ? 200 : 403, page, redirectsTo(requested.redirect_uri))
  }
}

/** Stores the approval; returns the parameters of the redirect. */
async function approved(runtime: Runtime, caller: Caller, requested: AuthorizeRequest) {
  const { client, redirect_uri, scopes, code_challenge, audience, state } = requested
  const approval = { client, redirect_uri, scopes, code_challenge, audience }
  const code = await approve(runtime, caller, approval)
  return { code, state }
}

/**
 * Whether the user has an active approval of this app with the same scopes or more, from a time when it already had the redirect
 * address: nobody has approved a redirect to an address that was added later.
 */
async function hasApproved(
  { database }: Runtime,
  user: Caller,
  { client, redirect_uri, scopes, audience }: AuthorizeRequest,
) {
  if (isDynamic(client)) return false
  const found = await database.reads(client.organization.id).one(sql`
    select from grants where organization_id = ${client.organization.id} and app_id = ${client.id}
      and user_id = ${user.actor.user_id} and revoked_at is null and audience = ${audience}
      and scopes @> ${JSON.stringify(scopes)}::jsonb and redirect_uris ? ${redirect_uri} limit 1`)
  return found !== undefined
}

/** Redirects back to the app; `iss` tells it who responds (RFC 9207). */
function sendBack(
  { config }: Runtime,
  reply: FastifyReply,
  uri: string,
  added: { [name: string]: string | undefined },
) {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(withQuery(uri, { ...added, iss: config.publicUrl }), 302)
}

function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, unauthorized } from '../../../kit/ground/errors.ts'
import { may } from '../../../kit/record/scope.ts'
import type { SignInMethod } from '../../../records/users/sign-ins.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import type { Verified } from '../../application/sign-in.ts'
import { sendPage } from '../../pages/page.ts'
import { refuseForeign } from '../../pages/plugin.ts'
import { hasApproved, sendApproved } from './approval.ts'
import { browserOf, signBrowserIn } from './browser.ts'
import { isDynamic } from './clients.ts'
import { invalidRequest } from './errors.ts'
import type { Failed } from './pages.ts'
import { codePage, consentPage, mayNotPage, paths, signInPage } from './pages.ts'
import { readParameters } from './parameters.ts'
import type { AuthorizeRequest } from './request.ts'
import { seal, unseal, withQuery } from './request.ts'
import { lookBefore, lookFor, providerHost, redirectsTo, signedIn } from './visitor.ts'

/** What a user needs to connect an app. */
export const connecting = { module: 'apps', action: 'create' } as const

/** A checked request of an app in a browser, on its way through the pages. */
export type Visit = {
  runtime: Runtime
  reply: FastifyReply
  requested: AuthorizeRequest
  browser: string
}

/** The request that a page carries; 400 without one. */
export async function visitOf(
  runtime: Runtime,
  reply: FastifyReply,
  sealed: string | undefined,
): Promise<Visit> {
  if (!sealed) throw invalidRequest('request missing')
  const { request } = reply
  const browser = browserOf(runtime, request, reply)
  return { runtime, reply, requested: await unseal(runtime, request, sealed, browser), browser }
}

/** The request in a form of ours; 403 if it comes from another browser than the one it was created for. */
export async function submitted(runtime: Runtime, request: FastifyRequest, reply: FastifyReply) {
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
  return { visit: await visitOf(runtime, reply, form.request), form }
}

/** Sign-in, consent, or directly back to the app, by what is known of the browser. */
export async function proceed(visit: Visit) {
  const { runtime, reply, requested, browser } = visit
  const { client } = requested
  const user = await signedIn(runtime, reply.request, client, browser)
  if (!user) return showSignIn(visit)
  // another program can pose as a client without a secret, so its user decides each time
  if (isDynamic(client)) return showConsent(visit, user)
  if (may(user.actor, connecting) && (await hasApproved(runtime, user, requested))) {
    return sendApproved(runtime, reply, user, requested)
  }
  return showConsent(visit, user)
}

/** Signs the browser in and continues to the consent page. */
export async function admit(
  { runtime, reply, requested }: Visit,
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
  const secret = await signBrowserIn(runtime, reply.request, reply, signed)
  return reply.redirect(
    withQuery(paths.consent, { request: seal(runtime, requested, secret) }),
    303,
  )
}

/** The page for the one-time code of a sign-in. */
export async function showCode(
  { runtime, reply, requested, browser }: Visit,
  challenge: string,
  status = 200,
  failed?: Failed,
) {
  const look = await lookBefore(runtime, reply, requested.client)
  const page = codePage(look, requested, seal(runtime, requested, browser), challenge, failed)
  return sendPage(reply, status, page, redirectsTo(requested.redirect_uri))
}

/** The page for e-mail and password. */
export async function showSignIn(
  { runtime, reply, requested, browser }: Visit,
  status = 200,
  failed?: Failed,
) {
  const sealed = seal(runtime, requested, browser)
  const look = await lookBefore(runtime, reply, requested.client)
  const shown = { failed, provider: await providerHost(runtime, requested.client) }
  const page = signInPage(look, requested, sealed, shown)
  return sendPage(reply, status, page, redirectsTo(requested.redirect_uri))
}

/** The page where a user approves the app, or learns that they may not. */
export async function showConsent(
  { runtime, reply, requested, browser }: Visit,
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

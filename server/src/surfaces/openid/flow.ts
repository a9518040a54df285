import { failuresOf } from '../../kit/ground/address.ts'
import type { Context, Organization, PublicContext } from '../../kit/ground/context.ts'
import { badRequest, forbidden, unauthorized } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import { openIdRedirect, readProvider } from '../../records/organizations/openid.ts'
import { system } from '../../runtime.ts'
import { randomToken } from '../../secrets.ts'
import type { Verified } from '../application/sign-in.ts'
import { personOf } from './person.ts'

/** Seconds that a sign-in at the provider may take. */
export const patience = 600
const purpose = 'sign-in at a provider'

/** A sign-in at a provider in progress; always sent encrypted. */
type Flow = {
  id: string
  organization: Organization
  nonce: string
  verifier: string
  until: number
  /** what the caller gets back with it: the state, or the request of an app */
  carried: string
}

/**
 * The address for the browser, and the flow that must be returned: as the state, unless the caller stores
 * it and passes another state. 400 without a provider.
 */
export async function beginOpenId(
  ctx: PublicContext,
  organization: Organization,
  carried: string,
  state?: string,
): Promise<{ authorization_url: string; provider_host: string; flow: string }> {
  const { reads } = ctx.actAs({ organization, actor: system })
  const provider = await readProvider(reads)
  if (!provider) {
    const message = 'The organization has no OpenID provider'
    throw badRequest(message, undefined, 'no_openid_provider')
  }
  const flow: Flow = {
    id: newId(),
    organization,
    nonce: randomToken(),
    verifier: randomToken(),
    until: +ctx.now() + patience * 1000,
    carried,
  }
  const { nonce, verifier } = flow
  const sealed = ctx.secrets.seal(flow, purpose)
  const authorization_url = await ctx.services.openid.begin(provider, {
    redirect_uri: openIdRedirect(ctx),
    state: state ?? sealed,
    nonce,
    verifier,
  })
  // where the browser goes, which may be another host than that of the issuer
  return { authorization_url, provider_host: new URL(authorization_url).host, flow: sealed }
}

/** The flow of an encrypted text; undefined if it is not ours. */
export function openFlow({ secrets }: Context, sealed: string): Flow | undefined {
  return secrets.unseal(sealed, purpose) as Flow | undefined
}

/**
 * The user whom the provider signed in. 401 for an answer that is late, was used, or is invalid in
 * any way; 403 for somebody who may not sign in; 429 after too many of these from an address.
 */
export async function finishOpenId(
  ctx: PublicContext,
  address: string,
  flow: Flow | undefined,
  { state, answer }: { state: string; answer: URLSearchParams },
): Promise<Verified> {
  const { failures } = ctx.services
  const key = failuresOf(address, 'openid')
  await failures.check(key)
  try {
    if (!flow) throw unauthorized('The sign-in is not known: begin again', 'openid_expired')
    return await returned(ctx, flow, state, answer)
  } catch (error) {
    await failures.failed(key)
    throw error
  }
}

async function returned(
  ctx: PublicContext,
  flow: Flow,
  state: string,
  answer: URLSearchParams,
): Promise<Verified> {
  const { organization, id, nonce, verifier } = flow
  if (flow.until < +ctx.now()) {
    throw unauthorized('The sign-in took too long: begin again', 'openid_expired')
  }
  const own = ctx.actAs({ organization, actor: system })
  // before any request to the provider, so that of two simultaneous answers only one continues
  const isFirst = await own.write((tx) =>
    tx.run(sql`insert into openid_returns (organization_id, id, expires_at)
      values (${organization.id}, ${id}, ${new Date(flow.until).toISOString()})
      on conflict do nothing`),
  )
  if (!isFirst) throw unauthorized('This sign-in was already used: begin again', 'openid_replayed')
  const provider = await readProvider(own.reads)
  if (!provider) throw unauthorized('The OpenID provider was removed', 'openid_failed')
  const url = new URL(openIdRedirect(ctx))
  url.search = answer.toString()
  const person = await ctx.services.openid.finish(provider, url, { state, nonce, verifier })
  const { email, email_verified } = person
  if (email === null || !/^[^\s@]+@[^\s@]+$/.test(email) || !email_verified) {
    throw forbidden('The provider has not verified your e-mail', 'email_not_verified')
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (provider.allowed_domains.length && !provider.allowed_domains.includes(domain)) {
    throw forbidden('People of your mail domain may not sign in here', 'domain_not_allowed')
  }
  return own.write((tx) => personOf(tx, provider, { ...person, email }))
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { allOrganizations } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { anywhere, sql } from '../../../kit/ground/sql.ts'
import { loadActor } from '../../../records/users/actor.ts'
import { sessionMustEnrol } from '../../../model/users/one-time-codes/state.ts'
import type { Origin, SignInMethod } from '../../../records/users/sign-ins.ts'
import { placeOf, recordSignIn } from '../../../records/users/sign-ins.ts'
import type { Caller, Runtime } from '../../../runtime.ts'
import { inTransaction, system } from '../../../runtime.ts'
import { randomToken } from '../../../secrets.ts'
import { callerAddress } from '../../address.ts'
import { cookieName, isSecure } from '../../cookies.ts'
import type { Verified } from '../../application/sign-in.ts'
import { iso } from './grants.ts'

/** How long a browser stays signed in. */
const sessionHours = 12

/**
 * The browser's own secret: one cookie, random before anybody signs in and replaced when somebody
 * does. Forms are bound to it. A browser without one gets one.
 */
export function browserOf(runtime: Runtime, request: FastifyRequest, reply: FastifyReply): string {
  const known = request.cookies[nameFor(runtime)]
  if (known && /^pbs_[\w-]{43}$/.test(known)) return known
  const fresh = randomToken('pbs_')
  setCookie(runtime, reply, fresh)
  return fresh
}

/** Signs the browser in; returns its new secret. */
export async function signBrowserIn(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, method }: { user: Known; method: SignInMethod },
): Promise<string> {
  const { organization, user_id } = user
  const secret = randomToken('pbs_')
  const now = +runtime.now()
  const from = originOf(request)
  const place = placeOf(from)
  const caller: Caller = {
    organization,
    actor: system,
    source: 'integration',
    request_id: request.id,
  }
  await inTransaction(runtime, caller, async (ctx) => {
    await ctx.run(sql`delete from browser_sessions
      where organization_id = ${organization.id} and expires_at < ${iso(now)}`)
    await ctx.run(sql`
      insert into browser_sessions (organization_id, id, user_id, token_hash, method, address,
        user_agent, expires_at, creation_time)
      values (${organization.id}, ${newId()}, ${user_id}, ${runtime.secrets.hash(secret)},
        ${method}, ${place.address}, ${place.user_agent},
        ${iso(now + sessionHours * 3_600_000)}, ${iso(now)})`)
    await recordSignIn(ctx, user_id, { ...from, method, outcome: 'succeeded' })
  })
  setCookie(runtime, reply, secret, sessionHours * 3600)
  return secret
}

type Known = Pick<Verified, 'organization' | 'user_id'>

/** Where a request comes from, for the security log. */
export function originOf(request: FastifyRequest): Origin {
  return { address: callerAddress(request), user_agent: request.headers['user-agent'] }
}

/** Signs the browser out; returns its new secret. */
export async function signBrowserOut(
  runtime: Runtime,
  reply: FastifyReply,
  organization: string,
  browser: string,
): Promise<string> {
  await runtime.database.transaction(organization, (queries) =>
    queries.run(sql`delete from browser_sessions
      where organization_id = ${organization} and token_hash = ${runtime.secrets.hash(browser)}`),
  )
  const fresh = randomToken('pbs_')
  setCookie(runtime, reply, fresh)
  return fresh
}

/** The organization of the user who is signed in here; undefined if nobody is. */
export async function browserOrganization(
  { database, secrets, now }: Runtime,
  browser: string,
): Promise<string | undefined> {
  const session = await database.reads(allOrganizations).one<{ organization_id: string }>(sql`
    select organization_id from browser_sessions t
    where ${anywhere('t')} and token_hash = ${secrets.hash(browser)} and expires_at > ${iso(+now())} limit 1`)
  return session?.organization_id
}

/** The user of the organization who is signed in here; undefined if nobody is, or no longer. */
export async function browserUser(
  { database, secrets, now }: Runtime,
  request: FastifyRequest,
  organization: string,
  browser: string,
): Promise<(Caller & { email: string }) | undefined> {
  const queries = database.reads(organization)
  const session = await queries.one<{ user_id: string; email: string }>(sql`
    select s.user_id, u.email from browser_sessions s
    join users u on u.organization_id = $organization and u.id = s.user_id
    join organizations o on o.organization_id = $organization
    where s.organization_id = $organization and s.token_hash = ${secrets.hash(browser)}
      and s.expires_at > ${iso(+now())} and not ${sessionMustEnrol}`)
  if (!session) return undefined
  const loaded = await loadActor(queries, organization, session.user_id)
  if (!loaded?.is_active) return undefined
  const { actor } = loaded
  return {
    organization: loaded.organization,
    actor,
    email: session.email,
    source: 'integration',
    request_id: request.id,
  }
}

function nameFor({ config }: Runtime): string {
  return cookieName(config.publicUrl, 'perennial-connect')
}

function setCookie(runtime: Runtime, reply: FastifyReply, value: string, maxAge?: number) {
  reply.setCookie(nameFor(runtime), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(runtime.config.publicUrl),
    maxAge,
  })
}

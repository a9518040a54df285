import { attemptOf } from '../../kit/ground/address.ts'
import type { Organization, PublicContext } from '../../kit/ground/context.ts'
import { badField, forbidden, unauthorized } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import { loadActor } from '../../records/users/actor.ts'
import { ofAnyone } from '../../model/users/one-time-codes/state.ts'
import type { Origin, SignInMethod, SignInOutcome } from '../../records/users/sign-ins.ts'
import { placeOf, recordSignIn } from '../../records/users/sign-ins.ts'
import { system } from '../../runtime.ts'
import { randomToken } from '../../secrets.ts'

/** How long a session lasts without use. */
const idleDays = 30

export type Credentials = { email: string; password: string; organization?: string }

/** The user in the answer to a sign-in. */
export type Identity = {
  organization_id: string
  user_id: string
  full_name: string
  email: string
  role: string
}

/** The answer to a sign-in. */
export type Session = {
  access_token: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  user: { user_id: string; full_name: string; email: string; role: string; organization: string }
}

/** A user with the right password, and whether a code is needed too, or codes must be set up first. */
export type Verified = Identity & {
  organization: Organization
  has_codes: boolean
  must_enrol: boolean
}

type Candidate = Verified & { password_hash: string | null; is_active: boolean }

/** The user behind an e-mail and password: 401 wrong, 403 deactivated, 429 after too many failures. */
export async function verifyCredentials(
  ctx: PublicContext,
  from: Origin,
  { email, password, organization }: Credentials,
): Promise<Verified> {
  const { signIns, passwords } = ctx.services
  const key = email.trim().toLowerCase()
  const attempt = attemptOf(from.address, key)
  await signIns.check(attempt)
  // before anything is looked up
  passwords.checkRoom(attempt)
  const named = organization ?? null
  const candidates = await ctx.lookup.all<Candidate>(sql`
    select u.organization_id, u.id as user_id, u.full_name, u.email, r.role_name as role,
      u.password_hash, u.is_active, ${ofAnyone.hasCodes} as has_codes,
      ${ofAnyone.mustEnrol} as must_enrol, json_build_object(
        'id', o.organization_id, 'name', o.name, 'timezone', o.timezone) as organization
    from users u
    join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    join organizations o on o.organization_id = u.organization_id
    where ${anywhere('u')} and ${anywhere('r')} and ${anywhere('o')} and u.email_key = ${key} and u.deleted_at is null
      and (${named}::text is null or o.organization_id = ${named} or lower(o.name) = lower(${named}))
    order by u.organization_id limit 20`)
  const matching: Candidate[] = []
  // one hash is always computed, so that an unknown e-mail takes as long as a known one
  for (const user of candidates.length ? candidates : [undefined]) {
    const isRight = await passwords.verify(password, user?.password_hash ?? null, attempt)
    if (isRight && user) matching.push(user)
  }
  // checked again, so that of many simultaneous guesses none gains from having passed the first check
  await signIns.check(attempt)
  if (!matching.length) {
    for (const user of candidates) noteFailure(ctx, user, from, 'wrong_password')
    await signIns.failed(attempt)
    throw unauthorized('Wrong e-mail or password', 'wrong_credentials')
  }
  signIns.succeeded(attempt)
  const [user, another] = matching.filter(({ is_active }) => is_active)
  if (!user) {
    for (const known of matching) noteFailure(ctx, known, from, 'deactivated')
    throw deactivated()
  }
  if (another) throw badField('organization', 'this e-mail is in several organizations; name one')
  const { password_hash: _hash, is_active: _active, ...verified } = user
  return verified
}

/**
 * Writes a failure into the user's security log while the answer is sent, not before: the time that the
 * answer takes must not reveal whether there is such a user.
 */
function noteFailure(
  ctx: PublicContext,
  user: Verified,
  from: Origin,
  outcome: 'wrong_password' | 'deactivated',
): void {
  const { user_id } = user
  recordFailure(ctx, user, from, outcome).catch((err: unknown) =>
    ctx.log.warn({ err, user_id }, 'a failed sign-in was not recorded'),
  )
}

/** Writes a failed sign-in by password into the user's security log. */
export function recordFailure(
  ctx: PublicContext,
  { organization, user_id }: Verified,
  from: Origin,
  outcome: Exclude<SignInOutcome, 'succeeded'>,
): Promise<void> {
  return ctx
    .actAs({ organization, actor: system })
    .write((own) => recordSignIn(own, user_id, { ...from, method: 'password', outcome }))
}

/** Starts a session of a user, with tokens; 403 for one who is deactivated. */
export async function startSession(
  ctx: PublicContext,
  identity: Identity,
  origin: Begun,
): Promise<Session> {
  const { secrets } = ctx
  const family = randomToken('prt_')
  const refresh_token = `${family}.${randomToken()}`
  const { session_id } = await insertSession(ctx, identity, origin, {
    family_hash: secrets.hash(family),
    refresh_hash: secrets.hash(refresh_token),
    cookie_hash: null,
  })
  return sessionOf(ctx, identity, session_id, refresh_token)
}

/** Starts a session of a browser, which authenticates by a secret in a cookie; 403 for a deactivated user. */
export async function startBrowserSession(ctx: PublicContext, identity: Identity, origin: Begun) {
  const secret = randomToken()
  const cookie_hash = ctx.secrets.hash(secret)
  const hashes = { family_hash: cookie_hash, refresh_hash: Buffer.alloc(0), cookie_hash }
  return { ...(await insertSession(ctx, identity, origin, hashes)), secret }
}

/** From where and how a session is started. */
type Begun = Origin & { method: SignInMethod }

type Hashes = { family_hash: Buffer; refresh_hash: Buffer; cookie_hash: Buffer | null }

async function insertSession(
  ctx: PublicContext,
  { organization_id, user_id }: Identity,
  { method, ...from }: Begun,
  { family_hash, refresh_hash, cookie_hash }: Hashes,
) {
  const known = await loadActor(ctx.lookup, organization_id, user_id)
  if (!known?.is_active) throw deactivated()
  const session_id = newId()
  const place = placeOf(from)
  await ctx.actAs(known).write(async (own) => {
    // waits for a concurrent deactivation, which only ends existing sessions
    const user = await own.one<{ is_fir_login: boolean }>(sql`
      select is_fir_login from users where organization_id = ${organization_id}
        and id = ${user_id} and is_active and deleted_at is null for no key update`)
    if (!user) throw deactivated()
    const now = own.now()
    await own.run(sql`
      insert into sessions (organization_id, id, user_id, family_hash, refresh_hash, cookie_hash,
        method, address, user_agent, creation_time, rotated_at, expires_at)
      values (${organization_id}, ${session_id}, ${user_id}, ${family_hash}, ${refresh_hash},
        ${cookie_hash}, ${method}, ${place.address}, ${place.user_agent},
        ${now.toISOString()}, ${now.toISOString()}, ${expiry(now)})`)
    await recordSignIn(own, user_id, { ...from, method, outcome: 'succeeded' })
    if (user.is_fir_login) {
      await own.run(sql`update users set is_fir_login = false
        where organization_id = ${organization_id} and id = ${user_id}`)
    }
  })
  const { organization, actor } = known
  return { session_id, caller: { organization, actor: { ...actor, session_id } } }
}

/** The tokens of a session with its user. */
export async function sessionOf(
  ctx: PublicContext,
  user: Identity,
  session_id: string,
  refresh_token: string,
): Promise<Session> {
  const { tokens } = ctx.services
  const { organization_id, user_id, full_name, email, role } = user
  const claims = { sub: user_id, org: organization_id, sid: session_id }
  return {
    access_token: await tokens.sign('application', claims),
    refresh_token,
    token_type: 'Bearer',
    expires_in: tokens.lifetime,
    user: { user_id, full_name, email, role, organization: organization_id },
  }
}

/** When a refresh token that is issued now expires. */
export function expiry(now: Date): string {
  return new Date(+now + idleDays * 86_400_000).toISOString()
}

function deactivated() {
  return forbidden('This user is deactivated', 'deactivated')
}

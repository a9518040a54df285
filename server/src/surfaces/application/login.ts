import { badField, forbidden, unauthorized } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Runtime } from '../../runtime.ts'
import { randomToken, verifyPassword } from '../../secrets.ts'
import type { FailureLimiter } from '../limits.ts'
import type { Tokens } from '../tokens.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

/** A session's refresh token lives this long without use. */
const idleDays = 30
/** A rotated refresh token is good for this much longer, for answers that were lost. */
const graceMs = 60_000

/** Signing in with e-mail and password, refreshing and signing out. */
export type SignIn = {
  /** the user behind an e-mail and password; 401 wrong, 403 deactivated, 429 too many failures */
  verify(address: string, given: Credentials): Promise<Identity>
  /** starts a session for a user: the body of the answer to a sign-in */
  start(identity: Identity): Promise<object>
}

export type Credentials = { email: string; password: string; organization?: string }
export type Identity = {
  organization_id: string
  user_id: string
  full_name: string
  email: string
  role: string
}

const credentialsSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', minLength: 1, maxLength: 320 },
    password: { type: 'string', minLength: 1, maxLength: 1000 },
    organization: {
      type: 'string',
      maxLength: 255,
      description: 'id or name, where one e-mail is in several',
    },
  },
  required: ['email', 'password'],
}

export const sessionSchema = {
  type: 'object',
  properties: {
    access_token: { type: 'string' },
    refresh_token: { type: 'string' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer' },
    user: { type: 'object' },
  },
  required: ['access_token', 'refresh_token', 'token_type', 'expires_in', 'user'],
}

const refreshSchema = {
  type: 'object',
  properties: { refresh_token: { type: 'string', minLength: 1, maxLength: 500 } },
  required: ['refresh_token'],
}

type Found = Identity & { password_hash: string | null; is_active: boolean }

export function makeSignIn(runtime: Runtime, tokens: Tokens, failures: FailureLimiter): SignIn {
  const { database, secrets } = runtime
  return {
    async verify(address, { email, password, organization }) {
      const key = email.trim().toLowerCase()
      const limited = [`address ${address}`, `account ${key}`]
      await failures.check(...limited)
      const found = await database.reads(allOrganizations).all<Found>(sql`
        select u.organization_id, u.id as user_id, u.full_name, u.email, r.role_name as role,
          u.password_hash, u.is_active
        from users u
        join roles r on r.organization_id = u.organization_id and r.id = u.role_id
        join organizations o on o.organization_id = u.organization_id
        where u.email_key = ${key} and u.deleted_at is null
          and (${organization ?? null}::text is null or o.organization_id = ${organization ?? null}
            or lower(o.name) = lower(${organization ?? null}))
        order by u.organization_id limit 20`)
      const matching: Found[] = []
      // one hash is always worked through, so that an unknown e-mail takes as long as a known one
      for (const user of found.length ? found : [undefined]) {
        if ((await verifyPassword(password, user?.password_hash ?? null)) && user)
          matching.push(user)
      }
      // again: of guesses sent all at once, none may profit from having been let in before the rest
      await failures.check(...limited)
      if (!matching.length) {
        await failures.failed(...limited)
        throw unauthorized('Wrong e-mail or password', 'wrong_credentials')
      }
      const [user, another] = matching.filter(({ is_active }) => is_active)
      if (!user) throw deactivated()
      if (another)
        throw badField('organization', 'this e-mail is in several organizations; name one')
      return user
    },
    async start(identity) {
      const { organization_id, user_id } = identity
      const id = newId()
      const family = randomToken('prt_')
      const refresh_token = `${family}.${randomToken()}`
      await database.transaction(organization_id, async (queries) => {
        // waits for a deactivation under way, which ends the sessions that it finds
        const user = await queries.one<{ is_fir_login: boolean }>(sql`
          select is_fir_login from users where organization_id = ${organization_id}
            and id = ${user_id} and is_active and deleted_at is null for no key update`)
        if (!user) throw deactivated()
        await queries.run(sql`
          insert into sessions (organization_id, id, user_id, family_hash, refresh_hash, rotated_at,
            expires_at)
          values (${organization_id}, ${id}, ${user_id}, ${secrets.hash(family)},
            ${secrets.hash(refresh_token)}, ${runtime.now().toISOString()}, ${later(runtime)})`)
        if (user.is_fir_login) {
          await queries.run(sql`update users set is_fir_login = false
            where organization_id = ${organization_id} and id = ${user_id}`)
        }
      })
      return session(tokens, identity, id, refresh_token)
    },
  }
}

/** Signing in, refreshing and signing out, as the application surface offers them. */
export function sessionOperations(
  runtime: Runtime,
  tokens: Tokens,
  signIn: SignIn,
  failures: FailureLimiter,
): { login: Operation; refresh: Operation; logout: Operation } {
  return {
    login: {
      name: 'login',
      summary: 'Sign in with e-mail and password',
      can: 'anyone',
      writes: false,
      input: { body: credentialsSchema },
      output: sessionSchema,
      run: async (_ctx, { body, address }) => signIn.start(await signIn.verify(address, body)),
    },
    refresh: {
      name: 'refresh_session',
      summary: 'Exchange a refresh token for a new pair',
      can: 'anyone',
      writes: false,
      input: { body: refreshSchema },
      output: sessionSchema,
      async run(_ctx, { body, address }) {
        await failures.check(`address ${address}`)
        const session = await refresh(runtime, tokens, body.refresh_token)
        if (session) return session
        await failures.failed(`address ${address}`)
        throw unauthorized('The refresh token is not valid, sign in again', 'invalid_token')
      },
    },
    logout: {
      name: 'logout',
      summary: 'End this session; its tokens stop working at once',
      can: 'signed_in',
      writes: true,
      input: {},
      output: { type: 'object', properties: { status: { const: 'success' } } },
      async run(ctx) {
        await ctx.run(sql`update sessions t set revoked_at = ${ctx.now().toISOString()}
          where ${mine(ctx)} and id = ${ctx.actor.session_id}`)
        ctx.forget()
        return { status: 'success' }
      },
    },
  }
}

type Session = {
  organization_id: string
  id: string
  user_id: string
  full_name: string
  email: string
  role: string
  is_current: boolean
  is_previous: boolean | null
  rotated_at: string
}

/**
 * Rotates a session's refresh token. The next one is derived from it, so that whoever lost the answer
 * or asked twice at once gets the same one for 60 s more. After that, and for older ones at once, its
 * use means that somebody copied it, and ends the session.
 */
async function refresh(runtime: Runtime, tokens: Tokens, token: string) {
  const { cache, database, secrets } = runtime
  const hash = secrets.hash(token)
  const family = token.split('.')[0]!
  const next = `${family}.${secrets.hash(`next ${token}`).toString('base64url')}`
  const now = runtime.now()
  const found = await database.transaction(allOrganizations, async (queries) => {
    const row = await queries.one<Session>(sql`
      select s.organization_id, s.id, s.user_id, u.full_name, u.email, r.role_name as role,
        s.refresh_hash = ${hash} as is_current, s.previous_hash = ${hash} as is_previous,
        s.rotated_at
      from sessions s
      join users u on u.organization_id = s.organization_id and u.id = s.user_id
      join roles r on r.organization_id = u.organization_id and r.id = u.role_id
      where s.family_hash = ${secrets.hash(family)} and s.revoked_at is null
        and s.expires_at > ${now.toISOString()} and u.is_active and u.deleted_at is null
      for update of s`)
    if (!row) return undefined
    const this_one = sql`organization_id = ${row.organization_id} and id = ${row.id}`
    if (row.is_current) {
      await queries.run(sql`update sessions set refresh_hash = ${secrets.hash(next)},
        previous_hash = ${hash}, rotated_at = ${now.toISOString()}, expires_at = ${later(runtime)}
        where ${this_one}`)
      return row
    }
    if (row.is_previous && +now - Date.parse(row.rotated_at) <= graceMs) return row
    await queries.run(sql`update sessions set revoked_at = ${now.toISOString()} where ${this_one}`)
    return { ...row, is_copied: true }
  })
  if (!found) return undefined
  if ('is_copied' in found) {
    cache.forget(found.organization_id)
    return undefined
  }
  return session(tokens, found, found.id, next)
}

async function session(tokens: Tokens, user: Identity, sid: string, refresh_token: string) {
  const { organization_id, user_id, full_name, email, role } = user
  const claims = { sub: user_id, org: organization_id, sid }
  return {
    access_token: await tokens.sign('application', claims),
    refresh_token,
    token_type: 'Bearer',
    expires_in: tokens.lifetime,
    user: { user_id, full_name, email, role, organization: organization_id },
  }
}

function deactivated() {
  return forbidden('This user is deactivated', 'deactivated')
}

function later(runtime: Runtime): string {
  return new Date(+runtime.now() + idleDays * 86_400_000).toISOString()
}

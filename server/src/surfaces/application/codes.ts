import { Type } from 'typebox'
import { failuresOf } from '../../kit/ground/address.ts'
import type { PublicContext } from '../../kit/ground/context.ts'
import { Failure, unauthorized } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { useCode } from '../../records/users/one-time-codes/verify.ts'
import type { Origin, SignInMethod } from '../../records/users/sign-ins.ts'
import { system } from '../../runtime.ts'
import { sessionSchema } from './session.ts'
import type { Credentials, Verified } from './sign-in.ts'
import { recordFailure, startSession, verifyCredentials } from './sign-in.ts'

/** Seconds in which the code must follow the right password. */
const patience = 300
const purpose = 'sign-in waiting for a code'

type SignedIn = { user: Verified; method: SignInMethod }

export const loginWithCode = operation({
  name: 'login_with_code',
  lane: 'sign_in',
  summary: 'Finish a sign-in with a one-time code',
  description:
    'Takes the `challenge` of a sign-in that was refused with `code_required`, for five minutes, and a code of the app or a recovery code.',
  can: 'anyone',
  writes: false,
  input: {
    body: Type.Object({
      challenge: Type.String({ minLength: 1, maxLength: 2000 }),
      code: Type.String({ minLength: 1, maxLength: 50 }),
    }),
  },
  output: sessionSchema,
  async run(ctx, { body, address, user_agent }) {
    const from = { address, user_agent }
    const { user, method } = await continueSignIn(ctx, from, body)
    return startSession(ctx, user, { ...from, method })
  },
})

/**
 * The user of an e-mail and a password and, if they use one-time codes, a code. Without it 401
 * `code_required`, whose `data.challenge` replaces the password in the next request.
 */
export async function signIn(
  ctx: PublicContext,
  from: Origin,
  { code, ...credentials }: Credentials & { code?: string },
): Promise<SignedIn> {
  const user = await verifyCredentials(ctx, from, credentials)
  if (!user.has_codes) return { user, method: 'password' }
  if (code !== undefined) return { user, method: await passCode(ctx, from, user, code) }
  await recordFailure(ctx, user, from, 'code_required')
  const data = { challenge: await challengeFor(ctx, user), expires_in: patience }
  throw new Failure(401, 'code_required', 'A one-time code is needed', { data })
}

/** The user of a challenge with a right code; 401 for a wrong one, and for an expired challenge. */
export async function continueSignIn(
  ctx: PublicContext,
  from: Origin,
  { challenge, code }: { challenge: string; code: string },
): Promise<SignedIn> {
  const user = await challenged(ctx, challenge)
  if (!user) throw unauthorized('The sign-in took too long: begin again', 'challenge_expired')
  return { user, method: await passCode(ctx, from, user, code) }
}

/** How a code was valid; 401 if it is not, counted for the account and for the address. */
export async function passCode(
  ctx: PublicContext,
  from: Origin,
  user: Verified,
  code: string,
): Promise<SignInMethod> {
  const { failures } = ctx.services
  const counted = [failuresOf(from.address), `code ${user.user_id}`]
  await failures.check(...counted)
  const { organization } = user
  const method = await ctx.actAs({ organization, actor: system }).write(async (own) => {
    // checked again, so that of many simultaneous guesses the later ones are refused
    await failures.check(...counted)
    return useCode(own, user.user_id, code)
  })
  if (method) return method
  await recordFailure(ctx, user, from, 'wrong_code')
  await failures.failed(...counted)
  throw unauthorized('The code is wrong, expired, or already used', 'wrong_code')
}

type Waiting = { user: Verified; until: number; mark: string }

/** An encrypted challenge, valid for five minutes, or until the password or the e-mail changes. */
async function challengeFor(ctx: PublicContext, user: Verified): Promise<string> {
  const waiting: Waiting = {
    user,
    until: +ctx.now() + patience * 1000,
    mark: (await credentialsMark(ctx, user)) ?? '',
  }
  return ctx.secrets.seal(waiting, purpose)
}

async function challenged(ctx: PublicContext, challenge: string): Promise<Verified | undefined> {
  const waiting = ctx.secrets.unseal(challenge, purpose) as Waiting | undefined
  if (!waiting || waiting.until < +ctx.now()) return undefined
  const isSame = (await credentialsMark(ctx, waiting.user)) === waiting.mark
  return isSame ? waiting.user : undefined
}

/** A value that changes with the e-mail or the password of an active user. */
async function credentialsMark(
  ctx: PublicContext,
  { organization_id, user_id }: Verified,
): Promise<string | undefined> {
  const found = await ctx.lookup.one<{ email_key: string; password_hash: string | null }>(sql`
    select email_key, password_hash from users where organization_id = ${organization_id}
      and id = ${user_id} and is_active and deleted_at is null`)
  if (!found) return undefined
  return ctx.secrets.hash(`${found.email_key} ${found.password_hash}`).toString('base64url')
}

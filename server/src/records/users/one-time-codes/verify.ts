import { Secret, TOTP } from 'otpauth'
import type { Context } from '../../../kit/ground/context.ts'
import { mine, nothingCached, sql } from '../../../kit/ground/sql.ts'

/** The validity of a code in seconds, and how many codes before and after are accepted because clocks differ. */
const period = 30
const leeway = 1

/** The generator of a secret's codes, the same as in authenticator apps: SHA-1, six digits, 30 s. */
export function generatorOf(secret: string, label = '', issuer = ''): TOTP {
  const options = { algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) }
  return new TOTP({ ...options, label, issuer })
}

type Stored = { secret: Buffer; confirmed_at: string | null; last_step: number }

/**
 * Uses a code of the user's app (RFC 6238), or one of their recovery codes; undefined if it is
 * neither. A code can be used once, and invalidates all earlier ones. `unconfirmed` accepts the first code
 * of a secret that is not in use yet.
 */
export async function useCode(
  ctx: Context,
  user_id: string,
  code: string,
  { unconfirmed = false } = {},
): Promise<'code' | 'recovery_code' | undefined> {
  const stored = await ctx.one<Stored>(sql`
    select t.secret, t.confirmed_at, t.last_step from one_time_codes t
    where ${mine(ctx)} and t.user_id = ${user_id} for update`)
  if (!stored || (stored.confirmed_at === null) !== unconfirmed) return undefined
  const token = code.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return unconfirmed ? undefined : useRecoveryCode(ctx, user_id, token)
  const now = +ctx.now()
  const delta = generatorOf(ctx.secrets.decrypt(stored.secret)).validate({
    token,
    timestamp: now,
    window: leeway,
  })
  if (delta === null) return undefined
  const step = Math.floor(now / 1000 / period) + delta
  if (step <= Number(stored.last_step)) return undefined
  await ctx.run(sql`${nothingCached} update one_time_codes t set last_step = ${step}
    where ${mine(ctx)} and t.user_id = ${user_id}`)
  return 'code'
}

async function useRecoveryCode(ctx: Context, user_id: string, code: string) {
  const used = await ctx.run(sql`update recovery_codes t set used_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.user_id = ${user_id} and t.used_at is null
      and t.code_hash = ${recoveryHash(ctx, user_id, code)}`)
  return used ? 'recovery_code' : undefined
}

/** The stored form of a recovery code; hyphens and case do not matter. */
export function recoveryHash({ secrets }: Context, user_id: string, code: string): Buffer {
  return secrets.hash(`recovery ${user_id} ${code.replaceAll('-', '').toLowerCase()}`)
}

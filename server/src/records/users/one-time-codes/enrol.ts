import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { Context } from '../../../kit/ground/context.ts'
import { badRequest, conflict } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { mailAccount } from '../account-mail.ts'
import type { Person } from '../password.ts'
import { UserProfile } from '../../../model/users/user.ts'
import { generatorOf, recoveryHash, useCode } from './verify.ts'

const recoveryCodes = 10

/**
 * Creates a new secret for the caller, in use from the first code on (`confirm`): as base 32, and as the URI
 * that authenticator apps read from a picture. 409 while one is in use.
 */
export async function enrol(
  ctx: Context,
  { id, email }: Person,
): Promise<{ secret: string; otpauth_uri: string }> {
  // 160 bits, as RFC 4226 (4, R6) recommends
  const secret = new Secret({ size: 20 }).base32
  const stored = await ctx.run(sql`
    insert into one_time_codes (organization_id, user_id, secret, creation_time)
    values (${ctx.organization.id}, ${id}, ${ctx.secrets.encrypt(secret)},
      ${ctx.now().toISOString()})
    on conflict (organization_id, user_id) do update set secret = excluded.secret, last_step = 0
      where one_time_codes.confirmed_at is null`)
  if (!stored) throw conflict('One-time codes are in use: turn them off first', 'codes_enabled')
  return { secret, otpauth_uri: generatorOf(secret, email, ctx.organization.name).toString() }
}

/** Checks the first code of a new secret, after which sign-ins need one; returns the recovery codes. */
export async function confirm(ctx: Context, person: Person, code: string): Promise<string[]> {
  const right = await useCode(ctx, person.id, code, { unconfirmed: true })
  if (!right) throw wrongCode()
  await ctx.run(sql`update one_time_codes t set confirmed_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.user_id = ${person.id}`)
  await note(ctx, person, 'one_time_codes_enabled', 'turned on')
  ctx.forget()
  return newRecoveryCodes(ctx, person.id)
}

/** Replaces the recovery codes of a user; each is shown this once. */
export async function newRecoveryCodes(ctx: Context, user_id: string): Promise<string[]> {
  await ctx.run(sql`delete from recovery_codes t where ${mine(ctx)} and t.user_id = ${user_id}`)
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  const rows = codes.map(
    (code) => sql`(${ctx.organization.id}, ${newId()}, ${user_id},
      ${recoveryHash(ctx, user_id, code)})`,
  )
  await ctx.run(sql`insert into recovery_codes (organization_id, id, user_id, code_hash)
    values ${sql.join(rows)}`)
  return codes
}

/** Removes a user's one-time codes; false if there were none. */
export async function removeCodes(ctx: Context, person: Person): Promise<boolean> {
  const found = await ctx.one<{ confirmed_at: string | null }>(sql`
    delete from one_time_codes t where ${mine(ctx)} and t.user_id = ${person.id}
    returning t.confirmed_at`)
  if (!found?.confirmed_at) return false
  await ctx.run(sql`delete from recovery_codes t where ${mine(ctx)} and t.user_id = ${person.id}`)
  await note(ctx, person, 'one_time_codes_disabled', 'turned off')
  ctx.forget()
  return true
}

/** 400 naming `code`. Not 401, to which programs react by signing in again. */
export function wrongCode() {
  const message = 'must be the code that your app shows now, and not one that was used'
  return badRequest(`code: ${message}`, [{ field: 'code', message }], 'wrong_code')
}

/** 80 bits in four groups that can be read out; the alphabet of base 32 has no 0, 1, 8 or 9. */
function newRecoveryCode(): string {
  const { buffer } = Uint8Array.from(randomBytes(10))
  const text = new Secret({ buffer }).base32.toLowerCase()
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** Writes the log entry, and mails the user, whoever did it. */
async function note(ctx: Context, person: Person, what: string, done: 'turned on' | 'turned off') {
  const { id, full_name } = person
  const title = `One-time codes ${done}`
  await announce(ctx, UserProfile, what, { id, title, name: full_name })
  const end = done === 'turned on' ? 'on' : 'off'
  await mailAccount(ctx, person, (voice, organization) => ({
    subject: voice.say(`codes.subject_${end}`, { organization }),
    paragraphs: [voice.say(`codes.text_${end}`, { organization, person: ctx.actor.full_name })],
  }))
}

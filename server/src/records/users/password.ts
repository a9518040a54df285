import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Voice } from '../../model/languages/language.ts'
import { neededFor } from '../mail/needed.ts'
import { endOutsiderLinks } from '../mail/outsider-link.ts'
import type { OfferedLink } from './account-link.ts'
import { newLink } from './account-link.ts'
import { mailAccount } from './account-mail.ts'
import { endSessionsAndTokens } from './sessions.ts'
import { endConnections } from '../apps/grants.ts'
import { UserProfile } from '../../model/users/user.ts'

/** How long a link for a new password is valid: once, and until another is requested. */
const resetLink: OfferedLink = { of: 'reset', prefix: 'rst', minutes: 60 }

export type Person = { id: string; full_name: string; email: string }

/** The caller, locked. */
export async function self(ctx: Context): Promise<Person> {
  const found = await ctx.one<Person>(sql`select id, full_name, email from users t
    where ${mine(ctx)} and t.id = ${ctx.actor.user_id} for no key update`)
  if (!found) throw new Error('the caller is no user')
  return found
}

/** Mails a user the link for a new password, unless they have had enough of them. */
export async function offerReset(ctx: Context, person: Person): Promise<void> {
  const token = await newLink(ctx, person, resetLink)
  if (!token) return
  const compose = (voice: Voice, organization: string) => ({
    subject: voice.say('reset.subject', { organization }),
    paragraphs: [voice.say('reset.text', { organization })],
    actions: [{ label: voice.say('reset.action'), url: `${ctx.public_url}/reset/${token}` }],
    note: voice.say('reset.note'),
  })
  await mailAccount(ctx, person, compose, neededFor(ctx, 'reset', token))
}

/** The user of an open link by its token, locked; undefined for any other token. */
export function findReset(ctx: Context, token: string): Promise<Person | undefined> {
  return ctx.one<Person>(sql`select id, full_name, email from users t
    where ${mine(ctx)} and reset_hash = ${ctx.secrets.hash(token)} and deleted_at is null
      and is_active and reset_expires_at > ${ctx.now().toISOString()} for no key update`)
}

/** What a new password does not end: the session that set it, and connected apps if the caller keeps them. */
type Continuing = { session?: string; keepsConnections?: boolean }

/**
 * Sets a password and notifies the user by mail. Their sessions end, and their connected apps unless
 * the caller keeps them: whoever knew the old password may have connected one.
 */
export async function setPassword(
  ctx: Context,
  person: Person,
  password_hash: string,
  { session, keepsConnections = session !== undefined }: Continuing = {},
): Promise<void> {
  const { id, full_name } = person
  await ctx.run(sql`update users t set password_hash = ${password_hash}, reset_hash = null,
    reset_expires_at = null, sign_in_hash = null, sign_in_expires_at = null,
    version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and id = ${id}`)
  await endOutsiderLinks(ctx, id)
  await endSessionsAndTokens(ctx, id, session)
  const ended = keepsConnections ? [] : await endConnections(ctx, id)
  await announce(ctx, UserProfile, 'password_changed', {
    id,
    title: 'Password changed',
    name: full_name,
  })
  await mailAccount(ctx, person, (voice, organization) => ({
    subject: voice.say('password.subject', { organization }),
    paragraphs: [
      voice.say(session ? 'password.text_others' : 'password.text_all', { organization }),
      ...(ended.length ? [voice.say('password.apps', { apps: ended.join(', ') })] : []),
    ],
  }))
}

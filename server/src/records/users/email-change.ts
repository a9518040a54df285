import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { endOutsiderLinks } from '../mail/outsider-link.ts'
import { mailAccount } from './account-mail.ts'
import { endSessionsAndTokens } from './sessions.ts'

/** Invalidates a user's mailed links for joining, for a new password and to sign in, and those in mails about records. */
export async function voidLinks(ctx: Context, user_id: string): Promise<void> {
  await ctx.run(sql`update users t set invite_hash = null, invite_expires_at = null,
      reset_hash = null, reset_expires_at = null,
      sign_in_hash = null, sign_in_expires_at = null
    where ${mine(ctx)} and id = ${user_id} and (invite_hash is not null or reset_hash is not null
      or sign_in_hash is not null)`)
  await endOutsiderLinks(ctx, user_id)
}

/**
 * Invalidates everything that the old e-mail still gave access to: links, sessions except the caller's, and the identity
 * at the OpenID provider. Both addresses are notified.
 */
export async function voidOldEmail(
  ctx: Context,
  { id, full_name }: { id: string; full_name: string },
  from: string,
  to: string,
): Promise<void> {
  await voidLinks(ctx, id)
  await endSessionsAndTokens(ctx, id, id === ctx.actor.user_id ? ctx.actor.session_id : undefined)
  await ctx.run(sql`delete from openid_subjects t where ${mine(ctx)} and t.user_id = ${id}`)
  const said = { from, to, person: ctx.actor.full_name }
  await mailAccount(ctx, { full_name, email: from }, (voice, organization) => ({
    subject: voice.say('email_old.subject', { organization }),
    paragraphs: [voice.say('email_old.text', { organization, ...said })],
  }))
  await mailAccount(ctx, { full_name, email: to }, (voice, organization) => ({
    subject: voice.say('email_new.subject', { organization }),
    paragraphs: [voice.say('email_new.text', { organization, ...said })],
    actions: [{ label: voice.say('reset.action'), url: `${ctx.public_url}/reset` }],
    note: voice.say('email_new.note'),
  }))
}

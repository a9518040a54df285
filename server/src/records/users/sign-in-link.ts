import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../../model/languages/language.ts'
import { neededFor } from '../mail/needed.ts'
import type { OfferedLink } from './account-link.ts'
import { newLink } from './account-link.ts'
import { mailAccount } from './account-mail.ts'
import type { Person } from './password.ts'

/** How long a link to sign in is valid: once, and until another is requested. */
const signInLink: OfferedLink = { of: 'sign_in', prefix: 'lnk', minutes: 15 }

/** Mails a user a link to sign in, unless they have had enough of them. */
export async function offerSignIn(ctx: Context, person: Person): Promise<void> {
  const token = await newLink(ctx, person, signInLink)
  if (!token) return
  const compose = (voice: Voice, organization: string) => ({
    subject: voice.say('enter.title', { organization }),
    paragraphs: [voice.say('enter.text', { organization })],
    actions: [{ label: voice.say('enter.action'), url: `${ctx.public_url}/enter/${token}` }],
    note: voice.say('enter.note'),
  })
  await mailAccount(ctx, person, compose, neededFor(ctx, 'sign_in', token))
}

/** Uses up the link of a token; false for one that is unknown, used or expired. */
export async function useSignInLink(ctx: Context, token: string): Promise<boolean> {
  const used = await ctx.one(sql`update users t
    set sign_in_hash = null, sign_in_expires_at = null
    where ${mine(ctx)} and t.sign_in_hash = ${ctx.secrets.hash(token)} and t.deleted_at is null
      and t.is_active and t.sign_in_expires_at > ${ctx.now().toISOString()} returning t.id`)
  return used !== undefined
}

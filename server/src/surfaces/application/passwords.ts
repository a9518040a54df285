import { Type } from 'typebox'
import { attemptOf, failuresOf } from '../../kit/ground/address.ts'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import { connectedApps } from '../../records/apps/grants.ts'
import { loadActor } from '../../records/users/actor.ts'
import { checkPassword } from '../../records/users/password-rules.ts'
import { findReset, offerReset, setPassword } from '../../records/users/password.ts'
import { successSchema } from './login.ts'
import { accountBody, mailLinks } from './mailed-links.ts'

export const requestPasswordReset = operation({
  name: 'ask_password_reset',
  summary: 'Request a password reset',
  description:
    'Mails a link to a new password to every user with the e-mail. The answer is the same where there is none.',
  can: 'anyone',
  writes: false,
  input: { body: accountBody },
  output: successSchema,
  async run(ctx, { body, address }) {
    await requestReset(ctx, address, body)
    return { status: 'success' }
  },
})

export const resetPassword = operation({
  name: 'reset_password',
  summary: 'Reset a password',
  description:
    'Sets a new password with the token of the mail. Every session of the user ends, and every connection of an app unless `keep_connections` is true.',
  can: 'anyone',
  writes: false,
  input: {
    body: Type.Object({
      token: Type.String({ minLength: 1, maxLength: 500 }),
      password: Type.String({ minLength: 8, maxLength: 1000 }),
      keep_connections: Type.Optional(
        Type.Boolean({
          description: 'whether the apps that act as the user stay connected (false)',
        }),
      ),
    }),
  },
  output: successSchema,
  async run(ctx, { body, address }) {
    await choosePassword(ctx, address, body)
    return { status: 'success' }
  },
})

/** Mails each user with the e-mail; the answer and its time are the same if there is none. */
export function requestReset(
  ctx: PublicContext,
  address: string,
  asked: { email: string; organization?: string },
): Promise<void> {
  return mailLinks(ctx, address, asked, offerReset)
}

/** The apps that act as the user of a token; undefined if it cannot reset a password. */
export async function openReset(
  ctx: PublicContext,
  token: string,
): Promise<{ apps: string[]; email: string; reads: Context } | undefined> {
  const user = await holderOf(ctx, token)
  if (!user) return undefined
  const { reads } = ctx.actAs(user)
  return { apps: await connectedApps(reads, user.actor.user_id ?? ''), email: user.email, reads }
}

/**
 * Sets the password of a token's user; 400 for a token that is unknown, used or expired,
 * and for a password that is too common.
 */
export async function choosePassword(
  ctx: PublicContext,
  address: string,
  chosen: { token: string; password: string; keep_connections?: boolean },
): Promise<void> {
  const { token, password, keep_connections = false } = chosen
  const { failures } = ctx.services
  await failures.check(failuresOf(address))
  const user = await holderOf(ctx, token)
  if (!user) {
    await failures.failed(failuresOf(address))
    throw unknown()
  }
  const { email, actor, organization } = user
  await checkPassword(password, {
    email,
    full_name: actor.full_name,
    organization: organization.name,
  })
  const password_hash = await ctx.services.passwords.hash(password, attemptOf(address))
  await ctx.actAs(user).write(async (own) => {
    const person = await findReset(own, token)
    if (!person) throw unknown()
    await setPassword(own, person, password_hash, { keepsConnections: keep_connections })
  })
}

/** The active user of a token, in whose own name the password is set. */
async function holderOf(ctx: PublicContext, token: string) {
  const found = await ctx.lookup.one<{ organization_id: string; id: string; email: string }>(sql`
    select organization_id, id, email from users u
      where ${anywhere('u')} and reset_hash = ${ctx.secrets.hash(token)}
      and deleted_at is null and reset_expires_at > ${ctx.now().toISOString()}`)
  const user = found && (await loadActor(ctx.lookup, found.organization_id, found.id))
  return found && user?.is_active ? { ...user, email: found.email } : undefined
}

function unknown() {
  return badField('token', 'is unknown, was used, or has expired')
}

import { Type } from 'typebox'
import { attemptOf, failuresOf } from '../../kit/ground/address.ts'
import type { Context, PublicContext } from '../../kit/ground/context.ts'
import { unauthorized } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import { loadActor } from '../../records/users/actor.ts'
import { acceptInvitation, findInvitation } from '../../records/users/invite.ts'
import { checkPassword } from '../../records/users/password-rules.ts'
import { sessionSchema } from './session.ts'
import type { Identity } from './sign-in.ts'
import { startSession } from './sign-in.ts'

/** Accepting an invitation: whoever holds the token chooses a password and is signed in. */
export const acceptInvite = operation({
  name: 'accept_invite',
  summary: 'Accept an invitation',
  description: 'Sets the password of the invited user and signs them in.',
  can: 'anyone',
  writes: false,
  input: {
    body: Type.Object({
      invite_token: Type.String({ minLength: 1, maxLength: 500 }),
      password: Type.String({ minLength: 8, maxLength: 1000 }),
      full_name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
    }),
  },
  output: sessionSchema,
  run: async (ctx, { body, address, user_agent }) =>
    startSession(ctx, await accept(ctx, address, body), {
      address,
      user_agent,
      method: 'invitation',
    }),
})

/** The invited person of a token; undefined if it is unknown, used or expired. */
export async function readInvitation(
  ctx: PublicContext,
  token: string,
): Promise<Invited | undefined> {
  const user = await invitedUser(ctx, token)
  if (!user) return undefined
  const { organization, actor, email, invited_by, expires_at } = user
  const { reads } = ctx.actAs(user)
  const { full_name } = actor
  return { full_name, email, organization: organization.name, invited_by, expires_at, reads }
}

/** Who is invited by whom, until when, and a context for the invited user. */
export type Invited = {
  full_name: string
  email: string
  organization: string
  invited_by: string | null
  expires_at: string
  reads: Context
}

/** Sets name and password of the invited user; 401 for a token that is not valid. */
export async function accept(
  ctx: PublicContext,
  address: string,
  {
    invite_token,
    password,
    full_name,
  }: { invite_token: string; password: string; full_name?: string },
): Promise<Identity> {
  const { failures } = ctx.services
  await failures.check(failuresOf(address))
  const user = await invitedUser(ctx, invite_token)
  if (!user) {
    await failures.failed(failuresOf(address))
    throw unauthorized('The invitation is unknown, was used, or has expired', 'invalid_token')
  }
  const owner = { email: user.email, full_name: full_name ?? user.actor.full_name }
  await checkPassword(password, { ...owner, organization: user.organization.name })
  const password_hash = await ctx.services.passwords.hash(password, attemptOf(address))
  // the invitation is accepted in the invited user's own name
  return ctx.actAs(user).write(async (own) => {
    const id = await findInvitation(own, invite_token)
    if (!id) throw unauthorized('The invitation was used meanwhile', 'invalid_token')
    const chosen = full_name === undefined ? {} : { full_name }
    const accepted = await acceptInvitation(own, id, { ...chosen, password_hash })
    const { email, full_name: name, role } = JSON.parse(await accepted.json()) as Accepted
    return { organization_id: own.organization.id, user_id: id, full_name: name, email, role }
  })
}

type Accepted = { email: string; full_name: string; role: string }

async function invitedUser(ctx: PublicContext, token: string) {
  type Found = {
    organization_id: string
    id: string
    email: string
    invited_by: string | null
    expires_at: string
  }
  const found = await ctx.lookup.one<Found>(sql`
    select organization_id, id, email, invite_expires_at as expires_at,
      (select p.full_name from users p where ${anywhere('p')} and p.organization_id = u.organization_id
        and p.id = u.created_by) as invited_by
    from users u
    where ${anywhere('u')} and invite_hash = ${ctx.secrets.hash(token)} and deleted_at is null
      and invite_expires_at > ${ctx.now().toISOString()}`)
  if (!found) return undefined
  const user = await loadActor(ctx.lookup, found.organization_id, found.id)
  const { email, invited_by, expires_at } = found
  return user && { ...user, email, invited_by, expires_at }
}

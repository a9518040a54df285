import type { Draft } from '../../kit/record/record.ts'
import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { resolveReferences } from '../../kit/write/references.ts'
import { readSchema, updateSchema } from '../../kit/record/schema.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert, update, written } from '../../kit/write/write.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import { callersStanding, checkAccount, checkHolds, lockPeople, standingOf } from './guards.ts'
import { UserProfile, changeUser, entitled, isEmptyObject, refuseSecrets } from './user.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Body = { [key: string]: unknown }

/** An invitation can be accepted for this long. */
const inviteDays = 7

/** What the specification's `profile/action/` takes beside the fields that it sets. */
const names: JSONSchema = {
  profile_id: {
    type: ['string', 'null'],
    maxLength: 25,
    description: 'whose profile; own if none',
  },
  user_id: { type: ['string', 'null'], maxLength: 25, description: 'the same as profile_id' },
  invite_token: { type: ['string', 'null'], maxLength: 500, description: 'accepts an invitation' },
}

/**
 * With an e-mail that nobody has, invites; with an `invite_token`, accepts; otherwise updates. The
 * answer to an invitation carries the token, this once: nothing that is read later does.
 */
export const profileAction: Operation = {
  name: 'upsert_user',
  summary: 'Invite a user, accept an invitation, or update a profile',
  // what is asked decides which right is needed
  can: 'signed_in',
  writes: true,
  input: { body: withNames(updateSchema(UserProfile)) },
  output: readSchema(UserProfile),
  async run(ctx: Context, { body: given }: Input) {
    const { profile_id, user_id, invite_token, ...body } = given as Body & { email?: string }
    if (invite_token) {
      const found = await findInvitation(ctx, String(invite_token))
      if (!found) throw badField('invite_token', 'is not known, or was used or has expired')
      return written(await acceptInvitation(ctx, found, {}))
    }
    if (profile_id && user_id && profile_id !== user_id) {
      throw badField('user_id', 'must be the same as profile_id')
    }
    const named = profile_id || user_id
    if (named) await checkVisible(ctx, profile_id ? 'profile_id' : 'user_id', String(named))
    const known = named
      ? { id: String(named), is_pending: false }
      : await findByEmail(ctx, body.email)
    if (known?.is_pending) return inviteAgain(ctx, known.id, body)
    if (known) return written(await changeUser(ctx, known.id, body), false)
    if (body.email === undefined)
      return written(await changeUser(ctx, ctx.actor.user_id!, body), false)
    return invite(ctx, { ...body, email: body.email })
  },
}

/** The user whose open invitation a token is, under lock; undefined when it is none. */
export async function findInvitation(ctx: Context, token: string): Promise<string | undefined> {
  await lockPeople(ctx)
  const found = await ctx.one<{ id: string }>(sql`select id from users t
    where ${mine(ctx)} and invite_hash = ${ctx.secrets.hash(token)} and deleted_at is null
      and invite_expires_at > ${ctx.now().toISOString()} for update`)
  return found?.id
}

/** Activates an invited user with what they chose. The token is used up. */
export function acceptInvitation(
  ctx: Context,
  id: string,
  chosen: { full_name?: string; password_hash?: string },
): Promise<Written> {
  const { password_hash, ...body } = chosen
  const set: Body = { invite_hash: null, invite_expires_at: null }
  if (password_hash) set.password_hash = password_hash
  ctx.forget()
  return update(entitled(ctx), UserProfile, id, { ...body, is_active: true }, { set })
}

async function invite(ctx: Context, given: Body & { email: string }): Promise<Answer> {
  mustCreate(ctx)
  refuseSecrets(given)
  await lockPeople(ctx)
  const { role_id = { role_name: 'member' }, ...rest }: Body = given
  if (isEmptyObject(rest.reports_to)) delete rest.reports_to
  const { ids, visible } = await resolveReferences(ctx, UserProfile, { role_id })
  await visible
  checkHolds(await callersStanding(ctx), (await standingOf(ctx, ids.role_id!))!)
  checkAccount(ctx, rest.account_id)
  const { email } = given
  const body = {
    full_name: email.split('@')[0],
    // who sees only their own account invites into it
    ...(ctx.actor.is_confined ? { account_id: ctx.actor.account_id } : {}),
    ...rest,
    ...ids,
    is_active: false,
  }
  const { token, set } = newInvitation(ctx)
  const made = await insert(ctx, UserProfile, body as Draft<typeof UserProfile>, {
    set: { ...set, email_key: email.toLowerCase() },
  })
  ctx.forget()
  await sendInvitation(ctx, { full_name: String(body.full_name), email }, token)
  return withToken(made, token, true)
}

/** Somebody invited who has not come yet: the token before is void. */
async function inviteAgain(ctx: Context, id: string, body: Body): Promise<Answer> {
  mustCreate(ctx)
  const changed = await changeUser(ctx, id, body)
  const { role_id, full_name, email } = JSON.parse(await changed.json())
  checkHolds(await callersStanding(ctx), (await standingOf(ctx, role_id))!)
  const { token, set } = newInvitation(ctx)
  await ctx.run(sql`update users t set invite_hash = ${set.invite_hash},
    invite_expires_at = ${set.invite_expires_at} where ${mine(ctx)} and id = ${id}`)
  await sendInvitation(ctx, { full_name, email }, token)
  return withToken(changed, token, false)
}

async function sendInvitation(
  ctx: Context,
  { full_name, email }: { full_name: string; email: string },
  token: string,
) {
  const { name } = ctx.organization
  const words = await letter({
    subject: `${ctx.actor.full_name} invites you to ${name}`,
    paragraphs: [
      `Hello ${full_name},`,
      `${ctx.actor.full_name} invites you to work in ${name}. The link works once, within ${inviteDays} days.`,
    ],
    action: { label: 'Accept the invitation', url: `${ctx.public_url}/invite/${token}` },
    note: 'If you did not expect this, nothing needs to be done: without you nothing happens.',
  })
  mail(ctx, { to: { name: full_name, address: email }, ...words })
}

/** The profile with the token in it, which no read gives again. */
function withToken({ id, version, json }: Written, invite_token: string, created: boolean) {
  const show = async () => ({ ...JSON.parse(await json()), invite_token })
  return new Answer(show, { id, version, created })
}

function newInvitation(ctx: Context) {
  const token = `inv_${randomBytes(32).toString('base64url')}`
  const until = new Date(+ctx.now() + inviteDays * 86_400_000).toISOString()
  return { token, set: { invite_hash: ctx.secrets.hash(token), invite_expires_at: until } }
}

function mustCreate(ctx: Context) {
  if (levelOf(ctx.actor, 'users', 'create') === 'none') {
    throw forbidden('Your role may not create users')
  }
}

/** An id in a body that names nobody the caller sees is 400. */
async function checkVisible(ctx: Context, field: string, id: string) {
  if (id === ctx.actor.user_id) return
  const found = await ctx.one(
    sql`select 1 from users t where ${scope(ctx, UserProfile, 'read')} and t.id = ${id}`,
  )
  if (!found) throw badField(field, 'no such record')
}

/** The user with an e-mail; pending when invited and not yet come. */
async function findByEmail(ctx: Context, email: unknown) {
  if (typeof email !== 'string') return undefined
  return ctx.one<{ id: string; is_pending: boolean }>(sql`
    select id, invite_hash is not null and not is_active as is_pending from users t
    where ${mine(ctx)} and deleted_at is null and email_key = ${email.toLowerCase()}`)
}

function withNames(schema: JSONSchema): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...names } }
}

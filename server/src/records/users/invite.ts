import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, forbidden } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { levelOf, rights, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { resolveReferences } from '../../kit/write/references.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert, lock, update, written } from '../../kit/write/write.ts'
import { linkContactsOf } from '../contacts/linked-user.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Brand } from '../mail/brand.ts'
import type { Letter } from '../mail/letter.ts'
import { neededFor } from '../mail/needed.ts'
import { post } from '../mail/post.ts'
import { reserveReminder } from '../mail/quota.ts'
import { checkWorkingHours } from '../../model/time/working-hours.ts'
import { changeUser, checkAbsences, entitled, isEmptyObject, refuseSecrets } from './change.ts'
import {
  callersStanding,
  checkAccount,
  checkHolds,
  currentStanding,
  lockPeople,
} from '../../model/users/guards.ts'
import { UserProfile, isInvited } from '../../model/users/user.ts'

type Body = Patch<typeof UserProfile>

/** How long an invitation can be accepted. */
const inviteDays = 7

/**
 * Invites a user, or invites again while the invitation is open; changes an existing user with the e-mail. 400 if
 * the body names nobody: it does not mean the caller then.
 */
export async function inviteOrChange(ctx: Context, body: Body): Promise<Answer> {
  const { email } = body
  if (email === undefined) {
    throw badField('profile_id', 'is required, or for an invitation `email`')
  }
  const known = await knownByEmail(ctx, email)
  if (!known) return invite(ctx, { ...body, email })
  if (known.is_pending) return inviteAgain(ctx, known.id, body)
  return written(await changeUser(ctx, known.id, body), false)
}

/** Somebody who is invited on the way to something else. */
export type Invited = { email: string; full_name?: string; role: string; account_id?: string }

/**
 * The user with an e-mail, and where there is none an invited one, whose mail is sent `at` a later time: 403 where the
 * caller may not invite. A dry run has an id only of a user who is there.
 */
export async function invitedByEmail(
  ctx: Context,
  { role, ...person }: Invited,
  { at, dry_run = false }: { at?: Date; dry_run?: boolean },
): Promise<{ id: string | undefined; isNew: boolean }> {
  const known = await knownByEmail(ctx, person.email)
  if (known) return { id: known.id, isNew: false }
  const body = { ...person, role_id: { role_name: role } }
  if (!dry_run) return { id: (await invite(ctx, body, at)).meta.id, isNew: true }
  mustCreate(ctx)
  await checkInvited(ctx, body)
  return { id: undefined, isNew: true }
}

/** The user of an open invitation by its token, locked; undefined for any other token. */
export async function findInvitation(ctx: Context, token: string): Promise<string | undefined> {
  await lockPeople(ctx)
  const found = await ctx.one<{ id: string }>(sql`select id from users t
    where ${mine(ctx)} and invite_hash = ${ctx.secrets.hash(token)} and deleted_at is null
      and invite_expires_at > ${ctx.now().toISOString()} for update`)
  return found?.id
}

/** Activates an invited user with what they chose. The token is used up. */
export async function acceptInvitation(
  ctx: Context,
  id: string,
  chosen: { full_name?: string; password_hash?: string },
): Promise<Written> {
  const { password_hash, ...body } = chosen
  const set = {
    invite_hash: null,
    invite_expires_at: null,
    ...(password_hash ? { password_hash } : {}),
  }
  ctx.forget()
  const by = entitled(ctx)
  const locked = await lock(by, UserProfile, id, 'update')
  const accepted = await update(by, locked, { ...body, is_active: true }, { set })
  await linkContactsOf(ctx, id)
  return accepted
}

async function invite(ctx: Context, input: Body & { email: string }, at?: Date): Promise<Answer> {
  mustCreate(ctx)
  refuseSecrets(input)
  checkAbsences(input)
  checkWorkingHours(input.working_hours)
  await lockPeople(ctx)
  const { role_id: _, email, ...rest } = input
  if (isEmptyObject(rest.reports_to)) delete rest.reports_to
  const role_id = await checkInvited(ctx, input)
  const [name = email] = email.split('@')
  const body = { full_name: name, email, ...rest, role_id, is_active: false }
  // confined callers can only invite into their own account
  const { is_confined, account_id } = ctx.actor
  const isOwn = is_confined && account_id !== null && rest.account_id !== null
  if (isOwn) delete body.account_id
  const { token, set } = newInvitation(ctx)
  const created = await insert(ctx, UserProfile, body, {
    set: { ...set, email_key: email.toLowerCase() },
    ...(isOwn ? { links: { account_id } } : {}),
  })
  ctx.forget()
  await linkContactsOf(ctx, created.id)
  const { language, timezone } = rest
  await sendInvitation(ctx, { full_name: body.full_name, email, language, timezone }, token, at)
  return withToken(ctx, created, token, true)
}

/** The role of somebody who is invited, who can do no more than the caller. */
async function checkInvited(
  ctx: Context,
  { role_id = { role_name: 'member' }, account_id }: Pick<Body, 'role_id' | 'account_id'>,
): Promise<string> {
  const { ids, visible } = await resolveReferences(ctx, UserProfile, { role_id })
  await visible
  if (!ids.role_id) throw badField('role_id', 'is required')
  checkHolds(ctx, await callersStanding(ctx), await currentStanding(ctx, ids.role_id))
  checkAccount(ctx, account_id)
  return ids.role_id
}

/** Invites somebody again who has not joined yet: the previous token becomes invalid. */
async function inviteAgain(ctx: Context, id: string, body: Body): Promise<Answer> {
  mustCreate(ctx)
  const changed = await changeUser(ctx, id, body)
  await reserveReminder(ctx, 'user', id)
  const profile = JSON.parse(await changed.json()) as Row<typeof UserProfile>
  checkHolds(ctx, await callersStanding(ctx), await currentStanding(ctx, profile.role_id))
  const { token, set } = newInvitation(ctx)
  await ctx.run(sql`update users t set invite_hash = ${set.invite_hash},
    invite_expires_at = ${set.invite_expires_at} where ${mine(ctx)} and id = ${id}`)
  await sendInvitation(ctx, profile, token)
  return withToken(ctx, changed, token, false)
}

async function sendInvitation(
  ctx: Context,
  { full_name, email, language, timezone }: Addressee,
  token: string,
  at?: Date,
) {
  const person = ctx.actor.full_name
  const until = new Date(+ctx.now() + inviteDays * 86_400_000)
  const to = { name: full_name, address: email, language, timezone }
  const compose = (voice: Voice, { name: organization }: Brand): Letter => ({
    subject: voice.say('invite.subject', { person, organization }),
    name: full_name,
    paragraphs: [voice.say('invite.text', { person, organization, date: voice.instant(until) })],
    actions: [{ label: voice.say('invite.action'), url: `${ctx.public_url}/invite/${token}` }],
    note: voice.say('invite.note'),
  })
  const needed = neededFor(ctx, 'invite', token)
  await post(ctx, to, compose, { kind: 'invitation', ...needed, ...(at ? { at } : {}) })
}

type Addressee = {
  full_name: string
  email: string
  language?: string | null
  timezone?: string | null
}

/**
 * The profile with the token, which no read returns again. Confined callers do not get
 * it: by accepting for somebody else, they could see what belongs to the contact with that e-mail. Nor does an
 * access token: by accepting, its holder would get a session that outlives it.
 */
function withToken(ctx: Context, invited: Written, token: string, created: boolean): Answer {
  const { id, version, json } = invited
  const { is_confined, access_token } = ctx.actor
  const invite_token = is_confined || access_token ? null : token
  const show = async () => ({ ...(JSON.parse(await json()) as object), invite_token })
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

/** 400 for an id in a body of somebody whom the caller does not see. */
export async function checkVisible(ctx: Context, field: string, id: string) {
  if (id === ctx.actor.user_id) return
  const found = await ctx.one(
    sql`select 1 from users t where ${scope(ctx, UserProfile, 'read')} and t.id = ${id}`,
  )
  if (!found) throw badField(field, 'no such record')
}

/**
 * The user with an e-mail whom the caller sees; undefined for nobody. Callers who may not invite do not learn whether an
 * address belongs to somebody whom they do not see: 403, and 409 for others.
 */
async function knownByEmail(ctx: Context, email: string) {
  const found = await findByEmail(ctx, email)
  if (!found || found.is_visible) return found
  mustCreate(ctx)
  throw conflict('This user already exists', 'duplicate')
}

/** The user with an e-mail; pending if they have not joined yet, even if the link has expired. */
async function findByEmail(ctx: Context, email: string) {
  const isVisible = sql`(t.id = ${ctx.actor.user_id} or ${rights(ctx, UserProfile, 'read') ?? sql`true`})`
  return ctx.one<{ id: string; is_pending: boolean; is_visible: boolean }>(sql`
    select t.id, ${sql.raw(isInvited)} as is_pending,
      ${isVisible} as is_visible from users t
    where ${mine(ctx)} and deleted_at is null and email_key = ${email.toLowerCase()}`)
}

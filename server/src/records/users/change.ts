import { isObject } from '../../kit/ground/object.ts'
import type { Context } from '../../kit/ground/context.ts'
import { checkWorkingHours } from '../../model/time/working-hours.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { isWritable, ownField } from '../../kit/record/record.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import { announce } from '../../kit/write/announce.ts'
import { announceStopped } from '../hand-over/stopped.ts'
import { linkContactsOf } from '../contacts/linked-user.ts'
import { resolveReferences } from '../../kit/write/references.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock, once, update, versioned } from '../../kit/write/write.ts'
import { readText } from '../../kit/read/one.ts'
import {
  callersStanding,
  checkAccount,
  checkHolds,
  checkNoCycle,
  checkTouches,
  currentStanding,
  lockPeople,
  requireAnAdmin,
} from '../../model/users/guards.ts'
import { voidLinks, voidOldEmail } from './email-change.ts'
import { sessionNeeded } from './access-tokens/scopes.ts'
import { endSessionsAndTokens } from './sessions.ts'
import { UserProfile } from '../../model/users/user.ts'

type Profile = Row<typeof UserProfile>
type Body = Patch<typeof UserProfile>

/** Fields of their own profile that users may set; the others need the right to edit users. */
const ownFields = [
  'full_name',
  'phone_no',
  'designation',
  'department',
  'tags',
  'custom_fields',
  'profile_image',
  'cover_image',
  'background_image',
  'language',
  'timezone',
  'locale',
  'weekly_hours',
  'working_hours',
  'absences',
]

/** Fields that decide what a person may do or whether they can sign in. */
const accessFields = ['email', 'role_id', 'account_id', 'is_active', 'reports_to'] as const

/**
 * Merges a body into a profile with all checks: 403 beyond the caller's rights, 409
 * for the last admin, 400 for a cycle in `reports_to`. A deactivation ends all access at once.
 */
export async function changeUser(
  ctx: Context,
  id: string,
  input: Body,
  ifMatch?: number[],
): Promise<Written> {
  await lockPeople(ctx)
  const isSelf = id === ctx.actor.user_id
  const { row } = await lock(isSelf ? entitled(ctx) : ctx, UserProfile, id, 'read', ifMatch)
  const isEditor = await mayEdit(ctx, id)
  if (!isEditor && !isSelf) throw forbidden('Your role may not update this user')
  refuseSecrets(input)
  checkAbsences(input)
  checkWorkingHours(input.working_hours)
  const body = changesOf(row, input)
  const forbiddenToSelf = Object.keys(body).filter((name) => !isOwn(name))
  if (!isEditor && forbiddenToSelf.length) {
    throw forbidden(`Only those who may edit users may change ${forbiddenToSelf.join(', ')}`)
  }
  await checkAccess(ctx, id, row, body)
  const email = body.email?.trim()
  const set = email === undefined ? {} : { email_key: email.toLowerCase() }
  const by = entitled(ctx)
  const after = await update(by, await lock(by, UserProfile, id, 'update'), body, { set })
  ctx.forget()
  if (body.profile_image !== undefined) {
    // a picture at another address, or none, removes the uploaded one; an upload stores it anew
    await ctx.run(sql`delete from user_images t where ${mine(ctx)} and t.id = ${id}`)
  }
  if (body.email !== undefined || body.role_id !== undefined) await linkContactsOf(ctx, id)
  if (email !== undefined && isOther(email, row)) {
    // whoever has the mailbox can reset the password
    if (ctx.actor.access_token) throw sessionNeeded()
    await voidOldEmail(ctx, { id, full_name: body.full_name ?? row.full_name }, row.email, email)
  }
  if (body.is_active === false) {
    await endAccess(ctx, id)
    await announce(ctx, UserProfile, 'user_deactivated', {
      id,
      version: after.version,
      changes: [{ field: 'is_active', from: true, to: false }],
      whole: after.whole,
      name: row.full_name,
      action: 'deactivated',
    })
  }
  // the answer is what the caller may read, not what the write was allowed to read
  const read = async () =>
    versioned(UserProfile, await readText(ctx, UserProfile, id), after.version)
  return { ...after, json: once(read) }
}

/** The caller with every right on users, for a write whose own conditions have been checked. */
export function entitled(ctx: Context): Context {
  const users = { create: 'all', read: 'all', update: 'all', delete: 'all' } as const
  const permission = { ...ctx.actor.permission, users }
  return { ...ctx, actor: { ...ctx.actor, is_confined: false, is_external: false, permission } }
}

/** 400 for a password in the body: as an unknown key it would be stored, and shown to everyone who sees the profile. */
export function refuseSecrets(body: Body) {
  const names = [...Object.keys(body), ...Object.keys(body.custom_fields ?? {})]
  const secret = names.find((name) => /password/i.test(name))
  if (secret) throw badField(secret, 'cannot be stored in a profile')
}

/** 400 for days away that end before they begin. */
export function checkAbsences({ absences }: Body) {
  for (const [at, { start_date, end_date }] of (absences ?? []).entries()) {
    if (end_date < start_date) {
      throw badField(`absences.${at}.end_date`, `must not be before start_date ${start_date}`)
    }
  }
}

/** The specification types `reports_to` as an object: an empty one changes nothing. */
export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && !Object.keys(value).length
}

/** Ends every session, integration grant and invitation of a user. */
export async function endAccess(ctx: Context, user_id: string) {
  await announceStopped(ctx, user_id)
  await endSessionsAndTokens(ctx, user_id)
  await ctx.run(sql`update grants t set revoked_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and user_id = ${user_id} and revoked_at is null`)
  await voidLinks(ctx, user_id)
}

/** The changes in a body; `reports_to` may repeat the stored user in any form that names a user. */
function changesOf(row: Profile, input: Body): Body {
  const body = withoutRepeated(row, input)
  const { reports_to, ...others } = body
  const named = isObject(reports_to)
    ? (reports_to.user_id ?? reports_to.profile_id ?? reports_to.id)
    : reports_to
  const isSame = named === (row.reports_to?.user_id ?? null) || isEmptyObject(reports_to)
  return isSame ? others : body
}

/** Whether it differs from the profile's e-mail, ignoring case. */
function isOther(email: string, row: Profile): boolean {
  return email.trim().toLowerCase() !== row.email.toLowerCase()
}

function isOwn(name: string): boolean {
  const field = ownField(UserProfile, name)
  return !field || !isWritable(field) || ownFields.includes(name)
}

/** Whether the caller has the right to edit this user; for one's own profile the level `own` does not suffice. */
async function mayEdit(ctx: Context, id: string): Promise<boolean> {
  if (id === ctx.actor.user_id && levelOf(ctx.actor, 'users', 'update') === 'own') return false
  const found = await ctx.one(
    sql`select 1 from users t where ${scope(ctx, UserProfile, 'update')} and t.id = ${id}`,
  )
  return found !== undefined
}

/** Refuses changes that nobody may make. */
async function checkAccess(ctx: Context, id: string, row: Profile, body: Body) {
  const isSelf = id === ctx.actor.user_id
  const decides = accessFields.some((name) => body[name] !== undefined)
  if (isSelf && !decides) return
  const held = await callersStanding(ctx)
  const current = await currentStanding(ctx, row.role_id)
  if (!isSelf) {
    checkTouches(ctx, held, current)
    // whoever could set the e-mail of somebody with more rights could take over their account
    if (decides) checkHolds(ctx, held, current)
  }
  const { role_id, reports_to, email } = body
  // contacts are linked to users by e-mail, and nothing proves that the new address is the user's own
  if (email !== undefined && isOther(email, row) && ctx.actor.is_confined) {
    throw forbidden('Your role may invite people by e-mail, but not change an e-mail')
  }
  const { ids, visible } = await resolveReferences(ctx, UserProfile, {
    ...(role_id === undefined ? {} : { role_id }),
    ...(reports_to === undefined ? {} : { reports_to }),
  })
  await visible
  checkAccount(ctx, body.account_id)
  const next = ids.role_id ? await currentStanding(ctx, ids.role_id) : current
  if (next !== current) checkHolds(ctx, held, next)
  const staysAdmin = next.kind === 'admin' && body.is_active !== false
  if (current.kind === 'admin' && row.is_active && !staysAdmin) {
    await requireAnAdmin(ctx, { user_id: id })
  }
  if (ids.reports_to) await checkNoCycle(ctx, id, ids.reports_to)
}

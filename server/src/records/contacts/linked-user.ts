import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { shownLinks } from '../../kit/read/json.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { confinedKinds } from '../../model/users/roles/permissions.ts'
import { UserProfile } from '../../model/users/user.ts'
import { Contact } from '../../model/contacts/contact.ts'

// The user who is the same person as a contact: a customer or partner sees what belongs to that contact (`linked_user`, which
// bodies set as `user_id`). A confined user is also linked by e-mail, whichever of the two changes.

/**
 * The column that links a contact to the user in the body's `user_id`; null unlinks. 400 for
 * a user whom the caller does not see; 403 for confined callers, who could extend what they see.
 */
export async function namedUser(
  ctx: Context,
  user_id: string | null | undefined,
  { before = null, field = 'user_id' }: { before?: string | null; field?: string } = {},
): Promise<{ linked_user?: string | null }> {
  const linked_user = user_id || null
  if (user_id === undefined || linked_user === before) return {}
  if (ctx.actor.is_confined) throw forbidden('Your role may not link contacts to users')
  if (linked_user === null) return { linked_user }
  const found = await ctx.one(
    sql`select 1 from users t where ${scope(ctx, UserProfile, 'read')} and t.id = ${linked_user}`,
  )
  if (!found) throw badField(field, 'no such record')
  return { linked_user }
}

/** The column that links a contact with this e-mail to the confined user who has it, if there is one. */
export async function userByEmail(ctx: Context, email: unknown): Promise<Linking> {
  return (await usersByEmail(ctx))(email)
}

type Linking = { linked_user?: string }

/** The same for many contacts. */
export async function usersByEmail(ctx: Context): Promise<(email: unknown) => Linking> {
  // otherwise confined callers could see another company's records by choosing an address
  if (ctx.actor.is_confined) return () => ({})
  const users = await confinedUsers(ctx)
  return (email) => {
    const linked_user =
      typeof email === 'string' ? users.get(email.trim().toLowerCase()) : undefined
    return linked_user === undefined ? {} : { linked_user }
  }
}

/**
 * Links the contacts that have the e-mail of a confined user and are linked to no active user. Confined
 * callers can only link themselves, when they accept the invitation that was mailed to them.
 */
export async function linkContactsOf(ctx: Context, user_id: string): Promise<void> {
  if (ctx.actor.is_confined && ctx.actor.user_id !== user_id) return
  const linked = await ctx.all<{ id: string }>(sql`
    update contacts t set linked_user = u.id, version = t.version + 1,
      last_update_time = ${ctx.now().toISOString()}
    from users u join roles r on r.organization_id = $organization and r.id = u.role_id
    where ${mine(ctx)} and ${mine(ctx, 'u')} and u.id = ${user_id} and u.deleted_at is null
      and r.kind = any(${confinedKinds}) and t.primary_email_key = u.email_key
      and t.deleted_at is null and not exists (select from users o
        where ${mine(ctx, 'o')} and o.id = t.linked_user and o.deleted_at is null)
    returning t.id`)
  if (!linked.length) return
  const { linked_user: to } = await shownLinks(ctx, Contact, { linked_user: user_id })
  const ids = linked.map(({ id }) => id)
  await announceAll(ctx, Contact, 'updated', ids, [{ field: 'linked_user', from: null, to }])
}

/** The confined users of the organization by e-mail, cached because each new contact needs it. */
function confinedUsers(ctx: Context): Promise<Map<string, string>> {
  return ctx.cached('confined users by e-mail', async (committed) => {
    const found = await committed.all<{ id: string; email_key: string }>(sql`
      select t.id, t.email_key from users t
      join roles r on r.organization_id = $organization and r.id = t.role_id
      where ${mine(ctx)} and t.deleted_at is null and r.kind = any(${confinedKinds})`)
    return new Map(found.map(({ id, email_key }) => [email_key, id]))
  })
}

import type { Draft, Patch } from '../../kit/record/record.ts'
import type { Context, Queries } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { linkContactsOf } from '../contacts/linked-user.ts'
import { endSessionsAndTokens } from './sessions.ts'
import { sql } from '../../kit/ground/sql.ts'
import { insert, lock, update } from '../../kit/write/write.ts'
import { UserProfile } from '../../model/users/user.ts'

export type NewUser = {
  email: string
  full_name: string
  password_hash: string | null
  role_id: string
  account_id?: string | null
  reports_to?: string | null
  is_demo_data?: boolean
}

/** Inserts a user for the operator; the queries must be bound to the organization. */
export async function createUser(
  queries: Queries,
  organization_id: string,
  user: NewUser,
): Promise<string> {
  const id = newId()
  await queries.run(sql`
    insert into users (organization_id, id, email, email_key, full_name, password_hash, role_id,
      account_id, reports_to, is_demo_data)
    values (${organization_id}, ${id}, ${user.email.trim()}, ${keyOf(user.email)},
      ${user.full_name}, ${user.password_hash}, ${user.role_id}, ${user.account_id ?? null},
      ${user.reports_to ?? null}, ${user.is_demo_data ?? false})`)
  return id
}

/** The hash of a password; null if nobody can sign in with one. */
type Secret = { password_hash?: string | null }

/** Creates a user who can sign in at once, with log entry and event, for the operator. */
export async function addUser(
  ctx: Context,
  { password_hash = null, ...body }: Draft<typeof UserProfile> & Secret,
): Promise<string> {
  const set = { password_hash, email_key: keyOf(body.email) }
  const { id } = await insert(ctx, UserProfile, { ...body, email: body.email.trim() }, { set })
  await linkContactsOf(ctx, id)
  return id
}

/** Changes a user for the operator; a new password ends existing sessions. */
export async function setUser(
  ctx: Context,
  id: string,
  { password_hash, ...body }: Omit<Patch<typeof UserProfile>, 'email'> & Secret,
): Promise<void> {
  await update(ctx, await lock(ctx, UserProfile, id, 'update'), body, {
    set: password_hash ? { password_hash } : {},
  })
  if (body.role_id !== undefined) await linkContactsOf(ctx, id)
  if (password_hash) await endSessionsAndTokens(ctx, id)
}

function keyOf(email: string): string {
  return email.trim().toLowerCase()
}

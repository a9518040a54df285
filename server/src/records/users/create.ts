import type { Queries } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { sql } from '../../kit/sql.ts'

export type NewUser = {
  email: string
  full_name: string
  password_hash: string | null
  role_id: string
  account_id?: string | null
  reports_to?: string | null
  is_demo_data?: boolean
}

/** Inserts a user as the operator does; the caller is bound to the organization. */
export async function createUser(
  queries: Queries,
  organization_id: string,
  user: NewUser,
): Promise<string> {
  const id = newId()
  await queries.run(sql`
    insert into users (organization_id, id, email, email_key, full_name, password_hash, role_id,
      account_id, reports_to, is_demo_data)
    values (${organization_id}, ${id}, ${user.email.trim()}, ${user.email.trim().toLowerCase()},
      ${user.full_name}, ${user.password_hash}, ${user.role_id}, ${user.account_id ?? null},
      ${user.reports_to ?? null}, ${user.is_demo_data ?? false})`)
  return id
}

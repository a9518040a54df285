import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { isInvited } from '../../../model/users/user.ts'
import { roleWord } from '../../templates/assignees.ts'

/** A person as a plan needs them: who was invited and has not joined yet has not left. */
export type Person = { id: string; full_name: string; has_left: boolean }

/** The people with these ids, by their id. */
export async function peopleBy(ctx: Context, ids: string[]): Promise<Map<string, Person>> {
  if (!ids.length) return new Map()
  const found = await ctx.all<Person>(sql`
    select t.id, t.full_name,
      t.deleted_at is not null or not (t.is_active or ${sql.raw(isInvited)}) as has_left
    from users t where ${mine(ctx)} and t.id = any(${ids}::varchar[])`)
  return new Map(found.map((each) => [each.id, each]))
}

/** Who is to have which role, by the role's word; 400 for somebody who is not a user. */
export async function chosenRoles(
  ctx: Context,
  roles: { [role: string]: string | null },
): Promise<Map<string, string | null>> {
  const entries = Object.entries(roles)
  const known = await peopleBy(
    ctx,
    entries.flatMap(([, id]) => id ?? []),
  )
  for (const [role, id] of entries) {
    if (id !== null && !known.has(id)) throw badField(`roles.${role}`, 'no such user')
  }
  return new Map(entries.map(([role, id]) => [roleWord(role), id]))
}

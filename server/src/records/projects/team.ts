import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { withIds } from '../../model/people/person.ts'
import type { Change } from '../../kit/ground/event.ts'

/** Sets who is on a project's team and returns what changed; 400 for somebody who is not a user. */
export async function setTeam(
  ctx: Context,
  project_id: string,
  people: unknown[],
): Promise<Change[]> {
  const roles = rolesOf(await withIds(ctx, people))
  const ids = [...roles.keys()]
  const known = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and t.id = any(${ids}::varchar[])`)
  const before = await teamOf(ctx, project_id)
  // users who have left may stay on it
  const missing = ids.find((one) => ![...known, ...before].some(({ id }) => id === one))
  if (missing) throw badField(`project_team.${ids.indexOf(missing)}`, 'no such user')
  await ctx.run(sql`delete from project_members t
    where ${mine(ctx)} and t.project_id = ${project_id} and t.user_id <> all(${ids}::varchar[])`)
  const rows = ids.map((user_id) => {
    const role = roles.get(user_id)
    const old = before.find(({ id }) => id === user_id)
    // without a role on the team, reads show the organization role, which a body may send back
    return { user_id, role: old && !old.role && role === old.role_name ? null : role }
  })
  await ctx.run(sql`
    insert into project_members as t (organization_id, project_id, user_id, role, creation_time)
    select ${ctx.organization.id}, ${project_id}, m.user_id, m.role, ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(rows)}) as m (user_id text, role text)
    on conflict (organization_id, project_id, user_id) do update
      set role = coalesce(excluded.role, t.role)`)
  const after = await teamOf(ctx, project_id)
  const [from, to] = [before.map(shown), after.map(shown)]
  return isDeepStrictEqual(from, to) ? [] : [{ field: 'project_team', from, to }]
}

type Member = {
  id: string
  role: string | null
  full_name: string
  email: string
  profile_image: string | null
  role_name: string
}

function teamOf(ctx: Context, project_id: string): Promise<Member[]> {
  return ctx.all<Member>(sql`
    select t.user_id as id, t.role, u.full_name, u.email, u.profile_image, r.role_name
    from project_members t
    join users u on u.organization_id = $organization and u.id = t.user_id
    join roles r on r.organization_id = $organization and r.id = u.role_id
    where ${mine(ctx)} and t.project_id = ${project_id} order by t.creation_time, t.user_id`)
}

function shown({ id, role, full_name, email, profile_image, role_name }: Member) {
  return { user_id: id, full_name, email, role: role ?? role_name, profile_image }
}

/** The roles of the people in a body; null for an omitted role, which is not changed. */
function rolesOf(people: unknown[]): Map<string, string | null> {
  const roles = new Map<string, string | null>()
  for (const [i, each] of people.entries()) {
    const { user_id, id, role } = typeof each === 'string' ? { user_id: each } : (each as Person)
    const key = user_id ?? id
    if (typeof key !== 'string') {
      throw badField(
        `project_team.${i}`,
        'must be the id of a user, {user_id, role} or {email, role}',
      )
    }
    if (role !== undefined && role !== null && (typeof role !== 'string' || role.length > 100)) {
      throw badField(`project_team.${i}.role`, 'must be a string of at most 100 characters')
    }
    roles.set(key, role ?? null)
  }
  return roles
}

type Person = { user_id?: unknown; id?: unknown; role?: string | null }

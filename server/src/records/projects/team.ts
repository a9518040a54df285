import type { Context } from '../../kit/context.ts'
import { badField } from '../../kit/errors.ts'
import { mine, sql } from '../../kit/sql.ts'

/** Sets who is on a project's team; 400 for somebody who is not there. True when it changed. */
export async function setTeam(
  ctx: Context,
  project_id: string,
  given: unknown[],
): Promise<boolean> {
  const wanted = new Map<string, string | null>()
  for (const each of given) {
    const { user_id, id, role } = typeof each === 'string' ? { user_id: each } : (each as Person)
    const key = user_id ?? id
    if (typeof key !== 'string') throw badField('project_team', 'must hold user ids or {user_id}')
    wanted.set(key, role ?? null)
  }
  const ids = [...wanted.keys()]
  const known = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and t.id = any(${ids}::varchar[])`)
  if (known.length < ids.length) {
    const missing = ids.find((one) => !known.some(({ id }) => id === one))
    throw badField(`project_team.${ids.indexOf(missing!)}`, 'no such user')
  }
  const gone = await ctx.run(sql`delete from project_members t
    where ${mine(ctx)} and t.project_id = ${project_id} and t.user_id <> all(${ids}::varchar[])`)
  const rows = ids.map((user_id) => ({ user_id, role: wanted.get(user_id) }))
  const made = await ctx.run(sql`
    insert into project_members (organization_id, project_id, user_id, role, creation_time)
    select ${ctx.organization.id}, ${project_id}, m.user_id, m.role, ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(rows)}) as m (user_id text, role text)
    on conflict (organization_id, project_id, user_id) do update set role = excluded.role
      where project_members.role is distinct from excluded.role`)
  return gone + made > 0
}

type Person = { user_id?: string; id?: string; role?: string | null }

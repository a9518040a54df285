import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'

type Project = { id: string; project_owner: string | null; project_manager: string | null }

/**
 * A function that returns who has a template's role in a project: the owner, the manager, the
 * caller for `creator`, or the first team member with that role; null if there is nobody.
 */
export async function assigneesOf(ctx: Context, project: Project) {
  const members = await ctx.all<{ user_id: string; role: string }>(sql`
    select m.user_id, lower(coalesce(m.role, r.role_name)) as role from project_members m
    join users u on u.organization_id = $organization and u.id = m.user_id
    join roles r on r.organization_id = $organization and r.id = u.role_id
    where m.organization_id = ${ctx.organization.id} and m.project_id = ${project.id}
    order by m.creation_time, m.user_id`)
  return (role: string | undefined): string | null => {
    const word = role?.trim().toLowerCase().replaceAll(' ', '_')
    if (!word) return null
    if (word === 'project_owner' || word === 'owner') return project.project_owner
    if (word === 'project_manager' || word === 'manager') {
      return project.project_manager ?? project.project_owner
    }
    if (word === 'creator') return ctx.actor.user_id
    return members.find((each) => each.role.replaceAll(' ', '_') === word)?.user_id ?? null
  }
}

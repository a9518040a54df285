import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { TemplateRole } from '../../model/templates/config.ts'
import { isInvited } from '../../model/users/user.ts'

type Project = { id: string | null; project_owner: string | null; project_manager: string | null }

/** Who is to have each role, by the role's word (`roleWord`); null is nobody. */
export type ChosenRoles = ReadonlyMap<string, string | null>

/** A role as it is compared: `Project Owner` is `project_owner`. */
export function roleWord(role: string): string {
  return role.trim().toLowerCase().replaceAll(' ', '_')
}

/**
 * A function that returns who has a template's role in a project: whom the caller has chosen, else the owner, the
 * manager, the caller for `creator`, the first team member with that role, or whom the template names; null if there is nobody. A project
 * without an id is not created yet, and has no team.
 */
export async function assigneesOf(
  ctx: Context,
  project: Project,
  named: TemplateRole[] = [],
  chosen: ChosenRoles = new Map<string, null>(),
) {
  const personIn = await assigneesIn(ctx, project.id === null ? [] : [project.id], named)
  return (role: string | undefined): string | null => {
    const one = chosen.get(roleWord(role ?? ''))
    return one === undefined ? personIn(project, role) : one
  }
}

/** The same for several projects at once, of whom nobody was chosen. */
export async function assigneesIn(ctx: Context, ids: string[], named: TemplateRole[]) {
  const members = Map.groupBy(await membersOf(ctx, ids), ({ project_id }) => project_id)
  const usual = await defaultsOf(ctx, named)
  return (project: Project, role: string | undefined): string | null => {
    const word = roleWord(role ?? '')
    if (!word) return null
    if (word === 'project_owner' || word === 'owner') return project.project_owner
    if (word === 'project_manager' || word === 'manager') {
      return project.project_manager ?? project.project_owner
    }
    if (word === 'creator') return ctx.actor.user_id
    const team = members.get(project.id ?? '') ?? []
    const member = team.find((each) => roleWord(each.role) === word)
    return member?.user_id ?? usual.get(word) ?? null
  }
}

async function membersOf(ctx: Context, projects: string[]) {
  if (!projects.length) return []
  return ctx.all<{ project_id: string; user_id: string; role: string }>(sql`
    select m.project_id, m.user_id, coalesce(m.role, r.role_name) as role from project_members m
    join users u on u.organization_id = $organization and u.id = m.user_id
    join roles r on r.organization_id = $organization and r.id = u.role_id
    where m.organization_id = ${ctx.organization.id} and m.project_id = any(${projects}::varchar[])
    order by m.creation_time, m.user_id`)
}

/** Who has each role by default, by its word: whoever has left has none. */
async function defaultsOf(ctx: Context, roles: TemplateRole[]): Promise<Map<string, string>> {
  const ids = roles.flatMap(({ default_user_id }) => default_user_id ?? [])
  if (!ids.length) return new Map()
  const present = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.id = any(${ids}::varchar[])
      and t.deleted_at is null and (t.is_active or ${sql.raw(isInvited)})`)
  const known = new Set(present.map(({ id }) => id))
  return new Map(
    roles.flatMap(({ key, default_user_id: id }) =>
      id && known.has(id) ? [[roleWord(key), id] as const] : [],
    ),
  )
}

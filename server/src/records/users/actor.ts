import type { Actor, Organization, Permission, Queries, Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { RoleKind } from '../../model/users/roles/permissions.ts'
import { confinedKinds, externalKinds } from '../../model/users/roles/permissions.ts'

type Loaded = {
  organization: Organization
  actor: Actor
  is_active: boolean
}

/**
 * A user with role, team and organization, in one query; undefined if there is no such user.
 * Queries must be bound to the user's organization.
 */
export async function loadActor(
  queries: Queries,
  organization_id: string,
  user_id: string,
): Promise<Loaded | undefined> {
  const row = await queries.one<{
    full_name: string
    language: string
    is_active: boolean
    account_id: string | null
    role_id: string
    role_name: string
    kind: RoleKind
    permission: Permission
    name: string
    timezone: string
    week_start: number
    team: string[]
  }>(sql`
    ${withTeam(organization_id, user_id)}
    select u.full_name, coalesce(u.language, o.language) as language, u.is_active, u.account_id, r.id as role_id, r.role_name, r.kind, r.permission,
      o.name, o.timezone, o.week_start, (select json_agg(id) from team) as team
    from users u
    join roles r on r.organization_id = ${organization_id} and r.id = u.role_id
    join organizations o on o.organization_id = ${organization_id}
    where u.organization_id = ${organization_id} and u.id = ${user_id} and u.deleted_at is null`)
  if (!row) return undefined
  return {
    organization: {
      id: organization_id,
      name: row.name,
      timezone: row.timezone,
      week_start: row.week_start,
    },
    is_active: row.is_active,
    actor: {
      type: 'user',
      user_id,
      full_name: row.full_name,
      language: row.language,
      role_id: row.role_id,
      role_name: row.role_name,
      is_admin: row.kind === 'admin',
      is_confined: confinedKinds.includes(row.kind),
      is_external: externalKinds.includes(row.kind),
      permission: row.permission,
      team: row.team,
      account_id: row.account_id,
    },
  }
}

/** A `with` of the rows `team`: the ids of a user and of everyone below in `reports_to`. */
export function withTeam(organization_id: string, user_id: string): Query {
  return sql`with recursive team (id) as (
      select ${user_id}::varchar collate "C"
      union
      -- those who left stay in the line: their records, and the people below them, are still the team's
      select u.id from users u join team on u.reports_to = team.id
      where u.organization_id = ${organization_id}
    )`
}

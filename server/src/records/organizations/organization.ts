import type { Queries } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { sql } from '../../kit/ground/sql.ts'
import { shipDashboards } from '../dashboards/shipped.ts'
import { seedPipeline } from '../projects/pipelines/seed.ts'
import { seedWidget } from '../widget/widget.ts'
import { shipTemplates } from '../templates/shipped.ts'
import { seedStatuses } from '../../model/statuses/status.ts'
import type { RoleKind } from '../../model/users/roles/permissions.ts'
import { defaultPermission, roleKinds } from '../../model/users/roles/permissions.ts'
import { storeLooks } from '../../model/organizations/names.ts'
import { optionSets, valueOf } from '../../model/organizations/option-sets.ts'

export type NewOrganization = {
  name: string
  timezone?: string
  currency_unit?: string
  is_demo_data?: boolean
}

/**
 * Creates an organization with its roles and option sets. Queries must be bound to that id. The
 * ids of the roles are returned by their kind.
 */
export async function createOrganization(
  queries: Queries,
  organization_id: string,
  { name, timezone = 'UTC', currency_unit = 'USD', is_demo_data = false }: NewOrganization,
): Promise<{ [kind in RoleKind]: string }> {
  await queries.run(sql`insert into organizations
      (organization_id, name, timezone, currency_unit, is_demo_data)
    values (${organization_id}, ${name}, ${timezone}, ${currency_unit}, ${is_demo_data})`)
  await storeLooks(queries, organization_id, name)
  const roles = {} as { [kind in RoleKind]: string }
  for (const kind of roleKinds) {
    roles[kind] = newId()
    await queries.run(sql`
      insert into roles (organization_id, id, role_name, kind, permission, is_system_role)
      values (${organization_id}, ${roles[kind]}, ${kind}, ${kind},
        ${JSON.stringify(defaultPermission(kind))}, true)`)
  }
  for (const [module, sets] of Object.entries(optionSets)) {
    for (const [name, options] of Object.entries(sets)) {
      const rows = options.map(
        (label, position) => sql`(${organization_id}, ${newId()}, ${module}, ${name},
          ${valueOf(label, name)}, ${label}, ${position}, ${position === 0})`,
      )
      await queries.run(sql`
        insert into option_sets (organization_id, id, module, set_name, value, label, position, is_default)
        values ${sql.join(rows)}`)
    }
  }
  await seedStatuses(queries, organization_id)
  await seedPipeline(queries, organization_id)
  await shipTemplates(queries, organization_id)
  await seedWidget(queries, organization_id)
  await shipDashboards(queries, organization_id)
  return roles
}

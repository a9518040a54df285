import { sql } from '../kit/ground/sql.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { UsageError } from './command.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** The organization of this name or id; without one, the only one there is. */
export async function organizationNamed(
  { database }: Runtime,
  name: string | undefined,
): Promise<Organization> {
  const folded = name?.trim().toLowerCase()
  const found = await database.reads(allOrganizations).all<Organization>(sql`
    select organization_id as id, name, timezone from organizations
    where ${folded ?? null}::text is null or lower(name) = ${folded ?? null}
      or organization_id = ${folded ?? null}
    order by organization_id limit 21`)
  const [only, another] = found
  if (!only) {
    const what = name ? `no organization "${name}"` : 'no organization yet'
    throw new ConfigError(`There is ${what}: make one with perennial org create NAME`)
  }
  if (!another) return only
  const names = found.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw new UsageError(
    name ? `Several are called so: give the id, one of ${names}` : `Name one with --org: ${names}`,
  )
}

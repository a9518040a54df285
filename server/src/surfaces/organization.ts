import type { Organization, Queries } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'

/** An organization by its id; undefined when there is none. */
export function findOrganization(queries: Queries, id: string): Promise<Organization | undefined> {
  return queries.one<Organization>(sql`select organization_id as id, name, timezone
    from organizations where organization_id = ${id}`)
}

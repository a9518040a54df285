import { allOrganizations } from '../kit/ground/context.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'

/** Writes down on the coordinator of Citus which organizations there are, for when one of its machines is down. */
export async function knowOrganizations({ database }: Runtime): Promise<void> {
  if (!database.isDistributed) return
  const found = await database
    .reads(allOrganizations)
    .all<{ id: string }>(sql`select organization_id as id from organizations order by 1`)
  const ids = found.map(({ id }) => id)
  await database.transaction(allOrganizations, ({ run }) =>
    run(sql`insert into known_organizations as k (ids) values (${ids}::text[])
      on conflict (is_only) do update set ids = excluded.ids where k.ids <> excluded.ids`),
  )
}

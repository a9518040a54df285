import { sql } from '../kit/ground/sql.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { system } from '../runtime.ts'

/** The worker as a caller: the service itself, in one organization. */
export async function workerIn(runtime: Runtime, organization: string): Promise<Caller> {
  return {
    organization: await organizationOf(runtime, organization),
    actor: system,
    source: 'job',
    request_id: 'webhooks',
  }
}

function organizationOf({ cache, database }: Runtime, id: string): Promise<Organization> {
  return cache.get(id, 'organization', async () => {
    const row = await database
      .reads(id)
      .one<Organization>(
        sql`select organization_id as id, name, timezone from organizations where organization_id = ${id}`,
      )
    if (!row) throw new Error(`There is no organization ${id}`)
    return row
  })
}

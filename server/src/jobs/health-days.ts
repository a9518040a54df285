import type { Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { newId } from '../kit/ground/ids.ts'
import { sql } from '../kit/ground/sql.ts'
import { followBegunMeetings, storeHealthDays } from '../records/health/days.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction, system } from '../runtime.ts'

/**
 * Stores the health of every account for the day of its organization, where it changed since the last
 * hour, and counts meetings that have begun as activity. Returns the number of organizations.
 */
export async function healthDays(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    order by o.organization_id`)
  for (const organization of organizations) {
    const caller = { organization, actor: system, source: 'job', request_id: newId() }
    await inTransaction(runtime, caller, followBegunMeetings)
    for (let after: string | null = ''; after !== null;) {
      const from: string = after
      after = await inTransaction(runtime, caller, (ctx) => storeHealthDays(ctx, from))
    }
  }
  return organizations.length
}

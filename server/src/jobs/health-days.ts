import type { Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { followBegunMeetings, storeHealthDays } from '../records/health/days.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'

/**
 * Stores the health of every account for the day of its organization, where it changed since the last
 * hour, and counts meetings that have begun as activity. Returns the number of organizations.
 */
export async function healthDays(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o where ${anywhere('o')}
    order by o.organization_id`)
  /** the last account of each organization that was measured */
  const lastOf = new Map<string, string>()
  await inTurns(runtime, organizations, async (ctx) => {
    const { id } = ctx.organization
    const after = lastOf.get(id)
    if (after === undefined) await followBegunMeetings(ctx)
    const last = after === undefined ? '' : await storeHealthDays(ctx, after)
    if (last === null) return 0
    ctx.afterCommit(() => lastOf.set(id, last))
    return 1
  })
  return organizations.length
}

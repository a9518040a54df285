import type { Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { mailOverviews } from '../records/portal/overview.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { mondaysAt } from './monday.ts'

/**
 * Mails the weekly overviews of the portal on Monday. Runs every quarter of an hour, since zones differ by as much, and
 * so that a later run finds whom an earlier one missed. Returns how many people there were.
 */
export async function portalOverviews(runtime: Runtime): Promise<number> {
  const tomorrow = new Date(+runtime.now() + 86_400_000).toISOString().slice(0, 10)
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from portal_overviews t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.is_on and (t.week is null or t.week < ${tomorrow}))
    order by o.organization_id`)
  const { isDue, monday } = mondaysAt(runtime.now())
  return inTurns(runtime, organizations.filter(isDue), (ctx) =>
    mailOverviews(ctx, monday(ctx.organization)),
  )
}

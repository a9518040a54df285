import { Temporal } from 'temporal-polyfill'
import type { Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { mailOverviews } from '../records/portal/overview.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'

/** From when on Monday the overviews are sent, in the organization's zone, and until when. */
const hours = { from: 8, before: 20 }

/**
 * Mails the weekly overviews of the portal on Monday. Runs every quarter of an hour, since zones differ by as much, and
 * so that a later run finds whom an earlier one missed. Returns how many people there were.
 */
export async function portalOverviews(runtime: Runtime): Promise<number> {
  const now = Temporal.Instant.fromEpochMilliseconds(+runtime.now())
  const tomorrow = new Date(+runtime.now() + 86_400_000).toISOString().slice(0, 10)
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from portal_overviews t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.is_on and (t.week is null or t.week < ${tomorrow}))
    order by o.organization_id`)
  const local = ({ timezone }: Organization) => now.toZonedDateTimeISO(timezone)
  const due = organizations.filter((organization) => {
    const { dayOfWeek, hour } = local(organization)
    return dayOfWeek === 1 && hour >= hours.from && hour < hours.before
  })
  return inTurns(runtime, due, (ctx) =>
    mailOverviews(ctx, local(ctx.organization).toPlainDate().toString()),
  )
}

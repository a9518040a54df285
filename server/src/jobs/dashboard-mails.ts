import type { Organization } from '../kit/ground/context.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { mailDashboards } from '../records/reports/dashboard-mail.ts'
import { mailReports } from '../records/reports/report-mail.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { mondaysAt } from './monday.ts'

/**
 * Mails dashboards and saved reports on Monday to those who chose them. Runs every quarter of an hour, since zones differ by as much, and
 * so that a later run finds whom an earlier one missed. Returns how many mails there were.
 */
export async function dashboardMails(runtime: Runtime): Promise<number> {
  const tomorrow = new Date(+runtime.now() + 86_400_000).toISOString().slice(0, 10)
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and (
      exists (select from dashboard_mails t where ${anywhere('t')} and t.organization_id = o.organization_id
        and t.is_on and (t.week is null or t.week < ${tomorrow}))
      or exists (select from report_mails t where ${anywhere('t')} and t.organization_id = o.organization_id
        and t.is_on and (t.week is null or t.week < ${tomorrow})))
    order by o.organization_id`)
  const { isDue, monday } = mondaysAt(runtime.now())
  return inTurns(runtime, organizations.filter(isDue), async (ctx) => {
    const week = monday(ctx.organization)
    return (await mailDashboards(ctx, week)) || mailReports(ctx, week)
  })
}

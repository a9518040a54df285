import { allOrganizations } from '../kit/ground/context.ts'
import type { Organization } from '../kit/ground/context.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import { syncDue } from '../records/calendar/connected/sync.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'

/** Enqueues the hourly synchronization of connected calendars, in every organization with one. Returns how many. */
export async function connectedCalendars(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from calendar_connections t where ${anywhere('t')}
      and t.organization_id = o.organization_id)
    order by o.organization_id`)
  return inTurns(runtime, organizations, syncDue)
}

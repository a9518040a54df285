import { anywhere, sql } from '../kit/ground/sql.ts'
import { notifyDue } from '../records/tasks/due.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/**
 * Notifies every organization of what is due tomorrow, due today and overdue, each task once for each
 * due date, and keeps series by the calendar going; a batch is one transaction. Returns how many there were.
 */
export async function dueTasks(runtime: Runtime): Promise<number> {
  // one day more than UTC's tomorrow: in some zones it is already tomorrow
  const soon = new Date(+runtime.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and (exists (select from tasks t where ${anywhere('t')} and t.organization_id = o.organization_id
      and not t.is_completed and t.deleted_at is null and t.due_date <= ${soon}::date
      and (t.overdue_told_for is distinct from t.due_date
        or t.due_told_for is distinct from t.due_date
        or t.due_tomorrow_notified_for is distinct from t.due_date))
    or exists (select from tasks t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.recurrence_status = 'active' and t.deleted_at is null
      and t.recurrence_pattern ->> 'mode' = 'on_schedule'))
    order by o.organization_id`)
  return inTurns(runtime, organizations, notifyDue)
}

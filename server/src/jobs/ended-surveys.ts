import { anywhere, sql } from '../kit/ground/sql.ts'
import { closeEnded } from '../records/surveys/lifecycle.ts'
import { sendReminders } from '../records/surveys/sending/remind.ts'
import { sendOverdue } from '../records/surveys/sending/schedule.ts'
import type { Organization } from '../kit/ground/context.ts'
import type { Runtime } from '../runtime.ts'
import { inTurns } from './in-turns.ts'
import { allOrganizations } from '../kit/ground/context.ts'

/** Closes the surveys whose end has passed. Returns how many. */
export async function endedSurveys(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from surveys t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.status = 'published' and t.end_date <= ${runtime.now().toISOString()}
      and t.deleted_at is null)
    order by o.organization_id`)
  return inTurns(runtime, organizations, closeEnded)
}

/** Sends the scheduled mailings that no job has sent. Returns how many. */
export async function overdueMailings(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from survey_schedules t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.status = 'scheduled' and t.scheduled_at <= ${runtime.now().toISOString()})
    order by o.organization_id`)
  return inTurns(runtime, organizations, sendOverdue)
}

/** Reminds the recipients of mailings who have not answered. Returns how many. */
export async function dueReminders(runtime: Runtime): Promise<number> {
  const organizations = await runtime.database.reads(allOrganizations).all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    where ${anywhere('o')} and exists (select from survey_schedules t where ${anywhere('t')} and t.organization_id = o.organization_id
      and t.status = 'sent' and t.remind_at_most is not null)
    order by o.organization_id`)
  return inTurns(runtime, organizations, sendReminders)
}

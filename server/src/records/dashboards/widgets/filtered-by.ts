import type { Context, Query } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { Account } from '../../../model/accounts/account.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import { Company } from '../../../model/companies/company.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { Task } from '../../../model/tasks/task.ts'

/**
 * How the filters of a widget apply to its rows, as SQL over their alias: `t`, or `e` for log entries.
 * Filters that are left out are not supported by the widget.
 */
export type FilteredBy = {
  /** the column with the owner */
  owner: string
  pipeline?: (ctx: Context, id: string) => Query
  account: (ctx: Context, id: string) => Query
  /** the record whose saved filters apply; `over` turns a condition over that record into one over the rows */
  view?: { record: AnyRecord; over?: (ctx: Context, condition: Query) => Query }
}

/** Projects and deals are one resource, and so are their saved filters. */
const either: AnyRecord = {
  ...ProjectOrDeal,
  find: { ...ProjectOrDeal.find, filteredAs: ['deals', 'projects'] },
}

export const byProject: FilteredBy = {
  owner: 't.project_owner',
  pipeline: (_ctx, id) => sql`t.pipeline_id = ${id}`,
  account: (_ctx, id) => sql`t.account_id = ${id}`,
  view: { record: either },
}

const inProjects = (ctx: Context, condition: Query, column = sql`t.project_id`) =>
  sql`${column} in (select p.id from projects p where ${mine(ctx, 'p')} and ${condition})`
const ofPipeline = (ctx: Context, id: string) => inProjects(ctx, sql`p.pipeline_id = ${id}`)
const ofAccount = (ctx: Context, id: string) => inProjects(ctx, sql`p.account_id = ${id}`)

export const byMilestone: FilteredBy = {
  owner: 't.owner',
  pipeline: ofPipeline,
  account: ofAccount,
  view: {
    record: either,
    over: (ctx, condition) =>
      sql`t.project_id in (select t.id from projects t where ${mine(ctx)} and ${condition})`,
  },
}

export const byTask: FilteredBy = {
  owner: 't.owner',
  pipeline: ofPipeline,
  account: (ctx, id) => sql`(t.account_id = ${id} or ${ofAccount(ctx, id)})`,
  view: { record: Task },
}

export const byMeeting: FilteredBy = {
  owner: 't.created_by',
  pipeline: ofPipeline,
  account: ofAccount,
  view: { record: Meeting },
}

export const bySurvey: FilteredBy = {
  owner: 't.created_by',
  account: (_ctx, id) => sql`t.account_id = ${id}`,
  view: { record: Survey },
}

export const byAccount: FilteredBy = {
  owner: 't.account_owner',
  account: (_ctx, id) => sql`t.id = ${id}`,
  view: { record: Account },
}

const companyOf = (ctx: Context, id: string) =>
  sql`(select a.company_id from accounts a where ${mine(ctx, 'a')} and a.id = ${id})`

export const byCompany: FilteredBy = {
  owner: 't.company_owner',
  account: (ctx, id) => sql`t.id = ${companyOf(ctx, id)}`,
  view: { record: Company },
}

export const byContact: FilteredBy = {
  owner: 't.contact_owner',
  account: (ctx, id) => sql`t.company_id = ${companyOf(ctx, id)}`,
  view: { record: Contact },
}

/** Log entries: their owner is the actor. */
export const byEntry: FilteredBy = {
  owner: 'e.actor_id',
  pipeline: (ctx, id) => inProjects(ctx, sql`p.pipeline_id = ${id}`, sql`e.project_id`),
  account: (ctx, id) => sql`((e.module_id = ${Account.number} and e.reference_id = ${id})
    or ${inProjects(ctx, sql`p.account_id = ${id}`, sql`e.project_id`)})`,
}

import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { Account } from '../../model/accounts/account.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Document } from '../../model/documents/document.ts'
import { withMerged } from '../../model/merging/tombstone.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { Task } from '../../model/tasks/task.ts'

/** The record of a timeline. */
export type Subject = { name: SubjectName; id: string; module: number; ids: string[] }
export type SubjectName = FeedName | OwnName
/** Records whose timeline includes what belongs to them. */
export type FeedName = 'account_id' | 'company_id' | 'contact_id' | 'project_id'
/** Records whose timeline only includes their own entries. */
type OwnName = 'task_id' | 'document_id' | 'survey_id' | 'meeting_id'

const records: { [name in SubjectName]: { record: AnyRecord; module: number } } = {
  account_id: { record: Account, module: 8 },
  company_id: { record: Company, module: 4 },
  contact_id: { record: Contact, module: 5 },
  // deals are in the same table
  project_id: { record: ProjectOrDeal, module: 2 },
  task_id: { record: Task, module: 1 },
  document_id: { record: Document, module: 6 },
  survey_id: { record: Survey, module: 7 },
  meeting_id: { record: Meeting, module: 11 },
}

const ownNames = new Set<string>(['task_id', 'document_id', 'survey_id', 'meeting_id'])

/** Whether its timeline only includes its own entries. */
export function showsOnlyItself({ name }: Subject): boolean {
  return ownNames.has(name)
}

/** The maximum number of projects, and of other records, of a subject that are included: the newest. */
const most = 500

/** The subject with the ids of records merged into it; 404 if the caller may not see it. */
export async function subjectOf(ctx: Context, name: SubjectName, id: string): Promise<Subject> {
  const { record, module } = records[name]
  await checkReadable(ctx, record, id)
  const isMergeable = name === 'company_id' || name === 'contact_id'
  const found = isMergeable
    ? await ctx.one<{ ids: string[] }>(sql`select ${withMerged(ctx, id)} as ids`)
    : undefined
  return { name, id, module, ids: found?.ids ?? [id] }
}

/** The ids of its projects and deals that the caller may read. */
export function projectsOf(ctx: Context, { name, ids }: Subject): Query {
  if (name === 'project_id') return sql`select unnest(${ids}::varchar[]) as id`
  if (ownNames.has(name)) return sql`select null::varchar as id where false`
  const its = sql`select p.id from ${readableRows(ctx, 'projects')} p
    where ${mine(ctx, 'p')} and p.deleted_at is null`
  const newest = sql`order by p.id desc limit ${most}`
  const among = sql`any(${ids}::varchar[])`
  if (name === 'account_id') return sql`(${its} and p.account_id = ${among} ${newest})`
  if (name === 'contact_id') return sql`(${its} and p.customer_contact = ${among} ${newest})`
  return sql`(${its} and p.company_id = ${among} ${newest})
    union (${its} and p.account_id in (select a.id from ${readableRows(ctx, 'accounts')} a
      where ${mine(ctx, 'a')} and a.company_id = ${among} and a.deleted_at is null) ${newest})`
}

/** The other records whose entries are included: `module` and `id` of each; the log's own rights apply to them. */
export function othersOf(ctx: Context, { name, ids, module }: Subject): Query {
  const own = sql`select ${module}::int as module, unnest(${ids}::varchar[]) as id`
  if (ownNames.has(name)) return own
  const meetings = sql`select 11, x.id from (select a.source_id as id from record_activity a
    where ${mine(ctx, 'a')} and a.subject_module = ${module} and a.subject_id = any(${ids}::varchar[])
      and a.kind = 'meeting' order by a.at desc limit ${most}) x`
  const among = sql`any(${ids}::varchar[])`
  if (name === 'account_id') {
    return sql`${own} union ${meetings} union select 6, x.id from (select d.id from documents d
      where ${mine(ctx, 'd')} and d.account_id = ${among} order by d.id desc limit ${most}) x`
  }
  if (name === 'company_id') {
    return sql`${own} union ${meetings}
      union select 8, a.id from accounts a where ${mine(ctx, 'a')} and a.company_id = ${among}
      union select 5, x.id from (select c.id from contacts c
        where ${mine(ctx, 'c')} and c.company_id = ${among} order by c.id desc limit ${most}) x`
  }
  // a deal's own entries are found by its project id
  return name === 'project_id' ? meetings : sql`${own} union ${meetings}`
}

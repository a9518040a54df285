import { byId, crud } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { checkReadable } from '../../kit/read/one.ts'

const plain = crud(Meeting)

/**
 * Meetings of a company that have begun, by start descending. Its projects are those of its accounts, and
 * those of its own whose account has no company. Each branch uses an index.
 */
export const meetingsOfCompany = completed('company', Company, (ctx, id) => {
  const organization = ctx.organization.id
  const accounts = readableRows(ctx, 'accounts')
  const projects = sql`select p.id from ${readableRows(ctx, 'projects')} p
    where p.organization_id = ${organization} and p.deleted_at is null and p.account_id in (
      select a.id from ${accounts} a where a.organization_id = ${organization} and a.company_id = ${id})
    union all select p.id from ${readableRows(ctx, 'projects')} p
    where p.organization_id = ${organization} and p.deleted_at is null and p.company_id = ${id}
      and not exists (select from ${accounts} a
        where a.organization_id = ${organization} and a.id = p.account_id and a.company_id is not null)`
  return sql`t.id in (
    select m.calendar_id from meeting_contacts m
    join ${readableRows(ctx, 'contacts')} c on c.organization_id = $organization and c.id = m.contact_id
    where m.organization_id = ${organization} and c.company_id = ${id} and c.deleted_at is null
    union all select m.id from meetings m
    where m.organization_id = ${organization} and m.project_id in (${projects})
    union all select m.id from meetings m
    where m.organization_id = ${organization} and m.props_company = ${id})`
})

/** Meetings that a contact attends and that have begun, by start descending. */
export const meetingsOfContact = completed('contact', Contact, (ctx, id) => {
  return sql`t.id in (select m.calendar_id from meeting_contacts m
    where m.organization_id = ${ctx.organization.id} and m.contact_id = ${id})`
})

function completed(word: string, record: AnyRecord, of: (ctx: Context, id: string) => Query) {
  return operation({
    ...plain.list,
    name: `list_completed_meetings_of_${word}`,
    summary: `List the completed meetings of a ${word}`,
    description: 'Meetings that have begun and are not cancelled, latest first.',
    can: { module: record.module, action: 'read' },
    topic: 'calendar',
    input: { query: without(plain.list.input.query, 'filter', 'filter_id'), params: byId },
    async run(ctx, { params, query }) {
      await checkReadable(ctx, record, params.id)
      const begun = sql`t.starts_at <= ${ctx.now().toISOString()} and not t.is_meeting_cancelled`
      const order = { sort: 'start', reverse: !query.reverse }
      return listPage(ctx, Meeting, inOwnOrder(query, order), all(begun, of(ctx, params.id)))
    },
  })
}

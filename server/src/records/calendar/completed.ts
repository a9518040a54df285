import type { Context, Query } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { Company } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { Meeting } from './meeting.ts'

const plain = crud(Meeting)

/** Meetings of a company that have begun, by start descending. */
export const meetingsOfCompany = completed('company', Company, (id, organization) => {
  const contacts = sql`select m.calendar_id from meeting_contacts m
    join contacts c on c.organization_id = m.organization_id and c.id = m.contact_id
    where m.organization_id = ${organization} and c.company_id = ${id} and c.deleted_at is null`
  const projects = sql`select p.id from projects p
    left join accounts a on a.organization_id = p.organization_id and a.id = p.account_id
    where p.organization_id = ${organization} and p.deleted_at is null
      and coalesce(a.company_id, p.company_id) = ${id}`
  return sql`(t.id in (${contacts}) or t.project_id in (${projects}) or t.props_company = ${id})`
})

/** Meetings that a contact is part of and that have begun, by start descending. */
export const meetingsOfContact = completed('contact', Contact, (id, organization) => {
  return sql`t.id in (select m.calendar_id from meeting_contacts m
    where m.organization_id = ${organization} and m.contact_id = ${id})`
})

function completed(
  word: string,
  record: AnyRecord,
  of: (id: string, organization: string) => Query,
): Operation {
  return {
    ...plain.list,
    name: `list_completed_meetings_of_${word}`,
    summary: `List the meetings of a ${word} that have begun, latest first`,
    can: { module: record.module, action: 'read' },
    topic: 'calendar',
    input: {
      query: without(plain.list.input.query!, 'filter', 'filter_id'),
      params: plain.read.input.params!,
    },
    async run(ctx: Context, { params, query }: Input) {
      await checkReadable(ctx, record, params.id)
      const begun = sql`t.starts_at <= ${ctx.now().toISOString()} and not t.is_meeting_cancelled`
      const order = query.sort ? {} : { sort: 'start', reverse: !query.reverse }
      const its = of(params.id, ctx.organization.id)
      return listPage(ctx, Meeting, { ...query, ...order }, all(begun, its))
    },
  }
}

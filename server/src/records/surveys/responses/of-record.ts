import { Type } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { idInQuery } from '../../../kit/ground/ids.ts'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { pageOf, pageProperties } from '../../../kit/read/page.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { Account } from '../../../model/accounts/account.ts'
import { Company } from '../../../model/companies/company.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { Project } from '../../../model/projects/project.ts'

const { page, items_per_page } = pageProperties

const shape = Type.Object(
  {
    response_id: Type.String({ description: 'identifier of the answer' }),
    survey_id: Type.String(),
    survey_name: Type.String({ description: 'name of the survey' }),
    respondent_email: orNull(Type.String()),
    respondent_name: orNull(Type.String({ description: 'name of the contact who answered' })),
    nps: orNull(Type.Integer({ description: 'how likely they recommend, 0 to 10' })),
    is_satisfied: orNull(Type.Boolean({ description: 'whether a rating was one of the two best' })),
    text: orNull(Type.String({ description: 'the first answer in words, at most 300 characters' })),
    finished_at: Type.String({ format: 'date-time' }),
  },
  { title: 'AnswerOfRecord' },
)

const names = ['account_id', 'company_id', 'contact_id', 'project_id'] as const
/** The records whose answers are listed, each with the subjects of `a` that are its. */
const subjects: {
  [name in (typeof names)[number]]: { record: AnyRecord; of: (ctx: Context, id: string) => Query }
} = {
  account_id: {
    record: Account,
    of: (_ctx, id) => sql`(a.subject_module, a.subject_id) = (8, ${id})`,
  },
  company_id: {
    record: Company,
    of: (_ctx, id) => sql`(a.subject_module, a.subject_id) = (4, ${id})`,
  },
  contact_id: {
    record: Contact,
    of: (_ctx, id) => sql`(a.subject_module, a.subject_id) = (5, ${id})`,
  },
  // what the customer of a project says is about the project, too
  project_id: {
    record: Project,
    of: (ctx, id) => sql`((a.subject_module, a.subject_id) = (2, ${id})
        or a.subject_module = 8 and a.subject_id = (
          select p.account_id from projects p
          join ${readableRows(ctx, 'accounts')} x on ${mine(ctx, 'x')} and x.id = p.account_id
          where ${mine(ctx, 'p')} and p.id = ${id}))`,
  },
}

/** Answers to any survey that are about one record. */
export const answersOfRecord = operation({
  name: 'list_answers_of_record',
  summary: 'List the answers of a customer',
  description:
    'Finished answers to all surveys that the caller may read, latest first: of an account, a company, a contact, or a project with its account. One of them is required.',
  can: { module: 'surveys', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      account_id: Type.Optional(idInQuery('an account')),
      company_id: Type.Optional(idInQuery('a company')),
      contact_id: Type.Optional(idInQuery('a contact')),
      project_id: Type.Optional(idInQuery('a project or deal')),
      page,
      items_per_page,
    }),
  },
  output: arrayOf(shape),
  async run(ctx, { query }) {
    const named = names.flatMap((name) => {
      const id = query[name]
      return id === undefined ? [] : [{ name, id, ...subjects[name] }]
    })
    const [asked, other] = named
    if (!asked) throw badField('account_id', 'or company_id, contact_id or project_id is required')
    if (other) throw badField(other.name, `cannot be combined with ${asked.name}`)
    const { id, record, of } = asked
    await checkReadable(ctx, record, id)
    const { number, size, limit, skip } = pageOf(query)
    const { is_confined, user_id } = ctx.actor
    const rows = await ctx.all(sql`
      select r.id as response_id, s.id as survey_id, s.name as survey_name, r.respondent_email,
        c.full_name as respondent_name, a.nps, a.is_satisfied, r.finished_at,
        (select left(r.answers ->> (q ->> 'id'), 300)
          from jsonb_path_query(s.form_structure,
            '$.pages[*].fields[*] ? (@.type == "short-text" || @.type == "long-text")') q
          where r.answers ? (q ->> 'id') limit 1) as text
      from (
        select a.source_id, a.reference_id, max(a.contact_id) as contact_id, max(a.nps) as nps,
          bool_or(a.is_satisfied) as is_satisfied
        from record_activity a
        where ${mine(ctx, 'a')} and a.kind = 'answer' and not a.is_private and ${of(ctx, id)}
        group by 1, 2
      ) a
      join ${readableRows(ctx, 'surveys')} s on ${mine(ctx, 's')} and s.id = a.reference_id
        and s.deleted_at is null
      join survey_responses r on ${mine(ctx, 'r')} and r.id = a.source_id and r.finished
        and ${is_confined ? sql`r.created_by = ${user_id}` : sql`true`}
      left join ${readableRows(ctx, 'contacts')} c on ${mine(ctx, 'c')} and c.id = a.contact_id
        and c.deleted_at is null
      order by r.finished_at desc, r.id desc limit ${limit} offset ${skip}`)
    return new Answer(rows.slice(0, size), { page: { number, size, more: rows.length > size } })
  },
})

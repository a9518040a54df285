import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { everyRow } from '../../../kit/read/list.ts'
import { may, scope } from '../../../kit/record/scope.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { cellOf } from '../../../model/sheets/csv.ts'
import { sheetQuery, sheetStream } from '../../../model/sheets/sheet-file.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { refusedOf } from '../sending/send.ts'
import { sealTicket } from './ticket.ts'

/** How many people one file can have. */
const most = 10_000

type Person = { contact_id: string; full_name: string; primary_email: string; company: string }
type Linked = Person & { url: string }

const columns = [
  { name: 'contact_id', text: ({ contact_id }: Linked) => contact_id },
  { name: 'full_name', text: ({ full_name }: Linked) => cellOf(full_name) },
  { name: 'primary_email', text: ({ primary_email }: Linked) => cellOf(primary_email) },
  { name: 'company', text: ({ company }: Linked) => cellOf(company) },
  { name: 'link', text: ({ url }: Linked) => url },
]

/** Links of their own for contacts, for mails that others send. */
export const personalLinks = operation({
  name: 'export_survey_links',
  summary: 'Export personal links to a survey as CSV or .xlsx',
  description:
    'One row per contact with an e-mail address that the filter matches, at most 10,000, and a link that takes one answer of theirs. Who opted out of contact or of surveys is left out. 403 without the right to read contacts.',
  can: { module: 'surveys', action: 'update' },
  writes: false,
  lane: 'heavy',
  input: {
    params: byId,
    query: Type.Object({
      filter: Type.Optional(
        Type.String({ maxLength: 20_000, description: 'which contacts, as in their list' }),
      ),
      filter_id: Type.Optional(
        Type.String({ maxLength: 25, description: 'a saved filter of contacts' }),
      ),
      ...sheetQuery,
    }),
  },
  output: null,
  gives: 'text/csv',
  async run(ctx, { params: { id }, query: { filter, filter_id, ...look } }) {
    if (!may(ctx.actor, { module: 'contacts', action: 'read' })) {
      throw forbidden('Your role may not read contacts')
    }
    const survey = await ctx.one<{ end_date: string | null }>(
      sql`select t.end_date from surveys t where ${scope(ctx, Survey, 'update')} and t.id = ${id}`,
    )
    if (!survey) throw notFound('Survey')
    const asked = {
      ...(filter === undefined ? {} : { filter }),
      ...(filter_id === undefined ? {} : { filter_id }),
    }
    const people = await peopleOf(ctx, asked)
    const expires = survey.end_date ? new Date(survey.end_date).toISOString() : null
    const linked = (person: Person): Linked => {
      const by = ctx.actor.user_id ?? undefined
      const ticket = { survey: id, email: person.primary_email, expires, by }
      return { ...person, url: `${ctx.public_url}/s/${sealTicket(ctx, ticket)}` }
    }
    return sheetStream(ctx, { columns, pages: linesOf(people, linked), name: 'survey-links' }, look)
  },
})

/** Who gets a link: each address once. 400 for more than a file can have. */
async function peopleOf(
  ctx: Context,
  asked: { filter?: string; filter_id?: string },
): Promise<Person[]> {
  const fields = 'contact_id,full_name,primary_email,company'
  const people = new Map<string, Person>()
  for await (const rows of await everyRow(ctx, Contact, { ...asked, fields, sort: 'contact_id' })) {
    for (const { contact_id, full_name, primary_email, company } of rows) {
      const key = String(primary_email ?? '').toLowerCase()
      if (!key || people.has(key)) continue
      const its = company as { company_name?: string } | null
      people.set(key, {
        contact_id: String(contact_id),
        full_name: String(full_name ?? ''),
        primary_email: String(primary_email),
        company: its?.company_name ?? '',
      })
    }
    if (people.size > most) {
      const field = asked.filter_id === undefined ? 'filter' : 'filter_id'
      throw badField(field, `must match at most ${most} contacts with an address`)
    }
  }
  for (const key of await refusedOf(ctx, [...people.keys()])) people.delete(key)
  return [...people.values()]
}

/** Some hundreds at a time, so that no other request waits while they are sealed. */
async function* linesOf(people: Person[], linked: (person: Person) => Linked) {
  for (let at = 0; at < people.length; at += 500) {
    yield people.slice(at, at + 500).map(linked)
  }
}

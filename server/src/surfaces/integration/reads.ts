import { Type } from 'typebox'
import { cursorQuery } from '../../kit/crud.ts'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { nextCursorProperty, offsetProperty, pageProperties } from '../../kit/read/page.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Company } from '../../model/companies/company.ts'
import { companies } from '../../records/companies/operations.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { fieldConfig, readOptions } from '../../records/field-config/operations.ts'
import { following } from '../../model/merging/tombstone.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Equalities } from './equalities.ts'
import { equalityParameters, filteredBy } from './equalities.ts'
import { cursorPage } from './shapes.ts'
import { modes, one, when } from './modes.ts'
import type { CursorQuery } from '../../kit/read/cursor.ts'
import { listCursor } from '../../kit/read/cursor.ts'

export const companyFields = fieldConfig(Company)
export const contactFields = fieldConfig(Contact)

/** GET company: one record, its option sets, its field configuration, or the list. */
export const readCompany = modes(
  'get_company',
  'List companies, or retrieve one, its option sets or its field configuration',
  [
    one('company_id', following(Company, companies.read)),
    when(
      'options',
      readOptions('companies', 'company', [
        'types',
        'segments',
        'industries',
        'revenue_ranges',
        'employee_ranges',
      ]),
    ),
    when('field_config', companyFields.read),
  ],
  cursorList(Company, { company_name: 'company_name', domain: 'domain' }),
)

/** GET contact, in the same modes. */
export const readContact = modes(
  'get_contact',
  'List contacts, or retrieve one, its option sets or its field configuration',
  [
    one('contact_id', following(Contact, contacts.read)),
    when(
      'options',
      readOptions('contacts', 'contact', [
        'lead_sources',
        'lead_statuses',
        'contact_stages',
        'person_categories',
        'seniority_levels',
        'buying_roles',
        'preferred_communication_channels',
        'languages',
      ]),
    ),
    when('field_config', contactFields.read),
  ],
  cursorList(Contact, {
    email: 'primary_email',
    full_name: 'full_name',
    company_name: 'company.company_name',
    domain: 'company.domain',
  }),
)

/** GET users: the people of the organization, 500 a page; `email` is a whole address. */
export const readUsers = operation({
  name: 'get_users',
  summary: 'List users, or find one by e-mail',
  can: { module: 'users', action: 'read' },
  writes: false,
  input: {
    query: Type.Object({
      email: Type.Optional(
        Type.String({ maxLength: 320, description: 'a complete address; case does not matter' }),
      ),
      page: pageProperties.page,
      offset: offsetProperty,
      next_cursor: nextCursorProperty,
      items_per_page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'users per page' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 500, description: 'same as items_per_page' }),
      ),
      sort: Type.Optional(
        Type.String({ maxLength: 500, description: 'comma-separated fields, - sorts descending' }),
      ),
      filter: Type.Optional(
        Type.String({ maxLength: 20_000, description: 'JSON array of conditions' }),
      ),
    }),
  },
  output: envelopeOf(readSchema(UserProfile)),
  run(ctx, input) {
    const email = (input.query.email ?? '').trim()
    const extra = email ? sql`t.email_key = ${email.toLowerCase()}` : undefined
    return listEnvelope(ctx, UserProfile, input, { size: 500, extra, words: email })
  },
})

/** The list by cursor. `equals` are query parameters that stand for an equality of a field. */
function cursorList(record: AnyRecord, equals: Equalities): Operation {
  const { module } = record
  const query = extend(cursorQuery(), equalityParameters(equals))
  return operation({
    name: `page_${module}`,
    summary: `List ${module} by cursor`,
    can: { module, action: 'read' },
    writes: false,
    input: { query },
    output: cursorPage(record),
    run: (ctx, { query: sent }) => listCursor(ctx, record, filteredBy(sent as CursorQuery, equals)),
  })
}

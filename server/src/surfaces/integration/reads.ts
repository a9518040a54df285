import { Type } from 'typebox'
import { envelopeOf, listEnvelope } from '../../kit/read/list.ts'
import { operation } from '../../kit/ground/operation.ts'
import { nextCursorProperty, offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { fieldConfig, readOptions } from '../../records/field-config/operations.ts'
import { UserProfile } from '../../model/users/user.ts'
import { kinds } from './kinds.ts'
import { listing } from './listing.ts'
import { modes, one, when } from './modes.ts'

export const companyFields = fieldConfig(Company)
export const contactFields = fieldConfig(Contact)

/** GET company: one record, its option sets, its field configuration, or the list. */
export const readCompany = modes(
  'get_company',
  'List companies, or retrieve one, its option sets or its field configuration',
  [
    one('company_id', kinds.companies.read),
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
  listing('companies', kinds.companies),
)

/** GET contact, in the same modes. */
export const readContact = modes(
  'get_contact',
  'List contacts, or retrieve one, its option sets or its field configuration',
  [
    one('contact_id', kinds.contacts.read),
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
  listing('contacts', kinds.contacts),
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

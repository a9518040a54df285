import { badField } from '../../kit/ground/errors.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { Company } from '../companies/company.ts'
import { companyKey, withDomain } from '../companies/key.ts'
import { companies } from '../companies/operations.ts'
import { Contact } from '../contacts/contact.ts'
import { contactKey } from '../contacts/key.ts'
import { withFullName } from '../contacts/name.ts'
import { contacts } from '../contacts/operations.ts'
import { usersByEmail } from '../contacts/linked-user.ts'
import { schema, without } from '../../kit/ground/json-schema.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { ImportModule } from './import.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Body = { [key: string]: unknown }

/** What is particular to a module when its records come from rows. */
export type Importable = {
  record: AnyRecord
  /** of a body with whatever fields */
  schema: JSONSchema
  /** targets beside the record's own fields */
  more: string[]
  /** other words that headers use, folded, and the target they mean */
  synonyms: { [header: string]: string }
  /** a body in the record's own terms; throws what a single create would */
  prepare(body: Body): Body
  /** what keeps two records apart; null when nothing does */
  keyOf(body: Body): string | null
  /** a name by which one without a key of its own is the same as another, and its column */
  alike?: { column: string; of(body: Body): string | null }
  /** further columns that follow from a row as it is stored before, if it is, and after */
  columns?(ctx: Context): Promise<(after: Body, before?: Body) => Body>
  /** texts by which other rows may name the record that this row makes */
  names(body: Body): string[]
  /** the field that points to another record of the kind, never in a cycle */
  parent: string
}

export const importables: { [module in ImportModule]: Importable } = {
  companies: {
    record: Company,
    schema: companies.update.input.body,
    more: [],
    prepare: withDomain,
    keyOf: (body) => (body.company_name || body.domain ? companyKey(body) : null),
    alike: {
      column: 'company_name_key',
      of: ({ domain, company_name }) => (domain ? null : folded(company_name)),
    },
    names: ({ company_name, domain }) =>
      [company_name, domain].flatMap((each) => folded(each) ?? []),
    parent: 'parent_company',
    synonyms: {
      name: 'company_name',
      company: 'company_name',
      accountname: 'company_name',
      account: 'company_name',
      organization: 'company_name',
      organisation: 'company_name',
      organizationname: 'company_name',
      companydomain: 'domain',
      domainname: 'domain',
      companydomainname: 'domain',
      webdomain: 'domain',
      website: 'website_url',
      websiteurl: 'website_url',
      url: 'website_url',
      homepage: 'website_url',
      web: 'website_url',
      country: 'hq_country',
      countryregion: 'hq_country',
      headquarters: 'hq_location',
      location: 'hq_location',
      sector: 'industry',
      employees: 'employee_range',
      numberofemployees: 'employee_range',
      companysize: 'employee_range',
      size: 'employee_range',
      revenue: 'revenue_range',
      annualrevenue: 'revenue_range',
      arr: 'estimated_arr',
      type: 'company_type',
      segment: 'customer_segment',
      about: 'description',
      notes: 'description',
      logo: 'logo_url',
      linkedin: 'linkedin_url',
      linkedincompanypage: 'linkedin_url',
      twitter: 'twitter_url',
      city: 'address.city',
      state: 'address.state',
      street: 'address.address',
      streetaddress: 'address.address',
      zip: 'address.zip_code',
      zipcode: 'address.zip_code',
      postalcode: 'address.zip_code',
      postcode: 'address.zip_code',
      owner: 'company_owner.email',
      companyowner: 'company_owner.email',
      owneremail: 'company_owner.email',
      accountowner: 'company_owner.email',
      parent: 'parent_company',
    },
  },
  contacts: {
    record: Contact,
    schema: schema<Body>(without(contacts.update.input.body, 'user_id')),
    more: ['first_name', 'last_name'],
    prepare: withFullName,
    keyOf: contactKey,
    async columns(ctx) {
      const userOf = await usersByEmail(ctx)
      return (after, before = {}) =>
        before.linked_user || contactKey(before) === contactKey(after)
          ? {}
          : userOf(after.primary_email)
    },
    names: ({ primary_email }) => [folded(primary_email) ?? []].flat(),
    parent: 'reports_to',
    synonyms: {
      name: 'full_name',
      contactname: 'full_name',
      contact: 'full_name',
      person: 'full_name',
      firstname: 'first_name',
      givenname: 'first_name',
      forename: 'first_name',
      lastname: 'last_name',
      surname: 'last_name',
      familyname: 'last_name',
      email: 'primary_email',
      emailaddress: 'primary_email',
      mail: 'primary_email',
      workemail: 'primary_email',
      businessemail: 'primary_email',
      company: 'company',
      companyname: 'company.company_name',
      organization: 'company.company_name',
      organisation: 'company.company_name',
      organizationname: 'company.company_name',
      account: 'company.company_name',
      accountname: 'company.company_name',
      employer: 'company.company_name',
      associatedcompany: 'company.company_name',
      companyid: 'company.company_id',
      companydomain: 'company.domain',
      companydomainname: 'company.domain',
      domain: 'company.domain',
      owner: 'contact_owner.email',
      contactowner: 'contact_owner.email',
      owneremail: 'contact_owner.email',
      title: 'job_title',
      job: 'job_title',
      position: 'job_title',
      role: 'job_title',
      seniority: 'seniority_level',
      stage: 'contact_stage',
      lifecyclestage: 'contact_stage',
      source: 'lead_source',
      status: 'lead_status',
      phonenumber: 'phone',
      telephone: 'phone',
      tel: 'phone',
      mobile: 'phone',
      mobilephone: 'phone',
      mobilephonenumber: 'phone',
      cell: 'phone',
      whatsapp: 'whatsapp_number',
      linkedin: 'linkedin_url',
      linkedinprofile: 'linkedin_url',
      twitter: 'twitter_url',
      photo: 'profile_image',
      avatar: 'profile_image',
      team: 'department',
      manager: 'reports_to',
      manageremail: 'reports_to.email',
      score: 'lead_score',
      preferredlanguage: 'language',
      city: 'location.city',
      country: 'location.country',
      state: 'location.state',
      zone: 'timezone',
    },
  },
}

/** 400 where a row that creates a record does not name it. */
export function checkNamed({ record }: Importable, body: Body) {
  if (!folded(body[record.title])) throw badField(record.title, 'is required')
}

function folded(value: unknown): string | null {
  return (typeof value === 'string' && value.trim().toLowerCase()) || null
}

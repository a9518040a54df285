import { rowsOf } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'
import { record } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { isAttachedCompany } from '../attached/attachment.ts'
import { notMerged } from '../../kit/record/restored-alone.ts'
import { associated, associatedProject } from '../attached/associated.ts'
import { person } from '../people/person.ts'
import { normalDomain } from './domain.ts'
import {
  amount,
  boolean,
  chosenFrom,
  computedAlways,
  customFields,
  defaulted,
  defined,
  folded,
  integer,
  internal,
  key,
  list,
  listOf,
  looks,
  number,
  objectOf,
  optional,
  readOnly,
  reference,
  required,
  suggestedFrom,
  tagList,
  tagged,
  text,
  timestamp,
  unlisted,
  unshown,
  url,
} from '../../kit/record/fields.ts'

const line = Type.Optional(orNull(Type.String({ maxLength: 255 })))
const address = { country: line, state: line, city: line, address: line, zip_code: line }

/** A company that the organization deals with (specification 2.3). */
export const Company = record(
  {
    module: 'companies',
    number: 4,
    word: 'company',
    title: 'company_name',
    aliases: { name: 'company_name' },
    open: true,
    rights: {
      owners: ['created_by', 'company_owner'],
      attached: isAttachedCompany,
    },
    life: {
      restoredAlone: notMerged,
    },
    find: {
      search: ['company_name', 'domain'],
      searchAlso: { number: 'display_id' },
      searched: true,
      // the search knows how names begin, and of the others there are few
      terms: {
        none: ['creation_time', 'last_update_time'],
        whole: ['company_name', 'domain', 'lead_status', 'record_source'],
      },
      searchable: true,
    },
    apps: {
      scope: { word: 'company', things: 'companies' },
    },
    events: {
      assignees: ['company_owner'],
      loggedIds: ['merged_ids', 'merged_into'],
      kinds: {
        company_created: { on: 'created', summary: 'A company was created' },
        company_updated: { on: 'updated', summary: 'Fields of a company changed' },
        company_deleted: { on: 'deleted', summary: 'A company was deleted' },
        company_merged: { on: 'merged', summary: 'Companies were merged into one' },
      },
    },
  },
  {
    id: readOnly(text(25)),
    company_id: key(),
    display_id: optional(text(100)),
    company_name: required(folded(text(255), 'company_name_key')),
    domain: optional(text(255)),
    linkedin_url: optional(url()),
    twitter_url: optional(url()),
    website_url: optional(url()),
    hq_location: optional(text(255)),
    hq_country: optional(text(255)),
    industry: optional(chosenFrom(text(255), 'companies', 'industries')),
    employee_range: optional(chosenFrom(text(255), 'companies', 'employee_ranges')),
    revenue_range: internal(optional(chosenFrom(text(255), 'companies', 'revenue_ranges'))),
    estimated_arr: internal(optional(amount(number()))),
    description: internal(optional(text())),
    logo_url: unshown(optional(url())),
    company_owner: looks('owner', optional(person())),
    company_type: optional(chosenFrom(text(255), 'companies', 'types')),
    lead_status: internal(optional(suggestedFrom(text(255), 'contacts', 'lead_statuses'))),
    icp_fit: internal(optional(text(255))),
    customer_segment: internal(optional(chosenFrom(text(255), 'companies', 'segments'))),
    connection_strength: internal(optional(text(255))),
    connection_source: internal(optional(text(255))),
    operating_regions: optional(list()),
    category: optional(text(255)),
    vendor_being_replaced: internal(optional(text(255))),
    replacement_urgency: internal(optional(text(255))),
    partner_type: optional(text(255)),
    parent_company: optional(
      reference({
        table: 'companies',
        shows: null,
        to: (): AnyRecord => Company,
        by: companyKeys(),
      }),
    ),
    investors: optional(list(Type.Unknown())),
    partners: optional(list(Type.Unknown())),
    subsidiaries: optional(list(Type.Unknown())),
    address: optional(objectOf(address, 'Address')),
    tags: tagged(optional(tagList())),
    contacts_count: computedAlways(
      defined(integer(), 'The number of contacts of the company that the caller may read.'),
      `(select count(*) from ${rowsOf('contacts')} c where c.organization_id = $organization
        and c.company_id = t.id and c.deleted_at is null)`,
    ),
    is_draft: unshown(defaulted(boolean(), false)),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
    record_source: unshown(internal(readOnly(text(40)))),
    custom_fields: customFields(),
    associated_deal_project: internal(
      computedAlways(
        unlisted(listOf(associatedProject, 'AssociatedProject')),
        associated.ofCompany,
      ),
    ),
  },
)

/** The properties by which a body may name a company, besides its plain id. */
export function companyKeys() {
  return {
    company_id: { column: 'id' },
    id: { column: 'id' },
    domain: { column: 'domain', fold: (domain: string) => normalDomain(domain) ?? domain },
    company_name: {
      column: 'company_name_key',
      fold: (name: string) => name.trim().toLowerCase(),
      name: 'company_name',
    },
  }
}

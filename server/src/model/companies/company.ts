import { rowsOf } from '../../kit/record/readable.ts'
import { Type } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'
import { record } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { isAttachedCompany } from '../attached/attachment.ts'
import { notMerged } from '../merging/restored-alone.ts'
import { associated, associatedProject } from '../attached/associated.ts'
import { person } from '../people/person.ts'
import { normalDomain } from './domain.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  integer,
  key,
  list,
  listOf,
  number,
  objectOf,
  reference,
  stamp,
  tagList,
  text,
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
    page: {
      strip: ['company_type', 'company_owner', 'estimated_arr', 'contacts_count', 'lead_status'],
      rail: ['domain', 'industry', 'employee_range', 'hq_location', 'website_url', 'tags'],
    },
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
      scope: { word: 'company', things: 'companies and their accounts' },
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
    id: text(25, { readOnly: true }),
    company_id: key(),
    display_id: text(100),
    company_name: text(255, { required: true, folded: 't.company_name_key' }),
    domain: text(255),
    linkedin_url: url(),
    twitter_url: url(),
    website_url: url(),
    hq_location: text(255),
    hq_country: text(255),
    industry: text(255, { optionSet: { module: 'companies', name: 'industries' } }),
    employee_range: text(255, { optionSet: { module: 'companies', name: 'employee_ranges' } }),
    revenue_range: text(255, {
      optionSet: { module: 'companies', name: 'revenue_ranges' },
      audience: 'internal',
    }),
    estimated_arr: number({ isMoney: true, audience: 'internal' }),
    description: text(10_000, { audience: 'internal' }),
    logo_url: url({ isUnshown: true }),
    company_owner: person({ look: 'owner' }),
    company_type: text(255, { optionSet: { module: 'companies', name: 'types' } }),
    lead_status: text(255, {
      optionSet: { module: 'contacts', name: 'lead_statuses', isOpen: true },
      audience: 'internal',
    }),
    icp_fit: text(255, { audience: 'internal' }),
    customer_segment: text(255, {
      optionSet: { module: 'companies', name: 'segments' },
      audience: 'internal',
    }),
    connection_strength: text(255, { audience: 'internal' }),
    connection_source: text(255, { audience: 'internal' }),
    operating_regions: list(),
    category: text(255),
    vendor_being_replaced: text(255, { audience: 'internal' }),
    replacement_urgency: text(255, { audience: 'internal' }),
    partner_type: text(255),
    parent_company: reference({
      table: 'companies',
      shows: null,
      to: (): AnyRecord => Company,
      by: companyKeys(),
    }),
    investors: list(Type.Unknown()),
    partners: list(Type.Unknown()),
    subsidiaries: list(Type.Unknown()),
    address: objectOf(address, { title: 'Address' }),
    tags: tagList(tagged),
    contacts_count: integer({
      description: 'The number of contacts of the company that the caller may read.',
      expression: `(select count(*) from ${rowsOf('contacts')} c where c.organization_id = $organization
        and c.company_id = t.id and c.deleted_at is null)`,
    }),
    is_draft: boolean({ default: false, isUnshown: true }),
    creation_time: stamp(),
    last_update_time: stamp(),
    record_source: text(40, { readOnly: true, isUnshown: true, audience: 'internal' }),
    custom_fields: customFields(),
    associated_deal_project: listOf(associatedProject, {
      title: 'AssociatedProject',
      audience: 'internal',
      filterable: false,
      expression: associated.ofCompany,
    }),
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

import { record } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { isAttachedContact } from '../attached/attachment.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { associated, associatedProject } from '../attached/associated.ts'
import { people, person } from '../people/person.ts'
import { isErased, notMerged } from '../merging/restored-alone.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  integer,
  key,
  listOf,
  number,
  object,
  oneOf,
  reference,
  stamp,
  tagList,
  text,
  timestamp,
  url,
} from '../../kit/record/fields.ts'

/** A person at a company (specification 2.3). */
export const Contact = record(
  {
    module: 'contacts',
    number: 5,
    word: 'contact',
    title: 'full_name',
    aliases: { name: 'full_name', email: 'primary_email', company_id: 'company' },
    page: {
      strip: ['job_title', 'company', 'contact_owner', 'lead_status', 'last_activity_date'],
      rail: [
        'primary_email',
        'phone',
        'timezone',
        'language',
        'buying_role',
        'do_not_contact',
        'tags',
      ],
    },
    open: true,
    rights: {
      owners: ['created_by', 'contact_owner'],
      attached: isAttachedContact,
    },
    life: {
      links: [{ table: 'meeting_contacts', column: 'contact_id', uniqueWith: ['calendar_id'] }],
      restoredAlone: notMerged,
      isErased: (ctx) => isErased(ctx, 'contact_ids'),
    },
    find: {
      search: ['full_name', 'primary_email'],
      searchAlso: {
        number: 'display_id',
        phones: ['phone', 'whatsapp_number'],
        links: ['company'],
      },
      searched: true,
      // the search knows how names begin, and of the others there are few
      terms: {
        none: ['creation_time', 'last_update_time'],
        whole: ['full_name', 'primary_email', 'lead_status', 'record_source'],
      },
      searchable: true,
    },
    apps: {
      scope: { word: 'contact', things: 'contacts' },
    },
    events: {
      assignees: ['contact_owner'],
      loggedIds: ['merged_ids', 'merged_into'],
      kinds: {
        contact_created: { on: 'created', summary: 'A contact was created' },
        contact_updated: { on: 'updated', summary: 'Fields of a contact changed' },
        contact_deleted: { on: 'deleted', summary: 'A contact was deleted' },
        contact_merged: { on: 'merged', summary: 'Contacts were merged into one' },
      },
    },
  },
  {
    id: text(25, { readOnly: true }),
    contact_id: key(),
    display_id: text(100),
    full_name: text(255, { required: true, folded: 't.full_name_key' }),
    profile_image: url({ isUnshown: true }),
    profile_image_url: text(2048, {
      nullable: true,
      isUnshown: true,
      expression: 't.profile_image',
    }),
    primary_email: text(320, { schema: { format: 'email' }, folded: 't.primary_email_key' }),
    company: reference(
      {
        table: 'companies',
        title: 'CompanyRef',
        shows: {
          company_id: { column: 'id', kind: 'text' },
          company_name: { column: 'company_name', kind: 'text' },
          domain: { column: 'domain', kind: 'text' },
          logo_url: { column: 'logo_url', kind: 'text' },
        },
        to: (): AnyRecord => Company,
        by: companyKeys(),
      },
      { column: 'company_id' },
    ),
    lead_source: text(255, {
      optionSet: { module: 'contacts', name: 'lead_sources' },
      audience: 'internal',
    }),
    contact_owner: person({ look: 'owner' }),
    associated_deals: listOf(associatedProject, {
      default: [],
      title: 'AssociatedProject',
      audience: 'internal',
      filterable: false,
      refusal: 'lists the deals that name the contact or its company: change those',
      expression: associated.dealsOfContact,
    }),
    lead_status: text(255, {
      optionSet: { module: 'contacts', name: 'lead_statuses' },
      audience: 'internal',
    }),
    person_category: text(255, {
      optionSet: { module: 'contacts', name: 'person_categories' },
      audience: 'internal',
    }),
    custom_fields: customFields(),
    contact_stage: text(255, {
      optionSet: { module: 'contacts', name: 'contact_stages' },
      audience: 'internal',
    }),
    is_draft: boolean({ default: false, isUnshown: true }),
    job_title: text(255),
    department: text(255),
    location: object(),
    language: text(255, { optionSet: { module: 'contacts', name: 'languages' } }),
    seniority_level: text(255, {
      optionSet: { module: 'contacts', name: 'seniority_levels' },
      audience: 'internal',
    }),
    buying_role: text(255, {
      optionSet: { module: 'contacts', name: 'buying_roles' },
      audience: 'internal',
    }),
    influence_level: integer({ audience: 'internal' }),
    interest_level: integer({ audience: 'internal' }),
    preferred_communication_channel: text(255, {
      optionSet: { module: 'contacts', name: 'preferred_communication_channels' },
    }),
    do_not_contact: oneOf(['yes', 'no'], {
      title: 'YesOrNo', // nobody who wished not to be contacted is contacted
      merged: (values: unknown[]) => (values.includes('yes') ? 'yes' : undefined),
    }),
    phone: text(50),
    whatsapp_number: text(50),
    campaign: text(255, { audience: 'internal' }),
    timezone: text(64, { schema: { format: 'time-zone' } }),
    signoff_authority: text(255, { audience: 'internal' }),
    lead_score: number({ audience: 'internal' }),
    last_activity_date: timestamp({ audience: 'internal' }),
    linkedin_url: url(),
    twitter_url: url(),
    linked_user: person({
      readOnly: true,
      nullable: true, // a portal user stays with the person
      merged: (values: unknown[]) => values.find(Boolean),
    }),
    creation_time: stamp(),
    last_update_time: stamp(),
    reports_to: reference(
      {
        table: 'contacts',
        title: 'ContactRef',
        shows: {
          contact_id: { column: 'id', kind: 'text' },
          full_name: { column: 'full_name', kind: 'text' },
          job_title: { column: 'job_title', kind: 'text' },
        },
        to: (): AnyRecord => Contact,
        by: {
          contact_id: { column: 'id' },
          id: { column: 'id' },
          email: { column: 'unique_key', fold: (email: string) => email.trim().toLowerCase() },
        },
      },
      { audience: 'internal' },
    ),
    reporting_hierarchy_level: integer({ audience: 'internal' }),
    reporting_confidence: number({ audience: 'internal' }),
    reporting_source: text(255, { isSystem: true, audience: 'internal' }),
    tags: tagList(tagged),
    record_source: text(40, { readOnly: true, isUnshown: true, audience: 'internal' }),
    associated_deal_project: listOf(associatedProject, {
      title: 'AssociatedProject',
      audience: 'internal',
      filterable: false,
      expression: associated.ofContact,
    }),
    login_info: reference(
      {
        ...people,
        isCached: true,
        title: 'LoginRef',
        shows: {
          user_id: { column: 'id', kind: 'text' },
          email: { column: 'email', kind: 'text' },
          is_active: { column: 'is_active', kind: 'boolean' },
        },
        by: {},
      },
      { readOnly: true, nullable: true, column: 'linked_user', filterable: false },
    ),
  },
)

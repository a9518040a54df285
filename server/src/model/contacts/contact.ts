import { record } from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { isAttachedContact } from '../attached/attachment.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { associated, associatedProject } from '../attached/associated.ts'
import { people, person } from '../people/person.ts'
import { isErased, notMerged } from '../../kit/record/restored-alone.ts'
import {
  boolean,
  chosenFrom,
  computed,
  computedAlways,
  customFields,
  defaulted,
  folded,
  integer,
  internal,
  key,
  listOf,
  looks,
  number,
  object,
  oneOf,
  optional,
  readOnly,
  readOnlyOrNull,
  reference,
  required,
  setElsewhere,
  tagList,
  tagged,
  text,
  timestamp,
  titled,
  unlisted,
  unshown,
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
    id: readOnly(text(25)),
    contact_id: key(),
    display_id: optional(text(100)),
    full_name: required(folded(text(255), 'full_name_key')),
    profile_image: unshown(optional(url())),
    profile_image_url: unshown(computed(text(2048), 't.profile_image')),
    primary_email: optional(folded(text(320, { format: 'email' }), 'primary_email_key')),
    company: optional(
      reference(
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
        'company_id',
      ),
    ),
    lead_source: internal(optional(chosenFrom(text(255), 'contacts', 'lead_sources'))),
    contact_owner: looks('owner', optional(person())),
    associated_deals: internal(
      setElsewhere(
        computedAlways(
          unlisted(listOf(associatedProject, 'AssociatedProject')),
          associated.dealsOfContact,
        ),
        'lists the deals that name the contact or its company: change those',
        [],
      ),
    ),
    lead_status: internal(optional(chosenFrom(text(255), 'contacts', 'lead_statuses'))),
    person_category: internal(optional(chosenFrom(text(255), 'contacts', 'person_categories'))),
    custom_fields: customFields(),
    contact_stage: internal(optional(chosenFrom(text(255), 'contacts', 'contact_stages'))),
    is_draft: unshown(defaulted(boolean(), false)),
    job_title: optional(text(255)),
    department: optional(text(255)),
    location: optional(object()),
    language: optional(chosenFrom(text(255), 'contacts', 'languages')),
    seniority_level: internal(optional(chosenFrom(text(255), 'contacts', 'seniority_levels'))),
    buying_role: internal(optional(chosenFrom(text(255), 'contacts', 'buying_roles'))),
    influence_level: internal(optional(integer())),
    interest_level: internal(optional(integer())),
    preferred_communication_channel: optional(
      chosenFrom(text(255), 'contacts', 'preferred_communication_channels'),
    ),
    do_not_contact: {
      ...optional(titled('YesOrNo', oneOf('yes', 'no'))),
      // nobody who wished not to be contacted is contacted
      merged: (values) => (values.includes('yes') ? 'yes' : undefined),
    },
    phone: optional(text(50)),
    whatsapp_number: optional(text(50)),
    campaign: internal(optional(text(255))),
    timezone: optional(text(64, { format: 'time-zone' })),
    signoff_authority: internal(optional(text(255))),
    lead_score: internal(optional(number())),
    last_activity_date: internal(optional(timestamp())),
    linkedin_url: optional(url()),
    twitter_url: optional(url()),
    linked_user: {
      ...readOnlyOrNull(person()),
      // a portal user stays with the person
      merged: (values) => values.find(Boolean),
    },
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
    reports_to: internal(
      optional(
        reference({
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
        }),
      ),
    ),
    reporting_hierarchy_level: internal(optional(integer())),
    reporting_confidence: internal(optional(number())),
    reporting_source: internal(optional(text(255))),
    tags: tagged(optional(tagList())),
    record_source: unshown(internal(readOnly(text(40)))),
    associated_deal_project: internal(
      computedAlways(
        unlisted(listOf(associatedProject, 'AssociatedProject')),
        associated.ofContact,
      ),
    ),
    login_info: readOnlyOrNull(
      unlisted(
        reference(
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
          'linked_user',
        ),
      ),
    ),
  },
)

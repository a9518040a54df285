import type { Context } from '../../kit/ground/context.ts'
import { Type } from 'typebox'
import type { Static, TObject, TSchema } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Schema } from '../../kit/ground/json-schema.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import {
  boolean,
  computed,
  defaulted,
  folded,
  integer,
  key,
  list,
  number,
  object,
  oneOf,
  optional,
  readOnly,
  readOnlyOrNull,
  record,
  reference,
  required,
  restrictedTo,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { createOnce, duplicateQuery, duplicateSwitches, updateOnce } from '../duplicates.ts'
import { redirecting, refuseMerged } from '../merging/tombstone.ts'
import { associated } from '../projects/associated.ts'
import { person } from '../users/person.ts'

const webAddress = () => optional(text(2048, { format: 'web-address' }))

/** A person at a company (specification 2.3). */
export const Contact = record(
  {
    module: 'contacts',
    number: 5,
    word: 'contact',
    title: 'full_name',
    aliases: { name: 'full_name', email: 'primary_email', company_id: 'company' },
    owners: ['created_by', 'contact_owner'],
    search: ['full_name', 'primary_email'],
    searched: true,
    searchable: true,
    scope: { word: 'contact', things: 'contacts' },
    links: [{ table: 'meeting_contacts', column: 'contact_id', uniqueWith: ['calendar_id'] }],
    assignees: ['contact_owner'],
    open: true,
    events: {
      contact_created: { on: 'created', summary: 'A contact was created' },
      contact_updated: { on: 'updated', summary: 'Fields of a contact changed' },
      contact_deleted: { on: 'deleted', summary: 'A contact was deleted' },
      contact_merged: { on: 'merged', summary: 'Contacts were merged into one' },
    },
    attached: (actor) => sql`(t.linked_user = ${actor.user_id}
      or exists (select from accounts a where a.organization_id = t.organization_id
        and a.id = ${actor.account_id} and a.company_id = t.company_id and a.deleted_at is null)
      or exists (select from contacts c where c.organization_id = t.organization_id
        and c.linked_user = ${actor.user_id} and c.company_id = t.company_id and c.deleted_at is null))`,
  },
  {
    id: readOnly(text(25)),
    contact_id: key(),
    display_id: optional(text(100)),
    full_name: required(folded(text(255), 'full_name_key')),
    profile_image: webAddress(),
    profile_image_url: computed(text(2048), 't.profile_image'),
    primary_email: optional(folded(text(320, { format: 'email' }), 'primary_email_key')),
    company: optional(
      reference(
        {
          table: 'companies',
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
    lead_source: optional(text(255)),
    contact_owner: optional(person()),
    associated_deals: restrictedTo(
      computed(unlisted(list({ type: 'object' })), associated.dealsOfContact),
      'deals',
    ),
    lead_status: optional(text(255)),
    person_category: optional(text(255)),
    custom_fields: defaulted(unlisted(object()), {}),
    contact_stage: optional(text(255)),
    is_draft: defaulted(boolean(), false),
    job_title: optional(text(255)),
    department: optional(text(255)),
    location: optional(object()),
    language: optional(text(255)),
    seniority_level: optional(text(255)),
    buying_role: optional(text(255)),
    influence_level: optional(integer()),
    interest_level: optional(integer()),
    preferred_communication_channel: optional(text(255)),
    do_not_contact: optional(oneOf('yes', 'no')),
    phone: optional(text(50)),
    whatsapp_number: optional(text(50)),
    campaign: optional(text(255)),
    timezone: optional(text(64, { format: 'time-zone' })),
    signoff_authority: optional(text(255)),
    lead_score: optional(number()),
    last_activity_date: optional(timestamp()),
    linkedin_url: webAddress(),
    twitter_url: webAddress(),
    linked_user: readOnlyOrNull(person()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
    reports_to: optional(
      reference({
        table: 'contacts',
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
    reporting_hierarchy_level: optional(integer()),
    reporting_confidence: optional(number()),
    reporting_source: optional(text(255)),
    tags: optional(list()),
    record_source: readOnly(text(40)),
    associated_deal_project: restrictedTo(
      computed(unlisted(list({ type: 'object' })), associated.ofContact),
      'deals',
      'projects',
    ),
    login_info: readOnlyOrNull(
      unlisted(
        reference(
          {
            table: 'people',
            isCached: true,
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

const plain = crud(Contact)

const namePart = Type.Optional(orNull(Type.String({ maxLength: 127 })))
const nameParts = { first_name: namePart, last_name: namePart }

export const contacts = {
  ...plain,
  create: operation({
    ...plain.create,
    input: {
      body: withNameParts(extend(plain.create.input.body, duplicateSwitches)),
      query: duplicateQuery,
    },
    run(ctx, { body: sent, query }) {
      const { full_name, ...others } = withFullName(sent)
      if (full_name === undefined) throw badField('full_name', 'is required')
      const body = { ...others, full_name }
      const key = emailKey(body.primary_email)
      return createOnce(ctx, Contact, { body, query }, { key, parent: 'reports_to' })
    },
  }),
  update: operation({
    ...plain.update,
    input: { ...plain.update.input, body: withNameParts(plain.update.input.body) },
    async run(ctx, { params, body: sent, ifMatch }) {
      const body = withFullName(await withBothNames(ctx, params.id, sent))
      const set = await keyAfter(ctx, params.id, body.primary_email)
      return updateOnce(ctx, Contact, params.id, body, set, 'reports_to', ifMatch)
    },
  }),
  read: redirecting(Contact, plain.read),
  restore: operation({
    ...plain.restore,
    async run(ctx, input) {
      await refuseMerged(ctx, Contact, input.params.id)
      return plain.restore.run(ctx, input)
    },
  }),
}

/** What keeps two contacts apart: the folded e-mail. */
export function contactKey(row: { [column: string]: unknown }): string | null {
  return emailKey(row.primary_email as string | null)
}

/** The contacts of one company, which the caller must be able to see: 404 otherwise. */
export const contactsOfCompany = redirecting(
  Company,
  operation({
    ...plain.list,
    name: 'list_contacts_of_company',
    summary: 'List the contacts of a company',
    input: { ...plain.list.input, params: byId },
    async run(ctx, { params, query }) {
      await checkReadable(ctx, Company, params.id)
      return listPage(ctx, Contact, query, sql`t.company_id = ${params.id}`)
    },
  }),
)

/** A body that may hold the name in two parts. */
function withNameParts<S extends TSchema>(
  body: S,
): Schema<Partial<Static<S>> & Static<TObject<typeof nameParts>>> {
  return schema({ ...extend(body, nameParts), required: [] })
}

type NameParts = {
  full_name?: string
  first_name?: string | null
  last_name?: string | null
}

/** A change of one part of the name leaves the other as it is: all but the first word, or that. */
async function withBothNames<B extends NameParts>(ctx: Context, id: string, body: B): Promise<B> {
  const { first_name, last_name, full_name } = body
  const isOne = (first_name === undefined) !== (last_name === undefined)
  if (!isOne || full_name !== undefined) return body
  const old = await ctx.one<{ full_name: string }>(
    sql`select t.full_name from contacts t where ${mine(ctx)} and t.id = ${id}`,
  )
  const [first, ...rest] = old?.full_name.split(' ') ?? []
  return { first_name: first, last_name: rest.join(' '), ...body }
}

/** A body with the name in one, where it came in two parts, and without an empty `reports_to`. */
export function withFullName<B extends NameParts & { reports_to?: unknown }>(
  sent: B,
): Omit<B, 'first_name' | 'last_name'> {
  const { first_name, last_name, ...body } = sent
  const { reports_to: above } = sent
  // the specification types it as an object: an empty one names nobody
  if (typeof above === 'object' && above && !Object.keys(above).length) delete body.reports_to
  const parts = [first_name, last_name].map((part) => (part ?? '').trim()).filter(Boolean)
  if (sent.full_name !== undefined || !parts.length) return body
  return { ...body, full_name: parts.join(' ') }
}

/** The unique key when the e-mail changes; one let through as a duplicate keeps none until then. */
async function keyAfter(ctx: Context, id: string, email: string | null | undefined) {
  if (email === undefined) return {}
  const old = await ctx.one<{ primary_email: string | null }>(
    sql`select primary_email from contacts t where ${mine(ctx)} and id = ${id}`,
  )
  const unique_key = emailKey(email)
  return !old || emailKey(old.primary_email) === unique_key ? {} : { unique_key }
}

function emailKey(email: string | null | undefined): string | null {
  return email?.toLowerCase() ?? null
}

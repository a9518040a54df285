import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend } from '../../kit/ground/json-schema.ts'
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
  optional,
  readOnly,
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
import { createOnce, duplicateQuery, duplicateSwitches, updateOnce } from '../duplicates.ts'
import { redirecting, refuseMerged } from '../merging/tombstone.ts'
import { associated } from '../projects/associated.ts'
import { person } from '../users/person.ts'
import { normalDomain } from './domain.ts'

const webAddress = () => optional(text(2048, { format: 'web-address' }))
const anything = {}

/** A company that the organization deals with (specification 2.3). */
export const Company = record(
  {
    module: 'companies',
    number: 4,
    word: 'company',
    title: 'company_name',
    aliases: { name: 'company_name' },
    owners: ['created_by', 'company_owner'],
    search: ['company_name', 'domain'],
    searched: true,
    searchable: true,
    scope: { word: 'company', things: 'companies' },
    assignees: ['company_owner'],
    open: true,
    events: {
      company_created: { on: 'created', summary: 'A company was created' },
      company_updated: { on: 'updated', summary: 'Fields of a company changed' },
      company_deleted: { on: 'deleted', summary: 'A company was deleted' },
      company_merged: { on: 'merged', summary: 'Companies were merged into one' },
    },
    attached: (actor) => sql`(
      exists (select from accounts a where a.organization_id = t.organization_id
        and a.id = ${actor.account_id} and a.company_id = t.id and a.deleted_at is null)
      or exists (select from contacts c where c.organization_id = t.organization_id
        and c.linked_user = ${actor.user_id} and c.company_id = t.id and c.deleted_at is null))`,
  },
  {
    id: readOnly(text(25)),
    company_id: key(),
    display_id: optional(text(100)),
    company_name: required(folded(text(255), 'company_name_key')),
    domain: optional(text(255)),
    linkedin_url: webAddress(),
    twitter_url: webAddress(),
    website_url: webAddress(),
    hq_location: optional(text(255)),
    hq_country: optional(text(255)),
    industry: optional(text(255)),
    employee_range: optional(text(255)),
    revenue_range: optional(text(255)),
    estimated_arr: optional(number()),
    description: optional(text()),
    logo_url: webAddress(),
    company_owner: optional(person()),
    company_type: optional(text(255)),
    lead_status: optional(text(255)),
    icp_fit: optional(text(255)),
    customer_segment: optional(text(255)),
    connection_strength: optional(text(255)),
    connection_source: optional(text(255)),
    operating_regions: optional(list()),
    category: optional(text(255)),
    vendor_being_replaced: optional(text(255)),
    replacement_urgency: optional(text(255)),
    partner_type: optional(text(255)),
    parent_company: optional(
      reference({
        table: 'companies',
        shows: null,
        to: (): AnyRecord => Company,
        by: companyKeys(),
      }),
    ),
    investors: optional(list(anything)),
    partners: optional(list(anything)),
    subsidiaries: optional(list(anything)),
    address: optional(object({ properties: addressProperties() })),
    tags: optional(list()),
    contacts_count: computed(
      integer(),
      `(select count(*) from contacts c where c.organization_id = t.organization_id
        and c.company_id = t.id and c.deleted_at is null)`,
    ),
    is_draft: defaulted(boolean(), false),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
    record_source: readOnly(text(40)),
    custom_fields: defaulted(unlisted(object()), {}),
    associated_deal_project: restrictedTo(
      computed(unlisted(list({ type: 'object' })), associated.ofCompany),
      'deals',
      'projects',
    ),
  },
)

const plain = crud(Company)

export const companies = {
  ...plain,
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, duplicateSwitches), query: duplicateQuery },
    async run(ctx, input) {
      const body = withDomain(input.body)
      const { domain, company_name } = body
      // one without a domain is the same as any company of its name
      const alike = domain ? undefined : sql`t.company_name_key = ${company_name.toLowerCase()}`
      const key = uniqueKey(company_name, domain)
      return createOnce(ctx, Company, { ...input, body }, { key, alike, parent: 'parent_company' })
    },
  }),
  update: operation({
    ...plain.update,
    async run(ctx, { params, body, ifMatch }) {
      const changed = withDomain(body)
      const set = await keyAfter(ctx, params.id, changed)
      return updateOnce(ctx, Company, params.id, changed, set, 'parent_company', ifMatch)
    },
  }),
  read: redirecting(Company, plain.read),
  restore: operation({
    ...plain.restore,
    async run(ctx, input) {
      await refuseMerged(ctx, Company, input.params.id)
      return plain.restore.run(ctx, input)
    },
  }),
}

/** What keeps two companies apart: the domain, or without one the folded name. */
export function companyKey(row: { [column: string]: unknown }): string {
  return uniqueKey(String(row.company_name), row.domain as string | null)
}

/** What a body may name a company by, beside its plain id. */
export function companyKeys() {
  return {
    company_id: { column: 'id' },
    id: { column: 'id' },
    domain: { column: 'domain', fold: (domain: string) => normalDomain(domain) ?? domain },
    company_name: { column: 'company_name_key', fold: (name: string) => name.trim().toLowerCase() },
  }
}

/** A body whose domain is as it is compared and kept; 400 when it is none. */
export function withDomain<B extends { domain?: unknown }>(body: B): B {
  if (typeof body.domain !== 'string') return body
  if (body.domain.trim() === '') return { ...body, domain: null }
  const domain = normalDomain(body.domain)
  if (!domain) throw badField('domain', 'must be a domain name, such as acme.com')
  return { ...body, domain }
}

function uniqueKey(company_name: string, domain: string | null | undefined): string {
  return domain ? `d:${domain}` : `n:${company_name.toLowerCase()}`
}

/** The unique key when name or domain change; one let through as a duplicate keeps none until then. */
async function keyAfter(
  ctx: Context,
  id: string,
  body: { domain?: string | null; company_name?: string },
) {
  if (body.domain === undefined && body.company_name === undefined) return {}
  const old = await ctx.one<{ domain: string | null; company_name: string }>(
    sql`select domain, company_name from companies t where ${mine(ctx)} and id = ${id}`,
  )
  if (!old) return {}
  const { domain = old.domain, company_name = old.company_name } = body
  const before = uniqueKey(old.company_name, old.domain)
  const unique_key = uniqueKey(company_name, domain)
  return before === unique_key ? {} : { unique_key }
}

/** The contract's Address. */
function addressProperties() {
  const line = { type: ['string', 'null'], maxLength: 255 }
  return { country: line, state: line, city: line, address: line, zip_code: line }
}

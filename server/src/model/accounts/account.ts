import { Type } from 'typebox'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { isAttachedAccount } from '../attached/attachment.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { healthInput } from '../health/schema.ts'
import { person } from '../people/person.ts'
import { currencyTotals, sentences } from './definitions.ts'
import { health, money, totals } from './totals.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  integer,
  key,
  listOf,
  number,
  object,
  reference,
  stamp,
  tagList,
  text,
  url,
  valueOf,
} from '../../kit/record/fields.ts'

const linkedProject = {
  project_id: Type.String(),
  project: Type.String({ description: 'its name' }),
  project_type: enumeration(['project', 'deal'], { title: 'ProjectType' }),
}

/** The stored account, with its computed health. */
const insight = Type.Object(
  {
    health: Type.Object({
      score: Type.Integer({ description: 'How well the account does, from 0 to 100.' }),
      is_set: Type.Boolean({ description: 'whether the score was set by hand' }),
      reasons: Type.Array(Type.String()),
      inputs: Type.Array(healthInput, {
        description: 'the score is 100 less their points, and at least 0',
      }),
    }),
  },
  { title: 'AccountInsight', additionalProperties: true },
)

/** A total of the account's projects or deals, as far as the caller may read them. */
function total(name: keyof typeof sentences, column: string = name) {
  const shared = { ...money, value: `money.${column}` }
  return { readOnly: true, description: sentences[name], shared } as const
}

/** A customer of the organization, with its deals, projects and health (specification 2.3). */
export const Account = record(
  {
    module: 'accounts',
    number: 8,
    word: 'account',
    title: 'account_name',
    aliases: { name: 'account_name' },
    page: {
      strip: ['health_score', 'total_revenue', 'open_pipeline', 'account_owner'],
      rail: ['company_id', 'customer', 'segment', 'region', 'vertical', 'website_url', 'tags'],
    },
    open: true,
    rights: {
      owners: ['created_by', 'account_owner'],
      attached: isAttachedAccount,
    },
    life: { loose: [{ column: 'won_with', to: ['projects'], onRemoval: 'clear' }] },
    find: {
      searchAlso: { links: ['company_id'] },
      searched: true,
      searchable: true,
    },
    // a company and its account are one customer
    apps: {
      scopedAs: ['company'],
    },
    events: {
      assignees: ['account_owner'],
      kinds: {
        account_created: { on: 'created', summary: 'An account was created' },
        account_updated: { on: 'updated', summary: 'An account was updated' },
        account_deleted: { on: 'deleted', summary: 'An account was deleted' },
      },
    },
  },
  {
    account_id: key(),
    account_name: text(255, { required: true, folded: 't.account_name_key' }),
    description: text(10_000, { audience: 'internal' }),
    account_owner: person({ look: 'owner' }),
    company_id: reference({
      table: 'companies',
      shows: null,
      to: (): AnyRecord => Company,
      by: companyKeys(),
    }),
    customer: reference(
      {
        table: 'contacts',
        shows: {
          contact_id: { column: 'id', kind: 'text' },
          full_name: { column: 'full_name', kind: 'text' },
          email: { column: 'primary_email', kind: 'text' },
          phone: { column: 'phone', kind: 'text' },
          profile_image: { column: 'profile_image', kind: 'text' },
        },
        to: (): AnyRecord => Contact,
        by: {
          contact_id: { column: 'id' },
          id: { column: 'id' },
          email: { column: 'unique_key', fold: (email: string) => email.trim().toLowerCase() },
        },
      },
      { column: 'customer_contact' },
    ),
    health_score: integer({
      description:
        'How well the account does, 0 to 100: what was set by hand, else what is computed.',
      schema: { minimum: 0, maximum: 100 },
      look: 'score',
      audience: 'internal',
      shared: { ...health, value: totals.health_score },
    }),
    total_revenue: number({
      description: sentences.total_revenue,
      isMoney: true,
      audience: 'internal',
      shared: { ...money, value: totals.total_revenue },
    }),
    total_formatted_revenue: text(60, {
      readOnly: true,
      isUnshown: true,
      audience: 'internal',
      shared: { ...money, value: totals.total_formatted_revenue },
    }),
    open_pipeline: number({ ...total('open_pipeline'), isMoney: true, audience: 'internal' }),
    weighted_pipeline: number({
      ...total('weighted_pipeline'),
      isMoney: true,
      audience: 'internal',
    }),
    lost_value: number({ ...total('lost_value'), isMoney: true, audience: 'internal' }),
    totals_by_currency: listOf(currencyTotals, {
      readOnly: true,
      title: 'CurrencyTotals',
      description: sentences.totals_by_currency,
      audience: 'internal',
      filterable: false,
      shared: { ...money, value: 'money.by_currency' },
    }),
    linked_projects: listOf(linkedProject, {
      title: 'LinkedProject',
      filterable: false,
      expression: totals.linked_projects,
    }),
    total_projects: integer(total('total_projects', 'projects')),
    completed_projects: integer(total('completed_projects')),
    total_deals: integer({ ...total('total_deals', 'deals'), audience: 'internal' }),
    completed_deals: integer({ ...total('completed_deals'), audience: 'internal' }),
    vertical: text(255, { optionSet: { module: 'accounts', name: 'verticals', isOpen: true } }),
    segment: text(255, {
      optionSet: { module: 'accounts', name: 'segments', isOpen: true },
      audience: 'internal',
    }),
    region: text(255, { optionSet: { module: 'accounts', name: 'regions', isOpen: true } }),
    website_url: url(),
    is_favourite: boolean({ default: false, audience: 'internal' }),
    currency_unit: text(3, {
      schema: { pattern: '^[A-Z]{3}$' },
      optionSet: { module: 'projects', name: 'currencies' },
      isUnshown: true,
      read: totals.currency_unit,
    }),
    logo_path: text(2048, { schema: { format: 'address-or-path' }, isUnshown: true }),
    logo: text(2048, { nullable: true, isUnshown: true, expression: 't.logo_path' }),
    insight: object({
      default: {},
      audience: 'internal',
      shown: valueOf(insight),
      shared: { ...health, value: totals.insight },
    }),
    is_internal_account: boolean({ default: false, audience: 'internal' }),
    tags: tagList(tagged),
    custom_fields: customFields(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

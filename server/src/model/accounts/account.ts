import { Type } from 'typebox'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { isAttachedAccount } from '../attached/attachment.ts'
import { Company, companyKeys } from '../companies/company.ts'
import { Contact } from '../contacts/contact.ts'
import { healthInput } from '../health/schema.ts'
import { person } from '../people/person.ts'
import { currencyTotals, sentences } from './definitions.ts'
import { health, money, totals } from './totals.ts'
import {
  amount,
  boolean,
  chosenFrom,
  computed,
  computedAlways,
  customFields,
  defaulted,
  defined,
  folded,
  integer,
  internal,
  key,
  listOf,
  looks,
  number,
  object,
  objectOf,
  optional,
  readAs,
  readOnly,
  reference,
  required,
  shares,
  suggestedFrom,
  tagList,
  tagged,
  text,
  timestamp,
  unlisted,
  unshown,
  url,
} from '../../kit/record/fields.ts'

const linkedProject = {
  project_id: Type.String(),
  project: Type.String({ description: 'its name' }),
  project_type: enumeration(['project', 'deal'], { title: 'ProjectType' }),
}

const healthInsight = objectOf(
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
  'AccountInsight',
)
/** The stored account, with its computed health. */
const insight = {
  ...healthInsight,
  schema: { ...healthInsight.schema, additionalProperties: true },
}

/** A total of the account's projects or deals, as far as the caller may read them. */
function total<F extends Field<number>>(
  field: F,
  name: keyof typeof sentences,
  column: string = name,
) {
  return shares(computedAlways(defined(field, sentences[name]), ''), money, `money.${column}`)
}

/** A customer of the organization, with its deals, projects and health (specification 2.3). */
export const Account = record(
  {
    module: 'accounts',
    number: 8,
    word: 'account',
    title: 'account_name',
    aliases: { name: 'account_name' },
    open: true,
    rights: {
      owners: ['created_by', 'account_owner'],
      attached: isAttachedAccount,
    },
    find: {
      searchAlso: { links: ['company_id'] },
      searched: true,
      searchable: true,
    },
    events: {
      assignees: ['account_owner'],
    },
  },
  {
    account_id: key(),
    account_name: required(folded(text(255), 'account_name_key')),
    description: internal(optional(text())),
    account_owner: looks('owner', optional(person())),
    company_id: optional(
      reference({
        table: 'companies',
        shows: null,
        to: (): AnyRecord => Company,
        by: companyKeys(),
      }),
    ),
    customer: optional(
      reference(
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
        'customer_contact',
      ),
    ),
    health_score: looks(
      'score',
      internal(
        shares(
          defined(
            optional(integer({ minimum: 0, maximum: 100 })),
            'How well the account does, 0 to 100: what was set by hand, else what is computed.',
          ),
          health,
          totals.health_score,
        ),
      ),
    ),
    total_revenue: internal(
      shares(
        defined(optional(amount(number())), sentences.total_revenue),
        money,
        totals.total_revenue,
      ),
    ),
    total_formatted_revenue: unshown(
      internal(shares(computedAlways(text(60), ''), money, totals.total_formatted_revenue)),
    ),
    open_pipeline: internal(total(amount(number()), 'open_pipeline')),
    weighted_pipeline: internal(total(amount(number()), 'weighted_pipeline')),
    lost_value: internal(total(amount(number()), 'lost_value')),
    totals_by_currency: internal(
      shares(
        computedAlways(
          unlisted(defined(listOf(currencyTotals, 'CurrencyTotals'), sentences.totals_by_currency)),
          '',
        ),
        money,
        'money.by_currency',
      ),
    ),
    linked_projects: computedAlways(
      unlisted(listOf(linkedProject, 'LinkedProject')),
      totals.linked_projects,
    ),
    total_projects: total(integer(), 'total_projects', 'projects'),
    completed_projects: total(integer(), 'completed_projects'),
    total_deals: internal(total(integer(), 'total_deals', 'deals')),
    completed_deals: internal(total(integer(), 'completed_deals')),
    vertical: optional(suggestedFrom(text(255), 'accounts', 'verticals')),
    segment: internal(optional(suggestedFrom(text(255), 'accounts', 'segments'))),
    region: optional(suggestedFrom(text(255), 'accounts', 'regions')),
    website_url: optional(url()),
    is_favourite: internal(defaulted(boolean(), false)),
    currency_unit: unshown({
      ...optional(chosenFrom(text(3, { pattern: '^[A-Z]{3}$' }), 'projects', 'currencies')),
      read: totals.currency_unit,
    }),
    logo_path: unshown(optional(text(2048, { format: 'address-or-path' }))),
    logo: unshown(computed(text(2048), 't.logo_path')),
    insight: internal(shares(readAs(defaulted(object(), {}), insight, ''), health, totals.insight)),
    is_internal_account: internal(defaulted(boolean(), false)),
    tags: tagged(optional(tagList())),
    custom_fields: customFields(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { endOfDay, startOfDay } from '../../../kit/ground/dates.ts'
import { badField, forbidden } from '../../../kit/ground/errors.ts'
import { enumeration } from '../../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { bound } from '../../../kit/read/filter-values.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { languages } from '../../../model/languages/language.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { Page } from '../../../model/forms/form-parts.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import { answersHold } from '../automations/conditions.ts'

const several = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description }))

/** What results can be restricted to, as properties of a query. */
export const resultFilters = {
  since: Type.Optional(
    Type.String({
      format: 'date',
      description: 'the first day on which they were finished, or begun where they are not',
    }),
  ),
  until: Type.Optional(Type.String({ format: 'date', description: 'the last such day' })),
  account: several('accounts that the respondents belong to, comma-separated'),
  owner: several('owners of these accounts, comma-separated'),
  segment: several('segments of these accounts, comma-separated'),
  language: Type.Optional(
    enumeration(languages, { title: 'AnswerLanguage', description: 'in which they were given' }),
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'of the structure answered' }),
  ),
  schedule: Type.Optional(
    Type.String({ maxLength: 40, description: 'the mailing that asked for them' }),
  ),
  answers: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: 'JSON array of conditions on `answers.<id>` and `respondent_email`',
    }),
  ),
}
export type ResultFilters = Static<Type.TObject<typeof resultFilters>>

/** Those that say whose answers, or which. */
export const whoseFilters = ['account', 'owner', 'segment', 'schedule', 'answers'] as const

/** The columns that the filters compare, of responses or of the recipients of mailings. */
type Over = { at: Query; email: Query; user?: Query }

/**
 * The filters as a condition over `t`, responses to one survey. Accounts count within the caller's rights; their
 * owners and segments are 403 for customers and partners.
 */
export function matchingResponses(ctx: Context, pages: Page[], filters: ResultFilters): Query {
  const { language, version, schedule, answers } = filters
  const at = sql`coalesce(t.finished_at, t.creation_time)`
  const user = sql`t.created_by`
  return all(
    within(ctx, filters, at),
    ofAccounts(ctx, filters, { at, email: sql`lower(t.respondent_email)`, user }),
    language ? sql`t.language = ${language}` : undefined,
    version ? sql`t.structure_version = ${version}` : undefined,
    schedule ? sql`t.schedule_id = ${schedule}` : undefined,
    answers ? answersHold(ctx, pages, answers) : undefined,
  )
}

/** The responses to a survey that the filters match, as a condition over `t`. */
export function responsesTo(
  ctx: Context,
  survey: Pick<Row<typeof Survey>, 'survey_id' | 'form_structure'>,
  filters: ResultFilters,
): Query {
  return sql`${mine(ctx)} and t.survey_id = ${survey.survey_id}
    and ${matchingResponses(ctx, survey.form_structure.pages, filters)}`
}

/** The same as `matchingResponses` over `t`, recipients of mailings; undefined where only answers can decide. */
export function matchingRecipients(ctx: Context, filters: ResultFilters): Query | undefined {
  const { language, version, schedule, answers } = filters
  if (language || version || answers) return undefined
  const at = sql`t.sent_at`
  return all(
    within(ctx, filters, at),
    ofAccounts(ctx, filters, { at, email: sql`t.email_key` }),
    schedule ? sql`t.schedule_id = ${schedule}` : undefined,
  )
}

function within(ctx: Context, { since, until }: ResultFilters, at: Query): Query | undefined {
  if (since && until && until < since) throw badField('until', 'must not be before since')
  const { timezone } = ctx.organization
  return all(
    since ? sql`${at} >= ${bound(startOfDay(since, timezone))}` : undefined,
    until ? sql`${at} < ${bound(endOfDay(until, timezone))}` : undefined,
  )
}

/**
 * Of whose accounts: that of the survey, or else those of the respondent's company, those whose main contact
 * they are, and the one that their user belongs to, as `recordActivity` finds them.
 */
function ofAccounts(
  ctx: Context,
  { account, owner, segment }: ResultFilters,
  { email, user }: Over,
): Query | undefined {
  if (!account && !owner && !segment) return undefined
  if ((owner || segment) && !readsInternal(ctx.actor)) {
    throw forbidden('Your role may not read owners and segments of accounts')
  }
  const one = (column: string, words: string | undefined) =>
    words === undefined ? undefined : sql`${sql.ref(column)} = any(${words.split(',')}::text[])`
  const accounts = sql`from ${readableRows(ctx, 'accounts')} a where ${all(
    mine(ctx, 'a'),
    sql`a.deleted_at is null`,
    one('a.id', account),
    one('a.account_owner', owner),
    one('a.segment', segment),
  )}`
  const people = sql`select c.primary_email_key from ${readableRows(ctx, 'contacts')} c
    where ${mine(ctx, 'c')} and c.deleted_at is null and c.primary_email_key is not null
      and (c.company_id in (select a.company_id ${accounts})
        or c.id in (select a.customer_contact ${accounts}))`
  const users = (column: Query) => sql`select ${column} from users u
    where ${mine(ctx, 'u')} and u.account_id in (select a.id ${accounts})`
  const survey = (such: Query) => sql`(select from surveys s
    where ${mine(ctx, 's')} and s.id = t.survey_id and ${such})`
  return sql`(exists ${survey(sql`s.account_id in (select a.id ${accounts})`)}
    or exists ${survey(sql`s.account_id is null`)} and (${email} in (${people})
      or ${email} in (${users(sql`u.email_key`)})
      ${user ? sql`or ${user} in (${users(sql`u.id`)})` : sql``}))`
}

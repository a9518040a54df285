import type { Context, Query } from '../../../kit/ground/context.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { operatorsOf } from '../../../kit/read/filter.ts'
import { FilterCost } from '../../../kit/read/filter-cost.ts'
import { compileFilter } from '../../../kit/read/filter-condition.ts'
import type { Registry } from '../../../kit/read/filter-fields.ts'
import { customField } from '../../../kit/read/filter-fields.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { Answers, FormField, Page } from '../../../model/forms/form-parts.ts'
import { withoutNames } from '../../../model/forms/piping.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import { isNumeric, scoreOf } from '../../../model/surveys/automations/score.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { respondentAccounts } from './respondent-account.ts'

/** What conditions say of the account that an answer is about, and of the contact who gave it; each is a text. */
const ofRespondent = {
  'account.account_name': 'Name of the account',
  'account.segment': 'Segment of the account',
  'account.account_owner': 'Owner of the account',
  'contact.full_name': 'Name of the contact',
  'contact.job_title': 'Job title of the contact',
}

/**
 * The fields that conditions can compare, for an editor: each question, the score, the respondent, and what is known of
 * their account and contact.
 */
export function conditionFields(pages: Page[]) {
  const labels = new Map([
    ...questionsOf(pages).map(({ id, label }) => [`answers.${id}`, label] as const),
    ...Object.entries(ofRespondent),
  ])
  return [...registryOf(pages)].map(([field, { kind }]) => ({
    field,
    label: withoutNames(labels.get(field) ?? field),
    type: kind,
    operators: operatorsOf(kind),
  }))
}

/** 400 under `at` for conditions that are not in the filter grammar or name unknown fields. */
export function checkConditions(ctx: Context, conditions: unknown[], pages: Page[], at: string) {
  compileFilter(registryOf(pages), conditions, clockOf(ctx), at)
}

type Answered = { answers: Answers; respondent_email: string | null }

/**
 * For which of these responses to a survey the conditions hold, in their order; one statement for all. Of accounts and
 * contacts they compare what the caller may read.
 */
export async function conditionsHold(
  ctx: Context,
  conditions: unknown[],
  survey: Pick<StoredSurvey, 'account_id' | 'form_structure'>,
  responses: Answered[],
): Promise<boolean[]> {
  if (!responses.length) return []
  const { pages } = survey.form_structure
  const holds = compileFilter(registryOf(pages), conditions, clockOf(ctx), 'conditions')
  const known = await respondentsIn(ctx, conditions, survey, responses)
  const compared = responses.map(({ answers, respondent_email }, at) => ({
    at,
    custom_fields: answers,
    respondent_email,
    score: scoreOf(pages, answers),
    ...known(respondent_email),
  }))
  const found = await ctx.all<{ at: number }>(sql`
    select t.at from jsonb_to_recordset(${JSON.stringify(compared)}::jsonb)
      as t(at integer, custom_fields jsonb, respondent_email text, score numeric, account_name text,
        segment text, account_owner text, full_name text, job_title text)
    where ${holds}`)
  const matching = new Set(found.map(({ at }) => at))
  return responses.map((_, at) => matching.has(at))
}

type Respondent = { full_name: string; job_title: string | null }

/** What conditions compare of the account and the contact of each address, where they do. */
async function respondentsIn(
  ctx: Context,
  conditions: unknown[],
  survey: Pick<StoredSurvey, 'account_id'>,
  responses: Answered[],
) {
  const text = JSON.stringify(conditions)
  const named = (of: string) => text.includes(`"${of}.`)
  const keys = responses.flatMap(({ respondent_email: one }) => one?.toLowerCase() ?? [])
  const emails = [...new Set(keys)]
  const account = named('account') ? await respondentAccounts(ctx, survey, emails) : undefined
  const contacts =
    named('contact') && emails.length
      ? await ctx.all<Respondent & { email: string }>(sql`
          select distinct on (t.primary_email_key) t.primary_email_key as email, t.full_name,
            t.job_title
          from contacts t
          where ${all(scope(ctx, Contact, 'read'), sql`t.primary_email_key = any(${emails})`)}
          order by t.primary_email_key, t.id`)
      : []
  const people = new Map(contacts.map(({ email, ...person }) => [email, person]))
  return (email: string | null) => {
    const its = account?.(email)
    return {
      account_name: its?.name,
      segment: its?.segment,
      account_owner: its?.owner_id,
      ...people.get(email?.toLowerCase() ?? ''),
    }
  }
}

/** Conditions on answers, JSON text, over `t`, the responses; 400 names `answers`, also where they cost too much. */
export function answersHold(ctx: Context, pages: Page[], conditions: string): Query {
  const registry = registryOf(pages)
  for (const name of ['score', ...Object.keys(ofRespondent)]) registry.delete(name)
  const cost = new FilterCost()
  const holds = compileFilter(registry, conditions, clockOf(ctx), 'answers', cost)
  cost.check(ctx.limits.filterCost, 'answers')
  return sql`exists (select from
    (select t.answers as custom_fields, t.respondent_email) t where ${holds})`
}

/** The fields that conditions can use, as the filter grammar expects them. */
function registryOf(pages: Page[]): Registry {
  const registry: Registry = new Map()
  for (const { id, type } of questionsOf(pages)) {
    // answers are read like custom fields: they have that name in the rows that conditions check
    const [, field] = customField({ key: id, type: kindOf(type) })
    registry.set(`answers.${id}`, field)
  }
  registry.set('score', { kind: 'number', sql: 't.score' })
  registry.set('respondent_email', { kind: 'text', sql: 't.respondent_email' })
  for (const name of Object.keys(ofRespondent)) {
    registry.set(name, { kind: 'text', sql: `t.${name.split('.')[1]}` })
  }
  return registry
}

function kindOf(type: FormField['type']): string {
  if (isNumeric(type)) return 'number'
  if (type === 'multi-select' || type === 'ranking') return 'multi_select'
  if (type === 'date') return 'date'
  if (type === 'consent' || type === 'yes-no') return 'boolean'
  return 'text'
}

function clockOf(ctx: Context) {
  return { ...ctx.organization, now: ctx.now() }
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import { cut } from '../../../kit/ground/cut.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { addDays } from '../../../kit/ground/dates.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import type { Row } from '../../../kit/record/record.ts'
import { may, rights, scope } from '../../../kit/record/scope.ts'
import { distinctTags } from '../../../kit/record/tag-list.ts'
import { Company } from '../../../model/companies/company.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { Action } from '../../../model/surveys/automations/actions.ts'
import { actionType } from '../../../model/surveys/automations/actions.ts'
import { scoreOf } from '../../../model/surveys/automations/score.ts'
import { scoreMatches } from '../../../model/surveys/automations/triggers.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'
import { responseColumns } from '../../../model/surveys/responses/response.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import { companies } from '../../companies/operations.ts'
import { contacts } from '../../contacts/operations.ts'
import { interactions } from '../../interactions/operations.ts'
import { optedOut } from '../../mail/optouts.ts'
import { tasks } from '../../tasks/operations.ts'
import { conditionsHold } from './conditions.ts'
import { responseTriggers } from './enqueue.ts'
import { respondentAccounts } from './respondent-account.ts'
import { changeSchema, checkedParts } from './save.ts'

export const simulationBody = Type.Object(
  {
    automation: changeSchema,
    last: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'how many of the latest answers (100)',
      }),
    ),
  },
  { additionalProperties: false },
)

const problems = [
  'no_address',
  'opted_out',
  'no_contact',
  'no_company',
  'no_account',
  'no_owner',
  'not_allowed',
  'has_tag',
] as const

const would = Type.Object(
  {
    action: actionType,
    what: orNull(Type.String({ description: 'the title, the tag, the field or the address' })),
    who: Type.Array(Type.String(), { description: 'names or addresses of whom it concerns' }),
    due_date: orNull(Type.String({ format: 'date' })),
    problem: orNull(
      enumeration(problems, {
        title: 'SurveySimulationProblem',
        description: 'why nothing would have come of it',
      }),
    ),
  },
  { title: 'SurveySimulatedAction' },
)
type Would = Static<typeof would>
type Problem = Would['problem']

export const simulationSchema = Type.Object(
  {
    answers: Type.Integer({ description: 'answers that it was tried with' }),
    matched: Type.Integer({ description: 'answers for which it would have run' }),
    totals: Type.Array(
      Type.Object(
        { action: actionType, count: Type.Integer() },
        { title: 'SurveySimulationTotal' },
      ),
      {
        description:
          'how often each action would have been taken; none of an answer for which one is not allowed',
      },
    ),
    effects: Type.Array(
      Type.Object(
        {
          response_id: Type.String(),
          finished_at: orNull(Type.String({ format: 'date-time' })),
          respondent: orNull(Type.String({ description: 'the contact’s name, or the address' })),
          account: orNull(Type.String({ description: 'the name of the respondent’s account' })),
          score: orNull(Type.Number()),
          would: Type.Array(would),
        },
        { title: 'SurveySimulatedEffect' },
      ),
      { description: 'newest first' },
    ),
  },
  { title: 'SurveySimulation' },
)

type Asked = Static<typeof simulationBody>
type Simulation = Static<typeof simulationSchema>

/** What is known of a respondent whose contact the caller sees. */
type Respondent = {
  email: string
  full_name: string
  tags: string[] | null
  company: string | null
  may_change: boolean
  may_change_company: boolean | null
}
type Known = {
  respondents: Map<string, Respondent>
  optedOut: Set<string>
  names: Map<string, string>
  account: Awaited<ReturnType<typeof respondentAccounts>>
}

/**
 * What an automation would have done with the latest finished answers of a survey, with the rights of the caller, who
 * would be its author. It changes nothing and sends nothing; 400 names what is wrong under `automation`.
 */
export async function simulate(
  ctx: Context,
  survey: Row<typeof Survey>,
  { automation, last = 100 }: Asked,
): Promise<Simulation> {
  const { pages } = survey.form_structure
  const { trigger, conditions, actions } = await checkedParts(ctx, pages, automation, 'automation.')
  const responses = await ctx.all<SurveyResponse & { day: string }>(sql`
    select ${responseColumns},
      to_char(t.finished_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as day
    from survey_responses t
    where ${mine(ctx)} and t.survey_id = ${survey.survey_id} and t.finished
    order by t.finished_at desc, t.id desc limit ${last}`)
  const isOfResponse = responseTriggers.includes(trigger.type)
  const triggered = responses.filter(
    ({ answers }) => isOfResponse && scoreMatches(trigger, pages, answers),
  )
  const holds = await conditionsHold(ctx, conditions, survey, triggered)
  const matched = triggered.filter((_, i) => holds[i])
  const known = await knownOf(ctx, survey, actions, matched)
  const effects = matched.map((response) => {
    const { response_id, finished_at, respondent_email, day, answers } = response
    const person = known.respondents.get(respondent_email?.toLowerCase() ?? '')
    return {
      response_id,
      finished_at,
      respondent: person?.full_name ?? respondent_email,
      account: known.account(respondent_email)?.name ?? null,
      score: scoreOf(pages, answers, trigger.field_id),
      would: actions.map((action) =>
        effectOf(ctx, action, { email: respondent_email, day, person, known }),
      ),
    }
  })
  return { answers: responses.length, matched: matched.length, totals: totalsOf(effects), effects }
}

function totalsOf(effects: { would: Would[] }[]) {
  const byAction = Map.groupBy(effects.flatMap(takenOf), ({ action }) => action)
  return [...byAction].map(([action, each]) => ({ action, count: each.length }))
}

/** Of each answer all or nothing: what is not allowed ends a run, and takes its other actions back. */
function takenOf({ would }: { would: Would[] }): Would[] {
  const isRolledBack = would.some(({ problem }) => problem === 'not_allowed')
  return isRolledBack ? [] : would.filter(({ problem }) => !problem)
}

/** What the actions need to know, in one statement for all answers each. */
async function knownOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  actions: Action[],
  responses: SurveyResponse[],
): Promise<Known> {
  const emails = [
    ...new Set(responses.flatMap(({ respondent_email: one }) => one?.toLowerCase() ?? [])),
  ]
  const addresses = actions.flatMap(({ type, config }) =>
    type === 'send_email' && config.to && config.to !== 'respondent' ? [config.to] : [],
  )
  const users = actions.flatMap(({ type, config }) =>
    type === 'notify'
      ? (config.user_ids ?? [])
      : type === 'create_task' && config.owner
        ? [config.owner]
        : [],
  )
  const [people, out, names, account] = await Promise.all([
    ctx.all<Respondent>(sql`
      select distinct on (t.primary_email_key) t.primary_email_key as email, t.full_name, t.tags,
        (select c.company_name from ${readableRows(ctx, 'companies')} c
          where ${mine(ctx, 'c')} and c.deleted_at is null and c.id = t.company_id) as company,
        t.company_id in (select t.id from companies t
          where ${scope(ctx, Company, 'update')}) as may_change_company,
        (${rights(ctx, Contact, 'update') ?? sql`true`}) as may_change
      from contacts t
      where ${all(scope(ctx, Contact, 'read'), sql`t.primary_email_key = any(${emails})`)}
      order by t.primary_email_key, t.id`),
    optedOut(ctx, 'surveys', [...emails, ...addresses.map((each) => each.toLowerCase())]),
    ctx.all<{ id: string; full_name: string }>(sql`
      select t.id, t.full_name from users t where ${mine(ctx)} and t.id = any(${users})`),
    respondentAccounts(ctx, survey, emails),
  ])
  return {
    respondents: new Map(people.map((each) => [each.email, each])),
    optedOut: out,
    names: new Map(names.map(({ id, full_name }) => [id, full_name])),
    account,
  }
}

type About = { email: string | null; day: string; person: Respondent | undefined; known: Known }

/** One action for one answer, as `perform.ts` would take it. */
function effectOf(ctx: Context, action: Action, about: About): Would {
  const { email, day, person, known } = about
  const name = (id: string) => known.names.get(id) ?? id
  const entry = (what: string | null, who: string[], problem: Problem = null): Would => ({
    action: action.type,
    what,
    who,
    due_date: null,
    problem,
  })
  switch (action.type) {
    case 'create_task': {
      const { title, owner, of_account_owner, due_in_days: days } = action.config
      const whose = (of_account_owner && known.account(email)?.owner) || (owner && name(owner))
      return {
        ...entry(
          title,
          whose ? [whose] : [],
          may(ctx.actor, tasks.create.can) ? null : 'not_allowed',
        ),
        due_date: days === undefined ? null : addDays(day, days),
      }
    }
    case 'notify': {
      const { title = null, user_ids = [], account_owner } = action.config
      const own = account_owner ? known.account(email) : undefined
      const others = user_ids.filter((id) => id !== own?.owner_id)
      const who = [...(own?.owner ? [own.owner] : []), ...others.map(name)]
      return entry(title, who, who.length ? null : 'no_owner')
    }
    case 'comment': {
      const { on = 'contact', text } = action.config
      const whose = on === 'contact' ? person?.full_name : known.account(email)?.name
      const problem = !may(ctx.actor, interactions.create.can)
        ? 'not_allowed'
        : whose
          ? null
          : on === 'contact'
            ? 'no_contact'
            : 'no_account'
      return entry(cut(text, 255), whose ? [whose] : [], problem)
    }
    case 'send_email': {
      const { to = 'respondent', subject } = action.config
      const address = to === 'respondent' ? email : to
      const isOut = address !== null && known.optedOut.has(address.toLowerCase())
      return entry(
        subject,
        address ? [address] : [],
        address ? (isOut ? 'opted_out' : null) : 'no_address',
      )
    }
    case 'add_tag': {
      const { tag } = action.config
      const tags = person?.tags ?? []
      const hasTag = distinctTags([...tags, tag]).length === tags.length
      const problem = contactProblem(ctx, person) ?? (hasTag ? 'has_tag' : null)
      return entry(tag, person ? [person.full_name] : [], problem)
    }
    case 'update_field': {
      const { module = 'contacts', field } = action.config
      if (module === 'contacts') {
        return entry(field, person ? [person.full_name] : [], contactProblem(ctx, person))
      }
      const company = person?.company
      const mayChange = may(ctx.actor, companies.update.can)
      const problem = !mayChange
        ? 'not_allowed'
        : !person
          ? 'no_contact'
          : !company
            ? 'no_company'
            : person.may_change_company
              ? null
              : 'not_allowed'
      return entry(field, company ? [company] : [], problem)
    }
    case 'webhook':
      return entry(action.config.url, [])
  }
}

function contactProblem(ctx: Context, person: Respondent | undefined): Problem {
  if (!may(ctx.actor, contacts.update.can)) return 'not_allowed'
  if (!person) return 'no_contact'
  return person.may_change ? null : 'not_allowed'
}

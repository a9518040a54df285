import { cut } from '../../../kit/ground/cut.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { addDays } from '../../../kit/ground/dates.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { forReader, linkedId } from '../../../kit/record/readable.ts'
import { scope } from '../../../kit/record/scope.ts'
import { distinctTags } from '../../../kit/record/tag-list.ts'
import { announce } from '../../../kit/write/announce.ts'
import { companies } from '../../companies/operations.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import { contacts } from '../../contacts/operations.ts'
import type { Voice } from '../../../model/languages/language.ts'
import type { Brand } from '../../mail/brand.ts'
import { post } from '../../mail/post.ts'
import { answerUrl } from '../../mail/links.ts'
import { known } from '../../mail/readers.ts'
import { optedOut } from '../../mail/optouts.ts'
import { unsubscribeUrl } from '../../notifications/unsubscribe.ts'
import { today } from '../../../model/time/dates.ts'
import { interactions } from '../../interactions/operations.ts'
import { tasks } from '../../tasks/operations.ts'
import { mayCall, request } from './request.ts'
import { respondentAccounts } from './respondent-account.ts'
import type { SurveyResponse } from '../../../model/surveys/responses/response.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import type { Action, ActionType, Configs } from '../../../model/surveys/automations/actions.ts'
import type { StoredAutomation } from '../../../model/surveys/automations/automation.ts'

/** The automation, its survey, and the response if there is one. */
export type Run = {
  automation: StoredAutomation
  survey: StoredSurvey
  response: SurveyResponse | undefined
}

/** The job that posts once to a user-defined address; the guard for outbound calls may refuse it. */
export const postOnceJob = { name: 'post-once' }
export type Posting = { url: string; payload: unknown }

/** A record that a run has made, as its log stores it. */
export type Made = { type: ActionType; task_id: string }

/** Performs one action, and returns what it made; a Failure gives the reason why it cannot be done. */
export function performAction<T extends ActionType>(
  ctx: Context,
  action: Action<T>,
  run: Run,
): Promise<Made[] | void> {
  const { type, config } = action
  return performers[type](ctx, config, run)
}

/** The implementation of each type of action; its `config` was checked when the automation was saved. */
const performers: {
  [type in ActionType]: (ctx: Context, config: Configs[type], run: Run) => Promise<Made[] | void>
} = {
  async create_task(ctx, { due_in_days, of_account_owner, ...task }, { survey, response }) {
    const due = due_in_days === undefined ? {} : { due_date: addDays(today(ctx), due_in_days) }
    const account = of_account_owner ? await accountOf(ctx, survey, response) : undefined
    const owner = account?.owner_id ?? task.owner
    const back = response && answerUrl(ctx, survey.id, response.response_id)
    const description = [task.description, back].filter(Boolean).join('\n\n')
    const about = description ? { description } : {}
    const body = { ...task, ...due, ...about, ...(owner ? { owner } : {}) }
    const { id } = await request(ctx, tasks.create, { body })
    return id ? [{ type: 'create_task', task_id: id }] : []
  },
  async notify(ctx, { user_ids = [], account_owner, title }, { automation, survey, response }) {
    const owner = account_owner && (await accountOf(ctx, survey, response))?.owner_id
    const readers = [...new Set([...(owner ? [owner] : []), ...user_ids])]
    if (!readers.length) return
    await announce(ctx, Survey, 'notified', {
      id: survey.id,
      name: survey.name,
      title: 'Survey automation notified',
      changes: [{ field: 'automation_id', from: null, to: automation.id }],
      notify: readers.map((user_id) => ({
        user_id,
        // runs act as whoever wrote the automation
        isForActor: true,
        notification_type: 7,
        title: title ?? cut(`${automation.name}: ${survey.name}`, 255),
        notification_obj: { response_id: response?.response_id ?? null, event: 'automation' },
      })),
    })
  },
  async send_email(ctx, { to = 'respondent', subject, message }, { survey, response }) {
    const address = to === 'respondent' ? response?.respondent_email : to
    if (!address) return
    const key = address.toLowerCase()
    if ((await optedOut(ctx, 'surveys', [key])).has(key)) return
    const [reader = { address }] = await known(ctx, [{ address }])
    const unsubscribe = unsubscribeUrl(ctx, { address, topic: 'surveys' })
    const compose = (voice: Voice, { name: organization }: Brand) => ({
      subject,
      paragraphs: [message],
      note: voice.say('survey.about', { organization, survey: survey.name }),
      footers: [{ label: voice.say('mail.unsubscribe'), url: unsubscribe }],
    })
    await post(ctx, reader, compose, { kind: 'automation', unsubscribe })
  },
  async comment(ctx, { on = 'contact', text }, { survey, response }) {
    mayCall(ctx, interactions.create)
    const subject =
      on === 'contact'
        ? (await contactOf(ctx, response))?.id
        : (await accountOf(ctx, survey, response))?.id
    if (!subject) return
    const back = response && answerUrl(ctx, survey.id, response.response_id)
    const content = [text, back].filter(Boolean).join('\n\n')
    const module_name = on === 'contact' ? 'contacts' : 'accounts'
    // for the team: what customers read is written by somebody
    const body = { module_name, reference_id: subject, content, is_shared: false }
    await request(ctx, interactions.create, { body })
  },
  async add_tag(ctx, { tag }, { response }) {
    mayCall(ctx, contacts.update)
    const contact = await contactOf(ctx, response)
    if (!contact) return
    const now = contact.tags ?? []
    const tags = distinctTags([...now, tag])
    if (tags.length === now.length) return
    const body = { tags }
    await request(ctx, contacts.update, { id: contact.id, body })
  },
  async update_field(ctx, { module = 'contacts', field, value }, { response }) {
    mayCall(ctx, module === 'contacts' ? contacts.update : companies.update)
    const contact = await contactOf(ctx, response)
    if (!contact) return
    const body = { [field]: value }
    if (module === 'contacts') await request(ctx, contacts.update, { id: contact.id, body })
    else if (contact.company_id) {
      await request(ctx, companies.update, { id: contact.company_id, body })
    }
  },
  async webhook(ctx, { url }, { automation, survey, response }) {
    const data = response && {
      response_id: response.response_id,
      answers: response.answers,
      respondent_email: response.respondent_email,
      finished_at: response.finished_at,
    }
    ctx.enqueue<Posting>(postOnceJob, {
      url,
      payload: {
        type: automation.trigger.type,
        automation_id: automation.id,
        survey_id: survey.id,
        data: data ?? null,
      },
    })
  },
}

/** The account that an answer is about, as the automation's author may read it. */
async function accountOf(ctx: Context, survey: StoredSurvey, response: SurveyResponse | undefined) {
  const email = response?.respondent_email?.toLowerCase()
  return (await respondentAccounts(ctx, survey, email ? [email] : []))(email)
}

type Respondent = { id: string; tags: string[] | null; company_id: string | null }

/**
 * The contact with the respondent's e-mail that the automation's author may read, of several the oldest, with
 * its company if they may read that too: the log of runs says nothing of others.
 */
async function contactOf(ctx: Context, response: SurveyResponse | undefined) {
  const email = response?.respondent_email?.toLowerCase()
  if (!email) return undefined
  const company = forReader(ctx, linkedId('companies', 't.company_id'))
  return ctx.one<Respondent>(sql`select t.id, t.tags, ${company} as company_id from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = ${email}
    order by t.id limit 1`)
}

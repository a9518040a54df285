import type { Context } from '../../kit/ground/context.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { update } from '../../kit/write/write.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { companies } from '../companies/operations.ts'
import { Contact } from '../contacts/contact.ts'
import { contacts } from '../contacts/operations.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import { mayCreate } from '../../kit/record/scope.ts'
import { createTask, today } from '../tasks/operations.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { conditionsHold, scoreOf } from './automation-parts.ts'
import type { Occasion } from './automation-enqueue.ts'
import { runningAutomation } from './automation-enqueue.ts'
import type { Answers, Page } from './structure.ts'
import { Survey } from './survey.ts'

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** What an automation looks at: the survey, and the answer where there is one. */
type Seen = { survey: Row; pages: Page[]; response: Row | undefined }

/**
 * An automation at one occasion, on behalf of whoever made it. Its row in the log of runs is unique
 * and written in the same transaction as what the actions do, so it happens once. What an action may
 * not or cannot do fails the run with the reason; nothing of it stays then.
 */
export const runAutomation: Job<Occasion> = {
  ...runningAutomation,
  async run({ write }, occasion) {
    try {
      await write(async (ctx) => {
        const automation = await ctx.one<Row>(sql`select t.* from survey_automations t
          where ${mine(ctx)} and t.id = ${occasion.automation_id} and t.is_active
            and t.deleted_at is null`)
        if (!automation) return
        const seen = await look(ctx, automation.survey_id, occasion.response_id)
        const isWanted = await applies(ctx, automation, seen)
        const isFirst = await note(
          ctx,
          automation.survey_id,
          occasion,
          isWanted ? 'done' : 'skipped',
        )
        if (!isWanted || !isFirst) return
        for (const action of automation.actions as Row[]) {
          await perform[action.type]!(ctx, action.config ?? {}, seen, automation)
        }
      })
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      await write(async (ctx) => {
        const known = await ctx.one<Row>(sql`select t.survey_id from survey_automations t
          where ${mine(ctx)} and t.id = ${occasion.automation_id}`)
        if (known) await note(ctx, known.survey_id, occasion, 'failed', error.message)
      })
    }
  },
}

async function look(ctx: Context, survey_id: string, response_id: string | null): Promise<Seen> {
  const survey = await ctx.one<Row>(sql`select t.* from surveys t
    where ${mine(ctx)} and t.id = ${survey_id}`)
  const response = response_id
    ? await ctx.one<Row>(sql`select t.* from survey_responses t
        where ${mine(ctx)} and t.id = ${response_id}`)
    : undefined
  return { survey: survey!, pages: survey!.form_structure.pages, response }
}

async function applies(ctx: Context, { trigger, conditions }: Row, { pages, response }: Seen) {
  const answers = (response?.answers ?? {}) as Answers
  if (trigger.type === 'score_above' || trigger.type === 'score_below') {
    const score = scoreOf(pages, answers, trigger.field_id)
    if (score === null) return false
    if (trigger.type === 'score_above' ? score <= trigger.value : score >= trigger.value)
      return false
  }
  const respondent_email = response?.respondent_email ?? null
  return conditionsHold(ctx, conditions, pages, { answers, respondent_email })
}

/** True the first time. A run that failed before and is asked for again stays as it was. */
async function note(
  ctx: Context,
  survey_id: string,
  { automation_id, occasion, response_id }: Occasion,
  status: string,
  failure: string | null = null,
): Promise<boolean> {
  const rows = await ctx.run(sql`
    insert into survey_automation_runs (organization_id, automation_id, occasion, survey_id,
      response_id, status, error, creation_time)
    values (${ctx.organization.id}, ${automation_id}, ${occasion}, ${survey_id}, ${response_id},
      ${status}, ${failure}, ${ctx.now().toISOString()})
    on conflict do nothing`)
  return rows > 0
}

/** What each action does; `config` was checked when the automation was saved. */
const perform: {
  [type: string]: (ctx: Context, config: Row, seen: Seen, automation: Row) => Promise<unknown>
} = {
  async create_task(ctx, { due_in_days, ...given }) {
    mayCreate(ctx, 'tasks')
    const due = due_in_days === undefined ? {} : { due_date: addDays(today(ctx), due_in_days) }
    return createTask(ctx, { ...given, ...due })
  },
  async notify(ctx, { user_ids, title }, { survey, response }, automation) {
    ctx.emit({
      type: null,
      title: 'Survey automation notified',
      module_id: Survey.number,
      reference_id: survey.id,
      changes: [{ field: 'automation_id', from: null, to: automation.id }],
      raw_description: { action: 'notified', module: 'surveys', name: survey.name },
      notify: (user_ids as string[]).map((user_id) => ({
        user_id,
        notification_type: 7,
        title: title ?? `${automation.name}: ${survey.name}`.slice(0, 255),
        notification_obj: { response_id: response?.id ?? null },
      })),
    })
  },
  async send_email(ctx, { to = 'respondent', subject, message }, { survey, response }) {
    const address = to === 'respondent' ? response?.respondent_email : to
    if (!address) return
    const words = await letter({
      subject,
      paragraphs: [message],
      note: `Sent by ${ctx.organization.name} about “${survey.name}”.`,
    })
    mail(ctx, { to: { address }, ...words })
  },
  async add_tag(ctx, { tag }, { response }) {
    const contact = await contactOf(ctx, response)
    if (!contact) return
    const tags = (contact.tags ?? []) as unknown[]
    if (!tags.includes(tag)) await update(ctx, Contact, contact.id, { tags: [...tags, tag] })
  },
  async update_field(ctx, { module = 'contacts', field, value }, { response }) {
    const contact = await contactOf(ctx, response)
    const { id, operation } =
      module === 'contacts'
        ? { id: contact?.id, operation: contacts.update }
        : { id: contact?.company_id, operation: companies.update }
    if (!id) return
    const body = { [field]: value }
    checkBody(operation.input.body!, body)
    await operation.run(ctx, { params: { id }, query: {}, body, address: '', url: '' })
  },
  async webhook(ctx, { url }, { survey, response }, automation) {
    const data = response && {
      response_id: response.id,
      answers: response.answers,
      respondent_email: response.respondent_email,
      finished_at: response.finished_at,
    }
    const { id: automation_id, trigger } = automation
    ctx.enqueue(postingOnce, {
      url,
      payload: { type: trigger.type, automation_id, survey_id: survey.id, data: data ?? null },
    })
  },
}

/** The job that posts to an address outside, where the guard lets it. */
export const postingOnce = { name: 'post-once' }
export type Posting = { url: string; payload: unknown }

/** The living contact with the respondent's e-mail; the oldest, if there are several. */
async function contactOf(ctx: Context, response: Row | undefined): Promise<Row | undefined> {
  const email = response?.respondent_email?.toLowerCase()
  if (!email) return undefined
  return ctx.one<Row>(sql`select t.id, t.tags, t.company_id from contacts t
    where ${mine(ctx)} and t.primary_email_key = ${email} and t.deleted_at is null
    order by t.id limit 1`)
}

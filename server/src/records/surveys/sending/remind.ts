import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { Failure, notFound } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { lock } from '../../../kit/write/write.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { checkSender } from './sender.ts'
import { checkSendable, logSending, mailLinks, refusedOf } from './send.ts'

/** When whoever has not answered a mailing is reminded, and how often. */
export const reminderSchema = Type.Object(
  {
    after_days: Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'days after the mail, or after the last reminder',
    }),
    at_most: Type.Integer({ minimum: 1, maximum: 5, description: 'reminders of each recipient' }),
  },
  { title: 'SurveyReminders', additionalProperties: false },
)

/** How many recipients of an organization are reminded at once; the others follow minutes later. */
const most = 200

type Due = {
  schedule_id: string
  survey_id: string
  created_by: string
  custom_message: string | null
  email: string
  email_key: string
}

/** What is due for a reminder: recipients `r` of mailings `t` that were sent, who have not answered since. */
const isDue = sql`t.status = 'sent' and r.reminders < t.remind_at_most
  and coalesce(r.reminded_at, r.sent_at) + make_interval(days => t.remind_after_days) <= `
const unanswered = sql`not exists (select from survey_responses p
  where p.organization_id = $organization and p.survey_id = t.survey_id and p.finished
    and lower(p.respondent_email) = r.email_key
    and (s.one_per_email or p.schedule_id = t.id or p.finished_at >= r.sent_at))`

/**
 * Reminds the recipients of mailings who have not answered, some at once. A recipient is counted in the transaction
 * that enqueues the mail, so that a reminder is sent once. A mailing whose sender may no longer send it, or whose
 * survey is gone, reminds nobody any more. Returns how many were reminded.
 */
export async function sendReminders(ctx: Context): Promise<number> {
  const due = await ctx.all<Due>(sql`
    select r.schedule_id, t.survey_id, t.created_by, t.custom_message, r.email, r.email_key
    from survey_schedules t
    join surveys s on ${mine(ctx, 's')} and s.id = t.survey_id and s.deleted_at is null
      and s.status = 'published' and s.is_active
    join survey_recipients r on ${mine(ctx, 'r')} and r.schedule_id = t.id
    where ${mine(ctx)} and ${isDue} ${ctx.now().toISOString()}::timestamptz and ${unanswered}
    order by r.sent_at, r.email_key limit ${most} for update of r skip locked`)
  let sent = 0
  for (const [schedule_id, recipients] of Map.groupBy(due, (each) => each.schedule_id)) {
    sent += await remind(ctx, schedule_id, recipients)
  }
  return sent
}

async function remind(ctx: Context, schedule_id: string, recipients: Due[]): Promise<number> {
  const [{ survey_id, created_by, custom_message }] = recipients as [Due]
  const survey = await ctx.one<StoredSurvey & { survey_id: string }>(sql`
    select t.*, t.id as survey_id from surveys t where ${mine(ctx)} and t.id = ${survey_id}`)
  if (!survey) return 0
  try {
    await checkSender(ctx, { created_by, survey_id })
    checkSendable(ctx, survey)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await end(ctx, schedule_id)
    return 0
  }
  const keys = recipients.map(({ email_key }) => email_key)
  const refused = await refusedOf(ctx, keys)
  const reached = recipients.filter(({ email_key }) => !refused.has(email_key))
  const leaving = await mailLinks(ctx, survey, {
    schedule_id,
    message: custom_message,
    addresses: reached.map(({ email }) => email),
    isReminder: true,
  })
  // who wants no mail is not looked at again; the next follows so many days after this one has left
  await ctx.run(sql`update survey_recipients r
    set reminded_at = coalesce(l.at, ${ctx.now().toISOString()}::timestamptz),
      reminders = case when l.at is null then 1000 else r.reminders + 1 end
    from unnest(${keys}::text[]) k (key)
      left join unnest(${leaving.map(({ address }) => address.toLowerCase())}::text[],
        ${leaving.map(({ at }) => at.toISOString())}::timestamptz[]) l (key, at) on l.key = k.key
    where ${mine(ctx, 'r')} and r.schedule_id = ${schedule_id} and r.email_key = k.key`)
  return reached.length
}

/** Ends the reminders of a mailing; 404 where the survey has no such mailing. Idempotent. */
export async function stopReminders(ctx: Context, survey_id: string, id: string): Promise<void> {
  const { row } = await lock(ctx, Survey, survey_id, 'update')
  const found = await ctx.one<{ reminds: boolean }>(sql`
    select t.remind_at_most is not null as reminds from survey_schedules t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.id = ${id} for update`)
  if (!found) throw notFound('Schedule')
  if (!found.reminds) return
  await end(ctx, id)
  await logSending(ctx, row, 'unscheduled', { schedule_id: id, reminders: null })
}

function end(ctx: Context, id: string) {
  return ctx.run(sql`update survey_schedules t set remind_at_most = null, remind_after_days = null,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
}

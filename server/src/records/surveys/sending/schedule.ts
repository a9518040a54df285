import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, Failure, notFound, stale } from '../../../kit/ground/errors.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Job } from '../../../kit/ground/job.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import { lock } from '../../../kit/write/write.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { instantOf, localAt } from './local-time.ts'
import { reminderSchema } from './remind.ts'
import { checkSender } from './sender.ts'
import { checkSendable, logSending, refuseTemplate, sendTo } from './send.ts'

/** The recipients and the message of a mailing, as properties of a body. */
export const recipientProperties = {
  email_addresses: Type.Array(Type.String({ maxLength: 320 }), { minItems: 1, maxItems: 1000 }),
  custom_message: Type.Optional(orNull(Type.String({ maxLength: 5000 }))),
  reminders: Type.Optional(orNull(reminderSchema)),
}

const recipientBody = Type.Object(recipientProperties)

export const scheduleBody = Type.Object({
  ...recipientProperties,
  scheduled_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'a local date and time, such as 2030-01-31T09:00; required without `in_seconds`',
    }),
  ),
  in_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'how long it waits from now on, in place of `scheduled_at`',
    }),
  ),
  timezone: Type.String({ maxLength: 100, description: 'an IANA zone name' }),
})

/** How many recipients of a mailing have followed their link, and how many have answered. */
const outcome = {
  opened_count: orNull(Type.Integer({ description: 'recipients who followed their link' })),
  answered_count: orNull(Type.Integer({ description: 'recipients who finished their answer' })),
}

export const scheduleSchema = Type.Object(
  {
    schedule_id: Type.String(),
    survey_id: Type.String(),
    email_addresses: Type.Array(Type.String()),
    custom_message: orNull(Type.String()),
    scheduled_at: Type.String({ description: 'the local time, as it was submitted' }),
    timezone: Type.String(),
    scheduled_at_utc: Type.String({ format: 'date-time' }),
    status: enumeration(['scheduled', 'sent', 'failed', 'cancelled'], {
      title: 'SurveyScheduleStatus',
    }),
    sent_count: orNull(Type.Integer()),
    ...outcome,
    rested_count: orNull(
      Type.Integer({ description: 'people left out whom a survey was mailed lately' }),
    ),
    reminders: orNull(reminderSchema),
    reminded_count: orNull(Type.Integer({ description: 'recipients who were reminded' })),
    failure: orNull(Type.String()),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'SurveySchedule' },
)
export type Schedule = Static<typeof scheduleSchema>

const columns = sql`t.id as schedule_id, t.survey_id, t.email_addresses, t.custom_message,
  t.local_time as scheduled_at, t.timezone, t.scheduled_at as scheduled_at_utc, t.status,
  t.sent_count, t.rested_count, t.failure, t.creation_time,
  case when t.remind_at_most is not null then jsonb_build_object('after_days', t.remind_after_days,
    'at_most', t.remind_at_most) end as reminders,
  case when t.status = 'sent' then (select count(*)::int from survey_recipients r
    where r.organization_id = $organization and r.schedule_id = t.id
      and r.reminders between 1 and 999) end as reminded_count,
  case when t.status = 'sent' then (select count(*)::int from survey_recipients r
    where r.organization_id = $organization and r.schedule_id = t.id
      and r.opened_at is not null) end as opened_count,
  case when t.status = 'sent' then (select count(*)::int from survey_responses r
    where r.organization_id = $organization and r.schedule_id = t.id and r.finished) end as answered_count`

/** Stores a mailing at a local time and enqueues it; returns the schedule's id. */
export async function createSchedule(
  ctx: Context,
  survey_id: string,
  body: Static<typeof scheduleBody>,
): Promise<string> {
  const { row } = await lock(ctx, Survey, survey_id, 'update')
  refuseTemplate(row)
  const { timezone } = body
  const { local, at } = timeOf(ctx, body)
  if (at <= ctx.now()) throw badField('scheduled_at', 'must be in the future')
  if (at.getUTCFullYear() > ctx.now().getUTCFullYear() + 10) {
    throw badField('scheduled_at', 'must be within ten years')
  }
  const time = { local, timezone, at }
  const id = await storeSchedule(ctx, survey_id, body, { ...time, status: 'scheduled' })
  ctx.enqueue(sendScheduled, { schedule_id: id }, { at })
  await logSending(ctx, row, 'scheduled', { scheduled_at: at.toISOString(), schedule_id: id })
  return id
}

/** Stores a mailing with what its body says; returns the schedule's id. */
async function storeSchedule(
  ctx: Context,
  survey_id: string,
  { email_addresses, custom_message = null, reminders }: Static<typeof recipientBody>,
  {
    local,
    timezone,
    at,
    status,
  }: { local: string; timezone: string; at: Date; status: Schedule['status'] },
): Promise<string> {
  const id = newId()
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into survey_schedules (organization_id, id, survey_id, email_addresses, custom_message,
      local_time, timezone, scheduled_at, status, remind_after_days, remind_at_most, created_by,
      creation_time, last_update_time)
    values (${ctx.organization.id}, ${id}, ${survey_id}, ${JSON.stringify(email_addresses)}::jsonb,
      ${custom_message}, ${local}, ${timezone}, ${at.toISOString()}, ${status},
      ${reminders?.after_days ?? null}, ${reminders?.at_most ?? null}, ${ctx.actor.user_id},
      ${now}, ${now})`)
  return id
}

/** When a mailing goes out, and the local time that says so. */
function timeOf(
  ctx: Context,
  { scheduled_at, in_seconds, timezone }: Static<typeof scheduleBody>,
): { local: string; at: Date } {
  if (scheduled_at !== undefined && in_seconds !== undefined) {
    throw badField('in_seconds', 'must not stand beside scheduled_at')
  }
  if (scheduled_at !== undefined) {
    return { local: scheduled_at, at: instantOf(scheduled_at, timezone) }
  }
  if (in_seconds === undefined) throw badField('scheduled_at', 'is required')
  const at = new Date(+ctx.now() + in_seconds * 1000)
  return { local: localAt(at, timezone, 'second'), at }
}

/** Mails a survey at once, as a mailing whose time is now. */
export async function sendNow(
  ctx: Context,
  survey: Row<typeof Survey>,
  body: Static<typeof recipientBody>,
) {
  const { timezone } = ctx.organization
  const at = ctx.now()
  const time = { local: localAt(at, timezone), timezone, at }
  const schedule_id = await storeSchedule(ctx, survey.survey_id, body, { ...time, status: 'sent' })
  const { email_addresses, custom_message: message = null } = body
  const mailing = { schedule_id, email_addresses, message, refuses: true }
  const answer = await sendTo(ctx, survey, mailing)
  await settle(ctx, schedule_id, {
    status: 'sent',
    sent_count: answer.sent,
    rested_count: answer.rested,
  })
  return answer
}

/** Cancels a mailing; 409 once it has been sent. Idempotent. */
export async function cancelSchedule(
  ctx: Context,
  survey_id: string,
  id: string,
  ifMatch?: number[],
): Promise<void> {
  // the version in the caller's If-Match is the schedule's, not the survey's
  const { row } = await lock(ctx, Survey, survey_id, 'update')
  const { status, version } = await readSchedule(ctx, survey_id, id, true)
  if (ifMatch && !ifMatch.includes(version)) throw stale()
  if (status === 'cancelled') return
  if (status !== 'scheduled') {
    const move = { from: status, to: 'cancelled' }
    throw conflict('The survey was already sent', 'wrong_move', move)
  }
  await settle(ctx, id, { status: 'cancelled' })
  await logSending(ctx, row, 'unscheduled', { schedule_id: id })
}

/**
 * A scheduled mailing. Its row is locked and settled in the transaction that enqueues the mails, so
 * it is sent once, whatever fails in between and however many processes try. It fails if whoever
 * scheduled it, or took it over, may no longer send the survey.
 */
export const sendScheduled: Job<{ schedule_id: string }> = {
  name: 'send-survey',
  run: ({ write }, { schedule_id }) => write((ctx) => send(ctx, schedule_id)),
}

/** Minutes after which a mailing that was not sent counts as one without a job, and hours after which it is too late. */
const overdue = { minutes: 5, hours: 24 }

/**
 * Sends the mailings whose time has passed, a few at once: what waits in the queue does not move with an organization
 * to another installation. Returns how many there were.
 */
export async function sendOverdue(ctx: Context): Promise<number> {
  const now = +ctx.now()
  const before = new Date(now - overdue.minutes * 60_000).toISOString()
  const tooLate = new Date(now - overdue.hours * 3_600_000)
  const found = await ctx.all<{ id: string; scheduled_at: Date }>(sql`
    select t.id, t.scheduled_at from survey_schedules t
    where ${mine(ctx)} and t.status = 'scheduled' and t.scheduled_at <= ${before}
    order by t.scheduled_at limit 10 for update skip locked`)
  for (const { id, scheduled_at } of found) {
    if (new Date(scheduled_at) > tooLate) await send(ctx, id)
    else await settle(ctx, id, { status: 'failed', failure: 'it could not be sent on its day' })
  }
  return found.length
}

async function send(ctx: Context, schedule_id: string): Promise<void> {
  const schedule = await ctx.one<Schedule & { created_by: string }>(sql`
    select ${columns}, t.created_by from survey_schedules t
    where ${mine(ctx)} and t.id = ${schedule_id} and t.status = 'scheduled' for update`)
  if (!schedule) return
  const survey = await ctx.one<StoredSurvey & { survey_id: string }>(sql`
    select t.*, t.id as survey_id from surveys t
    where ${mine(ctx)} and t.id = ${schedule.survey_id} and t.deleted_at is null`)
  if (!survey) return settle(ctx, schedule_id, { status: 'failed', failure: 'it was deleted' })
  try {
    await checkSender(ctx, schedule)
    checkSendable(ctx, survey)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return settle(ctx, schedule_id, { status: 'failed', failure: error.message })
  }
  const { email_addresses, custom_message } = schedule
  const mailing = { schedule_id, email_addresses, message: custom_message }
  const { sent, rested } = await sendTo(ctx, survey, mailing)
  await settle(ctx, schedule_id, { status: 'sent', sent_count: sent, rested_count: rested })
}

/** The schedules of a survey, latest first, at most 500. */
export function listSchedules(ctx: Context, survey_id: string): Promise<Schedule[]> {
  return ctx.all<Schedule>(sql`select ${columns} from survey_schedules t
    where ${mine(ctx)} and t.survey_id = ${survey_id} order by t.scheduled_at desc, t.id desc
    limit 500`)
}

/** A schedule of a survey with its version, optionally locked; 404 if there is none. */
export async function readSchedule(
  ctx: Context,
  survey_id: string,
  id: string,
  isLocked = false,
): Promise<Schedule & { version: number }> {
  const found = await ctx.one<Schedule & { version: number }>(sql`
    select ${columns}, t.version from survey_schedules t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.id = ${id}
    ${isLocked ? sql`for update` : sql``}`)
  if (!found) throw notFound('Schedule')
  return found
}

type Outcome = {
  status: Schedule['status']
  sent_count?: number
  rested_count?: number
  failure?: string
}

async function settle(ctx: Context, id: string, outcome: Outcome) {
  const { status, sent_count, rested_count, failure } = outcome
  await ctx.run(sql`update survey_schedules t set status = ${status},
    sent_count = ${sent_count ?? null}, rested_count = ${rested_count ?? null},
    failure = ${failure ?? null}, version = version + 1,
    last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
}

import { Temporal } from 'temporal-polyfill'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, conflict, Failure, forbidden, notFound, stale } from '../../kit/ground/errors.ts'
import type { Job } from '../../kit/ground/job.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isTimeZone } from '../../kit/ground/time.ts'
import { newId } from '../../kit/ground/ids.ts'
import { checkReadable, lock } from '../../kit/write/write.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import { limitsOf } from './submission.ts'
import { Survey } from './survey.ts'
import { sealTicket } from './ticket.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const plain = crud(Survey)
const byId = plain.read.input.params!
const may = { module: 'surveys', action: 'update' } as const

const bySchedule = {
  type: 'object',
  properties: { id: { type: 'string' }, schedule_id: { type: 'string' } },
  required: ['id', 'schedule_id'],
}

const recipients: { [name: string]: JSONSchema } = {
  email_addresses: {
    type: 'array',
    items: { type: 'string', maxLength: 320 },
    minItems: 1,
    maxItems: 1000,
  },
  custom_message: { type: ['string', 'null'], maxLength: 5000 },
}

const addresses = { type: 'array', items: { type: 'string' } }
const sentSchema: JSONSchema = {
  title: 'SurveySent',
  type: 'object',
  properties: {
    sent: { type: 'integer', description: 'how many are mailed a link of their own' },
    skipped: { type: 'integer', description: 'how many asked not to be contacted, or came twice' },
    invalid: { type: 'integer', description: 'how many are no e-mail addresses' },
    skipped_addresses: addresses,
    invalid_addresses: addresses,
  },
  required: ['sent', 'skipped', 'invalid', 'skipped_addresses', 'invalid_addresses'],
}

const scheduleSchema: JSONSchema = {
  title: 'SurveySchedule',
  type: 'object',
  properties: {
    schedule_id: { type: 'string' },
    survey_id: { type: 'string' },
    email_addresses: addresses,
    custom_message: { type: ['string', 'null'] },
    scheduled_at: { type: 'string', description: 'local time, as it was asked for' },
    timezone: { type: 'string' },
    scheduled_at_utc: { type: 'string', format: 'date-time' },
    status: { type: 'string', enum: ['scheduled', 'sent', 'failed', 'cancelled'] },
    sent_count: { type: ['integer', 'null'] },
    failure: { type: ['string', 'null'] },
    creation_time: { type: 'string', format: 'date-time' },
  },
  required: ['schedule_id', 'survey_id', 'email_addresses', 'scheduled_at', 'timezone', 'status'],
}

const columns = sql`t.id as schedule_id, t.survey_id, t.email_addresses, t.custom_message,
  t.local_time as scheduled_at, t.timezone, t.scheduled_at as scheduled_at_utc, t.status,
  t.sent_count, t.failure, t.creation_time`

/** Surveys by mail: now, or at a local time. Each person gets a link of their own. */
export const surveySending = {
  send: {
    name: 'send_survey',
    summary: 'Mail a survey to people',
    can: may,
    writes: true,
    input: {
      params: byId,
      body: { type: 'object', properties: recipients, required: ['email_addresses'] },
    },
    output: sentSchema,
    async run(ctx: Context, { params, body }: Input) {
      const { row } = await lock(ctx, Survey, params.id, 'update')
      checkSendable(ctx, row)
      return sendTo(ctx, row, body.email_addresses, body.custom_message)
    },
  } satisfies Operation,
  schedule: {
    name: 'schedule_survey',
    summary: 'Mail a survey to people at a local time',
    can: may,
    writes: true,
    input: {
      params: byId,
      body: {
        type: 'object',
        properties: {
          ...recipients,
          scheduled_at: {
            type: 'string',
            maxLength: 40,
            description: 'a local date and time, such as 2030-01-31T09:00',
          },
          timezone: { type: 'string', maxLength: 100, description: 'an IANA zone name' },
        },
        required: ['email_addresses', 'scheduled_at', 'timezone'],
      },
    },
    output: scheduleSchema,
    async run(ctx: Context, { params, body }: Input) {
      const { row } = await lock(ctx, Survey, params.id, 'update')
      if (row.item_type === 'survey_template') throw isTemplate()
      const at = instantOf(body.scheduled_at, body.timezone)
      if (at <= ctx.now()) throw badField('scheduled_at', 'must be in the future')
      if (at.getUTCFullYear() > ctx.now().getUTCFullYear() + 10) {
        throw badField('scheduled_at', 'must be within ten years')
      }
      const id = newId()
      await ctx.run(sql`
        insert into survey_schedules (organization_id, id, survey_id, email_addresses,
          custom_message, local_time, timezone, scheduled_at, created_by, creation_time,
          last_update_time)
        values (${ctx.organization.id}, ${id}, ${params.id},
          ${JSON.stringify(body.email_addresses)}::jsonb, ${body.custom_message ?? null},
          ${body.scheduled_at}, ${body.timezone}, ${at.toISOString()}, ${ctx.actor.user_id},
          ${ctx.now().toISOString()}, ${ctx.now().toISOString()})`)
      ctx.enqueue(sendScheduled, { schedule_id: id }, { at })
      tell(ctx, row, 'scheduled', { scheduled_at: at.toISOString(), schedule_id: id })
      const { version, ...shown } = await scheduleOf(ctx, params.id, id)
      return new Answer(shown, { id, version })
    },
  } satisfies Operation,
  schedules: {
    name: 'list_survey_schedules',
    summary: 'When a survey is mailed, the latest first',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: { params: byId },
    output: arrayOf(scheduleSchema),
    async run(ctx: Context, { params }: Input) {
      await checkReadable(ctx, Survey, params.id)
      checkInside(ctx)
      return ctx.all(sql`select ${columns} from survey_schedules t
        where ${mine(ctx)} and t.survey_id = ${params.id} order by t.scheduled_at desc, t.id desc
        limit 500`)
    },
  } satisfies Operation,
  readSchedule: {
    name: 'read_survey_schedule',
    summary: 'When a survey is mailed, and to whom',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: { params: bySchedule },
    output: scheduleSchema,
    async run(ctx: Context, { params }: Input) {
      await checkReadable(ctx, Survey, params.id)
      checkInside(ctx)
      const { version, ...shown } = await scheduleOf(ctx, params.id, params.schedule_id)
      return new Answer(shown, { id: params.schedule_id, version })
    },
  } satisfies Operation,
  cancel: {
    name: 'cancel_survey_schedule',
    summary: 'Take back a mailing that has not gone out yet',
    can: may,
    writes: true,
    input: { params: bySchedule },
    output: null,
    async run(ctx: Context, { params, ifMatch }: Input) {
      const { row } = await lock(ctx, Survey, params.id, 'update')
      const schedule = await scheduleOf(ctx, params.id, params.schedule_id, true)
      if (ifMatch && !ifMatch.includes(schedule.version)) throw stale()
      if (schedule.status === 'cancelled') return undefined
      if (schedule.status !== 'scheduled') {
        throw conflict('It has gone out already', 'wrong_move', {
          from: schedule.status,
          to: 'cancelled',
        })
      }
      await settle(ctx, params.schedule_id, { status: 'cancelled' })
      tell(ctx, row, 'unscheduled', { schedule_id: params.schedule_id })
      return undefined
    },
  } satisfies Operation,
}

/**
 * A scheduled mailing. Its row is locked and settled in the transaction that asks for the mails, so
 * it goes out once, whatever dies in between and however many processes try.
 */
export const sendScheduled: Job<{ schedule_id: string }> = {
  name: 'send-survey',
  async run({ write }, { schedule_id }) {
    await write(async (ctx) => {
      const schedule = await ctx.one<Row>(sql`select t.* from survey_schedules t
        where ${mine(ctx)} and t.id = ${schedule_id} and t.status = 'scheduled' for update`)
      if (!schedule) return
      const survey = await ctx.one<Row>(sql`select t.*, t.id as survey_id from surveys t
        where ${mine(ctx)} and t.id = ${schedule.survey_id} and t.deleted_at is null`)
      if (!survey) return settle(ctx, schedule_id, { status: 'failed', failure: 'it was deleted' })
      try {
        checkSendable(ctx, survey)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return settle(ctx, schedule_id, { status: 'failed', failure: error.message })
      }
      const { email_addresses, custom_message } = schedule
      const { sent } = await sendTo(ctx, survey, email_addresses, custom_message)
      await settle(ctx, schedule_id, { status: 'sent', sent_count: sent })
    })
  },
}

/** Mails each address once, unless its contact does not want to be contacted. */
async function sendTo(ctx: Context, survey: Row, given: string[], message?: string | null) {
  const wanted = new Map<string, string>()
  const invalid_addresses: string[] = []
  const skipped_addresses: string[] = []
  for (const each of given) {
    const address = each.trim()
    const folded = address.toLowerCase()
    if (!isAddress(address)) invalid_addresses.push(each)
    else if (wanted.has(folded)) skipped_addresses.push(address)
    else wanted.set(folded, address)
  }
  const refused = await ctx.all<{ email: string }>(sql`
    select distinct t.primary_email_key as email from contacts t
    where ${mine(ctx)} and t.deleted_at is null and t.do_not_contact = 'yes'
      and t.primary_email_key = any(${[...wanted.keys()]})`)
  for (const { email } of refused) {
    skipped_addresses.push(wanted.get(email)!)
    wanted.delete(email)
  }
  const expires = survey.end_date ? new Date(survey.end_date).toISOString() : null
  for (const address of wanted.values()) {
    const token = sealTicket(ctx, { survey: survey.survey_id, email: address, expires })
    const words = await letter({
      subject: `${survey.name} · ${ctx.organization.name}`,
      paragraphs: [message?.trim() || `${ctx.organization.name} would like to hear from you.`],
      action: { label: survey.name, url: `${ctx.public_url}/s/${token}` },
      note: 'The link is yours alone: please do not pass it on.',
    })
    mail(ctx, { to: { address }, ...words })
  }
  tell(ctx, survey, 'sent', { sent: wanted.size })
  return {
    sent: wanted.size,
    skipped: skipped_addresses.length,
    invalid: invalid_addresses.length,
    skipped_addresses,
    invalid_addresses,
  }
}

/** A customer sees a survey, not who else is asked. */
function checkInside({ actor }: Context) {
  if (actor.is_confined) throw forbidden('Your role may not see to whom a survey is mailed')
}

function checkSendable(ctx: Context, survey: Row) {
  if (survey.item_type === 'survey_template') throw isTemplate()
  const { accepting_responses, reason } = limitsOf(ctx, survey)
  if (!accepting_responses) {
    throw conflict(`Only a survey that takes answers can be sent; this one is: ${reason}`, reason!)
  }
}

function isTemplate() {
  return conflict('A template cannot be sent: duplicate it', 'template')
}

function isAddress(text: string): boolean {
  return (
    text.length <= 320 &&
    /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(text)
  )
}

/** A local time in a zone: one that the clocks skip is later by the gap, of two the first. */
export function instantOf(local: string, timezone: string): Date {
  if (!isTimeZone(timezone))
    throw badField('timezone', 'must be an IANA zone such as Europe/Berlin')
  let time: Temporal.PlainDateTime
  try {
    // an offset would contradict the zone
    if (/[zZ]|[+-]\d\d:?\d\d$/.test(local.slice(10))) throw new RangeError('offset')
    time = Temporal.PlainDateTime.from(local.trim().replace(' ', 'T'), { overflow: 'reject' })
  } catch {
    throw badField('scheduled_at', 'must be a local date and time such as 2030-01-31T09:00')
  }
  const { epochMilliseconds } = time.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return new Date(epochMilliseconds)
}

async function scheduleOf(ctx: Context, survey_id: string, id: string, locked = false) {
  const found = await ctx.one<Row>(sql`select ${columns}, t.version from survey_schedules t
    where ${mine(ctx)} and t.survey_id = ${survey_id} and t.id = ${id}
    ${locked ? sql`for update` : sql``}`)
  if (!found) throw notFound('Schedule')
  return found
}

async function settle(
  ctx: Context,
  id: string,
  {
    status,
    sent_count = null,
    failure = null,
  }: { status: string; sent_count?: number | null; failure?: string | null },
) {
  await ctx.run(sql`update survey_schedules t set status = ${status}, sent_count = ${sent_count},
    failure = ${failure}, version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
}

function tell(ctx: Context, survey: Row, action: string, told: Row) {
  ctx.emit({
    type: null,
    title: `Survey ${action}`,
    module_id: Survey.number,
    reference_id: survey.survey_id,
    changes: Object.entries(told).map(([field, to]) => ({ field, from: null, to })),
    raw_description: { action, module: 'surveys', name: survey.name, ...told },
  })
}

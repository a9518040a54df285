import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { endOfDay, startOfDay } from '../../kit/ground/dates.ts'
import { badRequest, notFound } from '../../kit/ground/errors.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock } from '../../kit/write/write.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { storeAnswer } from './answer.ts'
import type { CalendarMessage } from './calendar-mail.ts'
import { isAhead } from './consent.ts'
import { mailInvited } from './invitations.ts'
import { instantOf } from './input.ts'
import { occurrences, zoneOf } from './repeat.ts'

/** Why a mail was kept apart. */
const reasons = [
  'unverified',
  'other_sender',
  'not_invited',
  'other_meeting',
  'unknown_version',
  'over',
  'old_version',
  'older_answer',
  'no_such_date',
  'no_answer',
  'replaced',
  'repeated',
] as const
type Reason = (typeof reasons)[number]

const isForged = (reason: Reason) =>
  ['unverified', 'other_sender', 'not_invited', 'other_meeting', 'unknown_version'].includes(reason)

const responses = ['accepted', 'tentative', 'declined'] as const
const time = (description: string) =>
  orNull(schema<string>({ type: 'string', format: 'date-time', description }))

/** Answers of calendar programs to a meeting, newest first. */
export const mailedAnswers = arrayOf(
  Type.Object(
    {
      answer_id: Type.String({ description: 'the id of the mail' }),
      kind: enumeration(['reply', 'counter', 'refresh'], { title: 'MailedAnswerKind' }),
      state: enumeration(['taken', 'open', 'accepted', 'kept', 'stale', 'forged'], {
        title: 'MailedAnswerState',
        description:
          'a proposal is open until it is settled; stale and forged mails change nothing',
      }),
      reason: orNull(
        enumeration(reasons, {
          title: 'MailedAnswerReason',
          description: 'why it is stale or taken for forged',
        }),
      ),
      email: Type.String({ description: 'the address that the mail is from' }),
      name: orNull(Type.String({ description: 'of the attendee with this address' })),
      response: orNull(enumeration(responses, { title: 'InvitationAnswer' })),
      comment: orNull(Type.String()),
      occurrence: time('of a series: the date that it is about'),
      start: time('the start that is proposed'),
      end: time('the end that is proposed'),
      all_day: Type.Boolean(),
      creation_time: schema<string>({ type: 'string', format: 'date-time' }),
    },
    { title: 'MailedAnswer' },
  ),
)
export type MailedAnswer = Static<typeof mailedAnswers>[number]

/** The most mails of a meeting that are listed, of those that are kept apart, and of one sender in a day. */
const most = { all: 1000, apart: 100, daily: 50 }

/** The answers of a meeting that the caller may change. 404 for any other. */
export async function listMailedAnswers(ctx: Context, id: string): Promise<MailedAnswer[]> {
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from meetings t where ${scope(ctx, Meeting, 'update')} and t.id = ${id}`)
  if (!found) throw notFound('Meeting')
  return ctx.all<MailedAnswer>(sql`
    select t.id as answer_id, t.kind, t.state, t.reason, t.email,
      (select a ->> 'name' from meetings m, jsonb_array_elements(m.attendees) a
        where m.organization_id = $organization and m.id = t.calendar_id
          and lower(a ->> 'email') = t.email limit 1) as name,
      t.response, t.comment, t.occurrence, t.starts_at as start, t.ends_at as "end", t.all_day,
      t.creation_time
    from meeting_answers t where ${mine(ctx)} and t.calendar_id = ${id}
    order by t.creation_time desc, t.id desc limit ${most.all}`)
}

/** A mail of a calendar program, and whether its sender is who it says. */
export type MailedMessage = {
  from: string
  isVouched: boolean
  hash: Buffer
  message: CalendarMessage
}

/**
 * Takes what a calendar program has mailed: an answer is stored, another time is proposed to the organizer, an invitation
 * is mailed again. What is not from the attendee, not about this meeting or no longer valid is kept apart. A mail that is
 * delivered twice is taken once. 400 for what is no answer, or once too many have come.
 */
export async function takeMailed(
  ctx: Context,
  calendar_id: string,
  { from, isVouched, hash, message }: MailedMessage,
): Promise<void> {
  const kind = ({ REPLY: 'reply', COUNTER: 'counter', REFRESH: 'refresh' } as const)[message.method]
  if (!kind) throw badRequest('Only answers of calendar programs to an invitation are read here')
  const { row, version } = await lock(ctx, Meeting, calendar_id, 'update')
  const known = await ctx.one<Known>(sql`
    select a.asked_version, count(t.id) filter (where t.email = ${from}
        and t.creation_time > ${new Date(+ctx.now() - 86_400_000).toISOString()})::int as today,
      count(t.id) filter (where t.state in ('stale', 'forged'))::int as apart,
      coalesce(bool_or(t.message_hash = ${hash}), false) as is_repeated
    from meeting_addresses a
    left join meeting_answers t on t.organization_id = $organization and t.calendar_id = a.calendar_id
    where a.organization_id = $organization and a.calendar_id = ${calendar_id}
    group by a.asked_version`)
  if (!known || known.is_repeated) return
  const zone = zoneOf(ctx, row.timezone)
  const attendee = row.attendees.find(({ email }) => email?.toLowerCase() === from)
  // nothing is worked out for strangers
  const mayMean = isVouched && attendee !== undefined
  const occurrence = mayMean ? occurrenceOf(message, row, zone) : undefined
  const proposed = mayMean && kind === 'counter' ? proposedOf(message, row, zone) : undefined
  const said = message.attendees.find(({ email }) => email === from)?.response.toLowerCase()
  const response = responses.find((each) => each === said)
  const found = { from, isVouched, message, row, version, attendee, known, occurrence }
  const reason =
    whyApart(ctx, found) ??
    (await whyLate(ctx, calendar_id, { kind, from, message, occurrence })) ??
    (kind === 'reply' && !response ? 'no_answer' : undefined) ??
    (kind === 'counter' && !proposed ? 'no_answer' : undefined)
  if (known.today >= most.daily || (reason && known.apart >= most.apart)) {
    throw badRequest('Too many mails have come to this address')
  }
  if (proposed && !reason) {
    await ctx.run(sql`update meeting_answers t set state = 'stale', reason = 'replaced'
      where ${mine(ctx)} and t.calendar_id = ${calendar_id} and t.state = 'open' and t.email = ${from}
        and t.occurrence is not distinct from ${occurrence ?? null}::timestamptz`)
  }
  const state = reason ? (isForged(reason) ? 'forged' : 'stale') : proposed ? 'open' : 'taken'
  await ctx.run(sql`insert into meeting_answers (organization_id, id, calendar_id, message_hash, kind,
      state, reason, email, response, comment, occurrence, starts_at, ends_at, all_day, stamped_at,
      creation_time)
    values (${ctx.organization.id}, ${newId()}, ${calendar_id}, ${hash}, ${kind}, ${state},
      ${reason ?? null}, ${from.slice(0, 320)}, ${response ?? null}, ${message.comment},
      ${occurrence ?? null}, ${proposed?.start ?? null}, ${proposed?.end ?? null},
      ${proposed?.all_day ?? false}, ${message.stamp}, ${ctx.now().toISOString()})`)
  if (reason || !attendee) return
  const created_by = (row.created_by?.user_id as string | undefined) ?? null
  const meeting = { id: calendar_id, title: row.title, attendees: row.attendees, created_by }
  const person = attendee.name ?? from
  if (kind === 'refresh') {
    const organizer = row.created_by?.full_name as string | undefined
    const mailed = { meeting: row, version, person: organizer ?? ctx.organization.name }
    return mailInvited(ctx, 'invited', mailed, [attendee])
  }
  const isMe = ({ email }: Attendee) => email?.toLowerCase() === from
  if (response && !occurrence) {
    await storeAnswer(ctx, meeting, isMe, response, { person, more: { attendee: from } })
  }
  if (proposed ?? occurrence) {
    const event = proposed ? 'meeting_countered' : 'meeting_date_answered'
    await announceMailed(ctx, meeting, { event, person, from })
  }
}

type Known = { asked_version: number; today: number; apart: number; is_repeated: boolean }
type Found = Omit<MailedMessage, 'hash'> & {
  row: MeetingRow
  version: number
  attendee: Attendee | undefined
  known: Known
  /** null where the series has no such date */
  occurrence: string | null | undefined
}

/** Why a mail is not taken, by what it says and who it is from. */
function whyApart(
  ctx: Context,
  { from, isVouched, message, row, version, attendee, known, occurrence }: Found,
): Reason | undefined {
  const { uid, attendees, sequence, start } = message
  if (!isVouched) return 'unverified'
  // a refresh may name nobody
  const isOwn = attendees.length ? attendees.some(({ email }) => email === from) : true
  if (!isOwn || (!attendees.length && message.method !== 'REFRESH')) return 'other_sender'
  if (!attendee) return 'not_invited'
  if (!uid.startsWith(`${row.calendar_id}@`)) return 'other_meeting'
  if (sequence !== null && sequence > version) return 'unknown_version'
  if (!isAhead(ctx, row)) return 'over'
  const isCurrent =
    sequence === null
      ? message.method === 'REFRESH' || isAt(start, row)
      : message.method === 'REFRESH' || sequence >= known.asked_version
  if (!isCurrent) return 'old_version'
  return occurrence === null ? 'no_such_date' : undefined
}

/** Whether something newer has come in of the same person: a later answer, or the same request within an hour. */
async function whyLate(
  ctx: Context,
  calendar_id: string,
  {
    kind,
    from,
    message: { stamp },
    occurrence,
  }: Pick<Found, 'from' | 'message' | 'occurrence'> & { kind: string },
): Promise<Reason | undefined> {
  const same = sql`t.calendar_id = ${calendar_id} and t.email = ${from}`
  if (kind === 'refresh') {
    const hourAgo = new Date(+ctx.now() - 3_600_000).toISOString()
    const found = await ctx.one(sql`select t.id from meeting_answers t where ${all(mine(ctx), same)}
      and t.kind = 'refresh' and t.state = 'taken' and t.creation_time > ${hourAgo} limit 1`)
    return found ? 'repeated' : undefined
  }
  if (!stamp) return undefined
  const found = await ctx.one(sql`select t.id from meeting_answers t where ${all(mine(ctx), same)}
    and t.kind <> 'refresh' and t.state not in ('stale', 'forged') and t.stamped_at > ${stamp}
    and t.occurrence is not distinct from ${occurrence ?? null}::timestamptz limit 1`)
  return found ? 'older_answer' : undefined
}

/** The date of a series that a mail is about; undefined for all of it, null where there is no such date. */
function occurrenceOf(
  { recurrence }: CalendarMessage,
  { repeat, start }: MeetingRow,
  zone: string,
): string | null | undefined {
  if (!recurrence) return undefined
  if (!repeat) return isAt(recurrence, { start, zone }) ? undefined : null
  const at = Date.parse(recurrence)
  const bounds = recurrence.includes('T')
    ? { from: new Date(at).toISOString(), to: new Date(at + 999).toISOString() }
    : { from: startOfDay(recurrence, zone), to: endOfDay(recurrence, zone) }
  return occurrences({ repeat, start }, zone, bounds, 1)[0] ?? null
}

/** Whether a time, or a day, is that of the meeting, to the second. */
function isAt(time: string | null, { start, zone }: { start: string; zone?: string }): boolean {
  if (!time) return false
  if (!time.includes('T'))
    return !zone || time === start.slice(0, 10) || startOfDay(time, zone) <= start
  return Math.abs(Date.parse(time) - Date.parse(start)) < 1000
}

/** The time that is proposed; undefined where it is none, the present one, or over. */
function proposedOf({ start, end }: CalendarMessage, row: MeetingRow, zone: string) {
  if (!start) return undefined
  const all_day = !start.includes('T')
  const from = instantOf(start, 'start', zone)
  const length = Date.parse(row.end) - Date.parse(row.start)
  // iCalendar names the day after the last one
  const until =
    end === null
      ? new Date(Date.parse(from) + length).toISOString()
      : all_day
        ? new Date(
            Math.max(Date.parse(from), Date.parse(instantOf(end, 'end', zone)) - 86_400_000),
          ).toISOString()
        : instantOf(end, 'end', zone)
  const isSame = from === row.start && until === row.end && all_day === row.all_day
  if (isSame || until < from) return undefined
  return { start: from, end: until, all_day }
}

/** Writes what came in to the log, and notifies the organizer. */
async function announceMailed(
  ctx: Context,
  { id, title, created_by }: { id: string; title: string; created_by: string | null },
  { event, person, from }: { event: string; person: string; from: string },
): Promise<void> {
  const words = event === 'meeting_countered' ? 'proposes another time' : 'answered for one date'
  const notice = (user_id: string): NewNotification => ({
    user_id,
    notification_type: 8,
    title: `${person} ${words}: ${title}`.slice(0, 255),
    notification_obj: { event, person },
  })
  await announce(ctx, Meeting, 'answered', {
    id,
    title: event === 'meeting_countered' ? 'Another time proposed' : 'One date answered',
    action: 'updated',
    name: title,
    more: { attendee: from },
    notify: created_by ? [notice(created_by)] : [],
  })
}

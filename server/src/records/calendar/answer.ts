import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { NewNotification } from '../../kit/ground/event.ts'
import type { Announcement } from '../../kit/write/announce.ts'
import { announce } from '../../kit/write/announce.ts'
import type { AnswerTicket } from './answer-link.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'

/** The answers to an invitation, in the order of their buttons, with the labels. */
export const answers = [
  { response: 'accepted', key: 'meeting.accept' },
  { response: 'tentative', key: 'meeting.tentative' },
  { response: 'declined', key: 'meeting.decline' },
] as const

/** What the page of an answer link shows: the meeting, and who answers. */
export type Answering = {
  id: string
  title: string
  description: string | null
  location: string | null
  link: string | null
  start: string
  end: string
  all_day: boolean
  repeat: MeetingRow['repeat']
  timezone: { [key: string]: unknown } | null
  created_by: string | null
  organizer: string | null
  attendees: Attendee[]
  attendee: Attendee | undefined
  state: 'open' | 'cancelled' | 'over' | 'not_invited'
}

/** The meeting of a link; undefined if it was removed for good. */
export async function readAnswering(
  ctx: Context,
  { meeting, email }: Pick<AnswerTicket, 'meeting' | 'email'>,
  locks = false,
): Promise<Answering | undefined> {
  type Stored = Omit<Answering, 'attendee' | 'state'> & {
    is_cancelled: boolean
  }
  const stored = await ctx.one<Stored>(sql`
    select t.id, t.title, t.description, t.location, t.link, t.starts_at as start, t.ends_at as "end",
      t.all_day, t.repeat, t.timezone, t.created_by, t.attendees,
      (select u.full_name from users u where u.organization_id = $organization
        and u.id = t.created_by) as organizer,
      t.is_meeting_cancelled or t.deleted_at is not null as is_cancelled
    from meetings t where ${mine(ctx)} and t.id = ${meeting} ${locks ? sql`for update of t` : sql``}`)
  if (!stored) return undefined
  const { is_cancelled, ...facts } = stored
  const attendee = facts.attendees.find((each) => isAt(each, email))
  const isOver = !facts.repeat && new Date(facts.end) <= ctx.now()
  const state = is_cancelled ? 'cancelled' : !attendee ? 'not_invited' : isOver ? 'over' : 'open'
  return { ...facts, attendee, state }
}

/**
 * Stores the answer of whoever holds a link. 409 for a meeting that is over or cancelled, and for somebody who
 * is no longer invited.
 */
export async function answer(
  ctx: Context,
  ticket: Pick<AnswerTicket, 'meeting' | 'email'>,
  response: (typeof answers)[number]['response'],
): Promise<void> {
  const meeting = await readAnswering(ctx, ticket, true)
  if (!meeting?.attendee || meeting.state !== 'open') {
    throw conflict('This meeting no longer takes responses', meeting?.state ?? 'gone')
  }
  await storeAnswer(ctx, meeting, (each) => isAt(each, ticket.email), response, {
    person: meeting.attendee.name ?? ticket.email,
    more: { attendee: ticket.email },
  })
}

type Answer = Pick<Announcement, 'more'> & {
  /** what the organizer knows the attendee by */
  person: string
}

/**
 * Stores the answer of one attendee, with a log entry, and notifies the organizer unless they answer themselves; the
 * same answer again changes nothing.
 */
export async function storeAnswer(
  ctx: Context,
  {
    id,
    title,
    attendees,
    created_by,
  }: Pick<Answering, 'id' | 'title' | 'attendees' | 'created_by'>,
  isMe: (attendee: Attendee) => boolean,
  response: Attendee['response'],
  { person, more }: Answer,
): Promise<void> {
  const me = attendees.find(isMe)
  if (!me || me.response === response) return
  const notice = (user_id: string): NewNotification => ({
    user_id,
    notification_type: 8,
    title: `${person}: ${response}: ${title}`.slice(0, 255),
    notification_obj: { event: `meeting_${response}`, person },
  })
  const next = attendees.map((each) => (isMe(each) ? { ...each, response } : each))
  await ctx.run(sql`update meetings t set attendees = ${JSON.stringify(next)}::jsonb,
      version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  await announce(ctx, Meeting, 'answered', {
    id,
    title: 'Invitation answered',
    action: 'updated',
    name: title,
    changes: [{ field: 'response', from: me.response, to: response }],
    more,
    notify: created_by ? [notice(created_by)] : [],
  })
}

function isAt({ email }: Attendee, address: string): boolean {
  return email?.toLowerCase() === address.toLowerCase()
}

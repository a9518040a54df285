import { dayOfInstant } from '../../kit/ground/dates.ts'
import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Brand } from '../mail/brand.ts'
import type { Letter } from '../mail/letter.ts'
import { post } from '../mail/post.ts'
import { known } from '../mail/readers.ts'
import { answers } from './answer.ts'
import { answerUrl } from './answer-link.ts'
import { isAgreedChanged, isAgreedElsewhere } from './consent.ts'
import { meetingAddress } from './meeting-address.ts'
import type { PublishedMeeting } from './ics.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { droppedDates, exceptionTime, ownZone } from './repeat.ts'
import { repeatWords } from './repeat-words.ts'

const methods = {
  invited: 'REQUEST',
  changed: 'REQUEST',
  cancelled: 'CANCEL',
  removed: 'CANCEL',
  // another time that was proposed is turned down
  kept: 'DECLINECOUNTER',
} as const

/** A meeting at a version, and before a change as it was; who invites, if not the caller. */
type Mailed = { meeting: MeetingRow; version: number; before?: MeetingRow; person?: string }

/**
 * Mails attendees, except the caller, with the meeting as an iCalendar part that mail programs show
 * as an invitation, and links to answer it. `meeting` is the record as a read shows it at that
 * version; with `before` the mail says what has changed.
 */
export async function mailInvited(
  ctx: Context,
  what: keyof typeof methods,
  { meeting, version, before, person = ctx.actor.full_name }: Mailed,
  people: Attendee[] = meeting.attendees,
): Promise<void> {
  if (isAgreedElsewhere(ctx)) return
  const isMe = ({ type, id }: Attendee) => type === 'user' && id === ctx.actor.user_id
  const recipients = people.flatMap((each) =>
    each.email && !isMe(each) ? { name: each.name ?? '', address: each.email } : [],
  )
  if (!recipients.length) return
  const method = methods[what]
  const [organizer] = await ctx.all<{ name: string; email: string }>(sql`
    select t.full_name as name, t.email from users t
    where ${mine(ctx)} and t.id = ${meeting.created_by?.user_id ?? ctx.actor.user_id}`)
  const isAsking =
    (what === 'invited' && people === meeting.attendees) ||
    (before !== undefined && isAgreedChanged(ctx, before, meeting))
  // calendar programs answer to the organizer
  const { calendar_id } = meeting
  // whoever was invited before there was an address knows the organizer by their own, and goes on to
  const isFirst =
    what === 'invited' &&
    meeting.attendees.every(
      (each) => people.includes(each) || (each.id && each.id === meeting.created_by?.user_id),
    )
  const address = await meetingAddress(ctx, { calendar_id, version, isAsking, isFirst })
  const answered = organizer && { ...organizer, email: address ?? organizer.email }
  const published = publishedOf(ctx, meeting, version, answered ?? null)
  const was = before && publishedOf(ctx, before, version, null)
  const { hostname: host } = new URL(ctx.public_url)
  const { icsOf } = await import('./ics.ts')
  const content = icsOf([published], { host, name: ctx.organization.name, method })
  // a meeting that becomes over while its mail waits; a series has no end that it knows
  const ends = !meeting.repeat && meeting.end > ctx.now().toISOString() ? meeting.end : null
  for (const to of await known(ctx, recipients)) {
    const answering = method !== 'REQUEST' ? [] : answersOf(ctx, meeting, to.address)
    const compose = (voice: Voice, { name: organization }: Brand): Letter => ({
      subject: voice.say(`meeting.${what}.subject`, { title: meeting.title }),
      paragraphs: [
        voice.say(`meeting.${what}.text`, {
          person,
          title: meeting.title,
        }),
        ...(was ? changesOf(was, published, voice) : []),
        ...(what === 'cancelled' && meeting.cancel_note ? [meeting.cancel_note] : []),
      ],
      facts: factsOf(published, voice),
      ...(meeting.description ? { quote: meeting.description } : {}),
      actions: [
        ...answering.map(({ key, url }) => ({ label: voice.say(key), url })),
        ...(method === 'CANCEL' ? [] : joinOf(meeting, voice)),
      ],
      note: voice.say(what === 'removed' ? 'meeting.note_removed' : 'meeting.note', {
        organization,
      }),
    })
    await post(ctx, to, compose, {
      kind: 'meeting',
      calendar: { method, content },
      needed: { until: ends },
    })
  }
}

/**
 * Invites new attendees, tells removed ones that they no longer are, and mails the others where time or place changed;
 * invites everybody again to a meeting that was cancelled and takes place after all.
 */
export async function mailChanged(
  ctx: Context,
  { before, after, version }: { before: MeetingRow; after: MeetingRow; version: number },
): Promise<void> {
  const mailed = { meeting: after, version }
  if (after.is_meeting_cancelled) {
    if (!before.is_meeting_cancelled) await mailInvited(ctx, 'cancelled', mailed)
    return
  }
  if (before.is_meeting_cancelled) return mailInvited(ctx, 'invited', mailed)
  const has = (meeting: MeetingRow, { email }: Attendee) =>
    meeting.attendees.some((each) => each.email === email)
  const split = (from: MeetingRow, to: MeetingRow, isIn: boolean) =>
    from.attendees.filter((each) => has(to, each) === isIn)
  await mailInvited(ctx, 'invited', mailed, split(after, before, false))
  await mailInvited(ctx, 'removed', { meeting: before, version }, split(before, after, false))
  if (isAgreedChanged(ctx, before, after) || droppedDates(before, after).length) {
    await mailInvited(ctx, 'changed', { ...mailed, before }, split(after, before, true))
  }
}

/** A meeting as it is published to calendar programs. */
export function publishedOf(
  ctx: Context,
  meeting: MeetingRow,
  version: number,
  organizer: PublishedMeeting['organizer'],
): PublishedMeeting {
  const { timezone } = ctx.organization
  return { ...meeting, zone: ownZone(meeting.timezone, timezone) ?? timezone, version, organizer }
}

type Times = Pick<MeetingRow, 'start' | 'end' | 'all_day' | 'location' | 'repeat'>

/** When, how often and where, as facts for people; the hours of the reader's own zone too, where it is another. */
export function factsOf(
  { start, end, all_day, zone, location, repeat }: Times & { zone: string },
  voice: Voice,
): { label: string; value: string }[] {
  const there = voice.in(zone).range(start, end, all_day)
  const here = voice.range(start, end, all_day)
  const when = all_day || there === here ? there : `${there}\n${here}`
  const often = repeat
    ? repeatWords(
        repeat.rrule,
        all_day ? start.slice(0, 10) : (dayOfInstant(start, zone) ?? ''),
        zone,
        voice,
      )
    : undefined
  const dropped = repeat ? droppedWords(repeat.exdates, zone, voice) : []
  return [
    { label: voice.say('mail.when'), value: when },
    ...(often
      ? [{ label: voice.say('meeting.repeats'), value: [often, ...dropped].join('\n') }]
      : []),
    ...(location ? [{ label: voice.say('mail.where'), value: location }] : []),
  ]
}

/** The same for a stored meeting, whose zone may be the organization's. */
export function meetingFacts(
  { timezone }: Brand,
  meeting: Times & Pick<MeetingRow, 'timezone'>,
  voice: Voice,
) {
  return factsOf({ ...meeting, zone: ownZone(meeting.timezone, timezone) ?? timezone }, voice)
}

/** The button that opens the video call of a meeting, where it has a link. */
export function joinOf(
  { link }: Pick<MeetingRow, 'link'>,
  voice: Voice,
): { label: string; url: string }[] {
  const url = webAddress(link ?? '')?.href
  return url ? [{ label: voice.say('meeting.join'), url }] : []
}

/** Links to the page that stores an answer; opening a link stores nothing yet, because mail programs open links, too. */
function answersOf(ctx: Context, { calendar_id }: MeetingRow, email: string) {
  const url = answerUrl(ctx, calendar_id, email)
  return answers.map(({ key, response }) => ({ key, url: `${url}?answer=${response}` }))
}

/**
 * The changes as a paragraph, one line each; none where there are none to tell. Days are those of the meeting, and so
 * are times that are the same to the reader.
 */
function changesOf(before: PublishedMeeting, after: PublishedMeeting, voice: Voice): string[] {
  const none = voice.say('meeting.none')
  const line = (label: string, from: string | null, to: string | null) =>
    `${label}: ${voice.say('meeting.was', { from: from || none, to: to || none })}`
  const here = ({ start, end, all_day }: PublishedMeeting) => voice.range(start, end, all_day)
  const there = ({ start, end, all_day, zone }: PublishedMeeting) =>
    voice.in(zone).range(start, end, all_day)
  const isDays = before.all_day || after.all_day
  const when = isDays || here(before) === here(after) ? there : here
  const isMoved = when(before) !== when(after)
  const lines = [
    ...(before.title === after.title
      ? []
      : [line(voice.say('meeting.title'), before.title, after.title)]),
    ...(isMoved ? [line(voice.say('mail.when'), when(before), when(after))] : []),
    ...(isSame(before, after, 'location')
      ? []
      : [line(voice.say('mail.where'), before.location, after.location)]),
    ...(isSame(before, after, 'link')
      ? []
      : [line(voice.say('meeting.link'), before.link, after.link)]),
    ...(isSame(before, after, 'repeat') ? [] : repeatChanges(before, after, voice)),
  ]
  return lines.length ? [[`${voice.say('meeting.changes')}:`, ...lines].join('\n')] : []
}

/** What has changed of a series: dates that were dropped by their names, else that its rule is another. */
function repeatChanges(before: MeetingRow, after: PublishedMeeting, voice: Voice): string[] {
  const dropped = droppedDates(before, after)
  const isSameRule =
    before.repeat?.rrule === after.repeat?.rrule && droppedDates(after, before).length === 0
  return isSameRule
    ? droppedWords(dropped, after.zone, voice)
    : [`${voice.say('meeting.repeats')}: ${voice.say('meeting.repeats_new')}`]
}

/** How many dropped dates are named. */
const mostDropped = 12

/** The dates on which a series does not take place, each with its weekday; the latest ones, where there are many. */
function droppedWords(exdates: string[], zone: string, voice: Voice): string[] {
  const days = exdates.map((date) =>
    /^\d{4}-\d\d-\d\d$/.test(date)
      ? date
      : dayOfInstant(new Date(exceptionTime(date, zone)).toISOString(), zone),
  )
  return [...new Set(days)]
    .flatMap((day) => day ?? [])
    .toSorted()
    .slice(-mostDropped)
    .map((day) => voice.say('meeting.dropped', { day: voice.day(day) }))
}

function isSame(before: MeetingRow, after: MeetingRow, field: keyof MeetingRow): boolean {
  return JSON.stringify(before[field]) === JSON.stringify(after[field])
}

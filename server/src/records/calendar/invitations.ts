import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import type { PublishedMeeting } from './ics.ts'
import { icsOf } from './ics.ts'
import type { Attendee, MeetingRow } from './meeting.ts'
import { zoneOf } from './repeat.ts'

const messages = {
  invited: { method: 'REQUEST', subject: 'Invitation', phrase: 'invites you to a meeting' },
  changed: { method: 'REQUEST', subject: 'Changed', phrase: 'has changed a meeting' },
  cancelled: { method: 'CANCEL', subject: 'Cancelled', phrase: 'has cancelled a meeting' },
} as const

/**
 * Mails attendees, except the caller, with the meeting as an iCalendar part that mail programs show
 * as an invitation. `meeting` is the record as a read shows it at that version.
 */
export async function mailInvited(
  ctx: Context,
  what: keyof typeof messages,
  meeting: MeetingRow,
  version: number,
  people: Attendee[] = meeting.attendees,
): Promise<void> {
  // what an import brings in was agreed on elsewhere
  if (ctx.source === 'import') return
  const isMe = ({ type, id }: Attendee) => type === 'user' && id === ctx.actor.user_id
  const recipients = people.flatMap((each) =>
    each.email && !isMe(each) ? { name: each.name ?? '', address: each.email } : [],
  )
  if (!recipients.length) return
  const { method, subject, phrase } = messages[what]
  const [organizer] = await ctx.all<{ name: string; email: string }>(sql`
    select t.full_name as name, t.email from users t
    where ${mine(ctx)} and t.id = ${meeting.created_by?.user_id ?? ctx.actor.user_id}`)
  const published = publishedOf(ctx, meeting, version, organizer ?? null)
  const { title, start, end, zone, location, description, link } = published
  const { hostname: host } = new URL(ctx.public_url)
  const url = webAddress(link ?? '')?.href
  const content = icsOf([published], { host, name: ctx.organization.name, method })
  const when = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    dateStyle: 'full',
    ...(published.all_day ? {} : { timeStyle: 'short' }),
  })
  const text = await letter({
    subject: `${subject}: ${title}`,
    paragraphs: [
      `${ctx.actor.full_name} ${phrase}: ${title}`,
      `${when.formatRange(new Date(start), new Date(end))} (${zone})`,
      ...(location ? [location] : []),
      ...(description ? [description] : []),
      ...(what === 'cancelled' && meeting.cancel_note ? [meeting.cancel_note] : []),
    ],
    ...(url && what !== 'cancelled' ? { action: { label: 'Join', url } } : {}),
    note: `You receive this because you are invited to this meeting of ${ctx.organization.name}.`,
  })
  for (const to of recipients) mail(ctx, { to, ...text, calendar: { method, content } })
}

/** Invites new attendees, cancels for removed ones, and mails the others where time or place changed. */
export async function mailChanged(
  ctx: Context,
  change: { before: MeetingRow; after: MeetingRow; version: number; isMoved: boolean },
): Promise<void> {
  const { before, after, version, isMoved } = change
  if (after.is_meeting_cancelled) {
    if (!before.is_meeting_cancelled) await mailInvited(ctx, 'cancelled', after, version)
    return
  }
  const has = (meeting: MeetingRow, { email }: Attendee) =>
    meeting.attendees.some((each) => each.email === email)
  const split = (from: MeetingRow, to: MeetingRow, isIn: boolean) =>
    from.attendees.filter((each) => has(to, each) === isIn)
  await mailInvited(ctx, 'invited', after, version, split(after, before, false))
  await mailInvited(ctx, 'cancelled', before, version, split(before, after, false))
  const isSamePlace = (['location', 'link', 'repeat'] as const).every(
    (field) => JSON.stringify(before[field]) === JSON.stringify(after[field]),
  )
  if (isMoved || !isSamePlace) {
    await mailInvited(ctx, 'changed', after, version, split(after, before, true))
  }
}

/** A meeting as it is published to calendar programs. */
export function publishedOf(
  ctx: Context,
  meeting: MeetingRow,
  version: number,
  organizer: PublishedMeeting['organizer'],
): PublishedMeeting {
  return { ...meeting, zone: zoneOf(ctx, meeting.timezone), version, organizer }
}

import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import type { Attendee } from './attendees.ts'
import type { Shown } from './ics.ts'
import { icsOf } from './ics.ts'
import { zoneOf } from './repeat.ts'

type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const words = {
  invited: { method: 'REQUEST', subject: 'Invitation', says: 'invites you to a meeting' },
  changed: { method: 'REQUEST', subject: 'Changed', says: 'has changed a meeting' },
  cancelled: { method: 'CANCEL', subject: 'Cancelled', says: 'has cancelled a meeting' },
} as const

/**
 * Mails everybody who is invited, but for whoever does it, with the meeting as an iCalendar part
 * that calendars understand. `meeting` is the record as a read gives it, and its version.
 */
export async function mailInvited(
  ctx: Context,
  what: keyof typeof words,
  meeting: Body,
  version: number,
  people: Attendee[] = meeting.attendees,
): Promise<void> {
  const isMe = ({ type, id }: Attendee) => type === 'user' && id === ctx.actor.user_id
  const told = people.filter((each) => each.email && !isMe(each))
  if (!told.length) return
  const { method, subject, says } = words[what]
  const [organizer] = await ctx.all<{ name: string; email: string }>(sql`
    select t.full_name as name, t.email from users t
    where ${mine(ctx)} and t.id = ${meeting.created_by?.user_id ?? ctx.actor.user_id}`)
  const shown = shownOf(ctx, meeting, version, organizer ?? null)
  const { hostname: host } = new URL(ctx.public_url)
  const content = icsOf([shown], { host, name: ctx.organization.name, method })
  const when = new Intl.DateTimeFormat('en', {
    timeZone: shown.zone,
    dateStyle: 'full',
    ...(shown.all_day ? {} : { timeStyle: 'short' }),
  })
  const text = await letter({
    subject: `${subject}: ${shown.title}`,
    paragraphs: [
      `${ctx.actor.full_name} ${says}: ${shown.title}`,
      `${when.formatRange(new Date(shown.start), new Date(shown.end))} (${shown.zone})`,
      ...(shown.location ? [shown.location] : []),
      ...(shown.description ? [shown.description] : []),
      ...(what === 'cancelled' && meeting.cancel_note ? [meeting.cancel_note] : []),
    ],
    ...(shown.link && what !== 'cancelled' ? { action: { label: 'Join', url: shown.link } } : {}),
    note: `You are told because you are invited to this meeting of ${ctx.organization.name}.`,
  })
  for (const { name, email } of told) {
    mail(ctx, { to: { name: name ?? '', address: email! }, ...text, calendar: { method, content } })
  }
}

/** A meeting's record as calendars outside are told of it. */
export function shownOf(
  ctx: Context,
  meeting: Body,
  version: number,
  organizer: Shown['organizer'],
): Shown {
  return { ...(meeting as Shown), zone: zoneOf(ctx, meeting.timezone), version, organizer }
}

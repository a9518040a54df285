import type { Context } from '../../../kit/ground/context.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { Contact } from '../../../model/contacts/contact.ts'
import type { MeetingRow } from '../../../model/calendar/meeting.ts'
import { nameablePeople } from '../../../model/people/person.ts'
import { readElsewhere } from '../consent.ts'
import type { MeetingChanges } from '../input.ts'
import { publishedOf } from '../invitations.ts'
import type { CalendarEvent, EventPerson, Group } from './event.ts'
import { RemoteError } from './remote.ts'

/** The UID of a meeting wherever it is published. */
export function ownUid(ctx: Context, calendar_id: string): string {
  return `${calendar_id}@${new URL(ctx.public_url).hostname}`
}

/** The meeting that a UID of ours names. */
export function meetingOfUid(ctx: Context, uid: string): string | undefined {
  const [id = '', host] = uid.split('@')
  return host === new URL(ctx.public_url).hostname && id.length <= 25 ? id : undefined
}

/** A meeting as the other side would have it: what is published of it, read as what comes from there is. */
export async function eventOf(ctx: Context, meeting: MeetingRow): Promise<CalendarEvent> {
  const { icsOf } = await import('../ics.ts')
  const { readIcs } = await import('./icalendar.ts')
  const alone = publishedOf(ctx, { ...meeting, attendees: [] }, 1, null)
  const host = new URL(ctx.public_url).hostname
  const read = await readIcs(icsOf([alone], { host, name: '-' }), ctx.organization.timezone)
  const part = read?.parts[0]
  if (!part) throw new RemoteError('unexpected', 'It cannot be written as an event')
  return part.event
}

/** The body that changes these groups of a meeting to what an event says. */
export function bodyOf(event: CalendarEvent, wanted: Group[]): MeetingChanges {
  const { title, description, location, link, start, end, all_day, zone, rrule, exdates } = event
  const has = (...some: Group[]) => some.some((group) => wanted.includes(group))
  return {
    ...(has('title') ? { title } : {}),
    ...(has('description') ? { description } : {}),
    ...(has('location') ? { location } : {}),
    ...(has('link') ? { link } : {}),
    ...(has('when') ? { start, end, all_day } : {}),
    ...(has('when') && zone ? { timezone: zone } : {}),
    ...(has('rule', 'exdates') ? { repeat: rrule ? { rrule, exdates } : null } : {}),
    ...(has('cancelled') ? { is_meeting_cancelled: event.cancelled } : {}),
  }
}

/** The same context for what was agreed on in the program that it is read from: nobody is asked, mailed or notified. */
export function quiet(ctx: Context): Context {
  // what it emits and enqueues is still of the job
  return { ...ctx, source: readElsewhere }
}

/** The people of an event as attendees: colleagues and contacts where their addresses are known. */
export async function attendeesIn(ctx: Context, people: EventPerson[]) {
  if (!people.length) return []
  const emails = people.map(({ email }) => email.toLowerCase())
  const known = await ctx.all<{ key: string; type: 'user' | 'contact'; id: string }>(sql`
    select t.email_key as key, 'user' as type, t.id from users t
    where ${all(mine(ctx), nameablePeople(ctx))} and t.deleted_at is null
      and t.email_key = any(${emails})
    union all
    select t.primary_email_key, 'contact', min(t.id) from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = any(${emails})
    group by t.primary_email_key`)
  return people.map((each) => {
    const found = (type: string) =>
      known.find((one) => one.key === each.email.toLowerCase() && one.type === type)
    const one = found('user') ?? found('contact')
    return one ? { ...each, type: one.type, id: one.id } : { ...each, type: 'external' as const }
  })
}

import type { Context } from '../../kit/ground/context.ts'
import { equal } from '../../kit/ground/object.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { droppedDates, ownZone } from './repeat.ts'

type Agreed = Pick<
  MeetingRow,
  'start' | 'end' | 'all_day' | 'timezone' | 'location' | 'link' | 'repeat'
>

/** What people agree to with their answer: when and where; dates that are dropped leave the rest as it was agreed. */
export function isAgreedChanged(ctx: Context, before: Agreed, after: Agreed): boolean {
  const same = ['start', 'end', 'all_day', 'location', 'link'] as const
  const zone = ({ timezone }: Agreed) => ownZone(timezone, ctx.organization.timezone)
  return (
    same.some((field) => before[field] !== after[field]) ||
    zone(before) !== zone(after) ||
    before.repeat?.rrule !== after.repeat?.rrule ||
    droppedDates(after, before).length > 0
  )
}

/**
 * The attendees after a change of what was agreed: everybody is asked again, except whoever makes the change, and
 * those whose answer the change itself brings. What is over stays as it was answered.
 */
export function askedAgain(
  ctx: Context,
  before: MeetingRow,
  after: MeetingRow,
  people: Attendee[],
): Attendee[] {
  if (isAgreedElsewhere(ctx) || !isAhead(ctx, after) || !isAgreedChanged(ctx, before, after)) {
    return people
  }
  const isKept = (each: Attendee) =>
    (each.type === 'user' && each.id === ctx.actor.user_id) ||
    !before.attendees.some((one) => isSame(one, each) && one.response === each.response)
  const next = people.map((each) =>
    isKept(each) ? each : { ...each, response: 'needs_action' as const },
  )
  return equal(next, people) ? people : next
}

/** Whether it was agreed on elsewhere, in the program that it is imported or read from: nobody is asked or mailed. */
export function isAgreedElsewhere({ source }: Pick<Context, 'source'>): boolean {
  return source === 'import' || source === readElsewhere
}

/** The source of a context in which a meeting is written as a connected calendar has it. */
export const readElsewhere = 'calendar'

/** Whether a meeting is in the future, or a series that goes on. */
export function isAhead(ctx: Context, { is_meeting_cancelled, repeat, end }: MeetingRow): boolean {
  return !is_meeting_cancelled && (repeat !== null || end > ctx.now().toISOString())
}

function isSame(one: Attendee, other: Attendee): boolean {
  return one.type === other.type && one.id === other.id && one.email === other.email
}

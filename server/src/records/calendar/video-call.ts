import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isAgreedElsewhere } from './consent.ts'

type Call = {
  is_video_conference?: boolean
  link?: string | null
  push_to_calendar_a?: boolean
  push_to_calendar_b?: boolean
}

/** What a meeting becomes with its call: fields of it, and whether its link comes later. */
type Prepared = {
  fields: Pick<Call, 'push_to_calendar_a' | 'push_to_calendar_b'> & { link?: string }
  isAwaited: boolean
}

/**
 * The call of a video conference without a link: in the calendar that its organizer has connected at Google or Microsoft
 * 365, which makes the link when the meeting is there; else a room at the server of the operator's choice. Nothing where
 * there is neither, or no video conference. Of a meeting that has been made `row` says which calendars it is in.
 */
export async function videoCall(
  ctx: Context,
  call: Call,
  organizer: string | null,
  row?: Call,
): Promise<Prepared> {
  if (!call.is_video_conference || call.link) return { fields: {}, isAwaited: false }
  const slots = isAgreedElsewhere(ctx) ? [] : await slotsOf(ctx, organizer)
  const chosen = slots.find((slot) => (call[slot] === undefined ? row : call)?.[slot])
  const slot = chosen ?? slots.find((each) => call[each] !== false)
  if (slot) return { fields: { [slot]: true }, isAwaited: true }
  const link = roomAt(ctx)
  return { fields: link ? { link } : {}, isAwaited: false }
}

/** The flags of the calendars of a user in which calls can be made. */
async function slotsOf(ctx: Context, user_id: string | null) {
  const found = await ctx.all<{ slot: 'a' | 'b' }>(sql`select t.slot from calendar_connections t
    where ${mine(ctx)} and t.user_id = ${user_id} and t.kind <> 'caldav' and t.error is null
      and t.calendar_ref is not null
    order by t.slot`)
  return found.map(({ slot }) => `push_to_calendar_${slot}` as const)
}

/** A room of its own at the server of the operator's choice, which nobody guesses; null where there is no server. */
export function roomAt({ services }: Context): string | null {
  const { videoCallsUrl } = services
  return videoCallsUrl && `${videoCallsUrl}/${randomBytes(16).toString('base64url')}`
}

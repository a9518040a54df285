import type { Context } from '../../kit/ground/context.ts'
import { dayOfInstant } from '../../kit/ground/dates.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readOne } from '../../kit/read/one.ts'
import { may } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock } from '../../kit/write/write.ts'
import type { Attendee, MeetingRow } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { createMeeting } from './create.ts'
import { isAhead } from './consent.ts'
import { dateAlone } from './date-alone.ts'
import { mailInvited } from './invitations.ts'
import { occurrences, zoneOf } from './repeat.ts'
import { updateMeeting } from './update.ts'

type Proposal = {
  state: string
  email: string
  start: string
  end: string
  all_day: boolean
  occurrence: string | null
}

/**
 * Accepts another time that an attendee has proposed, or keeps the meeting's. Accepting moves the meeting, and of a series
 * the date that it was about: that date is left out, and a meeting of its own has the new time. Everybody is asked again,
 * but for whoever proposed it; keeping is mailed to them. 409 for a proposal that is settled, or cannot be accepted.
 */
export async function settleAnswer(
  ctx: Context,
  { id, answer_id }: { id: string; answer_id: string },
  decision: 'accept' | 'keep',
  ifMatch?: number[],
): Promise<Answer> {
  const { row, version } = await lock(ctx, Meeting, id, 'update', ifMatch)
  const proposal = await ctx.one<Proposal>(sql`
    select t.state, t.email, t.starts_at as start, t.ends_at as "end", t.all_day, t.occurrence
    from meeting_answers t
    where ${mine(ctx)} and t.calendar_id = ${id} and t.id = ${answer_id} and t.kind = 'counter'`)
  if (!proposal) throw notFound('Proposal')
  if (proposal.state !== 'open') throw conflict('This proposal is settled already', proposal.state)
  if (decision === 'accept' && !isAhead(ctx, row)) {
    throw conflict('This meeting is over or cancelled', 'over')
  }
  await ctx.run(sql`update meeting_answers t
    set state = ${decision === 'accept' ? 'accepted' : 'kept'}
    where ${mine(ctx)} and t.calendar_id = ${id} and t.id = ${answer_id}`)
  if (decision === 'accept') await move(ctx, row, proposal)
  else {
    const from = row.attendees.filter(({ email }) => email?.toLowerCase() === proposal.email)
    await announce(ctx, Meeting, 'kept', {
      id,
      title: 'Proposed time turned down',
      action: 'updated',
      name: row.title,
      changes: [{ field: 'proposed_start', from: proposal.start, to: null }],
      more: { attendee: proposal.email },
    })
    await mailInvited(ctx, 'kept', { meeting: row, version }, from)
  }
  return readOne(ctx, Meeting, id)
}

/** Moves a meeting, or one date of a series, to the time that was proposed. */
async function move(ctx: Context, row: MeetingRow, proposal: Proposal): Promise<void> {
  const { start, end, all_day, occurrence, email } = proposal
  const times = { start, end, all_day }
  // whoever has proposed it has agreed, and so has the caller; everybody else is asked again
  const attendees = row.attendees.map((each) =>
    each.email?.toLowerCase() === email ? { ...each, response: 'accepted' as const } : each,
  )
  if (!row.repeat) {
    await updateMeeting(ctx, row.calendar_id, { ...times, attendees })
    return
  }
  const zone = zoneOf(ctx, row.timezone)
  if (!occurrence) {
    if (dayOfInstant(start, zone) !== dayOfInstant(row.start, zone)) {
      throw conflict('Move the series in the calendar: its rule names its days', 'series')
    }
    await updateMeeting(ctx, row.calendar_id, { ...times, attendees })
    return
  }
  if (!may(ctx.actor, { module: 'calendar', action: 'create' })) {
    throw conflict('This date becomes a meeting of its own, and you may not schedule one', 'series')
  }
  const isThere = occurrences(
    { repeat: row.repeat, start: row.start },
    zone,
    { from: occurrence, to: new Date(Date.parse(occurrence) + 999).toISOString() },
    1,
  )
  if (!isThere.length) throw conflict('This date is no longer in the series', 'no_such_date')
  const exdates = [...row.repeat.exdates, occurrence]
  await updateMeeting(ctx, row.calendar_id, { repeat: { exdates } })
  const hasAgreed = (each: Attendee) =>
    each.email?.toLowerCase() === email ||
    (each.type === 'user' && each.id === ctx.actor.user_id && each.response === 'accepted')
  const alone = {
    ...dateAlone(row),
    ...times,
    attendees: attendees.map((each) =>
      hasAgreed(each) ? each : { ...each, response: 'needs_action' as const },
    ),
  }
  await createMeeting(ctx, alone, row.attendees)
}

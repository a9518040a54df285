import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { instantIn } from '../../kit/ground/dates.ts'
import { badField } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import { attendeeProperties } from './attendees.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import type { Zone } from './repeat.ts'
import { zoneOf } from './repeat.ts'

const openObject = schema<{ [key: string]: unknown }>({
  type: 'object',
  additionalProperties: true,
})

const properties = {
  ...attendeeProperties,
  repeat: Type.Optional(
    Type.Union([orNull(Type.String({ maxLength: 1000 })), openObject], {
      description: 'an RRULE, or an object with it as its rrule and the days left out as exdates',
    }),
  ),
  timezone: Type.Optional(
    Type.Union([orNull(Type.String({ maxLength: 100 })), openObject], {
      description: 'an IANA zone, or an object with it as its name',
    }),
  ),
}

/** The body that creates a meeting. */
export const createBody = extend(createSchema(Meeting), {
  calendar_id: Type.Optional(suppliedId),
  ...properties,
})

/** The body that changes a meeting. */
export const updateBody = extend(updateSchema(Meeting), properties)

export type NewMeeting = Static<typeof createBody>
export type MeetingChanges = Static<typeof updateBody>

type Zoned<B> = Omit<B, 'timezone'> & { timezone?: Zone | null }

/** The body with its zone as an object, as in reads, if it was supplied as text. */
export function withZone<B extends { timezone?: unknown }>(body: B): Zoned<B> {
  const { timezone } = body
  if (typeof timezone !== 'string') return body as Zoned<B>
  return { ...body, timezone: timezone.trim() ? { name: timezone.trim() } : null }
}

/** Start and end as instants; without an offset they are in the meeting's own zone. 400 for others. */
export function timesOf(
  ctx: Context,
  { start, end }: { start: string; end: string },
  timezone: Zone | null | undefined,
): { start: string; end: string } {
  const zone = zoneOf(ctx, timezone)
  const times = { start: instantOf(start, 'start', zone), end: instantOf(end, 'end', zone) }
  if (times.end < times.start) throw badField('end', 'must not be before start')
  return times
}

/** A date or time as an instant; without an offset it is in the zone. 400 names the field. */
export function instantOf(value: string, field: string, timezone: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value
  return instantIn(field, time, timezone)
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import { badField } from '../../kit/ground/errors.ts'
import { schema } from '../../kit/ground/json-schema.ts'

const clock = Type.String({ maxLength: 5 })
/** A time of a day, the end of it as 24:00. */
const time = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/

/** Hours on some days of the week, by the clock of whose they are. */
export const workingSpan = Type.Object(
  {
    days: schema<number[]>({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 7 },
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
    }),
    from: clock,
    to: clock,
  },
  { title: 'WorkingSpan', additionalProperties: false },
)
export type WorkingSpan = Static<typeof workingSpan>

/** The most spans of a week: three for each day. */
export const mostSpans = 21

/** 400 naming the span that ends before it begins, or where there are too many. */
export function checkWorkingHours(spans: WorkingSpan[] | null | undefined): void {
  if ((spans?.length ?? 0) > mostSpans) {
    throw badField('working_hours', `must have at most ${mostSpans} spans`)
  }
  for (const [at, { from, to }] of (spans ?? []).entries()) {
    for (const [name, value] of Object.entries({ from, to })) {
      if (!time.test(value))
        throw badField(`working_hours.${at}.${name}`, 'must be a time, as HH:MM')
    }
    if (to <= from) throw badField(`working_hours.${at}.to`, `must be after ${from}`)
  }
}

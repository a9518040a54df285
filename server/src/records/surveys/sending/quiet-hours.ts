import { Temporal } from 'temporal-polyfill'
import { isTimeZone } from '../../../kit/ground/time.ts'

/** Hours of each day, by a clock such as 20:00; those that end before they begin go over midnight. */
export type QuietHours = { from: string; to: string }

/**
 * When the quiet hours end that it is now in a time zone; undefined outside of them. Where the clocks skip the end, it is
 * later by the gap.
 */
export function quietUntil(
  now: Date,
  { from, to }: QuietHours,
  timezone: string,
): Date | undefined {
  const zone = isTimeZone(timezone) ? timezone : 'UTC'
  const local = Temporal.Instant.fromEpochMilliseconds(+now).toZonedDateTimeISO(zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isOver = from > to
  const isQuiet = isOver ? time >= from || time < to : time >= from && time < to
  if (!isQuiet) return undefined
  const day = local.toPlainDate().add({ days: isOver && time >= from ? 1 : 0 })
  const end = day.toZonedDateTime({ timeZone: zone, plainTime: to })
  return new Date(end.epochMilliseconds)
}

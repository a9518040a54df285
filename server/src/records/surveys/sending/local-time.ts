import { Temporal } from 'temporal-polyfill'
import { badField } from '../../../kit/ground/errors.ts'
import { isTimeZone } from '../../../kit/ground/time.ts'

/**
 * The instant of a local time in a zone. A time that the clocks skip is moved later by the gap; if
 * a time occurs twice, the first is used. 400 for an unknown zone or time.
 */
export function instantOf(local: string, timezone: string): Date {
  checkZone(timezone)
  let time: Temporal.PlainDateTime
  try {
    // an offset or another zone would contradict the zone
    if (/[zZ[]|[+-]\d\d:?\d\d$/.test(local.slice(10))) throw new RangeError('offset')
    time = Temporal.PlainDateTime.from(local.trim().replace(' ', 'T'), { overflow: 'reject' })
  } catch {
    throw badField('scheduled_at', 'must be a local date and time such as 2030-01-31T09:00')
  }
  const { epochMilliseconds } = time.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return new Date(epochMilliseconds)
}

/** The local time of an instant in a zone, such as 2030-01-31T09:00; 400 for an unknown zone. */
export function localAt(
  at: Date,
  timezone: string,
  smallestUnit: 'minute' | 'second' = 'minute',
): string {
  checkZone(timezone)
  const instant = Temporal.Instant.fromEpochMilliseconds(+at)
  return instant.toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit })
}

function checkZone(timezone: string): void {
  if (isTimeZone(timezone)) return
  throw badField('timezone', 'must be an IANA zone such as Europe/Berlin')
}

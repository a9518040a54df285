import type { Failure } from '../kit/ground/errors.ts'

type Check = (value: string) => boolean

const whole =
  (least: number, most: number): Check =>
  (value) =>
    /^[+-]?\d{1,5}$/.test(value) && +value !== 0 && +value >= least && +value <= most
const from0 =
  (most: number): Check =>
  (value) =>
    /^\d{1,2}$/.test(value) && +value <= most
const weekday: Check = (value) =>
  /^([+-]?([1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/.test(value)

/** What each part of a rule may be, each of its values; longer intervals match no day at all. */
const checks: { [name: string]: Check } = {
  FREQ: (value) => /^(YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)$/.test(value),
  INTERVAL: whole(1, 1000),
  COUNT: (value) => /^[1-9]\d{0,8}$/.test(value),
  UNTIL: (value) => /^\d{8}(T\d{6}Z?)?$/.test(value),
  BYDAY: weekday,
  BYMONTHDAY: whole(-31, 31),
  BYMONTH: whole(1, 12),
  BYSETPOS: whole(-366, 366),
  BYYEARDAY: whole(-366, 366),
  BYWEEKNO: whole(-53, 53),
  WKST: (value) => /^(MO|TU|WE|TH|FR|SA|SU)$/.test(value),
  BYHOUR: from0(23),
  BYMINUTE: from0(59),
}

/** The parts that decide the days; the others decide the time of day. */
export const dayParts = Object.keys(checks).filter((name) => !/^BY(HOUR|MINUTE)$/.test(name))
export const allParts = Object.keys(checks)

/**
 * The parts of a rule by name (RFC 5545, 3.3.10), each checked before a library works with them:
 * some that are wrong, or that never match a day, occupy it for long. Throws the failure of `refuse`.
 */
export function partsOf(
  rrule: string,
  names: string[],
  refuse: (message: string) => Failure,
): { [name: string]: string } {
  const parts: { [name: string]: string } = {}
  for (const part of rrule.split(';').filter(Boolean)) {
    const [name = '', value] = part.split('=')
    if (!names.includes(name) || !value) throw refuse(`has an unknown part: ${part}`)
    const values = value.split(',')
    const wrong = values.find((each) => !checks[name]?.(each))
    if (wrong !== undefined || values.length > 400) {
      throw refuse(`has an invalid part: ${part.slice(0, 60)}`)
    }
    parts[name] = value
  }
  if (parts.COUNT && parts.UNTIL) throw refuse('must not have both COUNT and UNTIL')
  return parts
}

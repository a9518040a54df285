import type { Failure } from '../../kit/ground/errors.ts'

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

/** The allowed values of each part of a rule; longer intervals match no day at all. */
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

/** The parts that determine the days; the others determine the time of day. */
export const dayParts = Object.keys(checks).filter((name) => !/^BY(HOUR|MINUTE)$/.test(name))
export const allParts = Object.keys(checks)

/**
 * The parts of a rule by name (RFC 5545, 3.3.10), each checked before a library processes them:
 * some that are invalid, or never match a day, would take it a long time. Throws the failure of `refuse`.
 */
export function partsOf(
  rrule: string,
  names: string[],
  refuse: (message: string) => Failure,
): Parts {
  const parts: Parts = {}
  for (const part of rrule.split(';').filter(Boolean)) {
    const [name = '', value] = part.split('=')
    if (!names.includes(name) || !value) throw refuse(`has an unknown part: ${part}`)
    const values = value.split(',')
    const wrong = values.find((each) => !checks[name]?.(each))
    if (wrong !== undefined || values.length > 400) {
      throw refuse(`has an invalid part: ${part.slice(0, 60)}`)
    }
    if (parts[name]) throw refuse(`has ${name} twice`)
    parts[name] = value
  }
  if (parts.COUNT && parts.UNTIL) throw refuse('must not have both COUNT and UNTIL')
  const misplaced = misplacedIn(parts)
  if (misplaced) throw refuse(misplaced)
  return parts
}

type Parts = { [name: string]: string }

/** What RFC 5545 does not allow together: calendar programs refuse a series whose rule has it. */
function misplacedIn(parts: Parts): string | undefined {
  const { FREQ = '', BYDAY = '', BYSETPOS } = parts
  if (/\d/.test(BYDAY) && !['MONTHLY', 'YEARLY'].includes(FREQ)) {
    return 'must not number the days of BYDAY, except of months and years'
  }
  const wrong = Object.keys(parts).find((name) => only[name]?.includes(FREQ) === false)
  if (wrong) return `must not have ${wrong} beside FREQ=${FREQ}`
  if (BYSETPOS && !Object.keys(parts).some((name) => /^BY(?!SETPOS)/.test(name))) {
    return 'must not have BYSETPOS without another part that begins with BY'
  }
  return hasSomeDay(parts)
    ? undefined
    : 'must come to a day: no month of BYMONTH has one of BYMONTHDAY'
}

/** The frequencies beside which a part may stand, where it may not beside every one. */
const only: { [name: string]: string[] } = {
  BYWEEKNO: ['YEARLY'],
  BYYEARDAY: ['YEARLY', 'HOURLY'],
  BYMONTHDAY: ['YEARLY', 'MONTHLY', 'DAILY', 'HOURLY'],
}

function hasSomeDay({ BYMONTH, BYMONTHDAY }: Parts): boolean {
  if (!BYMONTH || !BYMONTHDAY) return true
  const longest = Math.max(...BYMONTH.split(',').map((month) => daysOfMonths[+month - 1] ?? 31))
  return BYMONTHDAY.split(',').some((day) => Math.abs(+day) <= longest)
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A rule as it is stored: in capital letters, without the name of the property and without empty parts. */
export function normalizeRule(text: string): string {
  const rule = text.trim().replace(/^RRULE:/i, '')
  return rule.toUpperCase().split(';').filter(Boolean).join(';')
}

import { t } from '../locales/text.ts'

/** How a task repeats, as far as it can be set here. */
export type Repetition = {
  every: number
  unit: Unit
  /** of weeks, from MO to SU; none is the day of the first one */
  weekdays: Weekday[]
  /** of months: a day of it, -1 for the last one */
  monthDay: number | null
  /** of months: a weekday and which one of them, -1 for the last */
  nth: { n: number; weekday: Weekday } | null
  until: string | null
  count: number | null
}

export const units = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]

const frequencies = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }
const known = ['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'COUNT', 'WKST']

/** The repetition of a rule (RFC 5545); undefined of one that says more than can be set here. */
export function repetitionIn(rrule: string): Repetition | undefined {
  const parts = new Map(
    rrule.split(';').flatMap((part) => {
      const [name, value] = part.split('=')
      return name && value ? [[name, value] as const] : []
    }),
  )
  if ([...parts.keys()].some((name) => !known.includes(name))) return undefined
  const unit = units.find((each) => frequencies[each] === parts.get('FREQ'))
  const [days, monthDay] = [parts.get('BYDAY')?.split(',') ?? [], parts.get('BYMONTHDAY')]
  if (!unit || (days.length && monthDay) || !/^(-?\d+)?$/.test(monthDay ?? '')) return undefined
  const plain = days.flatMap((each) => weekdays.find((word) => word === each) ?? [])
  const [, n, word] = /^([+-]?\d)([A-Z]{2})$/.exec(days[0] ?? '') ?? []
  const weekday = weekdays.find((each) => each === word)
  const nth = unit === 'month' && days.length === 1 && weekday ? { n: Number(n), weekday } : null
  if (days.length && !nth && (unit !== 'week' || plain.length < days.length)) return undefined
  if (monthDay && unit !== 'month') return undefined
  const until = /^(\d{4})(\d\d)(\d\d)/.exec(parts.get('UNTIL') ?? '')
  return {
    every: Number(parts.get('INTERVAL') ?? 1),
    unit,
    weekdays: nth ? [] : plain,
    monthDay: monthDay ? Number(monthDay) : null,
    nth,
    until: until ? until.slice(1).join('-') : null,
    count: parts.has('COUNT') ? Number(parts.get('COUNT')) : null,
  }
}

/** The rule of a repetition (RFC 5545). */
export function rruleOf(repetition: Repetition): string {
  const { every, unit, until, count, monthDay, nth } = repetition
  const days = weekdays.filter((each) => repetition.weekdays.includes(each))
  return [
    `FREQ=${frequencies[unit]}`,
    ...(every > 1 ? [`INTERVAL=${every}`] : []),
    ...(unit === 'week' && days.length ? [`BYDAY=${days.join()}`] : []),
    ...(unit === 'month' && nth ? [`BYDAY=${nth.n}${nth.weekday}`] : []),
    ...(unit === 'month' && !nth && monthDay !== null ? [`BYMONTHDAY=${monthDay}`] : []),
    ...(until ? [`UNTIL=${until.replaceAll('-', '')}T235959Z`] : []),
    ...(count !== null && !until ? [`COUNT=${count}`] : []),
  ].join(';')
}

const names = [
  t('Monday'),
  t('Tuesday'),
  t('Wednesday'),
  t('Thursday'),
  t('Friday'),
  t('Saturday'),
  t('Sunday'),
]
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']

/** A weekday in words. */
export function weekdayName(weekday: Weekday): string {
  return names[weekdays.indexOf(weekday)] ?? weekday
}

/** The weekday of a day `YYYY-MM-DD`. */
export function weekdayOf(day: string): Weekday {
  return weekdays[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'
}

/** Which of the weekdays of its month a day is; the fifth is the last one. */
export function nthOf(day: string): NonNullable<Repetition['nth']> {
  const n = Math.ceil(Number(day.slice(8)) / 7)
  return { n: n > 4 ? -1 : n, weekday: weekdayOf(day) }
}

/** A repetition in a sentence: "Every 2 weeks on Monday, until Mar 31"; `day` writes a day. */
export function sentenceOf(repetition: Repetition, day: (text: string) => string): string {
  const { every, unit, until, count } = repetition
  const often = t('Every {unit} | Every {count} {unit}s', { unit, count: every })
  const end = until
    ? t(', until {day}', { day: day(until) })
    : count === null
      ? ''
      : t(', once | , {count} times', { count })
  return `${often}${placeOf(repetition)}${end}`
}

function placeOf({ unit, weekdays: chosen, monthDay, nth }: Repetition): string {
  if (unit === 'week' && chosen.length) {
    const isWorkweek = chosen.length === 5 && !chosen.includes('SA') && !chosen.includes('SU')
    if (isWorkweek) return ` ${t('from Monday to Friday')}`
    const words = weekdays.filter((each) => chosen.includes(each)).map(weekdayName)
    const last = words.pop() ?? ''
    return ` ${t('on {value}', { value: words.length ? t('{words} and {last}', { words: words.join(', '), last }) : last })}`
  }
  if (unit !== 'month') return ''
  if (nth) return ` ${t('on the {nthWords}', { nthWords: nthWords(nth) })}`
  if (monthDay === -1) return ` ${t('on the last day')}`
  return monthDay === null ? '' : ` ${t('on the {ordinal}', { ordinal: ordinal(monthDay) })}`
}

/** Which weekday of a month, in words: "second Monday". */
export function nthWords({ n, weekday }: NonNullable<Repetition['nth']>): string {
  return `${n === -1 ? 'last' : (ordinals[n - 1] ?? `${n}th`)} ${weekdayName(weekday)}`
}

/** A number in its order: 1st, 22nd, 31st. */
export function ordinal(n: number): string {
  const rest = n % 100
  const ending = rest > 10 && rest < 14 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[n % 10] ?? 'th')
  return `${n}${ending}`
}

/** What becomes of months that are too short; null where none is. */
export function shortMonths({ unit, monthDay, nth }: Repetition): string | null {
  if (unit !== 'month' || nth || monthDay === null || monthDay < 29) return null
  const which =
    monthDay === 29
      ? t('A February without a 29th')
      : t('Months without a {ordinal}', { ordinal: ordinal(monthDay) })
  return monthDay === 29
    ? t('{which} is left out', { which })
    : t('{which} are left out', { which })
}

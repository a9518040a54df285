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

/** A unit beside a number of it. */
export function unitWords(unit: Unit, count: number): string {
  switch (unit) {
    case 'day':
      return t('day | days', { count })
    case 'week':
      return t('week | weeks', { count })
    case 'month':
      return t('month | months', { count })
    case 'year':
      return t('year | years', { count })
  }
}

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
  const { until, count } = repetition
  const rule = ruleWords(repetition)
  if (until) return t('{rule}, until {day}', { rule, day: day(until) })
  return count === null ? rule : t('{rule}, once | {rule}, {count} times', { rule, count })
}

function ruleWords({ unit, every: count, weekdays: chosen, monthDay, nth }: Repetition): string {
  switch (unit) {
    case 'day':
      return t('Every day | Every {count} days', { count })
    case 'week':
      return weekWords(count, chosen)
    case 'month':
      if (nth) return nthRule(count, nth)
      if (monthDay === null) return t('Every month | Every {count} months', { count })
      if (monthDay === -1) {
        return t('Every month on the last day | Every {count} months on the last day', { count })
      }
      return t('Every month on the {number} | Every {count} months on the {number}', {
        count,
        number: ordinal(monthDay),
      })
    case 'year':
      return t('Every year | Every {count} years', { count })
  }
}

function weekWords(count: number, chosen: Weekday[]): string {
  if (!chosen.length) return t('Every week | Every {count} weeks', { count })
  if (chosen.length === 5 && !chosen.includes('SA') && !chosen.includes('SU')) {
    return t('Every week from Monday to Friday | Every {count} weeks from Monday to Friday', {
      count,
    })
  }
  const names = weekdays.filter((each) => chosen.includes(each)).map(weekdayName)
  return t('Every week on {weekdays} | Every {count} weeks on {weekdays}', {
    count,
    weekdays: listed(names),
  })
}

function nthRule(count: number, { n, weekday: which }: NonNullable<Repetition['nth']>): string {
  const weekday = weekdayName(which)
  switch (n) {
    case 1:
      return t('Every month on the first {weekday} | Every {count} months on the first {weekday}', {
        count,
        weekday,
      })
    case 2:
      return t(
        'Every month on the second {weekday} | Every {count} months on the second {weekday}',
        { count, weekday },
      )
    case 3:
      return t('Every month on the third {weekday} | Every {count} months on the third {weekday}', {
        count,
        weekday,
      })
    case 4:
      return t(
        'Every month on the fourth {weekday} | Every {count} months on the fourth {weekday}',
        { count, weekday },
      )
    case -1:
      return t('Every month on the last {weekday} | Every {count} months on the last {weekday}', {
        count,
        weekday,
      })
    default:
      return t(
        'Every month on the {number} {weekday} | Every {count} months on the {number} {weekday}',
        { count, number: ordinal(n), weekday },
      )
  }
}

/** Which weekday of a month, in words: "The second Monday". */
export function nthWords({ n, weekday: which }: NonNullable<Repetition['nth']>): string {
  const weekday = weekdayName(which)
  switch (n) {
    case 1:
      return t('The first {weekday}', { weekday })
    case 2:
      return t('The second {weekday}', { weekday })
    case 3:
      return t('The third {weekday}', { weekday })
    case 4:
      return t('The fourth {weekday}', { weekday })
    case -1:
      return t('The last {weekday}', { weekday })
    default:
      return t('The {number} {weekday}', { number: ordinal(n), weekday })
  }
}

/** Names in a row: "Monday, Wednesday and Friday". */
function listed(names: string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1
    ? t('{names} and {last}', { names: names.slice(0, -1).join(', '), last })
    : last
}

/** A number in its order: 1st, 22nd, 31st. */
export function ordinal(number: number): string {
  switch (new Intl.PluralRules('en', { type: 'ordinal' }).select(number)) {
    case 'one':
      return t('{number}st', { number })
    case 'two':
      return t('{number}nd', { number })
    case 'few':
      return t('{number}rd', { number })
    default:
      return t('{number}th', { number })
  }
}

/** What becomes of months that are too short; null where none is. */
export function shortMonths({ unit, monthDay, nth }: Repetition): string | null {
  if (unit !== 'month' || nth || monthDay === null || monthDay < 29) return null
  return monthDay === 29
    ? t('A February without a 29th is left out')
    : t('Months without a {number} are left out', { number: ordinal(monthDay) })
}

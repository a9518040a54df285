import type { WorkDays } from '../../../../server/src/schedule/workdays.ts'
import { dayNumber, dayText } from '../../../../server/src/schedule/workdays.ts'
import type { Format } from '../../records/field/format.ts'
import { t } from '../../locales/text.ts'

/** How much of time is seen at once. */
export type Scale = 'day' | 'week' | 'month' | 'quarter'

/** The width of a day in pixels. */
export const pixels: { [scale in Scale]: number } = { day: 40, week: 16, month: 5, quarter: 2 }

export const scales: { value: Scale; label: string }[] = [
  { value: 'day', label: t('Day') },
  { value: 'week', label: t('Week') },
  { value: 'month', label: t('Month') },
  { value: 'quarter', label: t('Quarter') },
]

/** The next finer or coarser scale, if there is one. */
export function scaleBeside(scale: Scale, by: 1 | -1): Scale {
  const at = scales.findIndex(({ value }) => value === scale)
  return scales[at + by]?.value ?? scale
}

/** Days from one to another, both included, as numbers. */
export type Range = { from: number; to: number }

/** From when to when a timeline goes: all its days with some room, from a Monday on, at least `least` days. */
export function rangeOf(days: (string | null | undefined)[], today: string, least: number): Range {
  const all = [...days, today].flatMap((day) => (day ? dayNumber(day) : []))
  const first = Math.min(...all) - 7
  // day 0 was a Thursday
  const from = first - ((((first + 3) % 7) + 7) % 7)
  return { from, to: Math.max(Math.max(...all) + 28, from + Math.ceil(least)) }
}

export type Mark = { day: number; days: number; label: string; title?: string }

/** The months of a range, and below them its days, weeks, or nothing. */
export function marksOf(range: Range, scale: Scale, { locale }: Format) {
  const month = new Intl.DateTimeFormat(locale, {
    month: scale === 'quarter' ? 'short' : 'long',
    ...(scale === 'quarter' ? {} : { year: 'numeric' as const }),
    timeZone: 'UTC',
  })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' })
  const months: Mark[] = []
  const ticks: Mark[] = []
  for (let day = range.from; day <= range.to; day++) {
    const date = new Date(day * 86_400_000)
    const last = months.at(-1)
    if (!last || date.getUTCDate() === 1) months.push({ day, days: 1, label: month.format(date) })
    else last.days++
    const isMonday = date.getUTCDay() === 1
    const number = String(date.getUTCDate())
    if (scale === 'day') ticks.push({ day, days: 1, label: `${weekday.format(date)} ${number}` })
    else if (scale !== 'quarter' && isMonday) ticks.push({ day, days: 7, label: number })
  }
  return { months, ticks }
}

export type OffDays = { day: number; days: number; holiday: string | null }

/** The days off of a range: weekends in one piece, holidays one by one with their name. */
export function offDaysOf(
  { from, to }: Range,
  workdays: WorkDays,
  names: { [day: string]: string },
): OffDays[] {
  const found: OffDays[] = []
  for (let day = from; day <= to; day++) {
    if (!workdays.isOff(day)) continue
    const text = dayText(day) ?? ''
    const holiday = names[text] ?? names[text.slice(5)] ?? null
    const last = found.at(-1)
    if (holiday === null && last?.holiday === null && last.day + last.days === day) last.days++
    else found.push({ day, days: 1, holiday })
  }
  return found
}

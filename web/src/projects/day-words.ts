import { WorkDays, dayNumber, dayText } from '../../../server/src/schedule/workdays.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import { t } from '../locales/text.ts'

/** What words for days are read by: today as `YYYY-MM-DD`, the days that are worked on, and the person's language. */
export type Almanac = { today: string; calendar: ProjectPlan['calendar']; locale: string }

/**
 * A day as a person types it: `today`, `fri`, `dec 4`, `12/4` in the order of the locale, `+3` working days from today,
 * or `YYYY-MM-DD`; `=` is `earliest`. Null for an empty text, undefined for one that is no day.
 */
export function readDay(
  text: string,
  almanac: Almanac,
  earliest?: string | null,
): string | null | undefined {
  const word = text.trim().toLocaleLowerCase(almanac.locale)
  if (word === '') return null
  if (word === '=') return earliest ?? undefined
  const { today } = almanac
  if (word === 'today' || word === t('today').toLowerCase()) return today
  if (word === 'tomorrow' || word === t('tomorrow').toLowerCase())
    return dayText(dayNumber(today) + 1)
  const [, count] = /^\+(\d{1,4})d?$/.exec(word) ?? []
  if (count !== undefined) return inWorkingDays(Number(count), almanac)
  const weekday = weekdayOf(word, almanac.locale)
  if (weekday !== undefined) return nextWeekday(weekday, today)
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) return existing(...numbersIn(word))
  return named(word, almanac) ?? inNumbers(word, almanac)
}

/** The working day so many after today. */
function inWorkingDays(count: number, { today, calendar }: Almanac): string | undefined {
  const days = new WorkDays(calendar, dayNumber(today))
  return dayText(days.day(days.until(dayNumber(today)) + count))
}

/** The first working day at or after a day; the day itself where it is one. */
export function workingDay(day: string, calendar: Almanac['calendar']): string {
  const days = new WorkDays(calendar, dayNumber(day))
  return dayText(days.day(0)) ?? day
}

/** The weekday that a word names in the person's language or in English, 0 for Sunday. */
export function weekdayOf(word: string, locale: string): number | undefined {
  return indexOf(word, 'weekday', locale)
}

const cached = new Map<string, string[][]>()

/** The long and the short names of weekdays, from Sunday, or of months. */
function namesOf(part: 'weekday' | 'month', language: string): string[][] {
  const key = `${part} ${language}`
  const found = cached.get(key)
  if (found) return found
  // 2023-01-01 was a Sunday
  const dates = Array.from({ length: part === 'weekday' ? 7 : 12 }, (_, at) =>
    part === 'weekday' ? Date.UTC(2023, 0, 1 + at) : Date.UTC(2023, at, 1),
  )
  const styles = (['long', 'short'] as const).map(
    (style) => new Intl.DateTimeFormat(language, { [part]: style, timeZone: 'UTC' }),
  )
  const names = dates.map((date) =>
    styles.map((style) => style.format(date).toLocaleLowerCase(language).replace(/\.$/, '')),
  )
  cached.set(key, names)
  return names
}

/** Which weekday or month a word names, whole or by three letters or more of its beginning. */
function indexOf(word: string, part: 'weekday' | 'month', locale: string): number | undefined {
  const bare = word.replace(/\.$/, '')
  for (const language of [locale, 'en']) {
    const found = namesOf(part, language).findIndex(
      ([long = '', short]) => bare === short || (bare.length >= 3 && long.startsWith(bare)),
    )
    if (found >= 0) return found
  }
  return undefined
}

function nextWeekday(weekday: number, today: string): string | undefined {
  const at = dayNumber(today)
  const ahead = (weekday - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7 || 7
  return dayText(at + ahead)
}

/** `dec 4`, `4 dec`, `4. Dezember 2026`. */
function named(word: string, { today, locale }: Almanac): string | undefined {
  const parts = word.split(/[\s,]+/).filter(Boolean)
  const month = parts.flatMap((part) => {
    const found = indexOf(part, 'month', locale)
    return found === undefined ? [] : found + 1
  })
  const numbers = parts.flatMap((part) => (/^\d{1,4}\.?$/.test(part) ? Number.parseInt(part) : []))
  const [day, year] = numbers
  if (month.length !== 1 || day === undefined || parts.length !== 1 + numbers.length)
    return undefined
  return year === undefined ? nearest(month[0], day, today) : existing(year, month[0], day)
}

/** `12/4`, `4.12.`, `4.12.2026`, by the order of the locale. */
function inNumbers(word: string, { today, locale }: Almanac): string | undefined {
  if (!/^\d{1,4}[./-]\d{1,2}([./-](\d{1,4})?)?$/.test(word)) return undefined
  const numbers = numbersIn(word)
  const order = new Intl.DateTimeFormat(locale, { dateStyle: 'short' })
    .formatToParts(0)
    .flatMap(({ type }) => (['day', 'month', 'year'].includes(type) ? type : []))
  const names = numbers.length < 3 ? order.filter((type) => type !== 'year') : order
  const at = (name: (typeof order)[number]) => numbers[names.indexOf(name)]
  const year = at('year')
  if (year === undefined) return nearest(at('month'), at('day'), today)
  return existing(year < 100 ? 2000 + year : year, at('month'), at('day'))
}

function numbersIn(word: string): number[] {
  return word.match(/\d+/g)?.map(Number) ?? []
}

/** A day without its year is the one that is nearest to today. */
function nearest(month: number | undefined, day: number | undefined, today: string) {
  const year = Number(today.slice(0, 4))
  const distance = (one: string) => Math.abs(dayNumber(one) - dayNumber(today))
  return [year - 1, year, year + 1]
    .flatMap((each) => existing(each, month, day) ?? [])
    .toSorted((one, other) => distance(one) - distance(other))[0]
}

function existing(year = 0, month = 0, day = 0): string | undefined {
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
  const number = dayNumber(text)
  return Number.isNaN(number) || dayText(number) !== text ? undefined : text
}

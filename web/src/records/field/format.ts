import { t } from '../../locales/text.ts'

/** Formats numbers, money and times for the person. */
export type Format = { locale: string; timezone: string; currency: string }

const cached = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

/** Cached, because formatters cost more to create than to use. */
function made<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => T,
): T {
  const found = (cached.get(key) as T | undefined) ?? make()
  cached.set(key, found)
  return found
}

/** A number, with all its decimals. */
export function number(value: number, { locale }: Format): string {
  return made(
    `n ${locale}`,
    () => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }),
  ).format(value)
}

/** A number of hundredths with its sign, as the language writes it: 75%, 75 %. */
export function percent(value: number, { locale }: Format): string {
  return made(
    `p ${locale}`,
    () =>
      new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 6 }),
  ).format(value)
}

/** Seconds as hours and minutes: 2 h 5 min; below a minute as seconds. */
export function duration(seconds: number, { locale }: Format): string {
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    made(
      `u ${locale} ${name}`,
      () =>
        new Intl.NumberFormat(locale, {
          style: 'unit',
          unit: name,
          unitDisplay: 'short',
          maximumFractionDigits: 0,
        }),
    ).format(value)
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return unit(seconds, 'second')
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [...(hours ? [unit(hours, 'hour')] : []), ...(rest ? [unit(rest, 'minute')] : [])].join(
    ' ',
  )
}

/** Seconds as hours with one decimal: 2.5 h. */
export function hours(seconds: number, { locale }: Format): string {
  return made(
    `h ${locale}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: 'hour',
        unitDisplay: 'short',
        maximumFractionDigits: 1,
      }),
  ).format(Math.round(seconds / 360) / 10)
}

/** The days until something is due, negative once that has passed: 3 days, due today, 28 days late. */
export function daysLeft(days: number, format: Format): string {
  if (days === 0) return t('due today')
  const count = Math.abs(days)
  const values = { number: number(count, format), count }
  return days < 0
    ? t('{number} day late | {number} days late', values)
    : t('{number} day | {number} days', values)
}

/** An amount; without cents if they are zero. */
export function money(value: number, currency: string, { locale }: Format): string {
  const digits = Number.isInteger(value) ? 0 : undefined
  return made(
    `m ${locale} ${currency} ${digits}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        ...(digits === undefined ? {} : { maximumFractionDigits: digits }),
      }),
  ).format(value)
}

/** A short amount, as for a lane of a board: €1.2M. */
export function shortMoney(value: number, currency: string, { locale }: Format): string {
  return made(
    `s ${locale} ${currency}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        notation: Math.abs(value) >= 100_000 ? 'compact' : 'standard',
        maximumFractionDigits: Math.abs(value) >= 100_000 ? 1 : 0,
      }),
  ).format(value)
}

/** A day, independent of time zones. */
export function day(value: string, { locale }: Format): string {
  return made(
    `d ${locale}`,
    () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  ).format(new Date(`${value.slice(0, 10)}T12:00:00Z`))
}

/** A day in few letters: without the year where it is this one. */
export function shortDay(value: string, format: Format, now = new Date()): string {
  if (value.slice(0, 4) !== today(format.timezone, now).slice(0, 4)) return day(value, format)
  const { locale } = format
  return made(
    `sd ${locale}`,
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  ).format(new Date(`${value.slice(0, 10)}T12:00:00Z`))
}

/** A day with its weekday, without the year: Sat, Dec 5. */
export function weekday(value: string, { locale }: Format): string {
  return made(
    `w ${locale}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      }),
  ).format(new Date(`${value}T12:00:00Z`))
}

/** An instant, in the person's zone. */
export function instant(value: string, { locale, timezone }: Format): string {
  return made(
    `i ${locale} ${timezone}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: timezone,
      }),
  ).format(new Date(value))
}

/** The time of day of an instant, in the person's zone. */
export function clock(value: string | number, { locale, timezone }: Format): string {
  return made(
    `c ${locale} ${timezone}`,
    () => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: timezone }),
  ).format(new Date(value))
}

/** How long ago, or until when: "3 days ago", "in 2 hours". */
export function relative(value: string, { locale }: Format, now = Date.now()): string {
  const format = made(`r ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const seconds = (new Date(value).getTime() - now) / 1000
  const units = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit)
  }
  return format.format(0, 'minute')
}

/** Today in a zone, as YYYY-MM-DD. */
export function today(timezone: string, now = new Date()): string {
  return made(
    `today ${timezone}`,
    () => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }),
  ).format(now)
}

/** A day so many days later, or earlier with a negative number; both as YYYY-MM-DD. */
export function addDays(value: string, days: number): string {
  const date = new Date(`${value}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** A day as a heading: today, yesterday, then the date. */
export function dayLabel(value: string, format: Format, now = new Date()): string {
  const current = today(format.timezone, now)
  if (value === current) return t('Today')
  return value === addDays(current, -1) ? t('Yesterday') : day(value, format)
}

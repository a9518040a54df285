import type { CalendarMeeting } from '../data/calendar.ts'
import type { Format } from '../records/field/format.ts'
import type { Entry } from './entries.ts'
import { t } from '../locales/text.ts'

const made = new Map<string, Intl.DateTimeFormat>()

function format(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions) {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`
  const found = made.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options })
  made.set(key, found)
  return found
}

const noon = (day: string) => new Date(`${day}T12:00:00Z`)

/** Words of a day, which has no zone. */
export function dayWords(
  day: string,
  { locale }: Format,
  options: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' },
): string {
  return format(locale, 'UTC', options).format(noon(day))
}

/** What the days that are shown are called: a month, a week across two, or one day. */
export function rangeWords(days: string[], isOneDay: boolean, { locale }: Format): string {
  const [first = '', last = first] = [days[0], days.at(-1)]
  if (isOneDay) return format(locale, 'UTC', { dateStyle: 'full' }).format(noon(first))
  return format(locale, 'UTC', { month: 'long', year: 'numeric' }).formatRange(
    noon(first),
    noon(last),
  )
}

/** The time of a meeting on the clock of a zone, with its short name; of whole days the days that they are there. */
export function timeWords(
  { start, end, all_day: isAllDay }: Pick<CalendarMeeting, 'start' | 'end' | 'all_day'>,
  timezone: string,
  { locale }: Format,
): string {
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isAllDay ? {} : { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
  }
  return format(locale, timezone, options).formatRange(new Date(start), new Date(end))
}

/** The hours of a meeting, without the day. */
export function hoursWords({ meeting, isWhole }: Entry, { locale, timezone }: Format): string {
  if (isWhole) return t('all day')
  const options = { hour: 'numeric', minute: '2-digit' } as const
  return format(locale, timezone, options).formatRange(
    new Date(meeting.start),
    new Date(meeting.end),
  )
}

/** A time of a day as the person writes it. */
export function minuteWords(minutes: number, { locale }: Format): string {
  const date = new Date(Date.UTC(2020, 0, 1, 0, minutes))
  return format(locale, 'UTC', { hour: 'numeric', minute: '2-digit' }).format(date)
}

/** The short name of a zone on a day: CET, GMT+1. */
export function zoneWords(timezone: string, day: string, { locale }: Format): string {
  const parts = format(locale, timezone, { timeZoneName: 'short' }).formatToParts(noon(day))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone
}

const answers: { [response: string]: string } = {
  accepted: t('accepted'),
  tentative: t('answered maybe'),
  declined: t('declined'),
  needs_action: t('not answered'),
}

/** The name of a meeting for readers: "Clairval steering, 10:00 to 11:00, accepted, 5 people". */
export function entryWords(entry: Entry, format: Format): string {
  const { meeting, response } = entry
  const people = meeting.attendees.length
  return [
    meeting.title,
    hoursWords(entry, format),
    meeting.is_meeting_cancelled ? t('cancelled') : response ? answers[response] : '',
    people ? t('{count} person | {count} people', { count: people }) : '',
    meeting.series_start ? t('repeats') : '',
  ]
    .filter(Boolean)
    .join(', ')
}

import { addDays } from '../records/field/format.ts'

/** How the calendar is shown. */
export type View = 'month' | 'week' | 'day' | 'list'

/** The number of a weekday: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay() || 7
}

/** The weekday on which weeks begin where the language is spoken; Monday where nothing is known. */
export function firstWeekday(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1
}

/** The seven days of the week of a day. */
export function weekOf(day: string, first: number): string[] {
  const start = addDays(day, -((weekdayOf(day) - first + 7) % 7))
  return Array.from({ length: 7 }, (_, at) => addDays(start, at))
}

/** The weeks that show the month of a day, as six times seven days. */
export function monthOf(day: string, first: number): string[] {
  const [start = day] = weekOf(`${day.slice(0, 7)}-01`, first)
  return Array.from({ length: 42 }, (_, at) => addDays(start, at))
}

/** How many days one day is later than another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

/** The same day of a month so many months later, or its last one. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0, 12)).getUTCDate()
  const found = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last), 12))
  return found.toISOString().slice(0, 10)
}

/** The number of a day's week (ISO 8601). */
export function weekNumber(day: string): number {
  const thursday = addDays(day, 4 - weekdayOf(day))
  const days = daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday)
  return Math.floor(days / 7) + 1
}

/** The days that a view shows around one. */
export function daysOf(view: View, day: string, first: number): string[] {
  if (view === 'week') return weekOf(day, first)
  if (view === 'month') return monthOf(day, first)
  if (view === 'list') return Array.from({ length: 28 }, (_, at) => addDays(day, at))
  return [day]
}

/** The day that a view shows one step later, or earlier. */
export function stepped(view: View, day: string, by: 1 | -1): string {
  if (view === 'month') return addMonths(day, by)
  return addDays(day, by * (view === 'week' ? 7 : view === 'list' ? 28 : 1))
}

/** Minutes of a day as a time of the browser's own control: 10:30. */
export function timeOf(minutes: number): string {
  const whole = Math.min(Math.max(minutes, 0), 24 * 60 - 1)
  return `${pad(Math.floor(whole / 60))}:${pad(whole % 60)}`
}

/** The minutes of a time of a day: 630 of 10:30. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

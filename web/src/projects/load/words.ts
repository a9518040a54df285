import type { LoadPerson, LoadWeek } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { hours, shortDay } from '../../records/field/format.ts'
import type { Moved } from './moved.ts'
import { fillOf, inHours } from './figures.ts'
import { t } from '../../locales/text.ts'

/** Minutes in words, such as `20 h` or `1 h 30 min`. */
export function time(minutes: number, format: Format): string {
  return hours(60 * minutes, format)
}

/** What a cell is called, such as "Leila Castellano, week of Dec 14, 46 of 38 hours, over". */
export function cellName({ user }: LoadPerson, week: LoadWeek, format: Format): string {
  const { planned, capacity, without_estimate: unknown, off_days } = week
  const fill = fillOf(week)
  return [
    user.full_name,
    t('week of {day}', { day: shortDay(week.week, format) }),
    fill === 'away'
      ? awayWords(off_days)
      : fill === 'over'
        ? t('{planned} of {capacity} hours, over', {
            planned: inHours(planned),
            capacity: inHours(capacity),
          })
        : t('{planned} of {capacity} hours', {
            planned: inHours(planned),
            capacity: inHours(capacity),
          }),
    ...(unknown ? [t('{count} without estimate', { count: unknown })] : []),
  ].join(', ')
}

/** Why somebody has no time in a week: they are away, or nobody works. */
export function awayWords(off_days: number): string {
  return off_days ? t('Away') : t('Off [work]')
}

/** What is said of a task that went elsewhere. */
export function movedWords({ task, from, to, weeks }: Moved, week: string, format: Format): string {
  const { full_name: name } = to.user
  const isGiven = from.user.user_id !== to.user.user_id
  const { title } = task
  const day = weeks ? shortDay(week, format) : ''
  if (!isGiven) return t('Moved “{title}” to the week of {day}', { title, day })
  return day
    ? t('{person} has “{title}” now, in the week of {day}', { person: name, title, day })
    : t('{person} has “{title}” now', { person: name, title })
}

/** The first day of a week, without its year, which the weeks beside it say. */
export function weekOf(day: string, format: Format): string {
  return shortDay(day, format, new Date(`${day}T12:00:00Z`))
}

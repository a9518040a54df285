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
        ? t('{inHours} of {inHours2} hours, over', {
            inHours: inHours(planned),
            inHours2: inHours(capacity),
          })
        : t('{inHours} of {inHours2} hours', {
            inHours: inHours(planned),
            inHours2: inHours(capacity),
          }),
    ...(unknown ? [t('{unknown} without estimate', { unknown })] : []),
  ].join(', ')
}

/** Why somebody has no time in a week: they are away, or nobody works. */
export function awayWords(off_days: number): string {
  return off_days ? t('Away') : t('Off')
}

/** What is said of a task that went elsewhere. */
export function movedWords({ task, from, to, weeks }: Moved, week: string, format: Format): string {
  const { full_name: name } = to.user
  const isGiven = from.user.user_id !== to.user.user_id
  const when = weeks ? t('the week of {day}', { day: shortDay(week, format) }) : ''
  if (!isGiven) return t('Moved “{title}” to {when}', { title: task.title, when })
  return when
    ? t('{name} has “{title}” now, in {when}', { name, title: task.title, when })
    : t('{name} has “{title}” now', { name, title: task.title })
}

/** The first day of a week, without its year, which the weeks beside it say. */
export function weekOf(day: string, format: Format): string {
  return shortDay(day, format, new Date(`${day}T12:00:00Z`))
}

import type { GroupName, HomeCard, HomeRow } from '../data/home.ts'
import type { Format } from '../records/field/format.ts'
import {
  addDays,
  day,
  relative,
  shortDay,
  today as dayIn,
  weekday,
} from '../records/field/format.ts'
import type { IconName } from '../ui/icons.tsx'
import { t } from '../locales/text.ts'

/** The headings of the day's groups. */
export const groupTitles: { [name in GroupName]: string } = {
  late: t('Late'),
  today: t('Today'),
  week: t('This week'),
  waiting: t('Waiting for others'),
}

type CardWords = { title: string; none: string; icon: IconName }

/** What each card is called, and what it says without rows. */
export const cardWords: { [name in HomeCard['card']]: CardWords } = {
  projects_late: {
    title: t('Projects going late'),
    none: t('No project of yours is late.'),
    icon: 'folder-kanban',
  },
  accounts_at_risk: {
    title: t('Accounts at risk'),
    none: t('Every account of yours is in good health.'),
    icon: 'building',
  },
  accounts_fallen: {
    title: t('Accounts fallen this week'),
    none: t('No account of yours lost points this week.'),
    icon: 'building',
  },
  renewals: {
    title: t('Renewals in 90 days'),
    none: t('No contract ends within 90 days.'),
    icon: 'calendar',
  },
  low_answers: {
    title: t('New answers below 7'),
    none: t('Nobody answered below 7 in the last 30 days.'),
    icon: 'smile',
  },
  deals_need_step: {
    title: t('Deals that need a step'),
    none: t('Every open deal has its next step.'),
    icon: 'handshake',
  },
  deals_closing: {
    title: t('Closing this month'),
    none: t('No deal closes this month.'),
    icon: 'handshake',
  },
  mentions: { title: t('Mentions'), none: t('You have read every mention.'), icon: 'at-sign' },
  meetings: {
    title: t('Meetings to prepare'),
    none: t('No meeting in the next days.'),
    icon: 'calendar',
  },
  team: { title: t('Team'), none: t('Nobody reports to you.'), icon: 'users' },
}

/** Why a row matters: what waits, whom it waits for, how bad it is. */
export function whyOf({ why }: HomeRow, group: GroupName | undefined, format: Format): string {
  if (!why) return ''
  const { count, also, text, since } = why
  const day = since ? shortDay(since, format) : ''
  switch (why.word) {
    case 'holds_up':
      return t('1 task waits for it | {count} tasks wait for it', { count })
    case 'blocked':
      return t('waits for another task')
    case 'shared':
      return t('the customer sees it')
    case 'waits_for':
      return [text, day && group === 'waiting' ? t('since {day}', { day }) : '']
        .filter(Boolean)
        .join(', ')
    case 'invited':
      return t('{count} people', { count })
    case 'late_tasks':
      return t('{count} late task | {count} late tasks', { count: count ?? 0 })
    case 'past_due':
      return t('{day} has passed', { day })
    case 'no_date':
      return t('has no close date')
    case 'no_step':
      return t('has no open task')
    case 'quiet':
      return day ? t('quiet since {day}', { day }) : t('quiet')
    case 'health':
      return text ?? ''
    case 'fell':
      return day
        ? t('{count} point less since {day} | {count} points less since {day}', { count, day })
        : t('{count} point less | {count} points less', { count })
    case 'renewal':
      return day
        ? t('{count} month since {day} | {count} months since {day}', { count, day })
        : t('{count} month | {count} months', { count })
    case 'answered':
      return t('{person} gave {count} of 10', { person: text ?? t('Somebody'), count })
    case 'load':
      return t('{count} late, {also} this week', { count, also })
    default:
      return ''
  }
}

/** When a row is due, in few letters: its day, or the time at which it starts. */
export function dueOf(
  { kind, due }: HomeRow,
  today: string,
  format: Format,
  isShort = false,
): string {
  if (!due) return ''
  // when something was said
  if (kind === 'mention' || (kind === 'account' && due.length > 10)) return relative(due, format)
  if (due.length > 10) return timeOf(due, today, format)
  if (due === today) return kind === 'meeting' ? t('All day') : t('Today')
  return isShort ? shortDay(due, format) : weekday(due, format)
}

/** The time of an instant with its zone; with the day where that is not today. */
function timeOf(instant: string, today: string, { locale, timezone: timeZone }: Format): string {
  const at = new Date(instant)
  return new Intl.DateTimeFormat(locale, {
    ...(dayIn(timeZone, at) === today ? {} : { weekday: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
}

/** A day as the page's heading: Tuesday, November 24. */
export function headingOf(value: string, { locale }: Format, month: 'long' | 'short'): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    month,
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${value}T12:00:00Z`))
}

/** A day after today, as something is moved to it: tomorrow, Thursday, Dec 9. */
export function dayWords(value: string, today: string, format: Format): string {
  if (value === today) return t('today')
  if (value === addDays(today, 1)) return t('tomorrow')
  if (value > today && value <= addDays(today, 6)) return longWeekday(value, format)
  return weekday(value, format)
}

/** The name of a day's weekday. */
export function longWeekday(value: string, { locale }: Format): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${value}T12:00:00Z`),
  )
}

/** The next day after today that is a weekday, 1 for Monday. */
export function nextOn(weekday: number, today: string): string {
  const now = new Date(`${today}T12:00:00Z`).getUTCDay()
  return addDays(today, (weekday - now + 7) % 7 || 7)
}

export type DayChoice = { day: string; label: string; detail: string; found: string }

/** Days ahead from which one is chosen. */
const farthest = 180

/**
 * The days to which something can be moved, with all the words by which they are found; `near` are offered first, and one
 * day may be several of them.
 */
export function daysAhead(
  today: string,
  workday: string,
  format: Format,
): { near: DayChoice[]; all: DayChoice[] } {
  const choice = (value: string, name?: string): DayChoice => {
    const full = headingOf(value, format, 'long')
    const label = name ?? full
    const detail = name ? weekday(value, format) : ''
    return {
      day: value,
      label,
      detail,
      found: `${name ?? ''} ${full} ${weekday(value, format)} ${day(value, format)} ${value}`,
    }
  }
  const tomorrow = addDays(today, 1)
  const monday = nextOn(1, today)
  const near = [
    choice(tomorrow, t('Tomorrow')),
    choice(workday, t('Next working day')),
    choice(monday, t('Next Monday')),
    choice(addDays(today, 7), t('In a week')),
    choice(addDays(today, 14), t('In two weeks')),
    choice(addDays(today, 30), t('In 30 days')),
  ]
  const all = Array.from({ length: farthest }, (_, at) => choice(addDays(today, at + 1)))
  return { near, all }
}

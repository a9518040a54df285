import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import type { View } from './days.ts'
import { daysOf, firstWeekday, stepped, weekdayOf } from './days.ts'

/** What the address of the calendar holds. */
export type CalendarSearch = {
  as?: string
  on?: string
  who?: string
  projects?: string
  hide?: string
  zone2?: string
  new?: string
}

/** What can be hidden. */
export type Part = 'tasks' | 'milestones' | 'weekend'

const views: readonly View[] = ['month', 'week', 'day', 'list']

/** Which part of the calendar the address shows, and how it is changed. */
export function usePlace() {
  const { user } = useSession()
  const { locale, timezone } = useFormat()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const search = useSearch({ strict: false }) as CalendarSearch
  const now = today(timezone)
  const first = firstWeekday(locale)
  const view = views.find((each) => each === search.as) ?? 'week'
  const day = isDay(search.on) ? search.on : now
  const people = (search.who ?? 'me').split(',').filter((id) => id && id !== 'none')
  const hidden = new Set((search.hide ?? '').split(',').filter(Boolean))
  const change = (next: CalendarSearch) =>
    void navigate({
      to: '/calendar',
      search: { ...search, ...next },
      replace: true,
    })
  const all = daysOf(isNarrow && view !== 'list' ? 'week' : view, day, first)
  const isShown = (each: string) =>
    view !== 'week' || isNarrow || !hidden.has('weekend') || weekdayOf(each) < 6
  return {
    view,
    day,
    now,
    first,
    isNarrow,
    /** the days that are read */
    days: all,
    /** the days that have a place of their own: all but those that are hidden */
    shown: all.filter(isShown),
    isShown,
    people,
    isTeam: people.includes('team'),
    projects: (search.projects ?? '').split(',').filter(Boolean),
    /** whose meetings are read; everybody's where it is undefined */
    named: people.includes('team')
      ? undefined
      : people.map((id) => (id === 'me' ? user.user_id : id)).join(','),
    zone2: search.zone2,
    isHidden: (part: Part) => hidden.has(part),
    toggle: (part: Part) => {
      if (!hidden.delete(part)) hidden.add(part)
      change({ hide: [...hidden].join(',') })
    },
    isNew: search.new !== undefined,
    change,
    goTo: (next: string) => change({ on: next === now ? '' : next }),
    step: (by: 1 | -1) =>
      change({ on: stepped(isNarrow && view === 'day' ? 'week' : view, day, by) }),
    show: (next: View, at = day) =>
      change({ as: next === 'week' ? '' : next, on: at === now ? '' : at }),
  }
}

export type Place = ReturnType<typeof usePlace>

/** Whether a text is a day that there is. */
export function isDay(text: string | undefined): text is string {
  return /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
}

import { equal } from '../../../kit/ground/object.ts'

/**
 * An event as both sides of a connection compare it. Of whole days `start` and `end` are the first and the last one
 * (`2026-11-25`), else instants in UTC; `exdates` are in the same form, sorted.
 */
export type CalendarEvent = {
  title: string
  description: string | null
  location: string | null
  link: string | null
  start: string
  end: string
  all_day: boolean
  /** the clock that a series follows; null for an event that does not repeat */
  zone: string | null
  rrule: string | null
  exdates: string[]
  cancelled: boolean
}

/** Somebody in an event that was read. */
export type EventPerson = {
  email: string
  name: string | null
  is_optional: boolean
  response: 'needs_action' | 'accepted' | 'tentative' | 'declined'
}

/** An event of a connected calendar: of a series also each date that differs from it, by its `key`. */
export type Part = {
  /** the date of the series, as in `exdates`; empty for a whole event */
  key: string
  event: CalendarEvent
  /** whether it takes the time of its person */
  is_busy: boolean
  is_private: boolean
  people: EventPerson[]
  /** its place in the text that it was read from */
  at?: number
}

/**
 * An entry of a connected calendar with everything in it. One that cannot be read has no parts and says in `fault` why:
 * it is left out, and holds up no other.
 */
export type Item = {
  href: string
  uid: string
  etag: string
  parts: Part[]
  raw?: unknown
  fault?: string
}

/** What changes together: a change of one of these on each side is no conflict. */
export const groups = {
  title: ['title'],
  description: ['description'],
  location: ['location'],
  link: ['link'],
  when: ['start', 'end', 'all_day', 'zone'],
  rule: ['rrule'],
  exdates: ['exdates'],
  cancelled: ['cancelled'],
} as const satisfies { [group: string]: readonly (keyof CalendarEvent)[] }

export type Group = keyof typeof groups

/** Everything that an event says. */
export const allGroups = Object.keys(groups) as Group[]

/** The groups in which two events differ. */
export function differing(
  one: Partial<CalendarEvent> | null,
  other: Partial<CalendarEvent> | null,
): Group[] {
  return allGroups.filter((group) =>
    groups[group].some((field) => !equal(one?.[field], other?.[field])),
  )
}

/** The dates of a series that have an event of their own. */
export function keysOf(parts: Pick<Part, 'key'>[]): Set<string> {
  return new Set(parts.map(({ key }) => key).filter(Boolean))
}

/** Whether a date of a series is only what the series says, although it is an entry of its own there. */
export function isAsPlanned(series: CalendarEvent, { key, event }: Part): boolean {
  const length = ({ start, end }: CalendarEvent) => Date.parse(end) - Date.parse(start)
  return (
    event.start === key &&
    event.all_day === series.all_day &&
    length(event) === length(series) &&
    (['title', 'description', 'location', 'link'] as const).every(
      (field) => event[field] === series[field],
    )
  )
}

/** An event with these groups of another. */
export function withGroups<E extends Partial<CalendarEvent>>(
  event: E,
  other: Partial<CalendarEvent>,
  wanted: Group[],
): E {
  const next: Partial<CalendarEvent> = { ...event }
  for (const group of wanted) {
    for (const field of groups[group]) Object.assign(next, { [field]: other[field] })
  }
  return next as E
}

type Sides = { ours: CalendarEvent; theirs: CalendarEvent }

/**
 * What both sides become after changes of each since they were last the same (`base`): a group that only one side has
 * changed is as it says, one that both have is as it is here. Dates that each side drops of a series are all dropped.
 */
export function merged(
  base: { ours: CalendarEvent | null; theirs: CalendarEvent | null },
  { ours, theirs }: Sides,
): { target: CalendarEvent; toOurs: Group[]; toTheirs: Group[] } {
  const here = differing(ours, base.ours)
  const there = differing(theirs, base.theirs)
  const taken = there.filter((group) => !here.includes(group))
  const target = withGroups(ours, theirs, taken)
  if (here.includes('exdates') && there.includes('exdates')) {
    const before = new Set(base.theirs?.exdates)
    const removed = [...before].filter((date) => !theirs.exdates.includes(date))
    const added = theirs.exdates.filter((date) => !before.has(date))
    const all = new Set([...ours.exdates, ...added])
    for (const date of removed) all.delete(date)
    target.exdates = [...all].toSorted()
  }
  return {
    target,
    toOurs: differing(target, ours),
    // what only differs because the other side cannot write it as we do stays as it is there
    toTheirs: differing(target, theirs).filter(
      (group) => here.includes(group) || there.includes(group),
    ),
  }
}

/** A rule in one form, so that two that say the same are equal; `until` says how its last day is written. */
export function plainRule(rrule: string, until: (value: string) => string): string {
  const parts = rrule
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .map((part) => part.split('=') as [string, string?])
    .filter(([name, value]) => name && value)
    .filter(([name, value]) => !(name === 'INTERVAL' && value === '1'))
    .filter(([name, value]) => !(name === 'WKST' && value === 'MO'))
    .map(([name, value = '']) => [name, name === 'UNTIL' ? until(value) : value] as const)
  const rank = ([name]: readonly [string, string]) => (name === 'FREQ' ? '' : name)
  return parts
    .toSorted((a, b) => rank(a).localeCompare(rank(b)))
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}

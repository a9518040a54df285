import type { CalendarMeeting } from '../data/calendar.ts'
import { localTime } from '../records/field/local-time.ts'
import { minutesOf } from './days.ts'

/** A meeting where the person's clock has it. */
export type Entry = {
  key: string
  meeting: CalendarMeeting
  /** the days that it covers */
  first: string
  last: string
  /** minutes of its first and of its last day */
  from: number
  to: number
  /** it stands above the hours: all day, or a day and longer */
  isWhole: boolean
  /** whose clock says when it is: that of the person who looks, or of whole days their own */
  zone: string
  /** the answer of the person who looks; undefined where they are not invited */
  response: string | undefined
  isOver: boolean
}

/** Who looks, and where: meetings that last all day are days of their own zone. */
export type Looking = { user: string; timezone: string; organization: string; now: number }

/** A part of a day that a meeting has, in one of the columns of those that overlap. */
export type Slice = { entry: Entry; from: number; to: number; column: number; columns: number }

/** Slices of a day, and where there are more than fit beside each other. */
export type DaySlices = { slices: Slice[]; more: { from: number; to: number; count: number }[] }

const shortest = 20
const dayLong = 24 * 60

/** Meetings on the person's clock, by their start. */
export function entriesOf(meetings: CalendarMeeting[], looking: Looking): Entry[] {
  return meetings.map((meeting) => entryOf(meeting, looking))
}

function entryOf(meeting: CalendarMeeting, { user, timezone, organization, now }: Looking): Entry {
  const { calendar_id, start, end, all_day: isAllDay, attendees } = meeting
  const zone = isAllDay ? (zoneOf(meeting) ?? organization) : timezone
  const begins = localTime(start, zone)
  // what ends at midnight does not cover the day that begins then; days are named with their last one
  const isUntil = end > start && !isAllDay
  const ends = localTime(isUntil ? new Date(Date.parse(end) - 1).toISOString() : end, zone)
  const isLong = Date.parse(end) - Date.parse(start) >= dayLong * 60_000
  const to = minutesOf(localTime(end, zone).slice(11))
  return {
    key: `${calendar_id} ${start}`,
    meeting,
    first: begins.slice(0, 10),
    last: ends.slice(0, 10),
    from: minutesOf(begins.slice(11)),
    to: to === 0 ? dayLong : to,
    isWhole: isAllDay || isLong,
    zone,
    response: attendees.find(({ type, id }) => type === 'user' && id === user)?.response,
    isOver: Date.parse(end) < now,
  }
}

/** Whose meetings are shown: of these people, everybody's with `isTeam`, and those of these projects. */
export type Shown = { people: string[]; projects: string[]; isTeam: boolean }

/** Whether a meeting stands in the calendar: one that the person who looks has declined only where it is another's, too. */
export function isThere(
  { meeting, response }: Pick<Entry, 'meeting' | 'response'>,
  { people, projects, isTeam }: Shown,
): boolean {
  if (response !== 'declined' || isTeam) return true
  const { attendees, created_by: by, project } = meeting
  return Boolean(
    (project?.project_id && projects.includes(project.project_id)) ||
    people.some(
      (person) =>
        by?.user_id === person ||
        attendees.some(({ type, id }) => type === 'user' && id === person),
    ),
  )
}

/** The zone that a meeting names. */
export function zoneOf({ timezone }: Pick<CalendarMeeting, 'timezone'>): string | undefined {
  const name = timezone?.name ?? timezone?.value ?? timezone?.timezone
  return typeof name === 'string' && name ? name : undefined
}

/** The meetings that stand above the hours of a day. */
export function wholeOn(entries: Entry[], day: string): Entry[] {
  return entries.filter(({ isWhole, first, last }) => isWhole && first <= day && last >= day)
}

/** All meetings of a day, in their order. */
export function on(entries: Entry[], day: string): Entry[] {
  const whole = wholeOn(entries, day)
  const timed = entries.filter(
    ({ isWhole, first, last }) => !isWhole && first <= day && last >= day,
  )
  return [...whole, ...timed]
}

/** Where the meetings of a day stand: those that overlap beside each other, at most `most` of them. */
export function slicesOn(entries: Entry[], day: string, most: number): DaySlices {
  const timed = entries
    .filter(({ isWhole, first, last }) => !isWhole && first <= day && last >= day)
    .map((entry) => sliceOf(entry, day))
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  const found: DaySlices = { slices: [], more: [] }
  let group: Slice[] = []
  let until = -1
  for (const slice of timed) {
    if (slice.from >= until) {
      close(group, most, found)
      group = []
      until = -1
    }
    const taken = new Set(group.filter(({ to }) => to > slice.from).map(({ column }) => column))
    let column = 0
    while (taken.has(column)) column++
    group.push({ ...slice, column })
    until = Math.max(until, slice.to)
  }
  close(group, most, found)
  return found
}

function sliceOf(entry: Entry, day: string): Slice {
  const from = Math.min(entry.first < day ? 0 : entry.from, dayLong - shortest)
  const to = entry.last > day ? dayLong : entry.to
  return { entry, from, to: Math.max(to, from + shortest), column: 0, columns: 1 }
}

function close(group: Slice[], most: number, found: DaySlices): void {
  const columns = Math.max(0, ...group.map(({ column }) => column + 1))
  if (columns <= most) {
    found.slices.push(...group.map((slice) => ({ ...slice, columns })))
    return
  }
  const shown = group.filter(({ column }) => column < most - 1)
  const others = group.filter(({ column }) => column >= most - 1)
  found.slices.push(...shown.map((slice) => ({ ...slice, columns: most })))
  found.more.push({
    from: Math.min(...others.map(({ from }) => from)),
    to: Math.max(...others.map(({ to }) => to)),
    count: others.length,
  })
}
